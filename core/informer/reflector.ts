/**
 * Reflector: LIST and WATCH of one resource into a store, the first step of the control loop. Mirrors client-go
 * tools/cache/reflector.go (v0.37.2): the same requests and the same answer to each failure. On top of it, for a
 * debugger: every gap is told with what was found after it, and items can be taken raw as they arrive.
 * Invariants  1. the store changes in the order of events; a replacement is one step
 *             2. the version asked for next is that of the last event, bookmark or list that was processed
 *             3. after dispose() nothing runs, no timer is set and no request is open
 * Pure: time by Clock, randomness passed in. Spec: docs/spec/informer.md
 */
import { type Clock, sleep } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import {
  type ApiStatus,
  type ItemHead,
  isExpired,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isWatchRetriable,
  type ListerWatcher,
  type WatchItem,
  type WatchOptions,
} from '../source/listerWatcher.ts';
import type { Backoff } from './backoff.ts';
import { type Gap, type GapStart, GapTracker } from './gapTracker.ts';
import { fetchList } from './listPager.ts';
import { type ReflectorStore, Store } from './store.ts';
import { type GoodWatchItem, readWatch } from './watchReader.ts';

/** How an item reached us: in a list, in the initial events of a streamed list, or as a live event. */
export interface Arrival {
  readonly how: 'list' | 'initial' | 'watch';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
}

/** Where the Reflector stands. Times are Clock.now(); `lostSince` is undefined while the cache is level. */
export type ReflectorState =
  | {
      readonly kind: 'listing';
      /** How it is listed: `watchlist` falls back to `list`. */
      readonly how: 'list' | 'watchlist';
      readonly items: number;
      /** The server's own estimate; undefined where it gives none. */
      readonly remaining: number | undefined;
      readonly lostSince: number | undefined;
    }
  | { readonly kind: 'watching' }
  | {
      readonly kind: 'waiting';
      readonly nextTryAt: number;
      readonly error: ApiStatus | undefined;
      readonly lostSince: number | undefined;
    }
  | { readonly kind: 'ended'; readonly error: ApiStatus };

export interface ReflectorOptions<R extends ItemHead, T extends ItemHead> {
  readonly listerWatcher: ListerWatcher<R>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Delay before the next try, ms; each call counts as one failure (backoff.ts). */
  readonly backoff: Backoff;
  /** `watchlist` streams the initial list over the watch and falls back to `list` where the server refuses it. */
  readonly mode: 'list' | 'watchlist';
  /** The tap: sees each raw item as it arrives, in order; what it returns goes into the store. */
  readonly take: (item: R, arrival: Arrival) => T;
  /**
   * Page size of every list; the first is then a quorum read, which servers do page. Absent: as client-go, the first at
   * '0' with a limit of 500 that a watch cache ignores, relists without limit.
   */
  readonly pageSize?: number;
  /**
   * A streamed list that says nothing for this long, ms, comes from a server that does not know the form and will never
   * end it: it is listed instead, from then on. Absent: as client-go, which waits.
   */
  readonly initialSilenceMs?: number;
  /** Period of the resync check, ms; 0 or absent: none. */
  readonly resyncPeriodMs?: number;
  readonly shouldResync?: () => boolean;
  readonly onGapOpened?: (gap: GapStart) => void;
  /** A gap has closed. */
  readonly onGap?: (gap: Gap) => void;
  readonly onState?: (state: ReflectorState) => void;
  /** Each failure of a list or watch. 'end' stops the Reflector for good instead of trying for ever. */
  readonly onError?: (error: ApiStatus, during: 'list' | 'watch') => 'retry' | 'end';
}

export interface Reflector extends Disposable {
  /** Starts the loop; a second call is a bug. */
  start(): void;
  /** Version of the last event, bookmark or list that was processed; '' before the first. */
  readonly lastSyncResourceVersion: string;
  /** Ends a backoff that is running: contact is back, or the user asked. Nothing otherwise. */
  retryNow(): void;
}

/** Never rejects for what a server does; failures are told by onState, onError and onGap. */
export function createReflector<R extends ItemHead, T extends ItemHead>(
  options: ReflectorOptions<R, T>,
): Reflector {
  return new ReflectorLoop(options);
}

const minWatchSeconds = 300;
const maxWatchSeconds = 600;
const defaultPageSize = 500;
const shortWatchMs = 1000;
const progressEvery = 500;

/** How one list-and-watch cycle ended. */
type CycleEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fatal'; readonly error: ApiStatus }
  | { readonly kind: 'again'; readonly error: ApiStatus | undefined };

