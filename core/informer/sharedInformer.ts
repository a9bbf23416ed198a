/**
 * SharedInformer: one Reflector, one cache, many handlers. Mirrors client-go tools/cache/shared_informer.go and
 * controller.go (processDeltas), v0.37.2, with the default gates (in-order, atomic FIFO).
 * Invariants  1. the cache changes before the handlers are told, and each handler is told in the order of deltas
 *             2. a handler added late gets one Add per cached object first, all of them marked as initial list
 *             3. notifications of equal versions go only to handlers that count as syncing: all of them until the first
 *                resync check, then those whose period was due at the last one
 * Pure. Spec: docs/spec/informer.md
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { ItemHead, ListerWatcher } from '../source/listerWatcher.ts';
import { Indexer, indexByNamespace, namespaceIndex } from './indexer.ts';
import { type Delta, RealFifo } from './realFifo.ts';
import { createReflector, type Reflector, type ReflectorOptions } from './reflector.ts';
import { type ReplaceSummary, summarise } from './store.ts';

/** What a handler is told. `finalStateKnown` is false for a deletion seen only by a relist: `last` is then older. */
export type Notification<T extends ItemHead> =
  | { readonly type: 'add'; readonly item: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly old: T; readonly item: T }
  | { readonly type: 'delete'; readonly last: T; readonly finalStateKnown: boolean };

export type Handler<T extends ItemHead> = (notification: Notification<T>) => void;

export interface SharedInformerOptions<T extends ItemHead>
  extends Pick<
    ReflectorOptions<T, T>,
    'clock' | 'random' | 'backoff' | 'mode' | 'pageSize' | 'onGap' | 'onState' | 'onError'
  > {
  readonly listerWatcher: ListerWatcher<T>;
  /** Period of the resync check and default period of handlers, ms; 0: none. */
  readonly resyncPeriodMs?: number;
  /** Runs once per object before it is queued (client-go TransformFunc). */
  readonly transform?: (item: T) => T;
}

export interface SharedInformer<T extends ItemHead> extends Disposable {
  /** Starts the Reflector; at most once. */
  start(): void;
  /** `resyncPeriodMs` absent: the informer's. Below 1 s it counts as 1 s; below the check period, as that. */
  addHandler(handler: Handler<T>, resyncPeriodMs?: number): Disposable;
  /** True once the first list has been processed. */
  readonly hasSynced: boolean;
  readonly lastSyncResourceVersion: string;
  readonly indexer: Indexer<T>;
}

export function createSharedInformer<T extends ItemHead>(
  options: SharedInformerOptions<T>,
): SharedInformer<T> {
  return new SharedIndexInformer(options);
}

const minimumResyncMs = 1000;

interface Listener<T extends ItemHead> {
  readonly handler: Handler<T>;
  readonly requestedMs: number;
  resyncMs: number;
  nextResyncAt: number;
  syncing: boolean;
}

