/** Replays reflector-backoff vectors (jitter 0) against core/informer/backoff.ts. */
import { createBackoff, reflectorBackoffConfig } from '../../../core/informer/backoff.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly delaysNs: readonly string[];
  readonly idleBeforeCall9Ns: string;
}

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  let nowMs = 0;
  const backoff = createBackoff({
    clock: { monotonic: () => nowMs },
    random: () => {
      throw new Error('jitter 0 needs no randomness');
    },
    config: { ...reflectorBackoffConfig, jitter: 0 },
  });
  const got = line.delaysNs.map((_, call) => {
    if (call === 8) nowMs += Number(ns(line.idleBeforeCall9Ns)) / 1e6;
    return String(BigInt(Math.round(backoff.next() * 1_000_000)));
  });
  const mismatches: Mismatch[] = [];
  compare(mismatches, { id: line.id, what: 'delays' }, line.delaysNs, got);
  return mismatches;
}
