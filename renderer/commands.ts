/**
 * The one table of commands: menus, palette, keys and the `?` page all read it. `keys` are defaults, preferences may replace
 * them. A command without `run` here is done by the view that registered an action under its id (viewActions.tsx).
 */
import type { EngineClient } from './client/engineClient.ts';
import type { MessageKey } from './i18n/catalogue.ts';
import { isBehind, sessionCommands } from './sessionCommands.ts';
import { closeShown } from './state/playbackActions.ts';
import { isRecording, shownPlayback } from './state/usePlayback.ts';
import type { ViewActions } from './state/viewActions.tsx';
import {
  goBack,
  goForward,
  goTo,
  setPreferences,
  type Tab,
  tabs,
  toggleInspector,
  toggleNav,
  type WindowStore,
} from './state/windowState.ts';
import { tourCommands } from './tour/tourCommands.ts';

export interface CommandContext {
  readonly store: WindowStore;
  readonly engine: EngineClient;
  readonly actions: ViewActions;
  readonly connected: boolean;
  readonly lost: boolean;
  /** Under 900 px the inspector is a sheet. */
  readonly sheet: boolean;
  /** Under 1100 px the navigation is a rail. */
  readonly narrow: boolean;
  /** Moves focus to the next (1) or previous (−1) region of the window. */
  readonly focusRegion: (step: 1 | -1) => void;
}

