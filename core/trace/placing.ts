/**
 * Which run made which write. Writes in the order of their versions go to runs in their order, so that the sum of what
 * speaks against each place is least. Spec: docs/spec/traces.md [TR13]–[TR15]
 */
import { compareResourceVersion, type ResourceVersion } from '../../shared/model/ids.ts';
import { bounds, type Item, type KeyContext, namesOfWoken, namesOfWrite, type Run } from './shapes.ts';
import type { WokenEvidence } from './traceTypes.ts';
import type { OrderedWrite } from './writeOrder.ts';

/** Weights: 1 is one median lag away from the run. */
const weight = {
  /** A run that nothing woke, though every event is seen. */
  unwoken: 7,
  /** An own write whose event woke no run after it. */
  wokeNothing: 1.5,
  /** Two writes soon after another are mostly of one run, unless the first is of a status: that comes last, mostly. */
  together: -1.5,
  afterStatus: 1,
  /** More writes in a run than its time has room for. */
  crowded: 5,
  /** In a run that nothing but own writes woke: it mostly finds all as it should be. */
  echo: 0.7,
  /** A line of the run names what was written. */
  named: -10,
  /** In no told run, where the log tells every run, and where it does not. */
  outside: 30,
  outsideUntold: 10,
  impossible: 1_000,
} as const;

/** Place in the row of runs: 2k + 1 is in run k, 2k is between run k − 1 and run k. */
export type Place = number;

export function inRun(place: Place): number | undefined {
  return place % 2 === 1 ? (place - 1) / 2 : undefined;
}

/** A place for each write, never decreasing. `runs` in order; `woken` by the seq of its record. */
export function placeWrites(
  writes: readonly OrderedWrite[],
  runs: readonly Run[],
  woken: readonly Item<WokenEvidence>[],
  context: KeyContext,
): readonly Place[] {
  if (runs.length === 0 || writes.length === 0) return writes.map(() => 0);
  const model = costModel(writes, runs, woken, context);
  const windows = windowsOf(writes, runs, context);
  let before: readonly number[] = [];
  /** Writes in a run so far, on the cheapest way to each place. */
  let held: readonly number[] = [];
  let from = 0;
  const choices: Int32Array[] = [];
  const starts: number[] = [];
  for (let index = 0; index < writes.length; index += 1) {
    const [lo, hi] = windows[index] ?? [0, 0];
    const first = index === 0;
    const costs: number[] = [];
    const counts: number[] = [];
    const choice = new Int32Array(hi - lo + 1);
    let best = first ? 0 : Infinity;
    let bestFrom = 0;
    for (let place = first ? 0 : from; place <= hi; place += 1) {
      if (place % 2 === 1 && best < Infinity) best += model.enter((place - 1) / 2, index);
      const stay = first ? Infinity : (before[place - from] ?? Infinity);
      const stayed = stay + model.together(place, index);
      const more = (held[place - from] ?? 0) + 1;
      if (place >= lo) {
        const remains = stayed + model.crowd(place, more) <= best;
        choice[place - lo] = remains ? place : bestFrom;
        counts.push(remains ? more : 1);
        costs.push((remains ? stayed + model.crowd(place, more) : best) + model.cost(index, place));
      }
      // On to later places from here.
      if (stay <= best) {
        best = stay;
        bestFrom = place;
      }
    }
    choices.push(choice);
    starts.push(lo);
    before = costs;
    held = counts;
    from = lo;
  }
  return trace(choices, starts, before, from, (place) => model.tail(place));
}

/** The cheapest end, and the way back from it. */
function trace(
  choices: readonly Int32Array[],
  starts: readonly number[],
  last: readonly number[],
  from: number,
  tail: (place: Place) => number,
): readonly Place[] {
  let best = Infinity;
  let place = from;
  for (const [offset, cost] of last.entries()) {
    const whole = cost + tail(from + offset);
    if (whole >= best) continue;
    best = whole;
    place = from + offset;
  }
  const places = new Array<Place>(choices.length).fill(0);
  for (let index = choices.length - 1; index >= 0; index -= 1) {
    places[index] = place;
    place = choices[index]?.[place - (starts[index] ?? 0)] ?? 0;
  }
  return places;
}

