/**
 * RowTable: the engine's side of a contract table that is kept up to date by its projection. Holds the current rows in
 * order of first appearance and tells each subscriber what really changed: a row that is set again with equal content
 * is not sent.
 */
import type { RowKey } from './define.ts';
import type { TableFeed, TableSink } from './streams.ts';

export interface RowTableView<Row> {
  /** Only rows for which this holds; a row that stops to match is removed from the subscriber. */
  readonly where?: (row: Row) => boolean;
}

interface Subscriber<Row> {
  readonly sink: TableSink<Row>;
  readonly where: ((row: Row) => boolean) | undefined;
  /** Keys the subscriber has (or will have by its next snapshot); only kept where there is a filter. */
  readonly shown: Set<RowKey> | undefined;
}

export class RowTable<Row> {
  private readonly keyOf: (row: Row) => RowKey;
  private readonly byKey = new Map<RowKey, Row>();
  private readonly subscribers = new Set<Subscriber<Row>>();

  constructor(keyOf: (row: Row) => RowKey) {
    this.keyOf = keyOf;
  }

  get size(): number {
    return this.byKey.size;
  }

  /** Somebody is told of changes. A table that costs something to keep up to date need not be while nobody is. */
  get isWatched(): boolean {
    return this.subscribers.size > 0;
  }

  get rows(): readonly Row[] {
    return [...this.byKey.values()];
  }

  /** The row that has been there longest. */
  first(): Row | undefined {
    return this.byKey.values().next().value;
  }

  get(key: RowKey): Row | undefined {
    return this.byKey.get(key);
  }

  /** Adds or replaces. False when an equal row was there already (nothing is sent then). */
  set(row: Row): boolean {
    const key = this.keyOf(row);
    const before = this.byKey.get(key);
    if (before !== undefined && structurallyEqual(before, row)) return false;
    this.byKey.set(key, row);
    for (const subscriber of this.subscribers) show(subscriber, key, row);
    return true;
  }

  /** False when there was no such row. */
  delete(key: RowKey): boolean {
    if (!this.byKey.delete(key)) return false;
    for (const subscriber of this.subscribers) hide(subscriber, key);
    return true;
  }

  clear(): void {
    this.byKey.clear();
    for (const { sink, shown } of this.subscribers) {
      shown?.clear();
      sink.reset();
    }
  }

  /** Brings the table to exactly `rows`: sets what differs, deletes what is not among them. */
  replace(rows: Iterable<Row>): void {
    const gone = new Set(this.byKey.keys());
    for (const row of rows) {
      gone.delete(this.keyOf(row));
      this.set(row);
    }
    for (const key of gone) this.delete(key);
  }

  /** A table handler's whole body: `(params, sink) => table.subscribe(sink)`. */
  subscribe(sink: TableSink<Row>, view: RowTableView<Row> = {}): TableFeed<Row> {
    const { where } = view;
    const shown = where === undefined ? undefined : new Set<RowKey>();
    const subscriber: Subscriber<Row> = { sink, where, shown };
    if (where !== undefined) for (const [key, row] of this.byKey) if (where(row)) shown?.add(key);
    this.subscribers.add(subscriber);
    return {
      snapshot: () => (where === undefined ? this.rows : this.rows.filter(where)),
      total: () => shown?.size ?? this.byKey.size,
      dispose: () => void this.subscribers.delete(subscriber),
    };
  }
}

function show<Row>(subscriber: Subscriber<Row>, key: RowKey, row: Row): void {
  if (subscriber.where !== undefined && !subscriber.where(row)) {
    hide(subscriber, key);
    return;
  }
  subscriber.shown?.add(key);
  subscriber.sink.upsert(row);
}

function hide<Row>(subscriber: Subscriber<Row>, key: RowKey): void {
  if (subscriber.shown === undefined || subscriber.shown.delete(key)) subscriber.sink.remove(key);
}

/** Equality of plain data (JSON-like): a key with the value undefined counts as absent, as on the wire. */
export function structurallyEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => structurallyEqual(item, b[index]));
  }
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(left)) if (!structurallyEqual(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}
