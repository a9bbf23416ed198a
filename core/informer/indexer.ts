/**
 * Indexer: a Store with named indices, kept in step with every change. Mirrors client-go tools/cache/index.go and
 * thread_safe_store.go. An index function gives the values an item is found under; several are allowed.
 */
import type { ItemHead } from '../source/listerWatcher.ts';
import { type Replacement, Store } from './store.ts';

export type IndexFunction<T extends ItemHead> = (item: T) => readonly string[];

/** Name of the index every informer of client-go has: metadata.namespace, '' for cluster scope. */
export const namespaceIndex = 'namespace';

export function indexByNamespace(item: ItemHead): readonly string[] {
  const slash = item.key.indexOf('/');
  return [slash < 0 ? '' : item.key.slice(0, slash)];
}

export class Indexer<T extends ItemHead> extends Store<T> {
  private readonly functions = new Map<string, IndexFunction<T>>();
  private readonly indices = new Map<string, Map<string, Set<string>>>();

  constructor(functions: Readonly<Record<string, IndexFunction<T>>> = {}) {
    super();
    for (const [name, index] of Object.entries(functions)) this.addIndex(name, index);
  }

  /** Adds an index over what is already kept. A name in use is a bug. */
  addIndex(name: string, index: IndexFunction<T>): void {
    if (this.functions.has(name)) throw new Error(`index ${name} exists already`);
    this.functions.set(name, index);
    const values = new Map<string, Set<string>>();
    this.indices.set(name, values);
    for (const item of this.list()) enter(values, index(item), item.key);
  }

  /** Items under `value`, in order of their entering the index. An unknown index is a bug. */
  byIndex(name: string, value: string): T[] {
    const keys = this.index(name).get(value);
    const found: T[] = [];
    for (const key of keys ?? []) {
      const item = this.get(key);
      if (item !== undefined) found.push(item);
    }
    return found;
  }

  /** The values of an index that have items now. */
  indexValues(name: string): string[] {
    return [...this.index(name).keys()];
  }

  override put(item: T): T | undefined {
    const old = super.put(item);
    this.reindex(old, item);
    return old;
  }

  override remove(key: string): T | undefined {
    const old = super.remove(key);
    this.reindex(old, undefined);
    return old;
  }

  override replaceAll(items: readonly T[]): {
    readonly gone: readonly T[];
    readonly replacements: readonly Replacement<T>[];
  } {
    const change = super.replaceAll(items);
    for (const [name, index] of this.functions) {
      const values = new Map<string, Set<string>>();
      for (const item of this.list()) enter(values, index(item), item.key);
      this.indices.set(name, values);
    }
    return change;
  }

  private index(name: string): Map<string, Set<string>> {
    const index = this.indices.get(name);
    if (index === undefined) throw new Error(`no index named ${name}`);
    return index;
  }

  private reindex(old: T | undefined, item: T | undefined): void {
    for (const [name, index] of this.functions) {
      const values = this.index(name);
      if (old !== undefined) leave(values, index(old), old.key);
      if (item !== undefined) enter(values, index(item), item.key);
    }
  }
}

function enter(index: Map<string, Set<string>>, values: readonly string[], key: string): void {
  for (const value of values) {
    const keys = index.get(value);
    if (keys === undefined) index.set(value, new Set([key]));
    else keys.add(key);
  }
}

function leave(index: Map<string, Set<string>>, values: readonly string[], key: string): void {
  for (const value of values) {
    const keys = index.get(value);
    keys?.delete(key);
    if (keys?.size === 0) index.delete(value);
  }
}
