/** The time a queue lives in: ns on the owner's axis. Shared by the layers of one queue; only its owner moves it. */
export interface QueueTime {
  nowNs: bigint;
}

/** A Prometheus histogram, as far as it can be compared: how many observations and their sum. */
export class DurationSum {
  count = 0;
  totalNs = 0n;

  observe(ns: bigint): void {
    this.count += 1;
    this.totalNs += ns;
  }
}

const MAX_PRIORITY_LABELS = 25;
const EXCEEDED = 'exceeded_cardinality_limit';

/**
 * The figures an operator reports as workqueue_*. Depth is |dirty|, not Len(): a key added again while it is being
 * processed counts, [WQ9]. Sources: client-go util/workqueue/metrics.go; controller-runtime pkg/internal/metrics/workqueue.go.
 */
export class QueueMetrics<K> {
  adds = 0;
  retries = 0;
  readonly queueDuration = new DurationSum();
  readonly workDuration = new DurationSum();
  private readonly time: QueueTime;
  private readonly onDuration: ((what: 'queue' | 'work', ns: bigint) => void) | undefined;
  private readonly depths = new Map<string, number>();
  private totalDepth = 0;
  private readonly priorities = new Set<number>();
  private readonly addTimes = new Map<K, bigint>();
  private readonly startTimes = new Map<K, bigint>();

  /** `onDuration` hears each observation of queue_duration and work_duration. */
  constructor(time: QueueTime, onDuration?: (what: 'queue' | 'work', ns: bigint) => void) {
    this.time = time;
    this.onDuration = onDuration;
  }

  /** A key became due work. `priority` undefined: a queue without priorities (label ""). */
  add(key: K, priority?: number): void {
    this.adds += 1;
    this.changeDepth(priority, 1);
    if (!this.addTimes.has(key)) this.addTimes.set(key, this.time.nowNs);
  }

  get(key: K, priority?: number): void {
    this.changeDepth(priority, -1);
    this.startTimes.set(key, this.time.nowNs);
    const added = this.addTimes.get(key);
    if (added === undefined) return;
    this.addTimes.delete(key);
    this.observe('queue', this.queueDuration, added);
  }

  done(key: K): void {
    const started = this.startTimes.get(key);
    if (started === undefined) return;
    this.startTimes.delete(key);
    this.observe('work', this.workDuration, started);
  }

  retry(): void {
    this.retries += 1;
  }

  /** A ready key moved to another priority. */
  changePriority(from: number, to: number): void {
    this.changeDepth(from, -1);
    this.changeDepth(to, 1);
  }

  /** Sum over all priorities. */
  get depth(): number {
    return this.totalDepth;
  }

  /** Depth by the value of the label `priority` ("" for a queue without priorities). */
  depthByLabel(): ReadonlyMap<string, number> {
    return this.depths;
  }

  /** When `key` became due work, if it has not been handed out since. */
  addedAt(key: K): bigint | undefined {
    return this.addTimes.get(key);
  }

  /** When `key` was handed out, if it has not been done since. */
  startedAt(key: K): bigint | undefined {
    return this.startTimes.get(key);
  }

  private observe(what: 'queue' | 'work', into: DurationSum, sinceNs: bigint): void {
    const ns = this.time.nowNs - sinceNs;
    into.observe(ns);
    this.onDuration?.(what, ns);
  }

  private changeDepth(priority: number | undefined, by: number): void {
    const label = this.label(priority);
    this.totalDepth += by;
    this.depths.set(label, (this.depths.get(label) ?? 0) + by);
  }

  /** [PQ12] After 25 distinct priorities every change goes to one placeholder, for good. */
  private label(priority: number | undefined): string {
    if (priority === undefined) return '';
    if (this.priorities.size <= MAX_PRIORITY_LABELS) this.priorities.add(priority);
    return this.priorities.size > MAX_PRIORITY_LABELS ? EXCEEDED : String(priority);
  }
}
