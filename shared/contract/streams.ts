/**
 * The engine's half of one open stream: when an item may go out, and what is in it. Bounded in memory and in rate,
 * whatever the handler does. A congested pipe (too many bytes not yet sent) holds both kinds back; a value then keeps
 * only its newest state and a table coalesces per key.
 */
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { RowKey, RowsDiff } from './define.ts';

/** A value goes out at once and then at most every 250 ms, the newest state last. */
export const VALUE_INTERVAL_MS = 250;
/** A table sends at most one item a frame of the screen. */
export const TABLE_INTERVAL_MS = 16;
/** Changed rows that may wait for one table; past that they are dropped and a reset is sent instead. */
export const MAX_PENDING_ROWS = 20_000;

export interface StreamHost {
  readonly clock: Clock;
  /** More bytes are waiting in the pipe than we want to add to. */
  congested(): boolean;
  /** Called with items in order; never after dispose(). */
  deliver(item: unknown): void;
  /** A row that the table refuses: reported, left out; the stream goes on. */
  skipped(error: unknown): void;
  /** The handler threw: the stream ends with an error. */
  failed(error: unknown): void;
}

/** Rate limit shared by both kinds: `due` runs at once when `intervalMs` has passed since the last time, else later. */
class Pace implements Disposable {
  private readonly host: StreamHost;
  private readonly intervalMs: number;
  private readonly due: () => void;
  private lastAt = Number.NEGATIVE_INFINITY;
  private timer: Disposable | undefined;

  constructor(host: StreamHost, intervalMs: number, due: () => void) {
    this.host = host;
    this.intervalMs = intervalMs;
    this.due = due;
  }

  /** `atOnce`: run on this turn when allowed; otherwise always from a timer, so that one turn's changes go together. */
  request(atOnce: boolean): void {
    if (this.timer !== undefined) return;
    const waitMs = Math.max(0, this.lastAt + this.intervalMs - this.host.clock.monotonic());
    if (waitMs === 0 && atOnce && !this.host.congested()) this.run();
    else this.arm(waitMs);
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private arm(delayMs: number): void {
    this.timer = this.host.clock.setTimer(delayMs, () => {
      this.timer = undefined;
      if (this.host.congested()) this.arm(this.intervalMs);
      else this.run();
    });
  }

  private run(): void {
    this.lastAt = this.host.clock.monotonic();
    this.due();
  }
}

export class ValueStream implements Disposable {
  private readonly pace: Pace;
  private newest: { readonly value: unknown } | undefined;
  private disposed = false;

  constructor(host: StreamHost) {
    this.pace = new Pace(host, VALUE_INTERVAL_MS, () => {
      const newest = this.newest;
      this.newest = undefined;
      if (newest !== undefined) host.deliver(newest.value);
    });
  }

  emit(value: unknown): void {
    if (this.disposed) return;
    this.newest = { value };
    this.pace.request(true);
  }

  dispose(): void {
    this.disposed = true;
    this.newest = undefined;
    this.pace.dispose();
  }
}

/** Where a table handler puts its changes. Cheap; coalesced per key until the next item goes out. */
export interface TableSink<Row> {
  upsert(row: Row): void;
  remove(key: RowKey): void;
  /** Everything may have changed: the next item is a snapshot. */
  reset(): void;
}

/** What a table handler returns: its current state on demand (first item, reset after an overflow), and its end. */
export interface TableFeed<Row> extends Disposable {
  snapshot(): readonly Row[];
  /** Rows that exist, which may be more than snapshot() gives. */
  total(): number;
}

export interface TableStreamOptions {
  readonly keyOf: (row: unknown) => RowKey;
  /** Throws when the row does not fit the table. */
  readonly check: (row: unknown) => unknown;
  readonly maxPendingRows: number;
}

export class TableStream implements TableSink<unknown>, Disposable {
  private readonly host: StreamHost;
  private readonly options: TableStreamOptions;
  private readonly pace: Pace;
  private readonly pending = new Map<RowKey, { readonly row: unknown } | 'removed'>();
  private feed: TableFeed<unknown> | undefined;
  private needsReset = true;
  private overflowed = false;
  private dropped = 0;
  private disposed = false;

  constructor(host: StreamHost, options: TableStreamOptions) {
    this.host = host;
    this.options = options;
    this.pace = new Pace(host, TABLE_INTERVAL_MS, () => this.flush());
  }

  /** The handler has returned: its snapshot is the first item. */
  start(feed: TableFeed<unknown>): void {
    this.feed = feed;
    this.pace.request(true);
  }

  upsert(row: unknown): void {
    if (this.disposed) return;
    let key: RowKey;
    try {
      key = this.options.keyOf(row);
    } catch (error) {
      this.host.skipped(error);
      return;
    }
    this.put(key, { row });
  }

  remove(key: RowKey): void {
    if (!this.disposed) this.put(key, 'removed');
  }

  reset(): void {
    if (this.disposed) return;
    this.pending.clear();
    this.needsReset = true;
    this.request();
  }

  dispose(): void {
    this.disposed = true;
    this.pending.clear();
    this.pace.dispose();
    this.feed?.dispose();
    this.feed = undefined;
  }

  private put(key: RowKey, change: { readonly row: unknown } | 'removed'): void {
    if (this.needsReset) {
      // The snapshot that goes out next has this change in it.
      if (this.overflowed) this.dropped += 1;
      return;
    }
    this.pending.set(key, change);
    if (this.pending.size > this.options.maxPendingRows) {
      this.dropped += this.pending.size;
      this.overflowed = true;
      this.pending.clear();
      this.needsReset = true;
    }
    this.request();
  }

  private request(): void {
    if (this.feed !== undefined) this.pace.request(false);
  }

  private flush(): void {
    const feed = this.feed;
    if (feed === undefined) return;
    const reset = this.needsReset;
    let rows: readonly unknown[];
    let total: number;
    try {
      rows = reset ? feed.snapshot() : this.pendingRows();
      total = feed.total();
    } catch (error) {
      this.host.failed(error);
      return;
    }
    const item: RowsDiff<unknown> = {
      reset,
      upserts: this.checked(rows),
      removed: [...this.pending].filter(([, change]) => change === 'removed').map(([key]) => key),
      total,
      dropped: this.dropped,
    };
    this.pending.clear();
    this.needsReset = false;
    this.overflowed = false;
    this.dropped = 0;
    this.host.deliver(item);
  }

  private pendingRows(): unknown[] {
    const rows: unknown[] = [];
    for (const change of this.pending.values()) if (change !== 'removed') rows.push(change.row);
    return rows;
  }

  /** One bad row is reported and skipped, never the batch. */
  private checked(rows: readonly unknown[]): unknown[] {
    const good: unknown[] = [];
    for (const row of rows) {
      try {
        good.push(this.options.check(row));
      } catch (error) {
        this.host.skipped(error);
      }
    }
    return good;
  }
}