const stopped: CycleEnd = { kind: 'stopped' };
const shortWatch: ApiStatus = {
  code: 0,
  reason: 'VeryShortWatch',
  causes: [],
  message: 'the watch closed within a second without an event',
};

const noInitialEnd: ApiStatus = {
  code: 0,
  reason: 'NoInitialEnd',
  causes: [],
  message: 'the server does not end the initial events of a streamed list',
};

class ReflectorLoop<R extends ItemHead, T extends ItemHead> implements Reflector {
  private readonly options: ReflectorOptions<R, T>;
  private readonly gaps: GapTracker;
  private readonly stop = new AbortController();
  private nap: AbortController | undefined;
  /** The watch that began as a streamed list: it can be ended alone. */
  private streaming: AbortController | undefined;
  private started = false;
  private lastVersion = '';
  private lastVersionUnavailable = false;
  private paginated = false;
  private isStreamingUnknown = false;

  constructor(options: ReflectorOptions<R, T>) {
    this.options = options;
    this.gaps = new GapTracker(options.clock, {
      onOpened: (gap) => options.onGapOpened?.(gap),
      onClosed: (gap) => options.onGap?.(gap),
    });
  }

  get lastSyncResourceVersion(): string {
    return this.lastVersion;
  }

  start(): void {
    if (this.started) throw new Error('a Reflector starts once');
    this.started = true;
    void this.run();
  }

  retryNow(): void {
    this.nap?.abort();
  }

  dispose(): void {
    this.stop.abort();
    this.nap?.abort();
    this.streaming?.abort();
    this.gaps.dispose();
  }

  private async run(): Promise<void> {
    for (;;) {
      const end = await this.listAndWatch();
      if (end.kind === 'stopped' || this.stop.signal.aborted) return;
      if (end.kind === 'fatal') {
        this.stop.abort();
        this.gaps.dispose();
        this.options.onState?.({ kind: 'ended', error: end.error });
        return;
      }
      if (!(await this.wait(end.error))) return;
    }
  }

  private async listAndWatch(): Promise<CycleEnd> {
    let open: AsyncIterator<WatchItem<R>> | undefined;
    if (this.options.mode === 'watchlist' && !this.isStreamingUnknown) {
      const streamed = await this.watchList();
      if (this.stop.signal.aborted) return stopped;
      if (streamed.ok) open = streamed.value;
    }
    if (open === undefined) {
      const listed = await this.list();
      if (this.stop.signal.aborted) return stopped;
      if (!listed.ok) return this.failed(listed.error, 'list');
    }
    const resync = this.startResync();
    try {
      return await this.watch(open);
    } finally {
      resync.dispose();
    }
  }

  /** Lists and replaces the store. A 410 or a version from the future is tried again at once, as a quorum read. */
  private async list(): Promise<Result<undefined, ApiStatus>> {
    this.options.onState?.(this.listing('list', 0, undefined));
    const version = this.relistVersion();
    const pageSize = this.options.pageSize ?? this.defaultPageSizeFor(version);
    const fetch = (at: string) =>
      fetchList<R, T>(
        {
          listerWatcher: this.options.listerWatcher,
          pageSize,
          // With a limit the server would take the version as exact, and answer with what is known already.
          ...(pageSize > 0 && at !== '' && at !== '0' ? { match: 'NotOlderThan' } : {}),
          signal: this.stop.signal,
          take: (item) => this.options.take(item, { how: 'list', type: 'ADDED' }),
          onProgress: (items, remaining) => this.options.onState?.(this.listing('list', items, remaining)),
        },
        at,
      );
    let list = await fetch(version);
    if (!list.ok && (isExpired(list.error) || isTooLargeResourceVersion(list.error))) {
      this.lastVersionUnavailable = true;
      if (this.stop.signal.aborted) return list;
      list = await fetch(this.relistVersion());
    }
    if (this.stop.signal.aborted) return err(shortWatch);
    if (!list.ok) return list;
    if (version === '0' && list.value.paginated) this.paginated = true;
    this.replaced('list', list.value.items, list.value.resourceVersion);
    return ok(undefined);
  }

