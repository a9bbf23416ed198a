/**
 * Read-only copies of what the engine streams, for useSyncExternalStore: a snapshot changes only at a flush, and its
 * unchanged parts keep their reference. A replica listens while somebody reads it, and a little longer, so that a
 * switch of tabs does not fall back to "loading".
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import type { RowsDiff } from '../../shared/contract/define.ts';
import type { FrameScheduler } from './frameScheduler.ts';
import { replaceEqualDeep } from './replaceEqualDeep.ts';

export type Loading = 'loading' | 'ready' | 'failed';

export interface ValueSnapshot<T> {
  readonly state: Loading;
  readonly value: T | undefined;
  readonly error?: string;
}

export interface TableSnapshot<Row> {
  readonly state: Loading;
  readonly rows: readonly Row[];
  /** Rows in the engine, which may be more than were sent. */
  readonly total: number;
  /** Changes a full buffer swallowed since the window opened. */
  readonly dropped: number;
  readonly error?: string;
}

export interface Replica<S> {
  get(): S;
  subscribe(listener: () => void): () => void;
}

export interface StreamObserver<Item> {
  item(item: Item): void;
  failed(message: string): void;
}
export type OpenStream<Item> = (observer: StreamObserver<Item>) => Disposable;

export interface ReplicaHost {
  readonly frames: FrameScheduler;
  /** How long a replica nobody reads goes on listening, ms. */
  readonly lingerMs: number;
  setTimer(delayMs: number, fire: () => void): Disposable;
}

abstract class BaseReplica<S, Item> implements Replica<S> {
  private readonly host: ReplicaHost;
  private readonly open: OpenStream<Item>;
  private readonly ended: () => void;
  private readonly listeners = new Set<() => void>();
  private stream: Disposable | undefined;
  private linger: Disposable | undefined;
  private snapshot: S;

  constructor(host: ReplicaHost, open: OpenStream<Item>, ended: () => void, first: S) {
    this.host = host;
    this.open = open;
    this.ended = ended;
    this.snapshot = first;
  }

  get(): S {
    return this.snapshot;
  }

  /** Bound on purpose: React compares the function it is given. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.linger?.dispose();
    this.linger = undefined;
    this.stream ??= this.listen();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0 || this.linger !== undefined) return;
      this.linger = this.host.setTimer(this.host.lingerMs, () => this.stop());
    };
  };

  /** Asks for the stream again, on a new pipe; a replica that nobody reads stays quiet. */
  reopen(): void {
    if (this.stream === undefined) return;
    this.stream.dispose();
    this.stream = this.listen();
  }

  private listen(): Disposable {
    return this.open({
      item: (item) => {
        this.take(item);
        this.host.frames.request(this.flush);
      },
      failed: (message) => {
        this.fail(message);
        this.host.frames.request(this.flush);
      },
    });
  }

  private readonly flush = (): void => {
    const next = this.build(this.snapshot);
    if (Object.is(next, this.snapshot)) return;
    this.snapshot = next;
    for (const listener of [...this.listeners]) listener();
  };

  private stop(): void {
    this.stream?.dispose();
    this.stream = undefined;
    this.linger = undefined;
    this.ended();
  }

  protected abstract take(item: Item): void;
  protected abstract fail(message: string): void;
  protected abstract build(previous: S): S;
}

export class ValueReplica<T> extends BaseReplica<ValueSnapshot<T>, T> {
  private newest: { readonly value: T } | undefined;
  private error: string | undefined;

  constructor(host: ReplicaHost, open: OpenStream<T>, ended: () => void) {
    super(host, open, ended, { state: 'loading', value: undefined });
  }

  protected take(value: T): void {
    this.newest = { value };
    this.error = undefined;
  }

  protected fail(message: string): void {
    this.error = message;
  }

  protected build(previous: ValueSnapshot<T>): ValueSnapshot<T> {
    const value = this.newest === undefined ? undefined : replaceEqualDeep(previous.value, this.newest.value);
    if (this.error !== undefined) return { state: 'failed', value, error: this.error };
    if (previous.state === 'ready' && Object.is(previous.value, value)) return previous;
    return { state: 'ready', value };
  }
}

export class TableReplica<Row> extends BaseReplica<TableSnapshot<Row>, RowsDiff<Row>> {
  private readonly keyOf: (row: Row) => string | number;
  private readonly byKey = new Map<string | number, Row>();
  private total = 0;
  private dropped = 0;
  private error: string | undefined;
  private dirty = false;

  constructor(
    host: ReplicaHost,
    open: OpenStream<RowsDiff<Row>>,
    ended: () => void,
    keyOf: (row: Row) => string | number,
  ) {
    super(host, open, ended, { state: 'loading', rows: [], total: 0, dropped: 0 });
    this.keyOf = keyOf;
  }

  protected take(diff: RowsDiff<Row>): void {
    this.error = undefined;
    this.dirty = true;
    this.total = diff.total;
    this.dropped += diff.dropped;
    const before = diff.reset ? new Map(this.byKey) : this.byKey;
    if (diff.reset) this.byKey.clear();
    for (const key of diff.removed) this.byKey.delete(key);
    for (const row of diff.upserts) {
      const key = this.keyOf(row);
      this.byKey.set(key, replaceEqualDeep(before.get(key), row));
    }
  }

  protected fail(message: string): void {
    this.error = message;
    this.dirty = true;
  }

  protected build(previous: TableSnapshot<Row>): TableSnapshot<Row> {
    if (!this.dirty) return previous;
    this.dirty = false;
    const rows = replaceEqualRows(previous.rows, [...this.byKey.values()]);
    const base = { rows, total: this.total, dropped: this.dropped };
    return this.error === undefined
      ? { state: 'ready', ...base }
      : { state: 'failed', error: this.error, ...base };
  }
}

/** The previous array when it holds the very same rows. */
function replaceEqualRows<Row>(previous: readonly Row[], next: readonly Row[]): readonly Row[] {
  if (previous.length !== next.length) return next;
  return next.every((row, index) => row === previous[index]) ? previous : next;
}