/** Places worth looking at, per write: neither end ever moves back. */
function windowsOf(
  writes: readonly OrderedWrite[],
  runs: readonly Run[],
  context: KeyContext,
): readonly (readonly [number, number])[] {
  const out: [number, number][] = [];
  let low = 0;
  let high = 0;
  // Upper bounds of the ends, never decreasing, so that the window's lower end moves one way only.
  const reach: number[] = [];
  let furthest = -Infinity;
  for (const run of runs) {
    furthest = Math.max(furthest, endOf(run));
    reach.push(furthest);
  }
  for (const write of writes) {
    const from = write.byReceipt
      ? write.hi - context.lagMs - bounds.longestLag
      : write.lo - bounds.longestWait;
    while (low < runs.length && (reach[low] ?? Infinity) < from) low += 1;
    while (high < runs.length && earliest(runs[high]) <= write.hi + bounds.receiptSlack) high += 1;
    out.push([2 * Math.min(low, high), 2 * Math.max(low, high)]);
  }
  return out;
}

function earliest(run: Run | undefined): number {
  if (run === undefined) return Infinity;
  return run.start.lo === -Infinity ? run.start.hi - bounds.quietStart : run.start.lo;
}

/** Where the run's signs begin: a run whose start is not told may have begun earlier. */
function startOf(run: Run): number {
  return run.startKnown === 'line' ? run.start.lo : Math.min(run.start.hi, run.lines[0]?.lo ?? Infinity);
}

function endOf(run: Run): number {
  return Math.min(
    run.end.hi,
    Math.max(run.end.lo, run.start.hi) + (run.endKnown === 'line' ? Infinity : bounds.quietEnd),
  );
}

interface CostModel {
  /** Of `write` in the same run as the one before it. */
  together(place: Place, write: number): number;
  /** Of write number `count` in one run. */
  crowd(place: Place, count: number): number;
  cost(write: number, place: Place): number;
  /** Of coming to run `k` or past it before `write` is placed. */
  enter(k: number, write: number): number;
  /** Of the runs after the last write. */
  tail(place: Place): number;
}

