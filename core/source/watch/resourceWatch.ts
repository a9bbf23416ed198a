/**
 * ResourceWatch: one Reflector of ours, its cache of heads, and the tap that turns what arrives into items for the log.
 * Items are told as they arrive, page by page, before the list is complete; should that list then fail, the next one
 * tells only what differs from what was told. Pure. Spec: docs/spec/watch.md
 */
import type { Clock } from '../../../shared/base/clock.ts';
import type { Disposable } from '../../../shared/base/disposable.ts';
import { type ObjectKey, objectKey, type SourceId, sourceId } from '../../../shared/model/ids.ts';
import { type ApiResource, apiVersionOf } from '../../../shared/model/resource.ts';
import { type Backoff, createBackoff } from '../../informer/backoff.ts';
import type { Gap, GapStart } from '../../informer/gapTracker.ts';
import {
  type Arrival,
  createReflector,
  type Reflector,
  type ReflectorState,
} from '../../informer/reflector.ts';
import { type ReplaceSummary, Store, summarise } from '../../informer/store.ts';
import type { ObjectOp } from '../../session/record.ts';
import type { ApiStatus, ItemHead } from '../listerWatcher.ts';
import type { Digest } from '../secretFilter.ts';
import type { KubeTransport } from '../transport.ts';
import { createKubeListerWatcher, type KubeItem } from './kubeListerWatcher.ts';
import type {
  MissingGrant,
  SourceState,
  SourceStatus,
  WatchDetail,
  WatchedItem,
  WatchGap,
} from './watchTypes.ts';

export interface ResourceWatchOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly digest: Digest;
  readonly resource: ApiResource;
  readonly namespace?: string | undefined;
  readonly detail: WatchDetail;
  readonly mode: 'list' | 'watchlist';
  readonly pageSize?: number | undefined;
  /** Heads another watch of the same resource told of before: the first list tells each object again, and what is gone. */
  readonly seed?: Iterable<ItemHead>;
  /** A head that another source still watches over; such an object is not told again. */
  readonly knownElsewhere?: (key: string) => ItemHead | undefined;
  readonly onItem: (item: WatchedItem) => void;
  readonly onGap: (gap: WatchGap) => void;
  /** State or counts have changed. */
  readonly onStatus: () => void;
  readonly onProblem: (message: string) => void;
}

export interface ResourceWatch extends Disposable {
  readonly source: SourceId;
  start(): void;
  status(): SourceStatus;
  /** True once the first list was processed. */
  readonly hasSynced: boolean;
  head(key: string): ItemHead | undefined;
  heads(): Iterable<ItemHead>;
  retryNow(): void;
}

export function sourceOf(resource: ApiResource, namespace?: string): SourceId {
  const scope = namespace === undefined ? '' : `@${namespace}`;
  return sourceId(`watch:${apiVersionOf(resource)}/${resource.resource}${scope}`);
}

export function createResourceWatch(options: ResourceWatchOptions): ResourceWatch {
  return new Watch(options);
}

/** Servers before 1.27, and some aggregated ones, take a streamed list for a plain watch. */
const initialSilenceMs = 10_000;
/** Events that come this soon after contact was regained may be from before. */
const replayMs = 1000;

/**
 * A head with the key that records name the object by. Kept with it, so that every event of an object brings the same
 * two texts: maps by key find them without reading them again.
 */
interface KeyedHead extends ItemHead {
  readonly object?: ObjectKey;
}

class Watch implements ResourceWatch {
  readonly source: SourceId;
  hasSynced = false;
  private readonly options: ResourceWatchOptions;
  private readonly store = new Store<KeyedHead>();
  private readonly reflector: Reflector;
  /** Told by a list that is not complete yet. */
  private readonly told = new Map<string, KeyedHead>();
  private readonly isUpgrade: boolean;
  private backoff: Backoff;
  private readonly missing = new Map<string, MissingGrant>();
  private mode: 'list' | 'watchlist';
  private state: SourceState = 'waiting';
  private since: number;
  private expected: number | undefined;
  private reconnects = 0;
  private relists = 0;
  private error: ApiStatus | undefined;
  private nextTryAt: number | undefined;
  private listed = 0;
  private gap: { readonly id: string; readonly start: GapStart } | undefined;
  private gapCount = 0;
  /** Where the objects of a list may have changed since; undefined: nothing is known from before. */
  private blindSince: number | undefined;
  private replay: { readonly since: number; readonly until: number } | undefined;

