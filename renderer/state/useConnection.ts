import type { Connection } from '../../shared/contract/views/connection.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { useNow } from './clock.ts';
import { useIsRecording } from './usePlayback.ts';

export function useConnection(): Connection | undefined {
  return useValueOf('connection', {}, (snapshot) => snapshot.value);
}

/** Since when the connection is lost; undefined while it is not, and while a recording is shown instead of the cluster. */
export function useLostSince(): number | undefined {
  const recording = useIsRecording();
  const since = useValueOf('connection', {}, ({ value }) =>
    value?.phase === 'lost' ? (value.lost?.since ?? value.since) : undefined,
  );
  return recording ? undefined : since;
}

/**
 * The moment the screen speaks of: now; the last contact while the connection is lost (countdowns stop there); the moment
 * of the recording while a session or demo is shown.
 */
export function useMoment(stepMs: 250 | 1000): number {
  const lostSince = useLostSince();
  const now = useNow(stepMs, lostSince !== undefined);
  return lostSince ?? now;
}
