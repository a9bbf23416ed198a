import type { LimiterSpec } from '../../shared/model/limiter.ts';
import { PriorityQueue } from './priorityQueue.ts';
import { QueueMetrics, type QueueTime } from './queueMetrics.ts';
import { createRateLimiter, type RateLimiter } from './rateLimiter.ts';
import { RateLimitingQueue } from './rateLimitingQueue.ts';

/** What a Get returned. `priority` is 0 for a queue without priorities. */
export type Taken<K> =
  | { readonly kind: 'item'; readonly key: K; readonly priority: number }
  | { readonly kind: 'shutdown' };

/** Receives one Taken, at once or during a later call to the queue. */
export type Take<K> = (taken: Taken<K>) => void;

/** controller-runtime priorityqueue.AddOpts. `afterNs` 0: now. `priority` undefined: nil, which counts as 0. */
export interface AddOpts {
  readonly afterNs?: bigint;
  readonly rateLimited?: boolean;
  readonly priority?: number;
}

/** A key that could be handed out, or could be were it not `locked` (being processed). */
export interface ReadyItem<K> {
  readonly key: K;
  readonly priority: number;
  readonly locked: boolean;
}

export interface WaitingItem<K> {
  readonly key: K;
  readonly priority: number;
  readonly readyAtNs: bigint;
}

/**
 * ReconcileQueue: what a controller's worker sees of its queue, over both kinds (client-go's through the wrapper of
 * controller-runtime). Pure: nothing happens between calls; the owner moves time. Keys are compared by value.
 */
export interface ReconcileQueue<K> {
  readonly kind: QueueKind;
  readonly metrics: QueueMetrics<K>;
  readonly limiter: RateLimiter<K>;
  readonly nowNs: bigint;
  readonly shuttingDown: boolean;
  /** State of the last shutDownWithDrain(): whether that call would have returned. */
  readonly drain: DrainState;
  /** Gets that are blocked. */
  readonly blockedGets: number;

  add(key: K): void;
  addAfter(key: K, delayNs: bigint): void;
  addRateLimited(key: K): void;
  addWithOpts(opts: AddOpts, keys: readonly K[]): void;
  /** Starts a blocking Get. `take` is called before this returns when an item is ready or the queue is shut down. */
  get(take: Take<K>): void;
  /** A Get that does not block: undefined when it would. */
  tryGet(): Taken<K> | undefined;
  done(key: K): void;
  forget(key: K): void;
  numRequeues(key: K): number;
  len(): number;
  shutDown(): void;
  shutDownWithDrain(): void;

  /** The earliest time at which a waiting key becomes ready; undefined when none waits. */
  nextDeadlineNs(): bigint | undefined;
  /** Moves time forward; every waiting key becomes ready at its own instant. A time in the past does nothing. */
  advanceTo(nowNs: bigint): void;
  /** Moves time in one jump, as a fake clock does: all due keys become ready at the end of it. */
  jumpTo(nowNs: bigint): void;

  /** Queued keys in the order in which they would be handed out. */
  ready(): readonly ReadyItem<K>[];
  /** Delayed keys, earliest first. */
  waiting(): readonly WaitingItem<K>[];
  waitingCount(): number;
  /** Keys handed out and not done yet, oldest first. */
  processing(): readonly K[];
  isProcessing(key: K): boolean;
  /** True when the key has due work: it is queued, or will be once its worker is done. */
  isDue(key: K): boolean;
  /** When a delayed key becomes ready; undefined when it does not wait. */
  readyAtNs(key: K): bigint | undefined;
  /**
   * Hands `key` out of order: an observed reconcile overrules the model. Not in the Go code. A key that is not ready is
   * added first; with `timer` its delayed entry is what came due and goes, else it stays as the queue kind would have it.
   * Answers the priority, or undefined when the key is being processed already (nothing changes then).
   */
  takeKey(key: K, timer: boolean): number | undefined;
}

export type QueueKind = 'priority' | 'classic';
export type DrainState = 'none' | 'waiting' | 'returned';

/** A queue of either kind that starts empty at `startNs`. `onDuration` hears the observations of its histograms. */
export function createReconcileQueue<K>(options: {
  readonly kind: QueueKind;
  readonly limiter: LimiterSpec | RateLimiter<K>;
  readonly startNs?: bigint;
  readonly onDuration?: (what: 'queue' | 'work', ns: bigint) => void;
}): ReconcileQueue<K> {
  const time: QueueTime = { nowNs: options.startNs ?? 0n };
  const metrics = new QueueMetrics<K>(time, options.onDuration);
  const limiter = 'when' in options.limiter ? options.limiter : createRateLimiter<K>(options.limiter);
  return options.kind === 'priority'
    ? new PriorityQueue(time, metrics, limiter)
    : new RateLimitingQueue(time, metrics, limiter);
}
