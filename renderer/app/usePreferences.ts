import { useEffect } from 'react';
import { useEngine } from '../client/useEngine.tsx';
import { parsePreferences, printPreferences } from '../state/preferences.ts';
import { useWindowStore } from '../state/useWindow.tsx';

const saveAfterMs = 400;

/** Reads the preferences once and writes them back some time after they changed. */
export function usePreferences(): void {
  const engine = useEngine();
  const store = useWindowStore();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stored: string | undefined;
    let over = false;
    const unsubscribe = store.subscribe((state) => {
      if (stored === undefined || printPreferences(state.preferences) === stored) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        stored = printPreferences(store.getState().preferences);
        // A window whose engine is gone says so in its banner; there is nobody to keep this.
        engine.call('preferences.set', { json: stored }).catch(() => undefined);
      }, saveAfterMs);
    });
    engine.call('preferences.get', {}).then(
      ({ json }) => {
        if (over) return;
        const preferences = json === '' ? store.getState().preferences : parsePreferences(json);
        stored = printPreferences(preferences);
        store.setState({ preferences });
      },
      () => undefined,
    );
    return () => {
      over = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [engine, store]);
}
