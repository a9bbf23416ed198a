/**
 * Stretches between two scrapes, and the slots of a chart they fill. What a counter grew by in a stretch is spread evenly
 * over it, as nothing says where in it each of them happened.
 */
import type { HistoryPoint } from '../../shared/contract/views/traces.ts';
import { histogramQuantile } from '../source/metrics/histogram.ts';
import type { Bounds, BucketGrowth, Growth } from './scrape.ts';

/** Between two scrapes of one process. `from` equals `to`: only the depth at that moment is known. */
export interface Stretch extends Growth {
  readonly from: number;
  readonly to: number;
}

interface Slot {
  covered: number;
  runs: number | undefined;
  errors: number | undefined;
  buckets: SlotBuckets | undefined;
  depth: number | undefined;
}

interface SlotBuckets {
  bounds: Bounds;
  counts: number[];
}

/**
 * Points of one controller in slots [k·slotMs, (k+1)·slotMs), from one list of stretches a source, each ascending. A
 * source that was scraped before and after a slot and not during half of it leaves its counts unknown: the others alone
 * would tell too little. `since`, the beginning of a slot: only that one and later ones.
 */
export function pointsOf(
  sources: readonly (readonly Stretch[])[],
  slotMs: number,
  since = Number.NEGATIVE_INFINITY,
): readonly HistoryPoint[] {
  const filled = sources.filter((list) => list.length > 0).map((list) => fill(list, slotMs, since));
  const indexes = new Set<number>();
  for (const { slots } of filled) for (const index of slots.keys()) indexes.add(index);
  const points: HistoryPoint[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const point = join(filled, index, slotMs);
    if (point !== undefined) points.push(point);
  }
  return points;
}

interface Filled {
  readonly from: number;
  readonly to: number;
  readonly slots: ReadonlyMap<number, Slot>;
}

function fill(stretches: readonly Stretch[], slotMs: number, since: number): Filled {
  const slots = new Map<number, Slot>();
  function slotOf(index: number): Slot {
    let slot = slots.get(index);
    if (slot === undefined) {
      slot = { covered: 0, runs: undefined, errors: undefined, buckets: undefined, depth: undefined };
      slots.set(index, slot);
    }
    return slot;
  }
  let first = stretches.length;
  while (first > 0 && (stretches[first - 1]?.to ?? 0) >= since) first--;
  for (const stretch of stretches.slice(first)) {
    const { from, to, depth } = stretch;
    if (depth !== undefined) slotOf(Math.floor(to / slotMs)).depth = depth;
    // A stretch that ends where a slot begins is not in it.
    for (let index = Math.floor(Math.max(from, since) / slotMs); index * slotMs < to && to > from; index++) {
      const inside = Math.min(to, (index + 1) * slotMs) - Math.max(from, index * slotMs);
      if (inside > 0) pour(slotOf(index), stretch, inside, inside / (to - from));
    }
  }
  return { from: stretches[0]?.from ?? 0, to: stretches.at(-1)?.to ?? 0, slots };
}

function pour(slot: Slot, { runs, errors, buckets }: Stretch, inside: number, share: number): void {
  slot.covered += inside;
  if (runs !== undefined) slot.runs = (slot.runs ?? 0) + runs * share;
  if (errors !== undefined) slot.errors = (slot.errors ?? 0) + errors * share;
  if (buckets === undefined) return;
  const counts = countsFor(slot, buckets.bounds);
  for (let i = 0; i < buckets.grown.length; i += 2) {
    const place = placeOf(slot, buckets.bounds, buckets.grown[i] as number);
    counts[place] = (counts[place] ?? 0) + (buckets.grown[i + 1] as number) * share;
  }
}

/** Counts of a slot by bounds that hold `bounds` too; replicas of two versions may have different ones. */
function countsFor(slot: Slot, bounds: Bounds): number[] {
  if (slot.buckets === undefined) slot.buckets = { bounds, counts: bounds.map(() => 0) };
  else if (slot.buckets.bounds !== bounds && bounds.some((bound) => !slot.buckets?.bounds.includes(bound))) {
    const old = slot.buckets;
    const all = [...new Set([...old.bounds, ...bounds])].sort((a, b) => a - b);
    slot.buckets = { bounds: all, counts: all.map((bound) => old.counts[old.bounds.indexOf(bound)] ?? 0) };
  }
  return slot.buckets.counts;
}