  constructor(options: ResourceWatchOptions) {
    this.options = options;
    this.source = sourceOf(options.resource, options.namespace);
    this.since = options.clock.now();
    this.mode = options.mode;
    for (const head of options.seed ?? []) this.store.put(head);
    this.isUpgrade = options.seed !== undefined;
    if (this.isUpgrade) this.blindSince = this.since;
    const { clock, random } = options;
    this.backoff = createBackoff({ clock, random });
    this.reflector = createReflector<KubeItem, KeyedHead>({
      listerWatcher: createKubeListerWatcher(options),
      clock,
      random,
      backoff: { next: () => this.backoff.next() },
      mode: options.mode,
      initialSilenceMs,
      ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
      take: (item, arrival) => this.take(item, arrival),
      store: {
        add: (head) => void this.store.put(head),
        update: (head) => void this.store.put(head),
        delete: (head) => void this.store.remove(head.key),
        replace: (heads) => this.replace(heads),
        resync() {},
        bookmark: () => options.onStatus(),
      },
      onGapOpened: (gap) => this.gapOpened(gap),
      onGap: (gap) => this.gapClosed(gap),
      onState: (state) => this.reflectorState(state),
      onError: (error, during) => this.failed(error, during),
    });
  }

  start(): void {
    this.setState('syncing');
    this.reflector.start();
  }

  status(): SourceStatus {
    const { resource, namespace, detail } = this.options;
    return {
      source: this.source,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      detail,
      mode: this.mode,
      state: this.state,
      since: this.since,
      objects: this.hasSynced ? this.store.size : Math.max(this.listed, this.told.size),
      expected: this.hasSynced ? this.store.size : this.expected,
      version: this.reflector.lastSyncResourceVersion,
      reconnects: this.reconnects,
      relists: this.relists,
      missing: [...this.missing.values()],
      error: this.error,
      lostSince: this.gap?.start.since,
      nextTryAt: this.nextTryAt,
    };
  }

  head(key: string): ItemHead | undefined {
    return this.store.get(key);
  }

  heads(): Iterable<ItemHead> {
    return this.store.list();
  }

  /** Also forgets earlier failures: a server that is back may say 410 or 429 once more before it is well. */
  retryNow(): void {
    const { clock, random } = this.options;
    this.backoff = createBackoff({ clock, random });
    this.reflector.retryNow();
  }

  dispose(): void {
    this.reflector.dispose();
  }

  private take(item: KubeItem, arrival: Arrival): KeyedHead {
    const before = this.store.get(item.key);
    const head: KeyedHead = {
      key: before?.key ?? item.key,
      uid: before?.uid === item.uid ? before.uid : item.uid,
      resourceVersion: item.resourceVersion,
      object: before?.object ?? this.objectKeyOf(item.key),
    };
    if (arrival.how === 'watch') {
      this.tell(head, opOf(arrival.type), item, false);
      return head;
    }
    if (arrival.type === 'DELETED') {
      if (this.told.delete(head.key) || this.store.has(head.key)) this.tell(head, 'deleted', item, false);
      return head;
    }
    const told = this.told.get(head.key);
    const kept = before ?? this.options.knownElsewhere?.(head.key);
    const first = !this.hasSynced;
    const known = told ?? (first && this.isUpgrade ? undefined : kept);
    if (known?.resourceVersion === head.resourceVersion && known.uid === head.uid) return head;
    this.told.set(head.key, head);
    const wasSeen = this.isUpgrade && kept?.resourceVersion !== head.resourceVersion;
    this.tell(head, first && !wasSeen && told === undefined ? 'listed' : 'relisted', item, first);
    return head;
  }

  private replace(heads: readonly KeyedHead[]): ReplaceSummary {
    const change = this.store.replaceAll(heads);
    const gone = new Map(change.gone.map((head) => [head.key, head]));
    for (const [key, head] of this.told) if (!this.store.has(key)) gone.set(key, head);
    this.told.clear();
    for (const head of gone.values()) this.tell(head, 'vanished', undefined, false);
    if (this.hasSynced) this.relists++;
    this.hasSynced = true;
    this.expected = undefined;
    this.blindSince = undefined;
    return summarise(change);
  }

