/** What belongs to the desktop around a program: menus, dialogs, theme, screens, the user's other programs. */
import { EventEmitter } from 'node:events';
import { allWindows } from './browserWindow.ts';

interface MenuItem {
  readonly id?: string;
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly registerAccelerator?: boolean;
  readonly enabled?: boolean;
  readonly submenu?: readonly MenuItem[];
  readonly click?: () => void;
}

const roles = new Set(
  'about close copy editMenu appMenu windowMenu hide hideOthers unhide services quit recentDocuments reload resetZoom toggleDevTools togglefullscreen zoomIn zoomOut'.split(
    ' ',
  ),
);
const modifiers = new Set(
  'Command Cmd Control Ctrl CommandOrControl CmdOrCtrl Alt Option AltGr Shift Super Meta'.split(' '),
);

export class Menu {
  static current: Menu | null = null;
  readonly items: readonly MenuItem[];

  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }
  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    for (const item of template) check(item);
    return new Menu(template);
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.current = menu;
  }
}

function check(item: MenuItem): void {
  if (item.role !== undefined && !roles.has(item.role)) throw new Error(`Unknown role ${item.role}`);
  if (item.role === undefined && item.type !== 'separator' && (item.label ?? '') === '') {
    throw new TypeError('Required argument label missing');
  }
  const parts = item.accelerator?.split('+') ?? [];
  if (parts.slice(0, -1).some((part) => !modifiers.has(part)))
    throw new Error(`bad accelerator ${item.accelerator}`);
  for (const one of item.submenu ?? []) check(one);
}

export function findItem(
  id: string,
  items: readonly MenuItem[] = Menu.current?.items ?? [],
): MenuItem | undefined {
  for (const item of items) {
    if (item.id === id && item.click !== undefined) return item;
    const below = findItem(id, item.submenu ?? []);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Dialogs that wait for their answer; a test gives it. */
export interface OpenDialog {
  readonly kind: 'open' | 'save' | 'message';
  readonly options: unknown;
  readonly answer: (value: unknown) => void;
}
export const dialogs: OpenDialog[] = [];

function ask(kind: OpenDialog['kind'], args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve) => {
    const dialogNow: OpenDialog = {
      kind,
      options: structuredClone(args.at(-1)),
      answer: (value) => {
        dialogs.splice(dialogs.indexOf(dialogNow), 1);
        resolve(value);
      },
    };
    dialogs.push(dialogNow);
  });
}

export const dialog = {
  showOpenDialog: (...args: unknown[]) => ask('open', args),
  showSaveDialog: (...args: unknown[]) => ask('save', args),
  showMessageBox: (...args: unknown[]) => ask('message', args),
};

class NativeTheme extends EventEmitter {
  private source = 'system';
  get themeSource(): string {
    return this.source;
  }
  set themeSource(theme: string) {
    if (!['system', 'light', 'dark'].includes(theme)) throw new TypeError(`bad theme ${theme}`);
    this.source = theme;
    for (const { webContents } of allWindows()) webContents.emulate(this.media());
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.source !== 'light';
  }
  media() {
    return {
      features: [
        { name: 'prefers-color-scheme', value: this.shouldUseDarkColors ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    };
  }
}
export const nativeTheme = new NativeTheme();

export const opened = { external: [] as string[], folders: [] as string[] };
export const shell = {
  async openExternal(url: string): Promise<void> {
    opened.external.push(url);
  },
  showItemInFolder(path: string): void {
    opened.folders.push(path);
  },
};

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 24, width: 1920, height: 1056 },
};
export const screen = {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
};
