/** BrowserWindow: geometry and state are kept, not drawn; the page is real. */
import { EventEmitter } from 'node:events';
import { isReady } from './app.ts';
import type { Cdp } from './cdp.ts';
import { WebContents } from './webContents.ts';

interface Options {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly show?: boolean;
  readonly title?: string;
  readonly webPreferences: Readonly<Record<string, unknown>> & { readonly preload: string };
}

export const shared: { cdp: Cdp | undefined; created: (contents: WebContents) => void } = {
  cdp: undefined,
  created: () => {},
};

let focused: BrowserWindow | undefined;
const all = new Set<BrowserWindow>();

export function allWindows(): BrowserWindow[] {
  return [...all];
}

export class BrowserWindow extends EventEmitter {
  readonly options: Options;
  readonly webContents: WebContents;
  private visible = false;
  private minimized = false;
  private maximized = false;
  private destroyed = false;

  constructor(options: Options) {
    super();
    if (!isReady() || shared.cdp === undefined)
      throw new Error('Cannot create BrowserWindow before app is ready');
    this.options = options;
    this.visible = options.show !== false;
    this.webContents = new WebContents(shared.cdp, options.webPreferences.preload);
    all.add(this);
    shared.created(this.webContents);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
  }

  static getAllWindows(): BrowserWindow[] {
    return allWindows();
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  show(): void {
    this.visible = true;
    this.focus();
  }
  focus(): void {
    if (focused === this) return;
    focused = this;
    this.emit('focus');
  }
  isFocused(): boolean {
    return focused === this;
  }
  isVisible(): boolean {
    return this.visible;
  }
  minimize(): void {
    this.minimized = true;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  isFullScreen(): boolean {
    return false;
  }
  getNormalBounds() {
    const { x = 0, y = 0, width, height } = this.options;
    return { x, y, width, height };
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  /** As a click on the window's own button. True when it closed. */
  close(): boolean {
    let stopped = false;
    this.emit('close', {
      preventDefault: () => {
        stopped = true;
      },
    });
    if (!stopped) this.destroy();
    return !stopped;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    all.delete(this);
    if (focused === this) focused = undefined;
    this.webContents.destroy();
    this.emit('closed');
    if (all.size === 0) closedAll();
  }
}

let closedAll = () => {};
export function onAllClosed(listener: () => void): void {
  closedAll = listener;
}