class SharedIndexInformer<T extends ItemHead> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  private readonly options: SharedInformerOptions<T>;
  private readonly clock: Clock;
  private readonly fifo = new RealFifo<T>();
  private readonly listeners = new Set<Listener<T>>();
  private reflector: Reflector | undefined;
  private checkMs: number;
  private draining = false;
  private disposed = false;
  private lastReplace: ReplaceSummary = { created: 0, changed: 0, deleted: 0, unchanged: 0 };

  constructor(options: SharedInformerOptions<T>) {
    this.options = options;
    this.clock = options.clock;
    this.checkMs = options.resyncPeriodMs ?? 0;
    this.indexer = new Indexer<T>({ [namespaceIndex]: indexByNamespace });
  }

  get hasSynced(): boolean {
    return this.fifo.hasSynced;
  }

  get lastSyncResourceVersion(): string {
    return this.reflector?.lastSyncResourceVersion ?? '';
  }

  start(): void {
    if (this.reflector !== undefined) throw new Error('a SharedInformer starts once');
    const { transform, listerWatcher, clock, random, backoff, mode } = this.options;
    this.reflector = createReflector<T, T>({
      listerWatcher,
      clock,
      random,
      backoff,
      mode,
      take: transform === undefined ? (item) => item : (item) => transform(item),
      resyncPeriodMs: this.checkMs,
      shouldResync: () => this.shouldResync(),
      store: {
        add: (item) => this.push({ type: 'added', item }),
        update: (item) => this.push({ type: 'updated', item }),
        delete: (item) => this.push({ type: 'deleted', item }),
        replace: (items, resourceVersion) => {
          this.push({ type: 'replacedAll', items, resourceVersion });
          return this.lastReplace;
        },
        resync: () => this.push({ type: 'syncAll' }),
        bookmark: (resourceVersion) => this.push({ type: 'bookmark', resourceVersion }),
      },
      ...pick(this.options),
    });
    this.reflector.start();
  }

  addHandler(handler: Handler<T>, resyncPeriodMs?: number): Disposable {
    if (this.disposed) throw new Error('the informer has stopped');
    let wanted = resyncPeriodMs ?? this.options.resyncPeriodMs ?? 0;
    if (wanted > 0) {
      wanted = Math.max(wanted, minimumResyncMs);
      if (wanted < this.checkMs) {
        if (this.reflector !== undefined) wanted = this.checkMs;
        else this.changeCheckPeriod(wanted);
      }
    }
    const resyncMs = this.determineResync(wanted);
    const nextResyncAt = this.clock.monotonic() + resyncMs;
    const listener = { handler, requestedMs: wanted, resyncMs, nextResyncAt, syncing: true };
    this.listeners.add(listener);
    if (this.reflector !== undefined) {
      for (const item of this.indexer.list()) handler({ type: 'add', item, isInInitialList: true });
    }
    return { dispose: () => void this.listeners.delete(listener) };
  }

  dispose(): void {
    this.disposed = true;
    this.reflector?.dispose();
    this.listeners.clear();
  }

  private push(delta: Delta<T>): void {
    this.fifo.push(delta);
    if (this.draining) return;
    this.draining = true;
    try {
      while (this.fifo.pop((next, initial) => this.process(next, initial)));
    } finally {
      this.draining = false;
    }
  }

  private process(delta: Delta<T>, isInInitialList: boolean): void {
    switch (delta.type) {
      case 'added':
      case 'updated': {
        const old = this.indexer.put(delta.item);
        this.tell(old, delta.item, isInInitialList);
        return;
      }
      case 'deleted':
        this.indexer.remove(delta.item.key);
        this.distribute({ type: 'delete', last: delta.item, finalStateKnown: true }, false);
        return;
      case 'replacedAll': {
        const change = this.indexer.replaceAll(delta.items);
        this.lastReplace = summarise(change);
        for (const last of change.gone)
          this.distribute({ type: 'delete', last, finalStateKnown: false }, false);
        for (const { old, item } of change.replacements) this.tell(old, item, isInInitialList);
        return;
      }
      case 'syncAll':
        for (const item of [...this.indexer.list()]) this.tell(item, item, false);
        return;
      case 'bookmark':
        return;
    }
  }

  private tell(old: T | undefined, item: T, isInInitialList: boolean): void {
    if (old === undefined) this.distribute({ type: 'add', item, isInInitialList }, false);
    else this.distribute({ type: 'update', old, item }, old.resourceVersion === item.resourceVersion);
  }

  private distribute(notification: Notification<T>, isSync: boolean): void {
    for (const listener of [...this.listeners]) {
      if (!isSync || listener.syncing) listener.handler(notification);
    }
  }

  private shouldResync(): boolean {
    const now = this.clock.monotonic();
    let needed = false;
    for (const listener of this.listeners) {
      listener.syncing = listener.resyncMs > 0 && now >= listener.nextResyncAt;
      if (!listener.syncing) continue;
      needed = true;
      listener.nextResyncAt = now + listener.resyncMs;
    }
    return needed;
  }

  private changeCheckPeriod(checkMs: number): void {
    this.checkMs = checkMs;
    for (const listener of this.listeners) listener.resyncMs = this.determineResync(listener.requestedMs);
  }

  /** Source: shared_informer.go determineResyncPeriod. */
  private determineResync(wantedMs: number): number {
    if (wantedMs === 0 || this.checkMs === 0) return 0;
    return Math.max(wantedMs, this.checkMs);
  }
}

function pick<T extends ItemHead>(options: SharedInformerOptions<T>) {
  return {
    ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
    ...(options.onGap === undefined ? {} : { onGap: options.onGap }),
    ...(options.onState === undefined ? {} : { onState: options.onState }),
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  };
}