function placeOf(slot: Slot, bounds: Bounds, place: number): number {
  if (slot.buckets === undefined || slot.buckets.bounds === bounds) return place;
  return slot.buckets.bounds.indexOf(bounds[place] as number);
}

function join(filled: readonly Filled[], index: number, slotMs: number): HistoryPoint | undefined {
  const at = index * slotMs;
  let covered = 0;
  let unknown = false;
  const sum: Slot = { covered: 0, runs: undefined, errors: undefined, buckets: undefined, depth: undefined };
  for (const { from, to, slots } of filled) {
    const slot = slots.get(index);
    const own = slot?.covered ?? 0;
    const alive = Math.min(to, at + slotMs) - Math.max(from, at);
    if (alive > 0 && own < alive / 2) unknown = true;
    covered = Math.max(covered, own);
    if (slot?.depth !== undefined) sum.depth = (sum.depth ?? 0) + slot.depth;
    if (slot !== undefined && own > 0) pour(sum, { from: 0, to: 0, ...slot, buckets: grownOf(slot) }, own, 1);
  }
  const counted = !unknown && covered >= slotMs / 2;
  if (!counted && sum.depth === undefined) return undefined;
  const { p50, p99 } = counted ? quantilesOf(sum) : {};
  return {
    at,
    ...(counted && sum.runs !== undefined ? { runs: rounded(sum.runs) } : {}),
    ...(counted && sum.errors !== undefined ? { errors: rounded(sum.errors) } : {}),
    ...(p50 === undefined ? {} : { p50Ms: rounded(p50 * 1000) }),
    ...(p99 === undefined ? {} : { p99Ms: rounded(p99 * 1000) }),
    ...(sum.depth === undefined ? {} : { depth: sum.depth }),
  };
}

function grownOf({ buckets }: Slot): BucketGrowth | undefined {
  if (buckets === undefined) return undefined;
  const grown = buckets.counts.flatMap((count, place) => (count > 0 ? [place, count] : []));
  return { bounds: buckets.bounds, grown };
}

/** p50 and p99 in seconds. */
function quantilesOf({ buckets }: Slot): {
  readonly p50?: number | undefined;
  readonly p99?: number | undefined;
} {
  if (buckets === undefined) return {};
  let count = 0;
  const cumulative = buckets.bounds.map((bound, place) => {
    count += buckets.counts[place] ?? 0;
    return [bound, count] as const;
  });
  const time = { sumSeconds: 0, count, buckets: cumulative };
  return { p50: histogramQuantile(0.5, time), p99: histogramQuantile(0.99, time) };
}

/** Shares of whole numbers add up to whole numbers again; what floats left over goes. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The older half in pairs, the newer half as it is. Pairs with a hole between them stay apart. */
export function halved(stretches: readonly Stretch[]): Stretch[] {
  const half = Math.floor(stretches.length / 2);
  const older: Stretch[] = [];
  for (let i = 0; i < half; i++) {
    const one = stretches[i] as Stretch;
    const two = i + 1 < half ? stretches[i + 1] : undefined;
    if (two === undefined || two.from !== one.to || one.from === one.to || two.from === two.to)
      older.push(one);
    else {
      older.push({
        from: one.from,
        to: two.to,
        runs: both(one.runs, two.runs),
        errors: both(one.errors, two.errors),
        buckets: mixed(one.buckets, two.buckets),
        depth: deeper(one.depth, two.depth),
      });
      i++;
    }
  }
  return [...older, ...stretches.slice(half)];
}

function both(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Of two depths the greater one: a queue that was full must not look empty. */
function deeper(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function mixed(a: BucketGrowth | undefined, b: BucketGrowth | undefined): BucketGrowth | undefined {
  if (a === undefined || b === undefined || a.bounds !== b.bounds) return undefined;
  const counts = new Map<number, number>();
  for (const { grown } of [a, b]) {
    for (let i = 0; i < grown.length; i += 2) {
      const place = grown[i] as number;
      counts.set(place, (counts.get(place) ?? 0) + (grown[i + 1] as number));
    }
  }
  return { bounds: a.bounds, grown: [...counts].flat() };
}
