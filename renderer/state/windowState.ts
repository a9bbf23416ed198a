/**
 * What is the window's own: place, selection, layout, filters, preferences. The engine's truth is never copied here.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defaultPreferences, type Preferences } from './preferences.ts';
import { firstSessionsUi, type SessionsUi } from './sessionsUi.ts';

/** In their order on screen: views of one object, then views of the controller and the cluster. */
export const objectTabs = ['why', 'timeline', 'conditions', 'ownership'] as const;
export const tabs = [...objectTabs, 'queue', 'rbac', 'informers', 'events', 'findings'] as const;
export type Tab = (typeof tabs)[number];

/** Where the user is; `[` and `]` walk through these. */
export interface Place {
  readonly tab: Tab;
  /** Object key of the object views. */
  readonly object: string | undefined;
  /** What was chosen there: the reconcile, and the part of the Queue. */
  readonly span?: string | undefined;
  readonly queueSegment?: QueueSegment | undefined;
}

export type QueueSegment = 'now' | 'reconciles' | 'history';

export type HistoryMode = 'diff' | 'yaml' | 'owners';

export interface WindowState {
  readonly place: Place;
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
  readonly controller: string | undefined;
  readonly historyMode: HistoryMode;
  /** Versions compared in History: seq of the chosen one, and of the one it is compared with when not the one before. */
  readonly version: number | undefined;
  readonly against: number | undefined;
  readonly eventSeq: number | undefined;
  readonly informer: string | undefined;
  readonly informerSegment: 'sources' | 'informers' | 'requests';
  /** Chosen on the page of sources, by its id. */
  readonly source: string | undefined;
  readonly queueKey: string | undefined;
  readonly queueSegment: QueueSegment;
  /** The reconcile that is chosen, by its id, wherever one can be. */
  readonly span: string | undefined;
  readonly rbacRow: string | undefined;
  readonly rbacSegment: 'matrix' | 'bindings' | 'unused';
  readonly finding: string | undefined;
  readonly eventFilter: string;
  readonly eventInitial: boolean;
  /** Renewals of Leases stand in the list too. */
  readonly eventHeartbeats: boolean;
  readonly keyFilter: string;
  /** Filters of the other lists, by the list's name. */
  readonly filters: Readonly<Record<string, string>>;
  readonly settingsOpen: boolean;
  readonly settingsPart: 'appearance' | 'keys';
  readonly paletteOpen: boolean;
  readonly helpOpen: boolean;
  readonly profileOpen: boolean;
  /** The inspector's sheet of a window under 900 px. */
  readonly sheetOpen: boolean;
  /** The narrow rail's overlay. */
  readonly navOpen: boolean;
  /** The user chose to look at what is here before the first sync ended. */
  readonly openedEarly: boolean;
  /** The window was taken to a view, or the user went to one: from then on only the user moves it. */
  readonly landed: boolean;
  readonly sessions: SessionsUi;
  readonly preferences: Preferences;
}

export type WindowStore = StoreApi<WindowState>;

const firstState: WindowState = {
  place: { tab: 'events', object: undefined },
  back: [],
  forward: [],
  controller: undefined,
  historyMode: 'diff',
  version: undefined,
  against: undefined,
  eventSeq: undefined,
  informer: undefined,
  informerSegment: 'informers',
  source: undefined,
  queueKey: undefined,
  queueSegment: 'now',
  span: undefined,
  rbacRow: undefined,
  rbacSegment: 'matrix',
  finding: undefined,
  eventFilter: '',
  eventInitial: false,
  eventHeartbeats: false,
  keyFilter: '',
  filters: {},
  settingsOpen: false,
  settingsPart: 'appearance',
  paletteOpen: false,
  helpOpen: false,
  profileOpen: false,
  sheetOpen: false,
  navOpen: false,
  openedEarly: false,
  landed: false,
  sessions: firstSessionsUi,
  preferences: defaultPreferences,
};

export function createWindowStore(initial: Partial<WindowState> = {}): WindowStore {
  return createStore<WindowState>(() => ({ ...firstState, ...initial }));
}

const keepPlaces = 50;

/** Goes to a place and remembers the one before. The same place again is no step. */
export function goTo(store: WindowStore, place: Partial<Place>): void {
  store.setState((state) => {
    const next = { ...state.place, ...place };
    if (next.tab === state.place.tab && next.object === state.place.object) return state;
    const moved = next.object !== state.place.object;
    return {
      place: next,
      back: [...state.back, here(state)].slice(-keepPlaces),
      forward: [],
      ...(moved ? { version: undefined, against: undefined, span: undefined } : {}),
    };
  });
}

/** The place with what is chosen in it, for the way back. */
function here({ place, span, queueSegment }: WindowState): Place {
  return { ...place, span, ...(place.tab === 'queue' ? { queueSegment } : {}) };
}

/** What a place of the history had chosen. */
function chosenAt(place: Place): Partial<WindowState> {
  return {
    place: { tab: place.tab, object: place.object },
    version: undefined,
    against: undefined,
    span: place.span,
    ...(place.queueSegment === undefined ? {} : { queueSegment: place.queueSegment }),
  };
}

/** Chooses a reconcile where the window is; it goes before a chosen version. */
export function selectSpan(store: WindowStore, span: string | undefined): void {
  store.setState({ span, ...(span === undefined ? {} : { version: undefined, against: undefined }) });
}

/** Goes to a reconcile among the versions of its key's object; a step of the history also inside that view. */
export function openSpan(store: WindowStore, row: { readonly id: string; readonly object: string }): void {
  const before = store.getState();
  goTo(store, { tab: 'timeline', object: row.object });
  const stayed = store.getState().place === before.place;
  if (stayed && before.span === row.id) return;
  if (stayed) store.setState({ back: [...before.back, here(before)].slice(-keepPlaces), forward: [] });
  selectSpan(store, row.id);
}

/** Opens the History of an object, at a version when one is named. */
export function openObject(store: WindowStore, object: string, version?: number): void {
  goTo(store, { tab: 'timeline', object });
  store.setState({ version, against: undefined, span: undefined });
}

export function goBack(store: WindowStore): void {
  store.setState((state) => {
    const place = state.back.at(-1);
    if (place === undefined) return state;
    return { ...chosenAt(place), back: state.back.slice(0, -1), forward: [here(state), ...state.forward] };
  });
}

export function goForward(store: WindowStore): void {
  store.setState((state) => {
    const [place, ...rest] = state.forward;
    if (place === undefined) return state;
    return { ...chosenAt(place), back: [...state.back, here(state)], forward: rest };
  });
}

/** Shows or hides the inspector: the column of a wide window, the sheet of a narrow one. */
export function toggleInspector(store: WindowStore, sheet: boolean): void {
  if (sheet) store.setState((state) => ({ sheetOpen: !state.sheetOpen }));
  else setPreferences(store, { inspectorOpen: !store.getState().preferences.inspectorOpen });
}

/** Shows or hides the navigation: the column of a wide window, what lies over the rail of a narrow one. */
export function toggleNav(store: WindowStore, narrow: boolean): void {
  if (narrow) store.setState((state) => ({ navOpen: !state.navOpen }));
  else setPreferences(store, { navShown: !store.getState().preferences.navShown });
}

export function setFilter(store: WindowStore, list: string, text: string): void {
  store.setState((state) => ({ filters: { ...state.filters, [list]: text } }));
}

export function setPreferences(store: WindowStore, change: Partial<Preferences>): void {
  store.setState((state) => ({ preferences: { ...state.preferences, ...change } }));
}
