/**
 * The counters of one scrape that the history of a controller is made of, and what they grew by since the scrape before.
 * Which family tells the runs differs between operators: controller-runtime counts reconciles by result, cert-manager
 * calls of a sync function, client-go alone the items its queue handed out. The first that is there is read.
 */
import { parseMetrics } from '../source/metrics/parse.ts';

/** Counters of one controller since its process started; absent where the scrape has no such family. */
export interface ControllerCounters {
  runs?: number;
  errors?: number;
  /** Of controller_runtime_reconcile_time_seconds. */
  buckets?: Buckets;
  /** |dirty|, summed over priorities. */
  depth?: number;
}

/** Upper bounds in seconds, ascending, +Inf among them, and how many observations lie at or below each. */
export interface Buckets {
  readonly bounds: Bounds;
  readonly counts: readonly number[];
}
/** The same array for the same bounds, so that they can be compared at once and are kept once. */
export type Bounds = readonly number[];
export type KnownBounds = Map<string, Bounds>;

/** Which buckets grew, by their place in `bounds`, and by how much: place, growth, place, growth … Not cumulative. */
export interface BucketGrowth {
  readonly bounds: Bounds;
  readonly grown: readonly number[];
}

export interface ScrapeCounters {
  /** process_start_time_seconds in ms; undefined where it is not told. */
  readonly startedAt: number | undefined;
  readonly controllers: ReadonlyMap<string, Readonly<ControllerCounters>>;
}

/** What happened between two scrapes of one process. */
export interface Growth {
  readonly runs: number | undefined;
  readonly errors: number | undefined;
  readonly buckets: BucketGrowth | undefined;
  readonly depth: number | undefined;
}

interface Raw {
  /** controller_runtime_reconcile_total, its results summed, and the one `error`. */
  reconciles?: number;
  reconcileErrors?: number;
  errorsTotal?: number;
  timed?: number;
  syncs?: number;
  syncErrors?: number;
  worked?: number;
  adds?: number;
  depth?: number;
  buckets?: Map<number, number>;
}

const syncCalls = '_controller_sync_call_count';
export const syncErrors = '_controller_sync_error_count';

/** Never throws: lines that are no samples are passed over. `known` is asked for bounds, and learns new ones. */
export function readScrape(text: string, known: KnownBounds): ScrapeCounters {
  const { samples } = parseMetrics(text, isWanted);
  const raws = new Map<string, Raw>();
  let startedAt: number | undefined;
  for (const { name, labels, value } of samples) {
    if (Number.isNaN(value)) continue;
    if (name === 'process_start_time_seconds') {
      startedAt = value * 1000;
      continue;
    }
    const controller = labels.controller ?? labels.name;
    if (controller === undefined || controller === '') continue;
    const raw = raws.get(controller) ?? {};
    raws.set(controller, raw);
    switch (name) {
      case 'controller_runtime_reconcile_total':
        raw.reconciles = (raw.reconciles ?? 0) + value;
        if (labels.result === 'error') raw.reconcileErrors = (raw.reconcileErrors ?? 0) + value;
        break;
      case 'controller_runtime_reconcile_errors_total':
        raw.errorsTotal = value;
        break;
      case 'controller_runtime_reconcile_time_seconds_count':
        raw.timed = value;
        break;
      case 'controller_runtime_reconcile_time_seconds_bucket': {
        const bound = boundOf(labels.le);
        if (bound === undefined) break;
        raw.buckets ??= new Map();
        raw.buckets.set(bound, value);
        break;
      }
      case 'workqueue_work_duration_seconds_count':
        raw.worked = value;
        break;
      case 'workqueue_adds_total':
        raw.adds = value;
        break;
      case 'workqueue_depth':
        raw.depth = (raw.depth ?? 0) + value;
        break;
      default:
        if (name.endsWith(syncCalls)) raw.syncs = value;
        else raw.syncErrors = value;
    }
  }
  const controllers = new Map<string, ControllerCounters>();
  for (const [controller, raw] of raws) controllers.set(controller, countersOf(raw, known));
  return { startedAt, controllers };
}

