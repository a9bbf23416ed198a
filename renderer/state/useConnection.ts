import type { Connection } from '../../shared/contract/views/connection.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { useNow } from './clock.ts';

export function useConnection(): Connection | undefined {
  return useValueOf('connection', {}, (snapshot) => snapshot.value);
}

/** Since when the connection is lost, undefined while it is not. */
export function useLostSince(): number | undefined {
  return useValueOf('connection', {}, ({ value }) =>
    value?.phase === 'lost' ? (value.lost?.since ?? value.since) : undefined,
  );
}

/** The moment the screen speaks of: now, or the last contact while the connection is lost (countdowns stop there). */
export function useMoment(stepMs: 250 | 1000): number {
  const lostSince = useLostSince();
  const now = useNow(stepMs, lostSince !== undefined);
  return lostSince ?? now;
}
