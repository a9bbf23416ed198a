import type { QueueMetrics } from './queueMetrics.ts';
import type { DrainState, ReadyItem, Take, Taken } from './reconcileQueue.ts';

/**
 * WorkQueue: the step between event handlers and reconciles. Mirrors client-go util/workqueue/queue.go.
 * Invariants (in correct use)  1. queued = dirty without processing, each key once
 *                              2. a key is processed by one worker at a time; adds meanwhile collapse into one more run
 * Pure: no timers (DelayingQueue owns those), no blocking (a Get that would block is a waiter). Spec: docs/spec/workqueue.md
 */
export class WorkQueue<K> {
  private readonly queue = new Fifo<K>();
  private readonly dirty = new Set<K>();
  private readonly active = new Set<K>();
  private readonly waiters: Take<K>[] = [];
  private readonly metrics: QueueMetrics<K>;
  private stopped = false;
  private drainState: DrainState = 'none';

  constructor(metrics: QueueMetrics<K>) {
    this.metrics = metrics;
  }

  /** [WQ1] [WQ2] [WQ3] */
  add(key: K): void {
    if (this.stopped || this.dirty.has(key)) return;
    this.metrics.add(key);
    this.dirty.add(key);
    if (this.active.has(key)) return;
    this.queue.push(key);
    this.serve();
  }

  /** [WQ4] [WQ6] */
  get(take: Take<K>): void {
    const taken = this.tryGet();
    if (taken === undefined) this.waiters.push(take);
    else take(taken);
  }

  /** A Get that answers undefined instead of blocking. */
  tryGet(): Taken<K> | undefined {
    if (this.queue.size === 0) return this.stopped ? { kind: 'shutdown' } : undefined;
    return this.handOut(this.queue.shift());
  }

  /** [WQ5] [WQ10] */
  done(key: K): void {
    this.metrics.done(key);
    this.active.delete(key);
    if (this.dirty.has(key)) {
      this.queue.push(key);
      this.serve();
    }
    if (this.active.size === 0 && this.drainState === 'waiting') this.drainState = 'returned';
  }

  /** [WQ7] Also releases a waiting drain. */
  shutDown(): void {
    if (this.drainState === 'waiting') this.drainState = 'returned';
    this.stop();
  }

  /** [WQ8] */
  shutDownWithDrain(): void {
    this.stop();
    this.drainState = this.active.size === 0 ? 'returned' : 'waiting';
  }

  get shuttingDown(): boolean {
    return this.stopped;
  }

  get drain(): DrainState {
    return this.drainState;
  }

  get blockedGets(): number {
    return this.waiters.length;
  }

  /** Queued keys only: neither delayed ones nor keys that are dirty while being processed. */
  len(): number {
    return this.queue.size;
  }

  /** Keys in the order of the next Gets, then those that wait for their own Done. */
  ready(): readonly ReadyItem<K>[] {
    const queued = this.queue.values().map((key) => ({ key, priority: 0, locked: false }));
    const locked = [...this.dirty].filter((key) => this.active.has(key));
    return [...queued, ...locked.map((key) => ({ key, priority: 0, locked: true }))];
  }

  processing(): readonly K[] {
    return [...this.active];
  }

  isProcessing(key: K): boolean {
    return this.active.has(key);
  }

  /** True when the key has due work (queued, or dirty while being processed). */
  isDirty(key: K): boolean {
    return this.dirty.has(key);
  }

  /** Hands `key` out of order, adding it first if need be; true when it had due work. Only for a key not in processing. */
  takeKey(key: K): boolean {
    const queued = this.queue.remove(key);
    if (!queued) {
      this.metrics.add(key);
      this.dirty.add(key);
    }
    this.handOut(key);
    return queued;
  }

  private handOut(key: K): Taken<K> {
    this.metrics.get(key);
    this.active.add(key);
    this.dirty.delete(key);
    return { kind: 'item', key, priority: 0 };
  }

  private serve(): void {
    while (this.waiters.length > 0) {
      const taken = this.tryGet();
      if (taken === undefined) return;
      this.waiters.shift()?.(taken);
    }
  }

  private stop(): void {
    this.stopped = true;
    this.serve();
  }
}

/** A list with cheap removal at the head. Misuse of Done can put a key in twice, so it is not a set. */
class Fifo<K> {
  private items: K[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(key: K): void {
    this.items.push(key);
  }

  /** Only when size > 0. */
  shift(): K {
    const key = this.items[this.head] as K;
    this.head += 1;
    if (this.head > 64 && this.head * 2 > this.items.length) this.compact();
    return key;
  }

  remove(key: K): boolean {
    const at = this.items.indexOf(key, this.head);
    if (at < 0) return false;
    this.items.splice(at, 1);
    return true;
  }

  values(): readonly K[] {
    return this.items.slice(this.head);
  }

  private compact(): void {
    this.items = this.items.slice(this.head);
    this.head = 0;
  }
}
