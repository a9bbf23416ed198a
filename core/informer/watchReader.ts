/** Reads one open watch to its end. Mirrors client-go reflector.go handleAnyWatch. Pure. */
import { ApiFailure, type ApiStatus, type ItemHead, type WatchItem } from '../source/listerWatcher.ts';

/** How reading ended. `events` counts everything but ERROR. */
export type WatchEnd =
  | { readonly kind: 'initial-end' }
  | { readonly kind: 'closed'; readonly events: number; readonly broken: ApiStatus | undefined }
  | { readonly kind: 'error'; readonly status: ApiStatus };

/** Every item a watch delivers, except ERROR. */
export type GoodWatchItem<R extends ItemHead> = Exclude<WatchItem<R>, { readonly type: 'ERROR' }>;

/**
 * Calls `onItem` for each item until the watch closes, breaks or answers ERROR; with `untilInitialEnd` also until the
 * bookmark that ends the initial events, and then leaves the watch open. Rejects only for bugs.
 */
export async function readWatch<R extends ItemHead>(
  watch: AsyncIterator<WatchItem<R>>,
  onItem: (item: GoodWatchItem<R>) => void,
  untilInitialEnd: boolean,
): Promise<WatchEnd> {
  let events = 0;
  for (;;) {
    let next: IteratorResult<WatchItem<R>>;
    try {
      next = await watch.next();
    } catch (failure) {
      if (failure instanceof ApiFailure) return { kind: 'closed', events, broken: failure.status };
      throw failure;
    }
    if (next.done === true) return { kind: 'closed', events, broken: undefined };
    const item = next.value;
    if (item.type === 'ERROR') {
      await watch.return?.();
      return { kind: 'error', status: item.status };
    }
    onItem(item);
    events++;
    if (untilInitialEnd && item.type === 'BOOKMARK' && item.initialEventsEnd) return { kind: 'initial-end' };
  }
}