  /** Streams the initial list. Answers the watch, still open behind it; an error means: fall back to a list. */
  private async watchList(): Promise<Result<AsyncIterator<WatchItem<R>>, ApiStatus>> {
    for (;;) {
      if (this.stop.signal.aborted) return err(shortWatch);
      this.options.onState?.(this.listing('watchlist', 0, undefined));
      const collected = new Store<T>();
      let version = '';
      let besidesAdded = false;
      const started = this.options.clock.monotonic();
      const quit = new AbortController();
      this.streaming = quit;
      const opened = await this.open(
        {
          resourceVersion: this.lastVersionUnavailable ? '' : this.lastVersion,
          allowWatchBookmarks: true,
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
          timeoutSeconds: this.watchSeconds(),
        },
        quit.signal,
      );
      if (!opened.ok) {
        if (await this.mayStreamAgain(opened.error)) continue;
        return opened;
      }
      const silence = this.watchSilence(quit);
      const end = await readWatch(
        opened.value,
        (item) => {
          silence.heard();
          this.collect(collected, item);
          besidesAdded ||= item.type !== 'ADDED';
          if (besidesAdded) version = versionOf(item);
        },
        true,
      );
      silence.dispose();
      if (this.stop.signal.aborted) return err(shortWatch);
      if (quit.signal.aborted) {
        this.isStreamingUnknown = true;
        return err(noInitialEnd);
      }
      if (end.kind === 'initial-end') {
        this.replaced('watchlist', [...collected.list()], version);
        return opened;
      }
      const error =
        end.kind === 'error'
          ? end.status
          : end.events === 0 && this.options.clock.monotonic() - started < shortWatchMs
            ? shortWatch
            : undefined;
      if (error !== undefined && !(await this.mayStreamAgain(error))) return err(error);
    }
  }

  private collect(into: Store<T>, item: GoodWatchItem<R>): void {
    if (item.type === 'BOOKMARK') return;
    const taken = this.options.take(item.item, { how: 'initial', type: item.type });
    if (item.type === 'DELETED') into.remove(taken.key);
    else into.put(taken);
    if (into.size % progressEvery === 0)
      this.options.onState?.(this.listing('watchlist', into.size, undefined));
  }

  /** After a failed streamed list: true to stream again (after a delay where the server is busy), false to list. */
  private async mayStreamAgain(error: ApiStatus): Promise<boolean> {
    if (isWatchRetriable(error)) {
      this.options.onError?.(error, 'watch');
      return this.wait(error);
    }
    if (isExpired(error) || isTooLargeResourceVersion(error)) {
      this.lastVersionUnavailable = true;
      return true;
    }
    return false;
  }

  /** Watches from the last version until a relist is needed; `open` is a watch that a streamed list left open. */
  private async watch(open: AsyncIterator<WatchItem<R>> | undefined): Promise<CycleEnd> {
    let stream = open;
    for (;;) {
      if (this.stop.signal.aborted) return stopped;
      const started = this.options.clock.monotonic();
      const fromStart = stream !== undefined || (this.lastVersion !== '' && this.lastVersion !== '0');
      if (stream === undefined) {
        const opened = await this.open({
          resourceVersion: this.lastVersion,
          allowWatchBookmarks: true,
          timeoutSeconds: this.watchSeconds(),
        });
        if (this.stop.signal.aborted) return stopped;
        if (!opened.ok) {
          this.gaps.lost(causeOf(opened.error), this.lastVersion, opened.error);
          if (!isWatchRetriable(opened.error)) return this.failed(opened.error, 'watch');
          this.options.onError?.(opened.error, 'watch');
          if (!(await this.wait(opened.error))) return stopped;
          continue;
        }
        stream = opened.value;
      }
      this.gaps.opened(this.lastVersion);
      this.options.onState?.({ kind: 'watching' });
      let besidesAdded = false;
      const end = await readWatch(
        stream,
        (item) => {
          besidesAdded ||= item.type !== 'ADDED';
          this.apply(item);
          if (fromStart || besidesAdded) this.lastVersion = versionOf(item);
          this.gaps.heard(this.lastVersion);
        },
        false,
      );
      stream = undefined;
      if (this.stop.signal.aborted) return stopped;
      if (end.kind === 'error') {
        this.gaps.lost(causeOf(end.status), this.lastVersion, end.status);
        if (!isTooManyRequests(end.status)) return this.failed(end.status, 'watch');
        this.options.onError?.(end.status, 'watch');
        if (!(await this.wait(end.status))) return stopped;
      } else if (end.kind === 'closed') {
        if (end.broken !== undefined) this.gaps.lost('lost', this.lastVersion, end.broken);
        else this.gaps.closedCleanly();
        if (end.events === 0 && this.options.clock.monotonic() - started < shortWatchMs) {
          this.gaps.lost(end.broken === undefined ? 'failed' : 'lost', this.lastVersion, end.broken);
          return this.failed(end.broken ?? shortWatch, 'watch');
        }
      }
    }
  }

