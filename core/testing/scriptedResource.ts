/**
 * One resource of a scripted API server: objects in a sequence of versions, watches that can be cut, closed, compacted
 * away or refused. Behaves as the fake server the informer vectors were made with (tools/cache of client-go behind it),
 * so that a script written here means the same there. Answers at once; no timers.
 */
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type ResourceVersion, resourceVersion } from '../../shared/model/ids.ts';
import {
  ApiFailure,
  type ApiStatus,
  type ItemHead,
  type ListerWatcher,
  type ListOptions,
  type ListPage,
  type WatchItem,
  type WatchOptions,
  type WatchStream,
} from '../source/listerWatcher.ts';

export interface ScriptedItem extends ItemHead {
  /** Everything but metadata.resourceVersion and uid, which the server gives. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Resource versions, and uids, shared by all resources of one cluster. */
export interface ScriptedVersions {
  version: number;
  uids: number;
}

export type ScriptedFailure = '410' | '403' | '404' | '429' | '500' | 'refused' | 'tooLargeRV';

/** A request as the server saw it, with its answer in words (the vectors' wording). */
export type ScriptedRequest =
  | { readonly verb: 'list'; readonly options: ListOptions; readonly answer: string }
  | { readonly verb: 'watch'; readonly options: WatchOptions; readonly answer: string };

interface Change {
  readonly version: number;
  readonly item: WatchItem<ScriptedItem>;
}

export class ScriptedResource implements ListerWatcher<ScriptedItem> {
  /** How a watch from a compacted version is refused: by an ERROR event, or when it is opened. */
  goneAt: 'event' | 'open' = 'event';
  /** False: a server from before streamed lists, which sends the objects and never their end. */
  knowsStreamedLists = true;
  readonly requests: ScriptedRequest[] = [];
  private readonly versions: ScriptedVersions;
  private readonly items = new Map<string, ScriptedItem>();
  private readonly changes: Change[] = [];
  private readonly open = new Set<ScriptedWatch>();
  private readonly listFailures: ScriptedFailure[] = [];
  private readonly watchFailures: ScriptedFailure[] = [];
  private shortWatchesLeft = 0;
  private compacted = 0;

  constructor(versions: ScriptedVersions = { version: 100, uids: 0 }) {
    this.versions = versions;
  }

  get version(): ResourceVersion {
    return resourceVersion(String(this.versions.version));
  }

  get openWatches(): number {
    return this.open.size;
  }

  /** Sets the version that the next change counts on from; before the first change only. */
  rewind(version: number): void {
    if (this.changes.length > 0) throw new Error('rewind comes before the first change');
    this.versions.version = version;
  }

