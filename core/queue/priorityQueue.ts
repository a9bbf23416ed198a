import { Heap, type HeapItem } from './heap.ts';
import type { QueueMetrics, QueueTime } from './queueMetrics.ts';
import { advanceByDeadlines } from './queueTime.ts';
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

/** One key in the queue. `readyAtNs` undefined: it is in `ready`. The heap it is in follows from that. */
interface Item<K> extends HeapItem {
  readonly key: K;
  priority: number;
  readyAtNs: bigint | undefined;
  counter: number;
}

/**
 * PriorityQueue: the queue of a controller since controller-runtime 0.23. Mirrors v0.25
 * pkg/controller/priorityqueue/priorityqueue.go with its goroutines at rest after each call.
 * Invariants  1. a key is in at most one of `ready` and `waiting`, and not there for the run it was handed out for
 *             2. a locked key (handed out, not done) may be ready again but is skipped
 * Both orders are total (the counter is unique), so heaps give the order of the B-trees there. Spec: docs/spec/priorityqueue.md
 */
export class PriorityQueue<K> implements ReconcileQueue<K> {
  readonly kind = 'priority';
  readonly metrics: QueueMetrics<K>;
  readonly limiter: RateLimiter<K>;
  private readonly time: QueueTime;
  private readonly items = new Map<K, Item<K>>();
  private readonly readyHeap = new Heap<Item<K>>((a, b) => compareReady(a, b) < 0);
  private readonly waitingHeap = new Heap<Item<K>>((a, b) => compareWaiting(a, b) < 0);
  private readonly locked = new Set<K>();
  private readonly waiters: Take<K>[] = [];
  private counter = 0;
  private stopped = false;
  private drained = false;

  constructor(time: QueueTime, metrics: QueueMetrics<K>, limiter: RateLimiter<K>) {
    this.time = time;
    this.metrics = metrics;
    this.limiter = limiter;
  }

  get nowNs(): bigint {
    return this.time.nowNs;
  }

  get shuttingDown(): boolean {
    return this.stopped;
  }

  get drain(): DrainState {
    return this.drained ? 'returned' : 'none';
  }

  get blockedGets(): number {
    return this.waiters.length;
  }

  add(key: K): void {
    this.addWithOpts({}, [key]);
  }

  addAfter(key: K, delayNs: bigint): void {
    this.addWithOpts({ afterNs: delayNs }, [key]);
  }

  addRateLimited(key: K): void {
    this.addWithOpts({ rateLimited: true }, [key]);
  }

  /** [PQ1]–[PQ6] All keys are in before the first of them is handed out. */
  addWithOpts(opts: AddOpts, keys: readonly K[]): void {
    if (this.stopped) return;
    for (const key of keys) this.addOne(key, opts);
    this.serve();
  }

  get(take: Take<K>): void {
    const taken = this.tryGet();
    if (taken === undefined) this.waiters.push(take);
    else take(taken);
  }

  /** [PQ8] [PQ11] */
  tryGet(): Taken<K> | undefined {
    if (this.stopped) return { kind: 'shutdown' };
    const item = this.firstUnlocked();
    if (item === undefined) return undefined;
    this.readyHeap.remove(item);
    return this.handOut(item);
  }

  /** [PQ10] */
  done(key: K): void {
    this.locked.delete(key);
    this.metrics.done(key);
    this.serve();
  }

  forget(key: K): void {
    this.limiter.forget(key);
  }

  numRequeues(key: K): number {
    return this.limiter.numRequeues(key);
  }

  /** [PQ9] Ready keys, locked ones included. */
  len(): number {
    return this.readyHeap.size;
  }

  /** [PQ11] Throws when called twice, as Go panics: closing a closed channel. */
  shutDown(): void {
    if (this.stopped) throw new Error('the priority queue was shut down twice');
    this.stopped = true;
    for (const take of this.waiters.splice(0)) take({ kind: 'shutdown' });
  }

  shutDownWithDrain(): void {
    this.shutDown();
    this.drained = true;
  }

  nextDeadlineNs(): bigint | undefined {
    return this.stopped ? undefined : this.waitingHeap.peek()?.readyAtNs;
  }

  advanceTo(nowNs: bigint): void {
    advanceByDeadlines(
      this.time,
      nowNs,
      () => this.nextDeadlineNs(),
      () => this.moveDue(),
    );
  }

  jumpTo(nowNs: bigint): void {
    if (nowNs > this.time.nowNs) this.time.nowNs = nowNs;
    this.moveDue();
  }

  ready(): readonly ReadyItem<K>[] {
    const sorted = [...this.readyHeap.values()].sort(compareReady);
    return sorted.map(({ key, priority }) => ({ key, priority, locked: this.locked.has(key) }));
  }

  waiting(): readonly WaitingItem<K>[] {
    const sorted = [...this.waitingHeap.values()].sort(compareWaiting);
    return sorted.map(({ key, priority, readyAtNs }) => ({
      key,
      priority,
      readyAtNs: readyAtNs ?? this.time.nowNs,
    }));
  }

