/** What watching a cluster says to whoever listens: items, gaps, the state of each source, contact with the server. */
import type { Disposable } from '../../../shared/base/disposable.ts';
import type { Result } from '../../../shared/base/result.ts';
import type { GroupResource, ObjectKey, ResourceVersion, SourceId } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { ApiResource } from '../../../shared/model/resource.ts';
import type { GapCause } from '../../informer/gapTracker.ts';
import type { ObjectOp, TimeInterval } from '../../session/record.ts';
import type { Discovery, DiscoveryChange, DiscoveryError } from '../discovery/discovery.ts';
import type { ApiStatus, ItemHead } from '../listerWatcher.ts';

/** `metadata`: PartialObjectMetadata, a quarter of the bytes. Secrets are never watched otherwise. */
export type WatchDetail = 'full' | 'metadata';

/** One version of one object as it came, after the secret filter. Fits session RecordInput field by field. */
export interface WatchedItem {
  readonly source: SourceId;
  readonly resource: ApiResource;
  /** `vanished`: gone in a relist; then `raw` is '' and `object` undefined. */
  readonly op: ObjectOp;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  /** JSON text of the object, always with apiVersion and kind. */
  readonly raw: string;
  /** The same, parsed. Not to be changed or kept. */
  readonly object: KubeObject | undefined;
  readonly metadataOnly: boolean;
  /** Part of the first list of its source; of a kind that was upgraded to full, every object again. */
  readonly initial: boolean;
  /** Where it happened, ms: a live event at its receipt, what a relist or a resumed watch brought since contact was lost. */
  readonly at: TimeInterval;
  readonly receivedAt: number;
}

/** Told twice: when it opens and when the cache is level again. `id` is the same both times. */
export type WatchGap = {
  readonly id: string;
  readonly source: SourceId;
  readonly resource: ApiResource;
  readonly cause: GapCause;
  readonly since: number;
  readonly fromVersion: string;
  readonly error: ApiStatus | undefined;
} & (
  | { readonly phase: 'opened' }
  | {
      readonly phase: 'closed';
      readonly until: number;
      readonly toVersion: string;
      /** undefined: the watch resumed, nothing was missed. */
      readonly found:
        | {
            readonly created: number;
            readonly changed: number;
            readonly deleted: number;
            readonly unchanged: number;
          }
        | undefined;
    }
);

/** A right we lack; `namespace` absent: cluster-wide. */
export interface MissingGrant {
  readonly verb: 'list' | 'watch';
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

/**
 * waiting: its tier has not begun. syncing: first list. live. lost: contact lost or the server failing, tried again at
 * nextTryAt. forbidden: a right is missing, tried again too (grants may come). ended: no longer served.
 */
export type SourceState = 'waiting' | 'syncing' | 'live' | 'lost' | 'forbidden' | 'ended';

/** One Reflector of ours. */
export interface SourceStatus {
  readonly source: SourceId;
  readonly resource: ApiResource;
  /** Absent: all namespaces, or cluster-scoped. */
  readonly namespace?: string;
  readonly detail: WatchDetail;
  /** How it was listed last. */
  readonly mode: 'list' | 'watchlist';
  readonly state: SourceState;
  /** Since when, ms. */
  readonly since: number;
  readonly objects: number;
  /** Objects a first list will have, as the server estimates. */
  readonly expected: number | undefined;
  /** Version of the last event, bookmark or list; '' before. */
  readonly version: string;
  readonly reconnects: number;
  readonly relists: number;
  readonly missing: readonly MissingGrant[];
  readonly error: ApiStatus | undefined;
  readonly lostSince: number | undefined;
  readonly nextTryAt: number | undefined;
}

/** First sync, over all sources that were started. */
export interface WatchProgress {
  readonly objects: number;
  /** undefined while a source has not said how many it has. */
  readonly expected: number | undefined;
  /** Sources that are live, forbidden or ended, and all of them. */
  readonly ready: number;
  readonly total: number;
}

/** Contact with the API server as a whole. */
export type Contact =
  | { readonly kind: 'connected' }
  | {
      readonly kind: 'lost';
      readonly since: number;
      readonly attempt: number;
      readonly nextTryAt: number | undefined;
      readonly error: ApiStatus | undefined;
    };

export interface WatchListeners {
  onItem(item: WatchedItem): void;
  onGap?(gap: WatchGap): void;
  /** A source began, changed its state or its counts. */
  onSource?(status: SourceStatus): void;
  onContact?(contact: Contact): void;
  /** Discovery found other resources than before; also called once at start. */
  onResources?(discovery: Discovery, change: DiscoveryChange): void;
  /** Something was skipped (an object that is no object, an answer that is no JSON): one sentence. */
  onProblem?(source: SourceId, message: string): void;
}

export interface WatchManager extends Disposable {
  /** Discovers, then starts tier by tier. Resolves when discovery is done. */
  start(): Promise<Result<Discovery, DiscoveryError>>;
  /**
   * Watches a resource that is served now or later; `full` upgrades one watched as metadata. Secrets stay metadata.
   * Asking again for what is there, or for less, does nothing.
   */
  ensure(resource: GroupResource, detail: WatchDetail): void;
  resources(): readonly ApiResource[];
  sources(): readonly SourceStatus[];
  /** Heads in the cache of one source, as of its version. */
  heads(source: SourceId): Iterable<ItemHead>;
  progress(): WatchProgress;
  contact(): Contact;
  /** Every right that a source lacks. */
  missing(): readonly MissingGrant[];
  /** Everyone who waits for the next try tries now. */
  retryNow(): void;
  /** Resolves when every tier has begun and each source is live, forbidden, lost or ended. */
  synced(): Promise<void>;
}
