/**
 * Clock skew of sources against our clock, from pairs of a time that the source states and our receipt of the same thing.
 * What was stated happened before we received it; how long before is not known but is short for some pairs. So the
 * earliest-looking pairs bound it from one side exactly and from the other up to the shortest way. The estimate is a
 * function of the set of pairs. Pure; spec: docs/spec/revisions.md
 */
import type { Within } from '../../shared/model/trace.ts';

export interface SkewEstimate {
  /** Clock of the source minus ours, ms: positive is ahead. */
  readonly ms: number;
  /** It lies within `ms` ± this. */
  readonly errorMs: number;
  readonly samples: number;
}

export interface SkewFold {
  /** `stated`: where the source's clock stood when it happened; `receivedAt`: our clock, no earlier than that. */
  pair(clock: string, stated: Within, receivedAt: number): void;
  /** Undefined: nothing to compare with. */
  estimate(clock: string): SkewEstimate | undefined;
}

/** How long the shortest way from a source to us takes at most, ms. */
const shortestWayMs = 20;
const fewest = 3;

interface Bounds {
  /** The clock is at least this much ahead: a thing is not received before it happened. */
  least: number;
  /** It would be at most this much ahead if everything were received at once; only the least of them counts. */
  most: number;
  samples: number;
  /** What was stated, each once: of things of one second the first alone tells anything. */
  readonly stamps: Set<number>;
}

/** More stamps make the estimate no closer. */
const stampsKept = 10_000;
/** Of n stamps of whole seconds one lies within 5/n of its second's beginning, but for one case in a hundred; many came by slow ways. */
const surely = 5;

export function createSkewFold(): SkewFold {
  const clocks = new Map<string, Bounds>();
  return {
    pair(clock, stated, receivedAt) {
      const bounds = clocks.get(clock);
      const least = stated.lo - receivedAt;
      const most = stated.hi - receivedAt;
      if (bounds === undefined) {
        clocks.set(clock, { least, most, samples: 1, stamps: new Set([stated.lo]) });
        return;
      }
      if (least > bounds.least) bounds.least = least;
      // The pairs that came fastest are those with the greatest end; slower ones say nothing.
      if (most > bounds.most) bounds.most = most;
      bounds.samples++;
      if (bounds.stamps.size < stampsKept) bounds.stamps.add(stated.lo);
    },
    estimate(clock) {
      const bounds = clocks.get(clock);
      if (bounds === undefined || bounds.samples < fewest) return undefined;
      const width = bounds.most - bounds.least;
      // Many stamps of whole seconds come close to their second's beginning: then `least` is nearly it.
      const n = bounds.stamps.size;
      const rest = width * Math.min(1, Math.max(surely / n, 1 / Math.sqrt(n)));
      const hi = bounds.least + shortestWayMs + rest;
      return {
        ms: Math.round((bounds.least + hi) / 2),
        errorMs: Math.ceil((hi - bounds.least) / 2),
        samples: bounds.samples,
      };
    },
  };
}

/**
 * What is taken off time stamps: nothing where the clocks may well be the same, else the estimate in steps, so that a
 * little more evidence does not move everything.
 */
export function appliedSkew(estimate: SkewEstimate | undefined): {
  readonly ms: number;
  readonly errorMs: number;
} {
  if (estimate === undefined) return { ms: 0, errorMs: 0 };
  if (Math.abs(estimate.ms) <= estimate.errorMs + indistinctMs) return { ms: 0, errorMs: 0 };
  const ms = Math.round(estimate.ms / stepMs) * stepMs;
  return { ms, errorMs: estimate.errorMs + stepMs / 2 };
}

/** Less than this apart is not told from the ways between, ms. */
const indistinctMs = 100;
const stepMs = 50;