  waitingCount(): number {
    return this.waitingHeap.size;
  }

  processing(): readonly K[] {
    return [...this.locked];
  }

  isProcessing(key: K): boolean {
    return this.locked.has(key);
  }

  isDue(key: K): boolean {
    const item = this.items.get(key);
    return item !== undefined && item.readyAtNs === undefined;
  }

  readyAtNs(key: K): bigint | undefined {
    return this.items.get(key)?.readyAtNs;
  }

  /** Whether a timer or an add made it ready makes no difference here: either takes the one item of the key. */
  takeKey(key: K, _timer: boolean): number | undefined {
    if (this.locked.has(key)) return undefined;
    const item = this.items.get(key);
    if (item === undefined) this.insert(key, 0, undefined);
    else if (item.readyAtNs !== undefined) this.update(item, item.priority, undefined);
    const ready = this.items.get(key);
    if (ready === undefined) return undefined;
    this.readyHeap.remove(ready);
    this.handOut(ready);
    return ready.priority;
  }

  private addOne(key: K, opts: AddOpts): void {
    const readyAtNs = this.readyAt(key, opts);
    const item = this.items.get(key);
    if (item === undefined) this.insert(key, opts.priority ?? 0, readyAtNs);
    else this.update(item, opts.priority ?? 0, readyAtNs);
  }

  /** [PQ2] The smaller of After and the limiter's delay; undefined means ready now. */
  private readyAt(key: K, opts: AddOpts): bigint | undefined {
    let afterNs = opts.afterNs ?? 0n;
    if (opts.rateLimited) {
      const limited = this.limiter.when(key, this.time.nowNs);
      if (afterNs === 0n || limited < afterNs) afterNs = limited;
    }
    if (afterNs <= 0n) return undefined;
    this.metrics.retry();
    return this.time.nowNs + afterNs;
  }

  private insert(key: K, priority: number, readyAtNs: bigint | undefined): void {
    const item = { key, priority, readyAtNs, counter: this.nextCounter(), index: -1 };
    this.items.set(key, item);
    if (readyAtNs === undefined) {
      this.readyHeap.push(item);
      this.metrics.add(key, priority);
    } else this.waitingHeap.push(item);
  }

  /** [PQ4] [PQ5] Earliest time and highest priority win; only a raise costs the place in line. */
  private update(item: Item<K>, priority: number, readyAtNs: bigint | undefined): void {
    const before = item.readyAtNs;
    (before === undefined ? this.readyHeap : this.waitingHeap).remove(item);
    if (priority > item.priority) {
      if (before === undefined) this.metrics.changePriority(item.priority, priority);
      item.priority = priority;
      item.counter = this.nextCounter();
    }
    if (before === undefined || readyAtNs === undefined) item.readyAtNs = undefined;
    else item.readyAtNs = before < readyAtNs ? before : readyAtNs;

    if (item.readyAtNs !== undefined) this.waitingHeap.push(item);
    else {
      if (before !== undefined) this.metrics.add(item.key, item.priority);
      this.readyHeap.push(item);
    }
  }

  /** [PQ7] All due keys move, in the order of `waiting`, with new counters; then they are handed out. */
  private moveDue(): void {
    if (this.stopped) return;
    for (;;) {
      const item = this.waitingHeap.peek();
      if (item?.readyAtNs === undefined || item.readyAtNs > this.time.nowNs) break;
      this.waitingHeap.pop();
      item.readyAtNs = undefined;
      item.counter = this.nextCounter();
      this.metrics.add(item.key, item.priority);
      this.readyHeap.push(item);
    }
    this.serve();
  }

  private serve(): void {
    while (this.waiters.length > 0) {
      const taken = this.tryGet();
      if (taken === undefined) return;
      this.waiters.shift()?.(taken);
    }
  }

  /** Locked keys at the front are set aside and put back: there are never more of them than workers. */
  private firstUnlocked(): Item<K> | undefined {
    const aside: Item<K>[] = [];
    let first = this.readyHeap.peek();
    while (first !== undefined && this.locked.has(first.key)) {
      aside.push(first);
      this.readyHeap.pop();
      first = this.readyHeap.peek();
    }
    for (const item of aside) this.readyHeap.push(item);
    return first;
  }

  private handOut(item: Item<K>): Taken<K> {
    this.metrics.get(item.key, item.priority);
    this.locked.add(item.key);
    this.items.delete(item.key);
    return { kind: 'item', key: item.key, priority: item.priority };
  }

  private nextCounter(): number {
    this.counter += 1;
    return this.counter;
  }
}

function compareReady<K>(a: Item<K>, b: Item<K>): number {
  return b.priority - a.priority || a.counter - b.counter;
}

function compareWaiting<K>(a: Item<K>, b: Item<K>): number {
  const [left, right] = [a.readyAtNs ?? 0n, b.readyAtNs ?? 0n];
  if (left !== right) return left < right ? -1 : 1;
  return compareReady(a, b);
}