  private objectKeyOf(key: string): ObjectKey {
    const { group, kind } = this.options.resource;
    const slash = key.indexOf('/');
    const namespace = slash < 0 ? '' : key.slice(0, slash);
    return objectKey({ group, kind, namespace, name: key.slice(slash + 1) });
  }

  private tell(head: KeyedHead, op: ObjectOp, item: KubeItem | undefined, initial: boolean): void {
    const { resource, detail, clock } = this.options;
    const now = clock.now();
    this.options.onItem({
      source: this.source,
      resource,
      op,
      key: head.object ?? this.objectKeyOf(head.key),
      uid: head.uid,
      resourceVersion: head.resourceVersion,
      raw: item?.raw ?? '',
      object: item?.object,
      metadataOnly: detail === 'metadata',
      initial,
      at: { lo: this.earliest(op, now), hi: now },
      receivedAt: now,
    });
  }

  /** The earliest moment at which what is told now may have happened. */
  private earliest(op: ObjectOp, now: number): number {
    if (op === 'listed') return now;
    const since = this.gap?.start.since ?? this.blindSince;
    if (since !== undefined) return Math.min(since, now);
    if (this.replay !== undefined && now <= this.replay.until) return Math.min(this.replay.since, now);
    return now;
  }

  private gapOpened(start: GapStart): void {
    this.gapCount++;
    this.gap = { id: `${this.source}#${this.gapCount}`, start };
    const { source } = this;
    const { resource } = this.options;
    this.options.onGap({ id: this.gap.id, source, resource, phase: 'opened', ...start });
    this.error = start.error;
    this.setState('lost');
  }

  private gapClosed(gap: Gap): void {
    const id = this.gap?.id ?? `${this.source}#0`;
    this.gap = undefined;
    if (gap.outcome.kind === 'resumed') {
      this.reconnects++;
      this.replay = { since: gap.since, until: gap.until + replayMs };
    }
    const { cause, since, until, fromVersion, toVersion, error, outcome } = gap;
    const found = outcome.kind === 'resumed' ? undefined : withoutKind(outcome);
    const { source } = this;
    const { resource } = this.options;
    this.options.onGap({
      id,
      source,
      resource,
      phase: 'closed',
      cause,
      since,
      until,
      fromVersion,
      toVersion,
      error,
      found,
    });
    this.options.onStatus();
  }

  private reflectorState(state: ReflectorState): void {
    this.nextTryAt = state.kind === 'waiting' ? state.nextTryAt : undefined;
    switch (state.kind) {
      case 'listing':
        this.mode = state.how;
        this.listed = state.items;
        if (state.remaining !== undefined) this.expected = state.items + state.remaining;
        break;
      case 'watching':
        this.missing.clear();
        this.error = undefined;
        this.setState('live');
        return;
      case 'waiting':
        this.error = state.error ?? this.error;
        this.setState(state.error?.code === 403 ? 'forbidden' : 'lost');
        return;
      case 'ended':
        this.error = state.error;
        // No longer served: what it held is gone with it, though nobody saw it go.
        if (state.error.code === 404) this.replace([]);
        this.setState('ended');
        return;
    }
    this.options.onStatus();
  }

  private failed(error: ApiStatus, during: 'list' | 'watch'): 'retry' | 'end' {
    if (error.code === 403) {
      const { resource, namespace } = this.options;
      this.missing.set(during, {
        verb: during,
        group: resource.group,
        resource: resource.resource,
        ...(namespace === undefined ? {} : { namespace }),
      });
    }
    // Not served (any more), or not to be listed: trying again would be asking for ever.
    return error.code === 404 || error.code === 405 ? 'end' : 'retry';
  }

  private setState(state: SourceState): void {
    if (state !== this.state) this.since = this.options.clock.now();
    this.state = state;
    this.options.onStatus();
  }
}

function opOf(type: Arrival['type']): ObjectOp {
  return type === 'ADDED' ? 'added' : type === 'MODIFIED' ? 'modified' : 'deleted';
}

function withoutKind(outcome: { readonly kind: 'relisted' } & ReplaceSummary): ReplaceSummary {
  const { created, changed, deleted, unchanged } = outcome;
  return { created, changed, deleted, unchanged };
}