  /** In order of key, as the vectors' server lists. */
  all(): ScriptedItem[] {
    return [...this.items.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** No-op where the key exists. */
  create(key: string, body: Readonly<Record<string, unknown>> = {}): void {
    if (this.items.has(key)) return;
    this.versions.uids++;
    this.put('ADDED', { key, uid: `u${this.versions.uids}`, resourceVersion: this.bump(), body });
  }

  /** No-op where the key does not exist. */
  update(key: string, body?: Readonly<Record<string, unknown>>): void {
    const old = this.items.get(key);
    if (old === undefined) return;
    this.put('MODIFIED', { ...old, resourceVersion: this.bump(), body: body ?? old.body });
  }

  /** No-op where the key does not exist. The event carries the version of the deletion. */
  delete(key: string): void {
    const old = this.items.get(key);
    if (old === undefined) return;
    this.items.delete(key);
    this.send({ type: 'DELETED', item: { ...old, resourceVersion: this.bump() } });
  }

  /** Events no longer reach the watches that are open now. */
  partition(): void {
    for (const watch of this.open) watch.partitioned = true;
  }

  /** Closes the open watches as a server's time-out does. */
  closeWatches(): void {
    for (const watch of [...this.open]) watch.end({ kind: 'closed' });
  }

  /** Cuts the open watches as a killed server does. */
  breakWatches(): void {
    for (const watch of [...this.open]) watch.end({ kind: 'broken', status: statusOf('refused', 'cut') });
  }

  /** Versions before the present one are forgotten. */
  compact(): void {
    this.compacted = this.versions.version;
  }

  bookmark(): void {
    const version = this.version;
    for (const watch of this.open) {
      if (!watch.partitioned)
        watch.push({ type: 'BOOKMARK', resourceVersion: version, initialEventsEnd: false });
    }
  }

  errorEvent(kind: ScriptedFailure): void {
    for (const watch of [...this.open]) watch.push({ type: 'ERROR', status: statusOf(kind) });
  }

  failLists(kind: ScriptedFailure, times: number): void {
    for (let i = 0; i < times; i++) this.listFailures.push(kind);
  }

  failWatches(kind: ScriptedFailure, times: number): void {
    for (let i = 0; i < times; i++) this.watchFailures.push(kind);
  }

  /** The next `times` watches are closed at once without an event. */
  shortWatches(times: number): void {
    this.shortWatchesLeft += times;
  }

  list(options: ListOptions): Promise<Result<ListPage<ScriptedItem>, ApiStatus>> {
    const failure = this.listFailures.shift();
    if (failure !== undefined) {
      this.requests.push({ verb: 'list', options, answer: failure });
      return Promise.resolve(err(statusOf(failure)));
    }
    const all = this.all();
    // As a watch cache does: a limit counts only for a quorum read or a later page.
    const limit = options.resourceVersion === '0' ? undefined : options.limit;
    const from = Number(options.continueToken ?? '0');
    const items = limit === undefined ? all.slice(from) : all.slice(from, from + limit);
    const left = all.length - from - items.length;
    this.requests.push({ verb: 'list', options, answer: `ok rv=${this.version} items=${items.length}` });
    return Promise.resolve(
      ok({
        items,
        resourceVersion: this.version,
        continueToken: left > 0 ? String(from + items.length) : undefined,
        ...(left > 0 ? { remainingItemCount: left } : {}),
      }),
    );
  }

  watch(options: WatchOptions, signal: AbortSignal): Promise<Result<WatchStream<ScriptedItem>, ApiStatus>> {
    const failure = this.watchFailures.shift();
    if (failure !== undefined) {
      this.requests.push({ verb: 'watch', options, answer: failure });
      return Promise.resolve(err(statusOf(failure)));
    }
    const watch = new ScriptedWatch(signal, (closed) => this.open.delete(closed));
    if (this.shortWatchesLeft > 0) {
      this.shortWatchesLeft--;
      watch.end({ kind: 'closed' });
      this.requests.push({ verb: 'watch', options, answer: 'closed at once, no events' });
      return Promise.resolve(ok(watch));
    }
    if (options.sendInitialEvents === true) {
      const items = this.all();
      for (const item of items) watch.push({ type: 'ADDED', item });
      if (this.knowsStreamedLists) {
        watch.push({ type: 'BOOKMARK', resourceVersion: this.version, initialEventsEnd: true });
      }
      this.requests.push({ verb: 'watch', options, answer: `ok initial=${items.length} rv=${this.version}` });
    } else if (Number(options.resourceVersion) < this.compacted) {
      if (this.goneAt === 'open') {
        this.requests.push({ verb: 'watch', options, answer: '410' });
        return Promise.resolve(err(statusOf('410')));
      }
      watch.push({ type: 'ERROR', status: statusOf('410') });
      this.requests.push({ verb: 'watch', options, answer: '410 as ERROR event' });
    } else {
      const missed = this.changes.filter((change) => change.version > Number(options.resourceVersion));
      for (const change of missed) watch.push(change.item);
      this.requests.push({ verb: 'watch', options, answer: `ok replay=${missed.length}` });
    }
    this.open.add(watch);
    return Promise.resolve(ok(watch));
  }

  private bump(): ResourceVersion {
    this.versions.version++;
    return this.version;
  }

  private put(type: 'ADDED' | 'MODIFIED', item: ScriptedItem): void {
    this.items.set(item.key, item);
    this.send({ type, item });
  }

  private send(item: WatchItem<ScriptedItem>): void {
    this.changes.push({ version: this.versions.version, item });
    for (const watch of this.open) if (!watch.partitioned) watch.push(item);
  }
}

type End = { readonly kind: 'closed' } | { readonly kind: 'broken'; readonly status: ApiStatus };

class ScriptedWatch implements AsyncIterable<WatchItem<ScriptedItem>> {
  partitioned = false;
  private readonly queue: WatchItem<ScriptedItem>[] = [];
  private readonly onEnd: (watch: ScriptedWatch) => void;
  private ended: End | undefined;
  private wake: (() => void) | undefined;

  constructor(signal: AbortSignal, onEnd: (watch: ScriptedWatch) => void) {
    this.onEnd = onEnd;
    signal.addEventListener('abort', () => this.end({ kind: 'closed' }));
  }

  push(item: WatchItem<ScriptedItem>): void {
    if (this.ended !== undefined) return;
    this.queue.push(item);
    this.wake?.();
  }

  end(how: End): void {
    this.ended ??= how;
    this.onEnd(this);
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchItem<ScriptedItem>, undefined> {
    try {
      for (;;) {
        const item = this.queue.shift();
        if (item !== undefined) yield item;
        else if (this.ended?.kind === 'broken') throw new ApiFailure(this.ended.status);
        else if (this.ended !== undefined) return undefined;
        else
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
      }
    } finally {
      this.end({ kind: 'closed' });
    }
  }
}

/** The Status a real server gives for each kind of failure. */
export function statusOf(kind: ScriptedFailure, message = `scripted: ${kind}`): ApiStatus {
  switch (kind) {
    case '410':
      return { code: 410, reason: 'Expired', causes: [], message };
    case '403':
      return { code: 403, reason: 'Forbidden', causes: [], message };
    case '404':
      return { code: 404, reason: 'NotFound', causes: [], message };
    case '429':
      return { code: 429, reason: 'TooManyRequests', causes: [], message };
    case '500':
      return { code: 500, reason: 'InternalError', causes: [], message };
    case 'refused':
      return { code: 0, reason: '', causes: [], message, connectionRefused: true };
    case 'tooLargeRV':
      return { code: 504, reason: 'Timeout', causes: ['ResourceVersionTooLarge'], message };
  }
}
