/**
 * What a scrape says of an operator's controllers: `controller_runtime_*` and `workqueue_*`, by controller.
 * The shadow queue may show these beside its own figures, it never copies them.
 * Source: controller-runtime pkg/internal/controller/metrics, pkg/internal/metrics; client-go util/workqueue/metrics.go.
 */
import { type MetricSample, parseMetrics } from './parse.ts';

/** Counters since the process started; absent where the scrape has no such sample. */
export interface ControllerMetrics {
  readonly controller: string;
  /**
   * From workqueue_depth. client-go's queue has the sample from its first moment on, with an empty label `priority` or
   * none; a priority queue sets the label, and has no sample at all before its first item.
   */
  readonly queueKind: 'priority' | 'classic' | undefined;
  readonly maxConcurrentReconciles?: number;
  readonly activeWorkers?: number;
  /** By result: success, error, requeue, requeue_after. */
  readonly reconciles: Readonly<Record<string, number>>;
  readonly reconcileErrors?: number;
  readonly terminalErrors?: number;
  readonly panics?: number;
  readonly timeouts?: number;
  /** |dirty|, summed over priorities. */
  readonly depth?: number;
  readonly adds?: number;
  readonly retries?: number;
  readonly unfinishedWorkSeconds?: number;
  readonly longestRunningSeconds?: number;
  readonly queueDuration?: DurationTotals;
  readonly workDuration?: DurationTotals;
  /** controller_runtime_reconcile_time_seconds. */
  readonly reconcileTime?: DurationBuckets;
}

export interface DurationTotals {
  readonly sumSeconds: number;
  readonly count: number;
}

/** With `buckets` as [upper bound in seconds, observations at or below it], by bound; none where the scrape was reduced. */
export interface DurationBuckets extends DurationTotals {
  readonly buckets: readonly (readonly [number, number])[];
}

export interface OperatorMetrics {
  readonly controllers: readonly ControllerMetrics[];
  /** leader_election_master_status by lease name: 1 leads, 0 does not. */
  readonly leader: Readonly<Record<string, boolean>>;
  /** process_start_time_seconds, in ms since the epoch. */
  readonly processStartedAt: number | undefined;
  readonly unparsed: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Entry = Omit<Writable<ControllerMetrics>, 'reconcileTime'> & {
  reconciles: Record<string, number>;
  reconcileTime?: { sumSeconds: number; count: number; buckets: [number, number][] };
};

const simple: Readonly<
  Record<
    string,
    keyof ControllerMetrics &
      Exclude<
        keyof ControllerMetrics,
        | 'controller'
        | 'queueKind'
        | 'reconciles'
        | 'queueDuration'
        | 'workDuration'
        | 'reconcileTime'
        | 'depth'
      >
  >
> = {
  controller_runtime_max_concurrent_reconciles: 'maxConcurrentReconciles',
  controller_runtime_active_workers: 'activeWorkers',
  controller_runtime_reconcile_errors_total: 'reconcileErrors',
  controller_runtime_terminal_reconcile_errors_total: 'terminalErrors',
  controller_runtime_reconcile_panics_total: 'panics',
  controller_runtime_reconcile_timeouts_total: 'timeouts',
  workqueue_adds_total: 'adds',
  workqueue_retries_total: 'retries',
  workqueue_unfinished_work_seconds: 'unfinishedWorkSeconds',
  workqueue_longest_running_processor_seconds: 'longestRunningSeconds',
};

/** One scrape. Controllers in order of name. Samples without a controller or queue name are left out. */
export function operatorMetrics(text: string): OperatorMetrics {
  const { samples, unparsed } = parseMetrics(text, isWanted);
  const entries = new Map<string, Entry>();
  const leader: Record<string, boolean> = {};
  let processStartedAt: number | undefined;
  for (const sample of samples) {
    if (sample.name === 'leader_election_master_status')
      leader[sample.labels.name ?? ''] = sample.value === 1;
    else if (sample.name === 'process_start_time_seconds') processStartedAt = sample.value * 1000;
    else apply(entries, sample);
  }
  for (const entry of entries.values()) {
    if (entry.queueKind === undefined && entry.adds !== undefined) entry.queueKind = 'priority';
    entry.reconcileTime?.buckets.sort((a, b) => a[0] - b[0]);
  }
  const controllers = [...entries.values()].sort((a, b) => (a.controller < b.controller ? -1 : 1));
  return { controllers, leader, processStartedAt, unparsed };
}

const reconcileTime = 'controller_runtime_reconcile_time_seconds';

function isWanted(name: string): boolean {
  if (name.endsWith('_bucket')) return name === `${reconcileTime}_bucket`;
  return (
    name.startsWith('controller_runtime_') ||
    name.startsWith('workqueue_') ||
    name === 'leader_election_master_status' ||
    name === 'process_start_time_seconds'
  );
}

function apply(entries: Map<string, Entry>, { name, labels, value }: MetricSample): void {
  const controller = labels.controller ?? labels.name;
  if (controller === undefined || controller === '') return;
  let entry = entries.get(controller);
  if (entry === undefined) {
    entry = { controller, queueKind: undefined, reconciles: {} };
    entries.set(controller, entry);
  }
  const field = simple[name];
  if (field !== undefined) entry[field] = value;
  else if (name === 'controller_runtime_reconcile_total') entry.reconciles[labels.result ?? ''] = value;
  else if (name === 'workqueue_depth') {
    entry.depth = (entry.depth ?? 0) + value;
    // A set label settles it; an empty one must not undo that.
    if ((labels.priority ?? '') !== '') entry.queueKind = 'priority';
    else entry.queueKind ??= 'classic';
  } else if (name.startsWith(reconcileTime))
    applyReconcileTime(entry, name.slice(reconcileTime.length), labels.le, value);
  else applyDuration(entry, name, value);
}

function applyReconcileTime(entry: Entry, part: string, le: string | undefined, value: number): void {
  entry.reconcileTime ??= { sumSeconds: 0, count: 0, buckets: [] };
  const time = entry.reconcileTime;
  if (part === '_sum') time.sumSeconds = value;
  else if (part === '_count') time.count = value;
  else if (part === '_bucket') {
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
    if (!Number.isNaN(bound)) time.buckets.push([bound, value]);
  }
}

function applyDuration(entry: Entry, name: string, value: number): void {
  const match = /^workqueue_(queue|work)_duration_seconds_(sum|count)$/.exec(name);
  if (match === null) return;
  const field = match[1] === 'queue' ? 'queueDuration' : 'workDuration';
  const totals = entry[field] ?? { sumSeconds: 0, count: 0 };
  entry[field] = match[2] === 'sum' ? { ...totals, sumSeconds: value } : { ...totals, count: value };
}