/** In the order of the menu bar. */
export const commandGroups = ['file', 'go', 'view', 'object', 'playback', 'app'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface Command {
  readonly id: string;
  readonly title: MessageKey;
  readonly group: CommandGroup;
  readonly keys: readonly string[];
  readonly when?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
  /** Not offered in the palette: it only makes sense as a key. */
  readonly keyOnly?: boolean;
  /** Shown as chosen, in menus: the theme that is on. */
  readonly checked?: (context: CommandContext) => boolean;
}

function connected(context: CommandContext): boolean {
  return context.connected;
}

function tabCommand(tab: Tab, index: number): Command {
  return {
    id: `tab.${tab}`,
    title: `command.tab.${tab}`,
    group: 'go',
    keys: [`${index + 1}`],
    when: connected,
    run: ({ store }) => goTo(store, { tab }),
  };
}

/** Done by the view on screen, when it can. */
function viewCommand(
  id: string,
  title: MessageKey,
  group: CommandGroup,
  keys: readonly string[],
  keyOnly = false,
): Command {
  return {
    id,
    title,
    group,
    keys,
    keyOnly,
    when: ({ actions }) => actions.has(id),
    run: ({ actions }) => actions.run(id),
  };
}

export const commands: readonly Command[] = [
  {
    id: 'palette',
    title: 'command.palette',
    group: 'app',
    keys: ['Mod+K'],
    keyOnly: true,
    run: ({ store }) => store.setState((s) => ({ paletteOpen: !s.paletteOpen })),
  },
  {
    id: 'help',
    title: 'command.help',
    group: 'app',
    keys: ['?'],
    run: ({ store }) => store.setState({ helpOpen: true }),
  },
  {
    id: 'settings',
    title: 'command.settings',
    group: 'app',
    keys: ['Mod+,'],
    run: ({ store }) => store.setState({ settingsOpen: true }),
  },
  ...tabs.map(tabCommand),
  {
    id: 'place.back',
    title: 'command.back',
    group: 'go',
    keys: ['['],
    when: ({ store }) => store.getState().back.length > 0,
    run: ({ store }) => goBack(store),
  },
  {
    id: 'place.forward',
    title: 'command.forward',
    group: 'go',
    keys: [']'],
    when: ({ store }) => store.getState().forward.length > 0,
    run: ({ store }) => goForward(store),
  },
  {
    id: 'region.next',
    title: 'command.regionNext',
    group: 'go',
    keys: ['F6'],
    keyOnly: true,
    run: ({ focusRegion }) => focusRegion(1),
  },
  {
    id: 'region.previous',
    title: 'command.regionPrevious',
    group: 'go',
    keys: ['Shift+F6'],
    keyOnly: true,
    run: ({ focusRegion }) => focusRegion(-1),
  },
  {
    id: 'filter',
    title: 'command.filter',
    group: 'view',
    keys: ['/'],
    when: ({ actions }) => actions.has('filter') || actions.has('filter.keys'),
    // The list of the view, else the keys beside it.
    run: ({ actions }) => actions.run(actions.has('filter') ? 'filter' : 'filter.keys'),
  },
  viewCommand('copy', 'command.copy', 'view', ['Mod+C']),
  {
    id: 'live',
    title: 'command.live',
    group: 'view',
    keys: ['L'],
    when: (context) => isBehind(context) || context.actions.has('live'),
    // From a session or demo to the recording behind it; else the list of the view to its newest row.
    run: (context) => (isBehind(context) ? void closeShown(context.engine) : context.actions.run('live')),
  },
  viewCommand('gap.next', 'command.gapNext', 'view', ['G']),
  viewCommand('gap.previous', 'command.gapPrevious', 'view', ['Shift+G']),
  viewCommand('error.next', 'command.errorNext', 'view', ['E']),
  viewCommand('error.previous', 'command.errorPrevious', 'view', ['Shift+E']),
  viewCommand('write.next', 'command.writeNext', 'view', ['U']),
  viewCommand('write.previous', 'command.writePrevious', 'view', ['Shift+U']),
  viewCommand('yaml', 'command.yaml', 'object', ['Y']),
  viewCommand('diff', 'command.diff', 'object', ['X']),
  viewCommand('owners', 'command.owners', 'object', ['O']),
  viewCommand('table', 'command.table', 'view', ['T']),
  viewCommand('open', 'command.open', 'object', ['Enter'], true),
  {
    id: 'profile.edit',
    title: 'command.profile',
    group: 'view',
    keys: [],
    when: connected,
    run: ({ store }) => store.setState({ profileOpen: true }),
  },
  {
    id: 'nav.toggle',
    title: 'command.nav',
    group: 'view',
    keys: ['Mod+B'],
    when: connected,
    run: ({ store, narrow }) => toggleNav(store, narrow),
  },
  {
    id: 'inspector.toggle',
    title: 'command.inspector',
    group: 'view',
    keys: ['Mod+I'],
    when: connected,
    run: ({ store, sheet }) => toggleInspector(store, sheet),
  },
  {
    id: 'connection.retry',
    title: 'command.retry',
    group: 'file',
    keys: [],
    when: ({ lost }) => lost,
    run: ({ engine }) => void engine.call('connection.retry', {}),
  },
  {
    id: 'connection.disconnect',
    title: 'command.disconnect',
    group: 'file',
    keys: [],
    when: (context) => context.connected && !isRecording(shownPlayback(context.engine)),
    run: ({ engine }) => void engine.call('connection.disconnect', {}),
  },
  ...sessionCommands,
  ...tourCommands,
  themeCommand('dark'),
  themeCommand('light'),
  themeCommand('system'),
  localeCommand('en'),
  localeCommand('zh-CN'),
  {
    id: 'keys.single',
    title: 'command.singleKeys',
    group: 'app',
    keys: [],
    checked: ({ store }) => store.getState().preferences.singleKeys,
    run: ({ store }) => setPreferences(store, { singleKeys: !store.getState().preferences.singleKeys }),
  },
];

function themeCommand(theme: 'dark' | 'light' | 'system'): Command {
  return {
    id: `theme.${theme}`,
    title: `command.theme.${theme}`,
    group: 'view',
    keys: [],
    checked: ({ store }) => store.getState().preferences.theme === theme,
    run: ({ store }) => setPreferences(store, { theme }),
  };
}

function localeCommand(locale: 'en' | 'zh-CN'): Command {
  return {
    id: `locale.${locale}`,
    title: `command.locale.${locale}`,
    group: 'app',
    keys: [],
    checked: ({ store }) => store.getState().preferences.locale === locale,
    run: ({ store }) => setPreferences(store, { locale }),
  };
}
