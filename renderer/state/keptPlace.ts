/**
 * Where the window was, kept while its page is loaded again: in the tab's own storage, for the session on screen alone.
 * Preferences are kept by the host (preferences.ts); this is gone with the tab.
 */
import { useEffect, useRef } from 'react';
import { useValueOf } from '../client/useEngine.tsx';
import { usePage } from './usePlayback.ts';
import { useWindowStore } from './useWindow.tsx';
import { type Place, tabs, type WindowState } from './windowState.ts';

const storageKey = 'loopscope.place';

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isMaybeText: Check = (value) => value === undefined || isText(value);
const isMaybeNumber: Check = (value) => value === undefined || typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const isPlaces: Check = (value) => Array.isArray(value) && value.every(isPlace);

const checks = {
  place: isPlace,
  back: isPlaces,
  forward: isPlaces,
  controller: isMaybeText,
  historyMode: (value: unknown) => value === 'diff' || value === 'yaml' || value === 'owners',
  version: isMaybeNumber,
  against: isMaybeNumber,
  eventSeq: isMaybeNumber,
  informer: isMaybeText,
  queueKey: isMaybeText,
  queueSegment: (value: unknown) => value === 'now' || value === 'reconciles' || value === 'history',
  span: isMaybeText,
  rbacRow: isMaybeText,
  finding: isMaybeText,
  eventFilter: isText,
  eventInitial: isFlag,
  eventHeartbeats: isFlag,
  keyFilter: isText,
  filters: (value: unknown) => isRecord(value) && Object.values(value).every(isText),
} satisfies { readonly [field in keyof WindowState]?: Check };
export type KeptPlace = Pick<WindowState, keyof typeof checks>;

/** `session`: the id of the session on screen. */
export function printPlace(session: string, state: KeptPlace): string {
  const fields = Object.keys(checks) as readonly (keyof KeptPlace)[];
  return JSON.stringify({ session, ...Object.fromEntries(fields.map((field) => [field, state[field]])) });
}

/** undefined when it is of another session, or not ours. A field that is wrong is left out, alone. */
export function parsePlace(text: string | null, session: string): Partial<KeptPlace> | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (!isRecord(raw) || raw.session !== session || !isPlace(raw.place)) return undefined;
  const kept = raw;
  return Object.fromEntries(
    Object.entries(checks).flatMap(([field, accepts]) =>
      accepts(kept[field]) ? [[field, kept[field]]] : [],
    ),
  );
}

/** Goes back to the place once, when the session on screen is the one it was kept for. */
export function useKeptPlace(): void {
  const store = useWindowStore();
  const shown = usePage() === 'main';
  const session = useValueOf('session', {}, (s) => s.value?.id);
  const asked = useRef(false);
  useEffect(() => {
    if (!shown || session === undefined) return;
    if (!asked.current) {
      asked.current = true;
      const place = parsePlace(sessionStorage.getItem(storageKey), session);
      if (place !== undefined) store.setState({ ...place, landed: true });
    }
    const keep = () => sessionStorage.setItem(storageKey, printPlace(session, store.getState()));
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [store, shown, session]);
}

function isPlace(value: unknown): value is Place {
  return isRecord(value) && tabs.some((tab) => tab === value.tab) && isMaybeText(value.object);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
