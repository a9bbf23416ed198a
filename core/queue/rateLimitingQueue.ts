import { DelayingQueue } from './delayingQueue.ts';
import type { QueueMetrics, QueueTime } from './queueMetrics.ts';
import type { RateLimiter } from './rateLimiter.ts';
import type {
  AddOpts,
  DrainState,
  ReadyItem,
  ReconcileQueue,
  Take,
  Taken,
  WaitingItem,
} from './reconcileQueue.ts';

/**
 * RateLimitingQueue: client-go's queue as a controller uses it ("classic"). Mirrors client-go
 * util/workqueue/rate_limiting_queue.go, and for addWithOpts the priorityQueueWrapper of controller-runtime
 * pkg/internal/controller/controller.go. Spec: docs/spec/workqueue.md [RQ1]–[RQ4].
 */
export class RateLimitingQueue<K> implements ReconcileQueue<K> {
  readonly kind = 'classic';
  readonly metrics: QueueMetrics<K>;
  readonly limiter: RateLimiter<K>;
  private readonly time: QueueTime;
  private readonly delaying: DelayingQueue<K>;

  constructor(time: QueueTime, metrics: QueueMetrics<K>, limiter: RateLimiter<K>) {
    this.time = time;
    this.metrics = metrics;
    this.limiter = limiter;
    this.delaying = new DelayingQueue(time, metrics);
  }

  get nowNs(): bigint {
    return this.time.nowNs;
  }

  get shuttingDown(): boolean {
    return this.delaying.work.shuttingDown;
  }

  get drain(): DrainState {
    return this.delaying.work.drain;
  }

  get blockedGets(): number {
    return this.delaying.work.blockedGets;
  }

  add(key: K): void {
    this.delaying.work.add(key);
  }

  addAfter(key: K, delayNs: bigint): void {
    this.delaying.addAfter(key, delayNs);
  }

  /** [RQ1] The limiter is asked even when the queue is shutting down. */
  addRateLimited(key: K): void {
    this.delaying.addAfter(key, this.limiter.when(key, this.time.nowNs));
  }

  /** [RQ3] rateLimited wins over afterNs; priorities do not exist here. */
  addWithOpts(opts: AddOpts, keys: readonly K[]): void {
    const afterNs = opts.afterNs ?? 0n;
    for (const key of keys) {
      if (opts.rateLimited) this.addRateLimited(key);
      else if (afterNs > 0n) this.addAfter(key, afterNs);
      else this.add(key);
    }
  }

  get(take: Take<K>): void {
    this.delaying.work.get(take);
  }

  tryGet(): Taken<K> | undefined {
    return this.delaying.work.tryGet();
  }

  done(key: K): void {
    this.delaying.work.done(key);
  }

  /** [RQ2] Touches the limiter only: a waiting entry stays. */
  forget(key: K): void {
    this.limiter.forget(key);
  }

  numRequeues(key: K): number {
    return this.limiter.numRequeues(key);
  }

  len(): number {
    return this.delaying.work.len();
  }

  shutDown(): void {
    this.delaying.shutDown();
  }

  shutDownWithDrain(): void {
    this.delaying.work.shutDownWithDrain();
  }

  nextDeadlineNs(): bigint | undefined {
    return this.delaying.nextDeadlineNs();
  }

  advanceTo(nowNs: bigint): void {
    this.delaying.advanceTo(nowNs);
  }

  jumpTo(nowNs: bigint): void {
    this.delaying.jumpTo(nowNs);
  }

  ready(): readonly ReadyItem<K>[] {
    return this.delaying.work.ready();
  }

  waiting(): readonly WaitingItem<K>[] {
    return this.delaying.waiting();
  }

  waitingCount(): number {
    return this.delaying.waitingCount;
  }

  processing(): readonly K[] {
    return this.delaying.work.processing();
  }

  isProcessing(key: K): boolean {
    return this.delaying.work.isProcessing(key);
  }

  isDue(key: K): boolean {
    return this.delaying.work.isDirty(key);
  }

  readyAtNs(key: K): bigint | undefined {
    return this.delaying.readyAtNs(key);
  }

  takeKey(key: K, timer: boolean): number | undefined {
    if (this.delaying.work.isProcessing(key)) return undefined;
    if (timer && !this.delaying.work.isDirty(key)) this.delaying.removeWaiting(key);
    this.delaying.work.takeKey(key);
    return 0;
  }
}
