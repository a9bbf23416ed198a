/** The windows: each a BrowserWindow on the built page, an engine of its own, and what waits until it is drawn. */
import { BrowserWindow, MessageChannelMain, type MessagePortMain, nativeTheme, screen } from 'electron';
import type { Clock } from '../shared/base/clock.ts';
import type { MenuCommand, ShellEvent } from '../shared/contract/shell.ts';
import { shellChannels } from '../shared/contract/shellBridge.ts';
import { appAddress } from './appScheme.ts';
import { EngineHost } from './engineHost.ts';
import { hardenedPreferences } from './hardening.ts';
import type { EngineRequest } from './openRequests.ts';
import { preloadPath } from './paths.ts';
import type { SettingsFile } from './shellSettings.ts';
import { startEngineProcess } from './startEngine.ts';
import { besides, placeWindow, rememberPlace, type Screen, smallestSize } from './windowState.ts';

/** renderer/theme: --surface-chrome. What is seen before the page is drawn. */
const backgrounds = { dark: '#0d0f13', light: '#eceef2' } as const;

export interface ShellWindow {
  readonly window: BrowserWindow;
  readonly engine: EngineHost<MessagePortMain>;
  /** What its command table says; the menu shows that of the window in front. */
  menu: { readonly commands: readonly MenuCommand[]; readonly headings: Readonly<Record<string, string>> };
  /** Told until it is drawn; undefined from then on. */
  waiting: ShellEvent[] | undefined;
}

export interface WindowsOptions {
  readonly clock: Clock;
  readonly settings: SettingsFile;
  readonly developer: boolean;
  readonly log: (line: string) => void;
  /** The window in front is another one, or its menu changed. */
  readonly onFront: () => void;
  /** The user closes one; the answer decides. Not asked once the program quits. */
  readonly mayClose: (window: ShellWindow) => Promise<boolean>;
}

export class Windows {
  private readonly options: WindowsOptions;
  private readonly all = new Set<ShellWindow>();
  /** PATH of the login shell, once it is known. */
  private path: string | undefined;

  constructor(options: WindowsOptions) {
    this.options = options;
  }

  list(): readonly ShellWindow[] {
    return [...this.all];
  }

  /** The focused one, else the one opened last. */
  front(): ShellWindow | undefined {
    const all = this.list();
    return all.find(({ window }) => window.isFocused()) ?? all.at(-1);
  }

  of(contents: Electron.WebContents): ShellWindow | undefined {
    return this.list().find(({ window }) => window.webContents === contents);
  }

  setPath(path: string): void {
    this.path = path;
    for (const { engine } of this.all) engine.setPath(path);
  }

  open(request: EngineRequest): ShellWindow {
    const { settings, clock, log } = this.options;
    const screens = displays();
    const first = placeWindow(settings.get().places, screens);
    const front = this.front();
    const place =
      front === undefined ? first : besides({ ...first, bounds: front.window.getNormalBounds() }, screens);
    const window = new BrowserWindow({
      ...place.bounds,
      minWidth: smallestSize.width,
      minHeight: smallestSize.height,
      show: false,
      title: 'Loopscope',
      backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
      webPreferences: hardenedPreferences(preloadPath, this.options.developer),
    });
    if (place.maximized) window.maximize();
    const engine = new EngineHost<MessagePortMain>({
      clock,
      request,
      log,
      fork: () => startEngineProcess(log),
      channel: () => {
        const { port1, port2 } = new MessageChannelMain();
        return { engine: port1, window: port2 };
      },
      onGone: (why, restartMs) => tell(shell, { type: 'engineGone', why, restartMs }),
    });
    const shell: ShellWindow = { window, engine, menu: { commands: [], headings: {} }, waiting: [] };
    this.all.add(shell);
    if (this.path !== undefined) engine.setPath(this.path);
    this.follow(shell);
    void window.loadURL(appAddress);
    return shell;
  }

  private follow(shell: ShellWindow): void {
    const { window } = shell;
    const { log, onFront } = this.options;
    window.once('ready-to-show', () => window.show());
    window.on('focus', onFront);
    let closing = false;
    window.on('close', (event) => {
      this.remember(shell);
      if (closing) return;
      event.preventDefault();
      closing = true;
      void this.close(shell).then((closed) => {
        closing = closed;
      });
    });
    window.on('closed', () => {
      this.all.delete(shell);
      void shell.engine.stop();
      onFront();
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      log(`the window's process ended (${reason}); the page is loaded again`);
      shell.waiting = [];
      window.webContents.reload();
    });
  }

  /** Ends all of them without a question: it was asked. The engines are stopped. */
  endAll(): void {
    for (const shell of this.list()) {
      this.remember(shell);
      shell.window.destroy();
    }
  }

  private remember({ window }: ShellWindow): void {
    if (window.isMinimized() || window.isFullScreen()) return;
    const { settings } = this.options;
    const place = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    settings.set({ places: rememberPlace(settings.get().places, displays(), place) });
  }

  /** Asks, stops the engine in order, closes. False when the user stays. */
  private async close(shell: ShellWindow): Promise<boolean> {
    if (!(await this.options.mayClose(shell))) return false;
    await shell.engine.stop();
    if (!shell.window.isDestroyed()) shell.window.destroy();
    return true;
  }
}

/** Now, or when the window is drawn. A crashed engine is told at once: nothing is drawn without one. */
export function tell(shell: ShellWindow, event: ShellEvent): void {
  if (shell.window.isDestroyed()) return;
  if (shell.waiting !== undefined && event.type !== 'engineGone') shell.waiting.push(event);
  else shell.window.webContents.send(shellChannels.event, event);
}

/** The window is drawn: what waited is told. */
export function release(shell: ShellWindow): void {
  const waiting = shell.waiting ?? [];
  shell.waiting = undefined;
  for (const event of waiting) tell(shell, event);
}

function displays(): Screen[] {
  const primary = screen.getPrimaryDisplay();
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)];
}
