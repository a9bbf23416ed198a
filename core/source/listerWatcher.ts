/** LIST and WATCH of one resource, as a Reflector sees them. Source: client-go tools/cache ListerWatcher. */
import type { Result } from '../../shared/base/result.ts';
import type { ResourceVersion } from '../../shared/model/ids.ts';

/** What an informer must know of an object; `raw` is its JSON text as it came (after the secret filter). */
export interface ItemHead {
  /** `namespace/name` or `name`. */
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
}

export interface ListOptions {
  /** Absent: not sent. '' means a quorum read. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly limit?: number;
  readonly continueToken?: string;
}

export interface WatchOptions {
  readonly resourceVersion: string;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number;
  readonly sendInitialEvents?: boolean;
  readonly resourceVersionMatch?: 'NotOlderThan';
}

export interface ListPage<T extends ItemHead> {
  readonly items: readonly T[];
  readonly resourceVersion: ResourceVersion;
  readonly continueToken: string | undefined;
  /** An estimate of what is left, where the server gives one. */
  readonly remainingItemCount?: number;
}

/** HTTP-level failure of a list or of opening a watch, or an ERROR event's Status. */
export interface ApiStatus {
  /** HTTP code; 0 when the connection failed before an answer. */
  readonly code: number;
  /** Kubernetes reason: Expired, Gone, Forbidden, TooManyRequests, Timeout…; '' when none. */
  readonly reason: string;
  /** Causes' reasons/messages, e.g. ResourceVersionTooLarge. */
  readonly causes: readonly string[];
  readonly message: string;
  readonly retryAfterMs?: number;
  /** True for connection refused: the watch is tried again without a relist. */
  readonly connectionRefused?: boolean;
}

export type WatchItem<T extends ItemHead> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly item: T }
  | {
      readonly type: 'BOOKMARK';
      readonly resourceVersion: ResourceVersion;
      readonly initialEventsEnd: boolean;
    }
  | { readonly type: 'ERROR'; readonly status: ApiStatus };

/** Thrown by a watch that was open and broke: its connection was cut, or its peer fell silent. */
export class ApiFailure extends Error {
  readonly status: ApiStatus;
  constructor(status: ApiStatus) {
    super(status.message);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

/** Ends cleanly or throws ApiFailure when the connection breaks. Breaking out of the loop closes the watch. */
export type WatchStream<T extends ItemHead> = AsyncIterable<WatchItem<T>>;

export interface ListerWatcher<T extends ItemHead> {
  list(options: ListOptions, signal: AbortSignal): Promise<Result<ListPage<T>, ApiStatus>>;
  watch(options: WatchOptions, signal: AbortSignal): Promise<Result<WatchStream<T>, ApiStatus>>;
}

/** 410 Expired or Gone: the version asked for is no longer kept. Source: apimachinery api/errors IsResourceExpired, IsGone. */
export function isExpired(status: ApiStatus): boolean {
  return status.code === 410 || status.reason === 'Expired' || status.reason === 'Gone';
}

/** The version asked for lies ahead of what the server has seen. Source: client-go reflector.go isTooLargeResourceVersionError. */
export function isTooLargeResourceVersion(status: ApiStatus): boolean {
  if (status.causes.includes('ResourceVersionTooLarge')) return true;
  if (status.reason !== 'Timeout' && status.code !== 504) return false;
  return (
    status.causes.includes('Too large resource version') ||
    status.message.includes('Too large resource version')
  );
}

/** Errors after which the same watch is tried again without a list. Source: client-go reflector.go isWatchErrorRetriable. */
export function isWatchRetriable(status: ApiStatus): boolean {
  return status.connectionRefused === true || isTooManyRequests(status);
}

export function isTooManyRequests(status: ApiStatus): boolean {
  return status.code === 429 || status.reason === 'TooManyRequests';
}
