/**
 * The native menu: what the window's command table says, put into the places each platform has for it, with the roles
 * that only the system can do. Pure: a template in, a template out.
 */
import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/contract/shell.ts';

export interface MenuSource {
  readonly commands: readonly MenuCommand[];
  /** Titles of groups, in the window's language. */
  readonly headings: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** Not in what users get. */
  readonly developer: boolean;
  readonly run: (id: string) => void;
}

const groups = ['go', 'object', 'playback'] as const;

export function menuTemplate(source: MenuSource): MenuItemConstructorOptions[] {
  const mac = source.platform === 'darwin';
  const of = (group: MenuCommand['group']) =>
    source.commands.filter((command) => command.group === group).map((command) => item(command, source));
  const heading = (group: string, fallback: string) => source.headings[group] ?? fallback;
  const app = of('app');
  return [
    ...(mac ? [appMenu(app)] : []),
    {
      id: 'file',
      label: heading('file', 'File'),
      submenu: [
        ...of('file'),
        ...(mac ? [{ role: 'recentDocuments' as const, submenu: [] }] : []),
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu', ...(source.headings.edit === undefined ? {} : { label: source.headings.edit }) },
    {
      id: 'view',
      label: heading('view', 'View'),
      submenu: [
        ...of('view'),
        { type: 'separator' },
        ...(mac ? [] : [...app, { type: 'separator' as const }]),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(source.developer ? [{ role: 'toggleDevTools' as const }, { role: 'reload' as const }] : []),
      ],
    },
    ...groups.flatMap((group) => {
      const submenu = of(group);
      return submenu.length === 0 ? [] : [{ id: group, label: heading(group, group), submenu }];
    }),
    {
      role: 'windowMenu',
      ...(source.headings.window === undefined ? {} : { label: source.headings.window }),
    },
  ];
}

function appMenu(commands: MenuItemConstructorOptions[]): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      ...commands,
      { type: 'separator' },
      { role: 'services' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function item(command: MenuCommand, { run, platform }: MenuSource): MenuItemConstructorOptions {
  const accelerator = acceleratorOf(command.keys, platform);
  return {
    id: command.id,
    label: command.title,
    enabled: command.enabled,
    ...(command.checked === undefined ? {} : { type: 'checkbox' as const, checked: command.checked }),
    // Shown, not taken: the window has each key first and knows whether somebody types.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: () => run(command.id),
  };
}

/** Keys that the system's own roles have. */
const taken = new Set(['Mod+C', 'Mod+V', 'Mod+X', 'Mod+A', 'Mod+Z']);

/**
 * The first chord with a modifier, as Electron writes it. A single letter is none: macOS takes what a menu shows, and it
 * would be gone from every text field.
 */
export function acceleratorOf(keys: readonly string[], platform: NodeJS.Platform): string | undefined {
  const chord = keys.find((one) => /^(Mod|Ctrl|Alt|Meta)\+/.test(one) && !taken.has(one));
  if (chord === undefined) return undefined;
  return chord
    .split('+')
    .map((part) => names[part] ?? part)
    .map((part) => (part === 'Mod' ? (platform === 'darwin' ? 'Command' : 'Control') : part))
    .join('+');
}

const names: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Return',
};
