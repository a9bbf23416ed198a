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
    const next = await nextItem(watch);
    if (next.kind === 'done') return { kind: 'closed', events, broken: next.broken };
    const { item } = next;
    if (item.type === 'ERROR') {
      await watch.return?.();
      return { kind: 'error', status: item.status };
    }
    onItem(item);
    events++;
    if (untilInitialEnd && item.type === 'BOOKMARK' && item.initialEventsEnd) return { kind: 'initial-end' };
  }
}

type Next<R extends ItemHead> =
  | { readonly kind: 'item'; readonly item: WatchItem<R> }
  | { readonly kind: 'done'; readonly broken: ApiStatus | undefined };

async function nextItem<R extends ItemHead>(watch: AsyncIterator<WatchItem<R>>): Promise<Next<R>> {
  try {
    const next = await watch.next();
    if (next.done === true) return { kind: 'done', broken: undefined };
    return { kind: 'item', item: next.value };
  } catch (failure) {
    if (failure instanceof ApiFailure) return { kind: 'done', broken: failure.status };
    throw failure;
  }
}
