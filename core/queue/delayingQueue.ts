import { Heap, type HeapItem } from './heap.ts';
import type { QueueMetrics, QueueTime } from './queueMetrics.ts';
import { advanceByDeadlines } from './queueTime.ts';
import type { WaitingItem } from './reconcileQueue.ts';
import { WorkQueue } from './workQueue.ts';

interface WaitFor<K> extends HeapItem {
  readonly key: K;
  readyAtNs: bigint;
}

/**
 * DelayingQueue: a WorkQueue with keys that come due later. Mirrors client-go util/workqueue/delaying_queue.go with its
 * loop goroutine at rest after each call. The owner moves time. Spec: docs/spec/workqueue.md [DQ1]–[DQ9].
 */
export class DelayingQueue<K> {
  readonly work: WorkQueue<K>;
  private readonly time: QueueTime;
  private readonly metrics: QueueMetrics<K>;
  private readonly heap = new Heap<WaitFor<K>>((a, b) => a.readyAtNs < b.readyAtNs);
  private readonly entries = new Map<K, WaitFor<K>>();
  private stopped = false;

  constructor(time: QueueTime, metrics: QueueMetrics<K>) {
    this.time = time;
    this.metrics = metrics;
    this.work = new WorkQueue(metrics);
  }

  /** [DQ1] [DQ2] Adds `key` at now + delayNs; now when the delay is not positive. Counts as a retry either way. */
  addAfter(key: K, delayNs: bigint): void {
    if (this.work.shuttingDown) return;
    this.metrics.retry();
    if (delayNs <= 0n) {
      this.work.add(key);
      return;
    }
    this.insert(key, this.time.nowNs + delayNs);
  }

  /** [DQ8] Only the first call does anything. Waiting entries are lost. */
  shutDown(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.work.shutDown();
  }

  nextDeadlineNs(): bigint | undefined {
    return this.work.shuttingDown ? undefined : this.heap.peek()?.readyAtNs;
  }

  advanceTo(nowNs: bigint): void {
    advanceByDeadlines(
      this.time,
      nowNs,
      () => this.nextDeadlineNs(),
      () => this.addDue(),
    );
  }

  jumpTo(nowNs: bigint): void {
    if (nowNs > this.time.nowNs) this.time.nowNs = nowNs;
    this.addDue();
  }

  waiting(): readonly WaitingItem<K>[] {
    const items = this.heap.values().map(({ key, readyAtNs }) => ({ key, priority: 0, readyAtNs }));
    return items.sort((a, b) => (a.readyAtNs < b.readyAtNs ? -1 : a.readyAtNs > b.readyAtNs ? 1 : 0));
  }

  get waitingCount(): number {
    return this.heap.size;
  }

  readyAtNs(key: K): bigint | undefined {
    return this.entries.get(key)?.readyAtNs;
  }

  /** Drops the waiting entry of `key`; true when there was one. Not in client-go (there nothing cancels an entry). */
  removeWaiting(key: K): boolean {
    const entry = this.entries.get(key);
    if (entry === undefined) return false;
    this.heap.remove(entry);
    this.entries.delete(key);
    return true;
  }

  /** [DQ3] One entry per key: a strictly earlier time replaces, a later one is ignored. */
  private insert(key: K, readyAtNs: bigint): void {
    const known = this.entries.get(key);
    if (known === undefined) {
      const entry = { key, readyAtNs, index: -1 };
      this.heap.push(entry);
      this.entries.set(key, entry);
    } else if (known.readyAtNs > readyAtNs) {
      known.readyAtNs = readyAtNs;
      this.heap.fix(known);
    }
  }

  /** [DQ4] [DQ5] */
  private addDue(): void {
    if (this.work.shuttingDown) return;
    for (
      let next = this.heap.peek();
      next !== undefined && next.readyAtNs <= this.time.nowNs;
      next = this.heap.peek()
    ) {
      this.heap.pop();
      this.entries.delete(next.key);
      this.work.add(next.key);
    }
  }
}
