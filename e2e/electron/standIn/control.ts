/** What a test may ask of a program that runs on the stand-in: as its user, as the desktop, or to look at it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { app, told } from './app.ts';
import { allWindows, type BrowserWindow } from './browserWindow.ts';
import type { Cdp } from './cdp.ts';
import { dialogs, findItem, Menu, nativeTheme, opened } from './desktop.ts';
import { invoke } from './ipcMain.ts';
import { handlerOf, schemes, session } from './session.ts';
import { running } from './utilityProcess.ts';

export interface LoopDelay {
  readonly p99: number;
  readonly max: number;
}

function windowAt(index: number): BrowserWindow {
  const window = allWindows()[index];
  if (window === undefined) throw new Error(`there is no window ${index}`);
  return window;
}

/** One of our page's events that Electron would ask about; true when it was prevented. */
function prevented(index: number, name: string, details: object): boolean {
  let stopped = false;
  windowAt(index).webContents.emit(name, {
    ...details,
    preventDefault: () => {
      stopped = true;
    },
  });
  return stopped;
}

function controls(cdp: Cdp, startMs: number) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  return {
    endpoint: () => ({ endpoint: cdp.endpoint, startMs }),
    windows: () =>
      allWindows().map(({ webContents, options }, index) => ({
        url: webContents.getURL(),
        targetId: webContents.targetId,
        visible: windowAt(index).isVisible(),
        preferences: options.webPreferences,
      })),
    menuIds: () => idsOf(Menu.current?.items ?? []),
    menuLabels: () => (Menu.current?.items ?? []).map(({ label, role }) => label ?? role ?? ''),
    clickMenu: (id: string) => {
      const item = findItem(id);
      if (item?.click === undefined || item.enabled === false)
        throw new Error(`no menu item ${id} that can be clicked`);
      item.click();
    },
    dialogs: () => dialogs.map(({ kind, options }) => ({ kind, options })),
    answerDialog: (value: unknown) => {
      const [first] = dialogs;
      if (first === undefined) throw new Error('no dialog is open');
      first.answer(value);
    },
    desktop: () => ({ ...opened, ...told, theme: nativeTheme.themeSource }),
    openFile: (path: string) => app.emit('open-file', { preventDefault: () => {} }, path),
    openUrl: (url: string) => app.emit('open-url', { preventDefault: () => {} }, url),
    engines: () => [...running].map(({ pid }) => pid),
    loopDelay: async (reset: boolean) => {
      const main: LoopDelay = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
      if (reset) delay.reset();
      return { main, engines: await Promise.all([...running].map((engine) => engine.loopDelay(reset))) };
    },
    /** A call as another frame would make it. */
    callFrom: (frame: { url: string; parent: unknown } | null, channel: string, args: readonly unknown[]) =>
      invoke(channel, { sender: windowAt(0).webContents, senderFrame: frame }, args),
    schemes: () => schemes,
    fetch: async (url: string, method = 'GET') => {
      const response = await handlerOf(new URL(url).protocol.slice(0, -1))?.(new Request(url, { method }));
      return response === undefined
        ? undefined
        : { status: response.status, headers: Object.fromEntries(response.headers) };
    },
    grants: (permission: string) => ({
      asked: session.defaultSession.request !== undefined,
      granted: session.defaultSession.grants(windowAt(0).webContents, permission, 'app://loopscope'),
      device: session.defaultSession.device?.({}) ?? true,
    }),
    blocks: (url: string) => session.defaultSession.blocks(url),
    downloadPrevented: () => {
      let stopped = false;
      session.defaultSession.emit('will-download', {
        preventDefault: () => {
          stopped = true;
        },
      });
      return stopped;
    },
    prevented,
    windowOpen: (url: string) => windowAt(0).webContents.openHandler?.({ url }),
    dropPaths: (index: number, paths: Readonly<Record<string, string>>) =>
      windowAt(index).webContents.dropPaths(paths),
    closeWindow: (index: number) => windowAt(index).close(),
    quit: () => app.quit(),
  };
}

export type Controls = ReturnType<typeof controls>;

/** Answers the test's questions over the process's IPC channel. */
export function serveControl(cdp: Cdp, startMs: number): void {
  const table = controls(cdp, startMs) as unknown as Record<string, (...args: unknown[]) => unknown>;
  process.on('message', (message: { id: number; name: string; args: unknown[] }) => {
    const { id, name, args } = message;
    void (async () => table[name]?.(...args))().then(
      (value) => process.send?.({ id, value }),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(1));
  process.send?.({ ready: true });
}

function idsOf(
  items: readonly {
    readonly id?: string;
    readonly enabled?: boolean;
    readonly submenu?: readonly object[];
  }[],
): string[] {
  return items.flatMap((item) => [
    ...(item.id === undefined || item.enabled === false ? [] : [item.id]),
    ...idsOf((item.submenu ?? []) as never),
  ]);
}