function costModel(
  writes: readonly OrderedWrite[],
  runs: readonly Run[],
  woken: readonly Item<WokenEvidence>[],
  context: KeyContext,
): CostModel {
  const sigma = Math.max(1.5, context.lagMs);
  const slack = bounds.receiptSlack;
  const { wakers, others, wakes } = wakersOf(writes, woken);
  const names = runs.map(namesOf);
  const keyName = context.key.slice(context.key.lastIndexOf('/') + 1);
  // Per run: what is missing when no event woke it, and before which write it can have been woken at the earliest.
  const missing: number[] = [];
  const firstWaker: number[] = [];
  const echoes: boolean[] = [];
  let from = 0;
  for (const [k, run] of runs.entries()) {
    const before = runs[k - 1];
    const since = before === undefined ? -Infinity : before.start.lo;
    while (from < wakers.length && (wakers[from]?.at ?? 0) <= since) from += 1;
    const until = run.start.hi + bounds.heldUp;
    let first = Infinity;
    let other = false;
    for (let index = from; index < wakers.length && (wakers[index]?.at ?? Infinity) <= until; index += 1) {
      const waker = wakers[index];
      if (waker === undefined) continue;
      first = Math.min(first, waker.after);
      if (!waker.own && waker.at <= run.start.hi + slack) other = true;
    }
    const timer = before !== undefined && canBeTimer(before, run, context);
    missing.push(k === 0 || timer ? 0 : before?.result === undefined ? weight.unwoken / 2 : weight.unwoken);
    echoes.push(k > 0 && !other && !timer && first < Infinity);
    firstWaker.push(first);
  }
  const tails: number[] = [0];
  for (let k = runs.length - 1; k >= 0; k -= 1)
    tails.push(
      (tails[tails.length - 1] ?? 0) + ((firstWaker[k] ?? Infinity) <= writes.length ? 0 : (missing[k] ?? 0)),
    );

  function distance(write: OrderedWrite, from: number, to: number): number {
    if (!write.byReceipt) return Math.max(0, from - write.hi, write.lo - to);
    const at = write.hi - context.lagMs;
    return Math.max(0, from - at, at - to);
  }
  function lateness(write: OrderedWrite, until: number): number {
    return write.byReceipt ? Math.max(0, write.hi - context.lagMs - until) : 0;
  }
  function inside(write: OrderedWrite, index: number, k: number): number {
    const run = runs[k];
    if (run === undefined) return weight.impossible;
    const from = startOf(run);
    const to = endOf(run);
    if (write.hi < earliest(run) - slack) return weight.impossible;
    // The server's answer takes its time after the run's start: a shorter run can hardly have written.
    const answered = run.startKnown === 'line' ? from + bounds.roundTrip : from;
    if (run.startKnown === 'line' && to - from < bounds.shortestWrite) return weight.impossible;
    const until = Math.max(to, answered);
    // Events that came in one go were held up together: the first of them bears the delay.
    const late = write.byReceipt && !inOneGo(writes[index - 1], write) ? lateness(write, until) : 0;
    let away =
      Math.max(0, distance(write, answered, until) - lateness(write, until)) + Math.max(0, answered - to);
    let cost = steep(away, sigma) + lagging(late, sigma);
    // Before the first sign of a run whose start is not told: it may have begun then, unless something else woke it since.
    if (run.startKnown !== 'line' && write.hi < from) {
      away = from - write.hi;
      const woke = anyWithin(others, write.hi + slack, from);
      cost = woke ? steep(Math.max(0, away - bounds.sameRun / 2) / 10, sigma) : away / bounds.sameRun;
    }
    if (echoes[k] === true) cost += weight.echo;
    const { subject } = write.item.piece.write;
    if (isNamed(names[k], subject, keyName)) cost += weight.named;
    if (wakes.has(index) && context.facts.tellsRuns && write.hi + bounds.sameRun < context.watermark) {
      const next = runs[k + 1];
      const due = Math.max(write.hi, to === Infinity ? write.hi : to);
      if (next === undefined || next.start.hi < write.hi - slack || next.start.lo > due + bounds.soon)
        cost += weight.wokeNothing;
    }
    return cost;
  }
  return {
    together(place, index) {
      const write = writes[index];
      const last = writes[index - 1];
      if (write === undefined || last === undefined || inRun(place) === undefined) return 0;
      if (write.hi - last.hi > bounds.heldUp) return 0;
      return last.item.piece.write.subresource === 'status' ? weight.afterStatus : weight.together;
    },
    crowd(place, count) {
      const run = runs[inRun(place) ?? -1];
      if (run === undefined || count < 2 || run.startKnown !== 'line' || run.endKnown !== 'line') return 0;
      const missingMs = count * bounds.usualWrite - (run.end.hi - run.start.lo);
      return Math.max(0, Math.min(weight.crowded, missingMs));
    },
    cost(index, place) {
      const write = writes[index];
      if (write === undefined) return 0;
      const k = inRun(place);
      if (k !== undefined) return inside(write, index, k);
      const before = runs[place / 2 - 1];
      const after = runs[place / 2];
      const from = before === undefined ? -Infinity : before.end.lo;
      const to = after === undefined ? Infinity : after.start.hi;
      const base = context.facts.tellsRuns ? weight.outside : weight.outsideUntold;
      return base + steep(distance(write, from, to), sigma);
    },
    enter(k, write) {
      return (firstWaker[k] ?? Infinity) <= write ? 0 : (missing[k] ?? 0);
    },
    tail(place) {
      // Runs not yet entered: from ceil((place) / 2) on.
      return tails[runs.length - Math.ceil(place / 2)] ?? 0;
    },
  };
}

interface EventOfKey {
  readonly at: number;
  /** Writes that were made before it: those of earlier versions, and its own. A run that it woke made none of them. */
  readonly after: number;
  readonly own: boolean;
  /** Its own status: told last, mostly, so that what comes after it is of another run. */
  readonly ofStatus: boolean;
}

