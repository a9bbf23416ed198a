/**
 * The stand-in for the `electron` module: what main.ts imports when it is run by Node for a test. As strict as the
 * original in what may cross between processes and worlds, and with nothing that main.ts does not use: what is missing
 * here throws. Pages are a real Chromium's; the engine's process is a real process.
 */
import { app, hooks } from './app.ts';
import { allWindows, onAllClosed, shared } from './browserWindow.ts';
import { Cdp } from './cdp.ts';
import { serveControl } from './control.ts';
import { nativeTheme } from './desktop.ts';
import { ownAddress } from './webContents.ts';

export { app } from './app.ts';
export { BrowserWindow } from './browserWindow.ts';
export { dialog, Menu, nativeTheme, screen, shell } from './desktop.ts';
export { MessageChannelMain } from './endpoint.ts';
export { ipcMain } from './ipcMain.ts';
export { protocol, session } from './session.ts';
export { utilityProcess } from './utilityProcess.ts';

hooks.closeWindows = () => allWindows().every((window) => window.close());
shared.created = (contents) => {
  contents.emulate(nativeTheme.media());
  app.emit('web-contents-created', {}, contents);
};
onAllClosed(() => {
  // Without a listener Electron quits.
  if (!app.emit('window-all-closed')) app.quit();
});

const starting = Date.now();
setImmediate(() => void start());

async function start(): Promise<void> {
  // A second instance ends before it needs a window.
  if (!app.hasSingleInstanceLock()) return;
  const cdp = await Cdp.launch();
  shared.cdp = cdp;
  hooks.end = () => cdp.endNow();
  process.on('exit', () => cdp.endNow());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(130));
  await refusePopups(cdp);
  serveControl(cdp, Date.now() - starting);
  app.becomeReady();
}

/** A page that a page opened: the opener's handler decides; refused ones are closed at once. */
async function refusePopups(cdp: Cdp): Promise<void> {
  cdp.on<{ targetInfo: { targetId: string; type: string; openerId?: string; url: string } }>(
    'Target.targetCreated',
    ({ targetInfo }) => {
      const { openerId, targetId, type, url } = targetInfo;
      if (type !== 'page' || openerId === undefined) return;
      const opener = allWindows().find(({ webContents }) => webContents.targetId === openerId);
      const answer = opener?.webContents.openHandler?.({ url: ownAddress(url) }) ?? { action: 'allow' };
      if (answer.action === 'deny') void cdp.send('Target.closeTarget', { targetId }).catch(() => undefined);
    },
  );
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  await cdp.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
}
