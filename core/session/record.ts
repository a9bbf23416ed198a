/**
 * Records: what sources say, as it came. The session is their append-only log; everything shown is derived from it.
 * Two times: `seq` is arrival, `pos` is where it happened (docs/adr/0001-session-log.md).
 */
import type { ObjectKey, RecordSeq, ResourceVersion, SourceId } from '../../shared/model/ids.ts';

export type RecordKind =
  | 'object'
  | 'gap'
  | 'discovery'
  | 'access'
  | 'log'
  | 'metrics'
  | 'audit'
  | 'process'
  | 'prediction'
  | 'outcome'
  | 'profile'
  | 'connection'
  | 'request'
  | 'finding';

/** listed: first list. relisted: changed or new in a later list. vanished: gone in a later list, final state unknown. */
export type ObjectOp = 'listed' | 'added' | 'modified' | 'deleted' | 'relisted' | 'vanished';

/** Wall time in ms since the epoch, by our clock after skew correction; lo ≤ hi. Second resolution is [t, t + 999]. */
export interface TimeInterval {
  readonly lo: number;
  readonly hi: number;
}

export interface RecordInput {
  readonly kind: RecordKind;
  readonly source: SourceId;
  /** Where it happened. */
  readonly at: TimeInterval;
  /** When we received it, ms. */
  readonly receivedAt: number;
  readonly object?: ObjectKey;
  readonly uid?: string;
  readonly resourceVersion?: ResourceVersion;
  readonly op?: ObjectOp;
  /** The object is a PartialObjectMetadata. */
  readonly metadataOnly?: boolean;
  /** Part of a first list or of the initial events of a stream; a line of a pod that stood there before we looked. */
  readonly initial?: boolean;
  /** Text as it came, after the secret filter: JSON of the object, the log line, the scrape … */
  readonly payload: string;
}

/** A record's head as the log gives it back. `tie` orders records of one instant (source order, then seq). */
export interface RecordHead {
  readonly seq: RecordSeq;
  readonly kind: RecordKind;
  readonly source: SourceId;
  readonly at: TimeInterval;
  readonly tie: number;
  readonly receivedAt: number;
  readonly object?: ObjectKey;
  readonly uid?: string;
  readonly resourceVersion?: ResourceVersion;
  readonly op?: ObjectOp;
  readonly metadataOnly: boolean;
  readonly initial: boolean;
  /** Landed behind the watermark: what lies there was derived without it. */
  readonly late: boolean;
}

/** Which records, by arrival. `from` and `to` are both included; `limit` counts what matches. */
export interface RecordQuery {
  readonly from?: RecordSeq;
  readonly to?: RecordSeq;
  readonly kinds?: readonly RecordKind[];
  readonly object?: ObjectKey;
  readonly source?: SourceId;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** A derived thing, valid in [from, to) by pos (ms). `to` absent: still valid. Later revisions replace earlier ones. */
export interface IntervalRow {
  readonly id: number;
  readonly kind: string;
  readonly subject: string;
  readonly from: number;
  readonly to: number | undefined;
  readonly revision: number;
  /** JSON value. */
  readonly value: unknown;
}

export interface IntervalStore {
  /**
   * Opens an interval; the one of the same kind and subject that is valid at `from` ends there. A value that comes late
   * (something later is known already) ends where the later one begins and carries the next revision. Returns its id.
   */
  open(kind: string, subject: string, from: number, value: unknown): number;
  /** Ends what is valid at `to`; nothing when nothing is. */
  close(kind: string, subject: string, to: number): void;
  asOf(kind: string, subject: string, pos: number): IntervalRow | undefined;
  /** All of a kind valid at `pos`, by subject. */
  allAsOf(kind: string, pos: number): readonly IntervalRow[];
  /** Every interval of one subject, oldest first, newest revision only. */
  of(kind: string, subject: string): readonly IntervalRow[];
}

export interface LogStats {
  readonly id: string;
  readonly startedAt: number;
  readonly records: number;
  readonly bytes: number;
  readonly late: number;
  /** Set while nothing can be written (disk full): what to tell the user. */
  readonly paused: string | undefined;
  /** Records whose text could not be kept while nothing could be written. Default: none. */
  readonly lost?: number;
  /** Fallbacks in use (no zstd, no FTS5 …), one sentence each. */
  readonly health: readonly string[];
}

/**
 * The session's log. append() is synchronous and never throws for a full disk: it then keeps the live view going and
 * says so in stats().paused. Implementations: core/session/memoryLog.ts, core/node/sqliteSession.ts.
 */
export interface SessionLog {
  /** Where it lies, when it is a file. */
  readonly file?: string;
  append(input: RecordInput): RecordHead;
  /** Facts decoded from a record, kept beside it (JSON values, not to be changed afterwards); read back on re-open without decoding again. */
  putFacts(seq: RecordSeq, facts: readonly unknown[]): void;
  /**
   * What was put, undefined when nothing was. A log need not keep what its decoder can make again from the payload
   * (core/node/sqliteSession.ts): then these are its decoder's facts, by today's version.
   */
  facts(seq: RecordSeq): readonly unknown[] | undefined;
  head(seq: RecordSeq): RecordHead | undefined;
  payload(seq: RecordSeq): string | undefined;
  /** UTF-16 units of the payload; cheaper than to ask for it where it is not needed. */
  payloadLength(seq: RecordSeq): number | undefined;
  heads(query: RecordQuery): Iterable<RecordHead>;
  /** Sequence numbers of one object's records, oldest first. */
  historyOf(object: ObjectKey): readonly RecordSeq[];
  readonly intervals: IntervalStore;
  /**
   * ms: min over live sources of the newest pos, minus 2 s: what lies later is provisional. When every source has ended,
   * the newest pos of all; 0 while none was ever live (an import), so that nothing counts as late.
   */
  watermark(): number;
  /**
   * A source that is live holds the watermark back; one that ended does not. Saying live again is a sign of life of a
   * quiet source (a bookmark, an empty scrape): nothing older than now is still to come from it.
   */
  sourceState(source: SourceId, live: boolean): void;
  stats(): LogStats;
  /** Commits the tail; done by itself at least every 250 ms. */
  flush(): void;
  /** Seals the tail and closes. */
  close(): void;
}
