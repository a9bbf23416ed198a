/**
 * Store: the informer's cache, the step between the queue of deltas and the handlers. Mirrors client-go
 * tools/cache/store.go. Keys are `namespace/name` or `name`; what is kept is the caller's T, for the live cache only a
 * head. Iteration is in order of insertion, a replacement takes the order of the list (client-go: map order).
 * Pure. Spec: docs/spec/informer.md
 */
import type { ItemHead } from '../source/listerWatcher.ts';

/** What a replacement found, by comparing with what was kept: `changed` and `unchanged` by resourceVersion. */
export interface ReplaceSummary {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** What a Reflector drives. Order of calls is order of events. Source: client-go ReflectorStore. */
export interface ReflectorStore<T extends ItemHead> {
  add(item: T): void;
  update(item: T): void;
  /** `item` is the final state the watch delivered. */
  delete(item: T): void;
  replace(items: readonly T[], resourceVersion: string): ReplaceSummary;
  /** Sends what is kept to those who asked for it again; never lists. */
  resync(): void;
  bookmark?(resourceVersion: string): void;
}

export interface ReadonlyStore<T extends ItemHead> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  readonly size: number;
  keys(): IterableIterator<string>;
  list(): IterableIterator<T>;
}

/** One pair of a replacement: what was kept under the key (undefined: nothing) and what came. */
export interface Replacement<T extends ItemHead> {
  readonly old: T | undefined;
  readonly item: T;
}

export class Store<T extends ItemHead> implements ReadonlyStore<T> {
  protected items = new Map<string, T>();

  get(key: string): T | undefined {
    return this.items.get(key);
  }

  has(key: string): boolean {
    return this.items.has(key);
  }

  get size(): number {
    return this.items.size;
  }

  keys(): IterableIterator<string> {
    return this.items.keys();
  }

  list(): IterableIterator<T> {
    return this.items.values();
  }

  /** Keeps `item` and returns what it took the place of. */
  put(item: T): T | undefined {
    const old = this.items.get(item.key);
    this.items.set(item.key, item);
    return old;
  }

  /** Forgets `key` and returns what was kept. */
  remove(key: string): T | undefined {
    const old = this.items.get(key);
    this.items.delete(key);
    return old;
  }

  /** Keeps exactly `items`. Returns what is gone (its last known state) and each item with what it took the place of. */
  replaceAll(items: readonly T[]): {
    readonly gone: readonly T[];
    readonly replacements: readonly Replacement<T>[];
  } {
    const before = this.items;
    const after = new Map<string, T>();
    const replacements: Replacement<T>[] = [];
    for (const item of items) {
      replacements.push({ old: before.get(item.key), item });
      after.set(item.key, item);
    }
    const gone: T[] = [];
    for (const [key, item] of before) if (!after.has(key)) gone.push(item);
    this.items = after;
    return { gone, replacements };
  }
}

export function summarise<T extends ItemHead>(change: {
  readonly gone: readonly T[];
  readonly replacements: readonly Replacement<T>[];
}): ReplaceSummary {
  let created = 0;
  let changed = 0;
  let unchanged = 0;
  for (const { old, item } of change.replacements) {
    if (old === undefined) created++;
    else if (old.resourceVersion === item.resourceVersion) unchanged++;
    else changed++;
  }
  return { created, changed, deleted: change.gone.length, unchanged };
}