  private apply(item: GoodWatchItem<R>): void {
    const { store, take } = this.options;
    if (item.type === 'BOOKMARK') {
      store.bookmark?.(item.resourceVersion);
      return;
    }
    const taken = take(item.item, { how: 'watch', type: item.type });
    if (item.type === 'ADDED') store.add(taken);
    else if (item.type === 'MODIFIED') store.update(taken);
    else store.delete(taken);
  }

  private replaced(how: 'list' | 'watchlist', items: readonly T[], version: string): void {
    this.lastVersionUnavailable = false;
    const found = this.options.store.replace(items, version);
    this.lastVersion = version;
    this.options.onState?.(this.listing(how, items.length, 0));
    this.gaps.relisted(version, found);
  }

  /** Aborts `quit` when a streamed list falls silent before its end. */
  private watchSilence(quit: AbortController): Disposable & { heard(): void } {
    const { clock, initialSilenceMs } = this.options;
    let timer: Disposable | undefined;
    let heardAt = clock.monotonic();
    const arm = (allowedMs: number, delayMs: number) => {
      timer = clock.setTimer(delayMs, () => {
        const leftMs = heardAt + allowedMs - clock.monotonic();
        if (leftMs > 0) arm(allowedMs, leftMs);
        else quit.abort();
      });
    };
    if (initialSilenceMs !== undefined) arm(initialSilenceMs, initialSilenceMs);
    const heard = () => {
      heardAt = clock.monotonic();
    };
    return { heard, dispose: () => timer?.dispose() };
  }

  private async open(
    options: WatchOptions,
    signal = this.stop.signal,
  ): Promise<Result<AsyncIterator<WatchItem<R>>, ApiStatus>> {
    const opened = await this.options.listerWatcher.watch(options, signal);
    return opened.ok ? ok(opened.value[Symbol.asyncIterator]()) : opened;
  }

  private failed(error: ApiStatus, during: 'list' | 'watch'): CycleEnd {
    const verdict = this.options.onError?.(error, during) ?? 'retry';
    return verdict === 'end' ? { kind: 'fatal', error } : { kind: 'again', error };
  }

  /** Sleeps for the next backoff delay; false when stopped meanwhile. */
  private async wait(error: ApiStatus | undefined): Promise<boolean> {
    const { clock, backoff } = this.options;
    const delayMs = backoff.next();
    this.options.onState?.({
      kind: 'waiting',
      nextTryAt: clock.now() + delayMs,
      error,
      lostSince: this.gaps.lostSince,
    });
    if (this.stop.signal.aborted) return false;
    this.nap = new AbortController();
    await sleep(clock, delayMs, this.nap.signal);
    this.nap = undefined;
    return !this.stop.signal.aborted;
  }

  private startResync(): Disposable {
    const { clock, store, resyncPeriodMs = 0, shouldResync } = this.options;
    if (resyncPeriodMs === 0) return { dispose() {} };
    let timer: Disposable | undefined;
    const arm = () => {
      timer = clock.setTimer(resyncPeriodMs, () => {
        if (shouldResync === undefined || shouldResync()) store.resync();
        arm();
      });
    };
    arm();
    return { dispose: () => timer?.dispose() };
  }

  private relistVersion(): string {
    if (this.lastVersionUnavailable) return '';
    if (this.lastVersion !== '') return this.lastVersion;
    // At '0' a watch cache answers with everything at once, whatever the limit.
    return this.options.pageSize === undefined ? '0' : '';
  }

  private defaultPageSizeFor(version: string): number {
    // A relist at a known version goes without a limit, so that the watch cache may answer it; a server that once paged
    // at '0' has no watch cache, and is paged always.
    return this.paginated || version === '' || version === '0' ? defaultPageSize : 0;
  }

  private watchSeconds(): number {
    return Math.floor(minWatchSeconds + this.options.random() * (maxWatchSeconds - minWatchSeconds));
  }

  private listing(how: 'list' | 'watchlist', items: number, remaining: number | undefined): ReflectorState {
    return { kind: 'listing', how, items, remaining, lostSince: this.gaps.lostSince };
  }
}

function versionOf<R extends ItemHead>(item: GoodWatchItem<R>): string {
  return item.type === 'BOOKMARK' ? item.resourceVersion : item.item.resourceVersion;
}

function causeOf(error: ApiStatus): 'expired' | 'lost' | 'failed' {
  if (isExpired(error)) return 'expired';
  return error.code === 0 ? 'lost' : 'failed';
}