/** The events of a key beside its writes. `wakes`: writes whose event is one of them. `others`: times of the rest. */
function wakersOf(
  writes: readonly OrderedWrite[],
  woken: readonly Item<WokenEvidence>[],
): {
  readonly wakers: readonly EventOfKey[];
  readonly others: readonly number[];
  readonly wakes: ReadonlySet<number>;
} {
  const own = new Map<string | number, number>();
  for (const [index, write] of writes.entries())
    for (const item of [write.item, ...write.also])
      for (const name of namesOfWrite(item.piece)) own.set(name, index);
  const versions = writes.flatMap(({ item }, index) => {
    const version = item.piece.write.resourceVersion;
    return item.piece.write.outcome === 'stored' && version !== undefined ? [{ version, index }] : [];
  });
  const wakers: EventOfKey[] = [];
  const wakes = new Set<number>();
  for (const item of woken) {
    const name = namesOfWoken(item.piece).find((candidate) => own.has(candidate));
    const index = name === undefined ? undefined : own.get(name);
    if (index !== undefined) wakes.add(index);
    const after = index === undefined ? writtenBefore(item.piece.resourceVersion, versions) : index + 1;
    const ofStatus = index !== undefined && writes[index]?.item.piece.write.subresource === 'status';
    wakers.push({ at: item.hi, after, own: index !== undefined, ofStatus });
  }
  wakers.sort((a, b) => a.at - b.at || a.after - b.after);
  const others = wakers.filter((waker) => !waker.own || waker.ofStatus).map((waker) => waker.at);
  return { wakers, others, wakes };
}

/** How many writes stand before the first one of a later version; none where the version is not known. */
function writtenBefore(
  version: string | undefined,
  versions: readonly { readonly version: string; readonly index: number }[],
): number {
  if (version === undefined) return 0;
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = versions[middle]?.version ?? '';
    const order = compareResourceVersion(other as ResourceVersion, version as ResourceVersion);
    if (order === undefined) return 0;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  const last = versions[low - 1];
  return last === undefined ? 0 : last.index + 1;
}

/** A retry or requeue of the run before comes after its delay, never sooner. */
function canBeTimer(before: Run, run: Run, context: KeyContext): boolean {
  switch (before.result) {
    case 'error':
    case 'panic':
    case 'requeue':
      return run.start.hi - before.end.lo >= (context.facts.knobs?.delayAfter(1) ?? 0);
    case 'requeue-after':
      return run.start.hi - before.end.lo >= (before.afterMs ?? 0);
    default:
      return false;
  }
}

/** In median lags near the run; far from it by time alone: a second off weighs as much as being in no run. */
function steep(awayMs: number, sigma: number): number {
  const lags = awayMs / sigma;
  return lags <= 20 ? lags : 20 + awayMs / 100;
}

/** Received closer together than they can have been written. */
function inOneGo(before: OrderedWrite | undefined, write: OrderedWrite): boolean {
  return before?.byReceipt === true && write.hi - before.hi < bounds.usualWrite * 0.75;
}

/** A watch now and then brings a batch of events late: that costs more the later, but no single delay rules a run out. */
function lagging(lateMs: number, sigma: number): number {
  const lags = lateMs / sigma;
  return lags <= 3 ? lags : 3 + 2 * Math.log(lags / 3) + lateMs / 100;
}

/** `sorted` holds a value in (after, until]. */
function anyWithin(sorted: readonly number[], after: number, until: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= after) low = middle + 1;
    else high = middle;
  }
  return (sorted[low] ?? Infinity) <= until;
}

function namesOf(run: Run): ReadonlySet<string> {
  const names = new Set<string>();
  // What an error names was not written.
  for (const line of run.lines)
    if (line.piece.error === undefined) for (const name of line.piece.names) names.add(name);
  return names;
}

/** The name of the key itself says nothing: children of the same name are as common as the object. */
function isNamed(names: ReadonlySet<string> | undefined, subject: string, keyName: string): boolean {
  if (names === undefined || names.size === 0) return false;
  if (names.has(subject)) return true;
  const bare = subject.slice(subject.lastIndexOf('/') + 1);
  return bare !== keyName && names.has(bare);
}