function isWanted(name: string): boolean {
  switch (name) {
    case 'controller_runtime_reconcile_total':
    case 'controller_runtime_reconcile_errors_total':
    case 'controller_runtime_reconcile_time_seconds_count':
    case 'controller_runtime_reconcile_time_seconds_bucket':
    case 'workqueue_work_duration_seconds_count':
    case 'workqueue_adds_total':
    case 'workqueue_depth':
    case 'process_start_time_seconds':
      return true;
    default:
      return name.endsWith(syncCalls) || name.endsWith(syncErrors);
  }
}

function countersOf(raw: Raw, known: KnownBounds): ControllerCounters {
  const counters: ControllerCounters = {};
  const runs = raw.reconciles ?? raw.timed ?? raw.syncs ?? raw.worked;
  if (runs !== undefined) counters.runs = runs;
  const errors = raw.reconcileErrors ?? raw.errorsTotal ?? raw.syncErrors;
  // Results are counted from the first one on: where reconciles are told and no error is, there was none.
  if (errors !== undefined) counters.errors = errors;
  else if (raw.reconciles !== undefined) counters.errors = 0;
  if (raw.buckets !== undefined) {
    const buckets = bucketsOf(raw.buckets, known);
    if (buckets !== undefined) counters.buckets = buckets;
  }
  // A priority queue has no depth before its first item.
  if (raw.depth !== undefined) counters.depth = raw.depth;
  else if (raw.adds === 0) counters.depth = 0;
  return counters;
}

/** Undefined for a histogram with nothing but +Inf, the shadow of a native one: it tells no latency. */
function bucketsOf(cumulative: ReadonlyMap<number, number>, known: KnownBounds): Buckets | undefined {
  const bounds = [...cumulative.keys()].sort((a, b) => a - b);
  if (!bounds.some(Number.isFinite)) return undefined;
  const name = bounds.join(' ');
  const shared = known.get(name) ?? bounds;
  known.set(name, shared);
  return { bounds: shared, counts: shared.map((bound) => cumulative.get(bound) ?? 0) };
}

function boundOf(le: string | undefined): number | undefined {
  if (le === undefined || le === '') return undefined;
  if (le === '+Inf' || le === 'Inf') return Number.POSITIVE_INFINITY;
  const bound = Number(le);
  return Number.isFinite(bound) ? bound : undefined;
}

/** The same process states its start a little differently when the clock of its machine is set. */
const startSlackMs = 2000;

/** True when `now` is of another process than `before`: it says so, or a counter went back. */
export function isRestart(before: ScrapeCounters, now: ScrapeCounters): boolean {
  if (before.startedAt !== undefined && now.startedAt !== undefined)
    return Math.abs(now.startedAt - before.startedAt) > startSlackMs;
  for (const [controller, old] of before.controllers) {
    const next = now.controllers.get(controller);
    if (next === undefined) continue;
    if (less(next.runs, old.runs) || less(next.errors, old.errors)) return true;
  }
  return false;
}

function less(now: number | undefined, before: number | undefined): boolean {
  return now !== undefined && before !== undefined && now < before;
}

/**
 * What `now` grew by over `before`; without `before` the process, or this controller in it, counted from zero. A counter
 * that went back within one process tells nothing.
 */
export function growthOf(
  before: Readonly<ControllerCounters> | undefined,
  now: Readonly<ControllerCounters>,
): Growth {
  return {
    runs: grown(before?.runs, now.runs),
    errors: grown(before?.errors, now.errors),
    buckets: bucketGrowth(before?.buckets, now.buckets),
    depth: now.depth,
  };
}

function grown(before: number | undefined, now: number | undefined): number | undefined {
  if (now === undefined) return undefined;
  const growth = now - (before ?? 0);
  return growth < 0 ? undefined : growth;
}

/** Undefined where one went back, or the bounds are others: then the two are not of one histogram. */
function bucketGrowth(before: Buckets | undefined, now: Buckets | undefined): BucketGrowth | undefined {
  if (now === undefined || (before !== undefined && before.bounds !== now.bounds)) return undefined;
  const grown: number[] = [];
  let below = 0;
  for (const [place, count] of now.counts.entries()) {
    const cumulative = count - (before?.counts[place] ?? 0);
    const own = cumulative - below;
    if (own < 0) return undefined;
    if (own > 0) grown.push(place, own);
    below = cumulative;
  }
  return { bounds: now.bounds, grown };
}
