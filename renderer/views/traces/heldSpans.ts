import { useRef } from 'react';
import type { SpanRow } from '../../../shared/model/trace.ts';

export interface HeldSpans {
  readonly rows: readonly SpanRow[];
  /** Runs that came since, above what is on screen. */
  readonly fresh: number;
}

/**
 * While `held`, the runs that were there when the reading began stay where they are; each goes on telling what is known
 * of it now. A run that a revision took away stays as it was last seen, so that nothing moves under the eye.
 */
export function useHeldSpans(newestFirst: readonly SpanRow[], held: boolean): HeldSpans {
  const kept = useRef<readonly SpanRow[] | undefined>(undefined);
  if (!held) {
    kept.current = undefined;
    return { rows: newestFirst, fresh: 0 };
  }
  kept.current ??= newestFirst;
  return holdSpans(kept.current, newestFirst);
}

export function holdSpans(kept: readonly SpanRow[], newestFirst: readonly SpanRow[]): HeldSpans {
  if (kept === newestFirst) return { rows: kept, fresh: 0 };
  const now = new Map(newestFirst.map((row) => [row.id, row]));
  const known = new Set(kept.map(({ id }) => id));
  const newest = kept[0]?.start.lo ?? Number.NEGATIVE_INFINITY;
  return {
    rows: kept.map((row) => now.get(row.id) ?? row),
    fresh: newestFirst.filter(({ id, start }) => !known.has(id) && start.lo >= newest).length,
  };
}
