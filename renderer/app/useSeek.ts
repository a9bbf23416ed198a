import { useCallback, useEffect, useRef, useState } from 'react';
import { useEngine } from '../client/useEngine.tsx';

/** How long a reached moment stays drawn where the user put it when no newer playback arrives, ms. */
const lingerMs = 300;

/**
 * Seeks one call at a time, the last wish wins. `target`: where the user wants to be while the engine is not there yet.
 * `arrived` changes whenever the engine tells a new moment.
 */
export function useSeek(arrived: unknown): {
  readonly target: number | undefined;
  readonly seek: (at: number) => void;
} {
  const engine = useEngine();
  const [target, setTarget] = useState<number | undefined>(undefined);
  const wish = useRef<{ next: number | undefined; busy: boolean }>({ next: undefined, busy: false });
  const seek = useCallback(
    (at: number) => {
      setTarget(at);
      wish.current.next = at;
      if (wish.current.busy) return;
      wish.current.busy = true;
      void (async () => {
        while (wish.current.next !== undefined) {
          const next = wish.current.next;
          wish.current.next = undefined;
          // Refused or without an engine: the window stays at the moment it shows.
          await engine.call('playback.seek', { at: next }).catch(() => undefined);
        }
        wish.current.busy = false;
      })();
    },
    [engine],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new moment of the engine ends the wish
  useEffect(() => {
    if (wish.current.busy) return;
    setTarget(undefined);
  }, [arrived]);
  useEffect(() => {
    if (target === undefined) return;
    const timer = setInterval(() => {
      if (!wish.current.busy) setTarget(undefined);
    }, lingerMs);
    return () => clearInterval(timer);
  }, [target]);
  return { target, seek };
}
