/**
 * The desktop program: one instance, its windows, what the desktop asks it to open, and its end. No domain logic; the
 * engine runs in processes of its own (engineProcess.ts). docs/spec/shell.md
 */
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { userFolders } from '../core/node/userFolders.ts';
import { appScheme } from './appScheme.ts';
import { hardenApp } from './hardening.ts';
import { openRequestOf, readArguments } from './openRequests.ts';
import { Program } from './program.ts';

// Before anything of Electron is asked: where its own files lie, and what the scheme of our page may do.
app.setName('Loopscope');
app.setPath('userData', join(userFolders().config, 'desktop'));
protocol.registerSchemesAsPrivileged([
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
hardenApp(app);

// Started as `electron .`, the second argument is the folder.
const ownArguments = process.argv.slice(app.isPackaged ? 1 : 2);
if (app.requestSingleInstanceLock({ arguments: ownArguments })) run();
else app.quit();

function run(): void {
  const asked = readArguments(ownArguments, process.cwd());
  const program = new Program(asked.engine);
  for (const request of asked.open) program.openLater(request);

  app.on('second-instance', (_event, argv, cwd, data) => {
    program.secondInstance(readArguments(argumentsOf(data) ?? argv.slice(1), cwd));
  });
  // macOS brings files and links as events, also before it is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    program.openLater({ type: 'open', path });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const request = openRequestOf(url, process.cwd());
    if (request !== undefined) program.openLater(request);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => program.activate());
  app.on('before-quit', (event) => program.beforeQuit(event));
  void app.whenReady().then(() => program.start());
}

/** Chromium mixes switches of its own into a second instance's argv; ours come beside it as they were. */
function argumentsOf(data: unknown): readonly string[] | undefined {
  if (typeof data !== 'object' || data === null || !('arguments' in data)) return undefined;
  const { arguments: list } = data;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}
