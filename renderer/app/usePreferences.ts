import { useEffect } from 'react';
import { useEngine } from '../client/useEngine.tsx';
import {
  defaultPreferences,
  mergePreferences,
  type Preferences,
  parsePreferences,
  printPreferences,
} from '../state/preferences.ts';
import { useWindowStore } from '../state/useWindow.tsx';

const saveAfterMs = 400;

/**
 * Reads the preferences once and writes back, some time after they changed, what this window changed: another window may
 * have written since. A page that goes away writes at once.
 */
export function usePreferences(): void {
  const engine = useEngine();
  const store = useWindowStore();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stored: Preferences | undefined;
    let over = false;
    const read = async () => {
      const { json } = await engine.call('preferences.get', {});
      return json === '' ? defaultPreferences : parsePreferences(json);
    };
    async function save(host: (() => Promise<Preferences>) | undefined) {
      clearTimeout(timer);
      timer = undefined;
      if (stored === undefined) return;
      const before = stored;
      const now = store.getState().preferences;
      stored = now;
      try {
        const other = host === undefined ? before : await host();
        await engine.call('preferences.set', {
          json: printPreferences(mergePreferences(other, before, now)),
        });
      } catch {
        // A window whose engine is gone says so in its banner; what could not be kept goes with the next change.
        stored = before;
      }
    }
    const unsubscribe = store.subscribe(({ preferences }) => {
      if (stored === undefined || preferences === stored) return;
      clearTimeout(timer);
      timer = setTimeout(() => void save(read), saveAfterMs);
    });
    const leave = () => {
      if (timer !== undefined) void save(undefined);
    };
    window.addEventListener('pagehide', leave);
    read().then(
      (preferences) => {
        if (over) return;
        stored = preferences;
        store.setState({ preferences });
      },
      () => undefined,
    );
    return () => {
      over = true;
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener('pagehide', leave);
    };
  }, [engine, store]);
}
