/** What the program holds while it runs: its windows, what waits to be opened, its words, and the way it ends. */
import { join } from 'node:path';
import { app, ipcMain, Menu, protocol, session } from 'electron';
import { systemClock } from '../core/node/systemClock.ts';
import { linkScheme } from '../shared/model/momentLink.ts';
import { appScheme, serveWindow } from './appScheme.ts';
import { askToQuit, englishTexts, type Texts } from './dialogs.ts';
import { hardenSession } from './hardening.ts';
import { hostShellCalls } from './ipcHost.ts';
import { loginShellPath, needsLoginShell } from './loginShell.ts';
import { menuTemplate } from './menus.ts';
import type { EngineRequest, OpenRequest, StartRequest } from './openRequests.ts';
import { windowFolder } from './paths.ts';
import { remember, shellHandlers } from './shellHandlers.ts';
import { openShellSettings, type SettingsFile } from './shellSettings.ts';
import { type ShellWindow, tell, Windows } from './windows.ts';

function log(line: string): void {
  console.error(`loopscope: ${line}`);
}

export class Program {
  private readonly request: EngineRequest;
  private readonly settings: SettingsFile;
  private readonly windows: Windows;
  private readonly waiting: OpenRequest[] = [];
  private started = false;
  private texts: Texts = englishTexts;
  private quitting: 'no' | 'asking' | 'yes' = 'no';

  constructor(request: EngineRequest) {
    this.request = request;
    this.settings = openShellSettings(join(app.getPath('userData'), 'shell.json'), log);
    this.windows = new Windows({
      clock: systemClock,
      settings: this.settings,
      developer: !app.isPackaged,
      log,
      onFront: () => this.showMenu(),
      mayClose: (window) => this.mayEnd([window]),
    });
  }

  /** Once Electron is ready. */
  start(): void {
    this.started = true;
    hardenSession(session.defaultSession);
    protocol.handle(appScheme, serveWindow(windowFolder));
    if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
    hostShellCalls(
      ipcMain,
      (contents) => this.windows.of(contents),
      shellHandlers({
        windows: this.windows,
        texts: () => this.texts,
        setTexts: (texts) => {
          this.texts = { ...this.texts, ...texts };
        },
        menuChanged: () => this.showMenu(),
        openWindow: () => this.windows.open({ namespaces: [], ...sameKubeconfig(this.request) }),
      }),
      log,
    );
    this.windows.open(this.request);
    this.showMenu();
    for (const request of this.waiting.splice(0)) this.open(request);
    this.askLoginShell();
  }

  /** From the desktop, at any time. */
  openLater(request: OpenRequest): void {
    if (this.started) this.open(request);
    else this.waiting.push(request);
  }

  secondInstance({ open }: StartRequest): void {
    if (!this.started) {
      this.waiting.push(...open);
      return;
    }
    this.show(this.someWindow());
    for (const request of open) this.open(request);
  }

  /** A click on the dock. */
  activate(): void {
    if (this.started) this.show(this.someWindow());
  }

  /** Asks once, for all windows; then each engine is stopped in order. */
  beforeQuit(event: { preventDefault(): void }): void {
    if (this.quitting === 'yes') return;
    event.preventDefault();
    if (this.quitting === 'asking') return;
    this.quitting = 'asking';
    void this.end();
  }

  private async end(): Promise<void> {
    const windows = this.windows.list();
    if (!(await this.mayEnd(windows))) {
      this.quitting = 'no';
      return;
    }
    this.quitting = 'yes';
    await Promise.all(windows.map(({ engine }) => engine.stop()));
    this.windows.endAll();
    app.quit();
  }

  /** Whether these windows may end what they record. Yes when nothing is recorded, or it was answered for good. */
  private async mayEnd(windows: readonly ShellWindow[]): Promise<boolean> {
    if (this.quitting === 'yes') return true;
    const recordings = windows.flatMap(({ engine }) => engine.recording ?? []);
    if (recordings.length === 0 || this.settings.get().quitWithoutAsking) return true;
    const { quit, remember: forGood } = await askToQuit(windows.at(-1)?.window, recordings, this.texts);
    if (forGood) this.settings.set({ quitWithoutAsking: true });
    return quit;
  }

  private open(request: OpenRequest): void {
    const shell = this.someWindow();
    this.show(shell);
    if (request.type === 'open') remember(request.path);
    tell(shell, request);
  }

  private someWindow(): ShellWindow {
    return this.windows.front() ?? this.windows.open({ namespaces: [], ...sameKubeconfig(this.request) });
  }

  private show({ window }: ShellWindow): void {
    if (window.isMinimized()) window.restore();
    if (window.isVisible()) window.focus();
  }

  private showMenu(): void {
    const front = this.windows.front();
    const template = menuTemplate({
      commands: front?.menu.commands ?? [],
      headings: front?.menu.headings ?? {},
      platform: process.platform,
      developer: !app.isPackaged,
      run: (id) => {
        const target = this.windows.front();
        if (target !== undefined) tell(target, { type: 'command', id });
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  private askLoginShell(): void {
    const host = { platform: process.platform, env: process.env };
    if (!needsLoginShell(host)) return;
    void loginShellPath(host).then((path) => {
      if (path === undefined)
        log("the login shell's PATH could not be asked; credential plugins get our own");
      else this.windows.setPath(path);
    });
  }
}

function sameKubeconfig({ kubeconfig }: EngineRequest): { readonly kubeconfig?: string } {
  return kubeconfig === undefined ? {} : { kubeconfig };
}
