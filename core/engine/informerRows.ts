/** Rows of the Informers view: per source what the WatchManager says, plus counts of what came. */
import type { GapRow, InformerRow } from '../../shared/contract/views/sources.ts';

const slots = 32;
/** The spark covers the newest 32 slots of a minute each. */
const slotMs = 60_000;

/** Counts of one source; times ms. */
export interface SourceCounts {
  event(at: number, bytes: number): void;
  spark(now: number): number[];
  perMinute(now: number): number;
  lastAt(): number | undefined;
  bytes(): number;
}

export function createSourceCounts(): SourceCounts {
  const counts = new Map<number, number>();
  let last: number | undefined;
  let bytes = 0;
  return {
    event(at, size) {
      const slot = Math.floor(at / slotMs);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
      if (counts.size > slots * 2)
        for (const old of counts.keys()) if (old < slot - slots) counts.delete(old);
      last = at;
      bytes += size;
    },
    spark(now) {
      const newest = Math.floor(now / slotMs);
      return Array.from({ length: slots }, (_, i) => counts.get(newest - slots + 1 + i) ?? 0);
    },
    perMinute(now) {
      // The running minute is not full yet: weigh the one before by what is missing.
      const slot = Math.floor(now / slotMs);
      const part = (now - slot * slotMs) / slotMs;
      return Math.round((counts.get(slot) ?? 0) + (counts.get(slot - 1) ?? 0) * (1 - part));
    },
    lastAt: () => last,
    bytes: () => bytes,
  };
}

/** Time in ms that a source was blind, open gaps up to now included. */
export function gapMs(gaps: readonly GapRow[], source: string, now: number): number {
  let sum = 0;
  for (const gap of gaps) if (gap.source === source) sum += Math.max(0, (gap.to ?? now) - gap.from);
  return sum;
}

export type InformerCounts = Pick<InformerRow, 'perMinute' | 'spark' | 'bytes' | 'gapMs'> & {
  readonly lastEventAt?: number;
};
