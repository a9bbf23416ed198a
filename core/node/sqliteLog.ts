/**
 * The session's log in one SQLite file. A record goes into the block being filled; a full block is compressed and
 * waits for the commit, which comes at least every 250 ms. Reading looks in the block being filled, then in blocks that
 * wait, then in the file. Spec: docs/spec/session.md; why it is built so: docs/adr/0001-session-log.md.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../shared/base/assert.ts';
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { type ObjectKey, type RecordSeq, recordSeq, type SourceId } from '../../shared/model/ids.ts';
import { kindMask } from '../session/blocks.ts';
import { notKept, type UnpackedFacts } from '../session/blocksFacts.ts';
import { ObjectDictionary, packObjectIndex } from '../session/blocksObjects.ts';
import { makeHead } from '../session/logHead.ts';
import { matchesQuery, queryRange } from '../session/logQuery.ts';
import { Watermark } from '../session/logWatermark.ts';
import { lostTextHealth } from '../session/lostText.ts';
import type {
  IntervalRow,
  IntervalStore,
  LogStats,
  RecordHead,
  RecordInput,
  RecordKind,
  RecordQuery,
  SessionLog,
} from '../session/record.ts';
import { BlockBuilder } from './sqliteBlockBuilder.ts';
import { SealedBlocks } from './sqliteBlocks.ts';
import type { Codec } from './sqliteCodec.ts';
import { SqliteIntervals } from './sqliteIntervals.ts';
import { type FactsDecoder, loadSession } from './sqliteLoad.ts';
import { SessionStore, type TailPart } from './sqliteStore.ts';

/** Sizes that a test makes small. */
export interface SessionLimits {
  /** Payload bytes of one block. */
  readonly blockBytes: number;
  /** Records of one segment; fixed for a file once it is made. */
  readonly segmentRecords: number;
  /** Longest time a record waits for its commit, ms. */
  readonly commitEveryMs: number;
  /** How often writing is tried again while paused, ms. */
  readonly retryEveryMs: number;
  /** A block that fills faster than this, ms, is compressed quickly and without its facts; they are decoded again. */
  readonly burstMs: number;
  /** Bytes of waiting blocks after which a commit does not wait for its time. */
  readonly commitBytes: number;
  /** Bytes of waiting blocks kept while paused. */
  readonly pausedBytes: number;
}

export interface SqliteLogOptions {
  readonly database: DatabaseSync;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly limits: SessionLimits;
  readonly id: string;
  /** What to tell the user when the file is not where it was made any more; undefined while it is. */
  readonly missing: () => string | undefined;
  readonly startedAt: number;
  readonly health: readonly string[];
  readonly readOnly: boolean;
  /** Makes facts again that the file does not keep. */
  readonly decode: FactsDecoder;
  /** Called once, when the log is closed; `clean`: everything was written. */
  readonly onClose: (clean: boolean) => void;
}

export class SqliteLog implements SessionLog {
  readonly intervals: IntervalStore;
  private readonly options: SqliteLogOptions;
  private readonly limits: SessionLimits;
  private readonly clock: Clock;
  private readonly objects = new ObjectDictionary();
  private readonly sourceIds = new Map<SourceId, number>();
  private readonly sourceNames: SourceId[] = [];
  private readonly movedSources = new Set<SourceId>();
  private readonly watermarks: Watermark;
  private readonly blocks: SealedBlocks;
  private readonly store: SessionStore;
  private readonly builder: BlockBuilder;
  private readonly selectFacts: StatementSync;
  /** Some facts came when their record was written already; looking for them costs a query a record. */
  private hasFactRows: boolean;
  private readonly lateFacts = new Map<number, readonly unknown[]>();
  private readonly intervalRows: SqliteIntervals;
  private readonly kinds = new Set<RecordKind>();
  /** Number of each record's object, in the segment being filled. */
  private readonly segmentObjects: number[] = [];
  private segmentLate = 0;
  /** Up to this record everything is in the file. */
  private writtenTo: number;
  /** Identities up to this number are in sealed blocks. */
  private sealedObjects: number;
  /** Identities up to this number are in the file. */
  private writtenObjects: number;
  private sealedLate: number;
  /** monotonic() at the first record of the block being filled. */
  private blockBegan = Number.NEGATIVE_INFINITY;
  private timer: Disposable | undefined;
  private closed = false;
  /** What is written goes to a file that nobody can find again; it can still be read here, and saved. */
  private missing: string | undefined;
  /** The block being filled takes records whose text was lost in the log they are copied from. */
  private copiesLost = false;

  constructor(options: SqliteLogOptions) {
    const { database, clock, limits } = options;
    this.options = options;
    this.limits = limits;
    this.clock = clock;
    this.watermarks = new Watermark(() => clock.now());
    this.blocks = new SealedBlocks(database, options.codec, {
      source: (id) => this.sourceNames[id - 1],
      object: (id) => this.objects.identity(id),
    });
    this.intervalRows = new SqliteIntervals(database, () => this.schedule());
    this.intervals = this.intervalRows;
    this.store = new SessionStore(database, this.blocks, this.intervalRows);
    this.selectFacts = database.prepare('SELECT facts FROM fact WHERE seq = ?');
    this.hasFactRows = database.prepare('SELECT 1 FROM fact LIMIT 1').get() !== undefined;
    // What another process commits meanwhile is not seen half.
    if (options.readOnly) database.exec('BEGIN');
    const loaded = loadSession(database, options.codec, this.objects, this.blocks, options.decode);
    for (const position of loaded.sources) this.numberOf(position.source);
    this.watermarks.restore(loaded.sources);
    this.builder = new BlockBuilder(this.blocks.last + 1, limits.blockBytes);
    this.sealedLate = loaded.late;
    this.sealedObjects = loaded.sealedObjects;
    this.writtenObjects = this.objects.size;
    this.restoreSegment();
    loaded.fillTail(this.builder, this.sourceNames, (head, object) => this.noteRecord(head, object));
    this.writtenTo = this.last;
    if (options.readOnly) database.exec('COMMIT');
  }

  /** Number of the last record. */
  get last(): number {
    return this.builder.first + this.builder.count - 1;
  }

  append(input: RecordInput): RecordHead {
    assert(!this.closed, 'append to a closed session');
    assert(!this.options.readOnly, 'append to a session that is open for reading');
    const place = this.watermarks.place(input.source, input.at);
    // Sealed only now: facts of the block's last record came after its append.
    if (this.segmentObjects.length === this.limits.segmentRecords || !this.builder.fits(input.payload))
      this.seal();
    if (this.builder.count === 0) this.blockBegan = this.clock.monotonic();
    const head = makeHead(input, this.last + 1, place);
    const source = this.numberOf(input.source);
    const object =
      input.object === undefined && input.uid === undefined ? 0 : this.objects.idOf(input.object, input.uid);
    this.builder.add(head, source, object, input.payload);
    this.noteRecord(head, object);
    this.movedSources.add(input.source);
    if (this.timer === undefined) this.schedule();
    return head;
  }

  /**
   * Takes over a record of another log: head and text as they were there, text absent where it was not kept. Only for
   * making a copy: what is written here is not judged against this log's watermark.
   */
  copyIn(head: RecordHead, payload: string | undefined, facts: UnpackedFacts): void {
    assert(head.seq === this.last + 1, `record ${head.seq} to follow on ${this.last}`);
    const lost = payload === undefined;
    const full =
      this.segmentObjects.length === this.limits.segmentRecords || !this.builder.fits(payload ?? '');
    if (full || lost !== this.copiesLost) this.seal();
    this.copiesLost = lost;
    if (this.builder.count === 0) this.blockBegan = Number.NEGATIVE_INFINITY;
    this.watermarks.place(head.source, head.at);
    const { object, uid } = head;
    const id = object === undefined && uid === undefined ? 0 : this.objects.idOf(object, uid);
    this.builder.add(head, this.numberOf(head.source), id, payload ?? '');
    if (!lost) this.builder.setFacts(head.seq, facts);
    this.noteRecord(head, id);
    this.movedSources.add(head.source);
  }

  /** Every interval there is, for a copy of the log. */
  intervalRowsOf(): Iterable<IntervalRow> {
    return this.intervalRows.all();
  }

  copyInterval(row: IntervalRow): void {
    this.intervalRows.restore(row);
  }

  putFacts(seq: RecordSeq, facts: readonly unknown[]): void {
    assert(seq >= 1 && seq <= this.last, `facts of a record that exists, got ${seq}`);
    if (seq >= this.builder.first) this.builder.setFacts(seq, facts);
    if (seq < this.builder.first || seq <= this.writtenTo) this.lateFacts.set(seq, facts);
    this.schedule();
  }

  facts(seq: RecordSeq): readonly unknown[] | undefined {
    const facts = this.storedFacts(seq);
    if (facts !== notKept) return facts;
    const [head, payload] = [this.head(seq), this.payload(seq)];
    return head === undefined || payload === undefined ? undefined : this.options.decode(head, payload);
  }

  /** As they are in the log, without making again what was not kept. */
  storedFacts(seq: RecordSeq): UnpackedFacts {
    const late = this.lateFacts.size > 0 ? this.lateFacts.get(seq) : undefined;
    const held = late ?? this.builder.factsOf(seq);
    if (held !== undefined) return held;
    const text = this.hasFactRows ? this.selectFacts.get(seq)?.facts : undefined;
    if (typeof text === 'string') return JSON.parse(text) as readonly unknown[];
    const entry = this.blocks.entryOf(seq);
    return entry === undefined ? undefined : this.blocks.factsOf(entry, seq);
  }

  head(seq: RecordSeq): RecordHead | undefined {
    const entry = this.blocks.entryOf(seq);
    return entry === undefined ? this.builder.head(seq) : this.blocks.headsOf(entry).heads[seq - entry.first];
  }

  payload(seq: RecordSeq): string | undefined {
    const entry = this.blocks.entryOf(seq);
    return entry === undefined ? this.builder.payload(seq) : this.blocks.payload(entry, seq);
  }

  payloadLength(seq: RecordSeq): number | undefined {
    const entry = this.blocks.entryOf(seq);
    return entry === undefined ? this.builder.payload(seq)?.length : this.blocks.payloadLength(entry, seq);
  }

  heads(query: RecordQuery): Iterable<RecordHead> {
    const range = queryRange(query, this.last);
    const heads =
      query.object === undefined
        ? this.walk(range, query)
        : this.headsOf(this.historyOf(query.object), query);
    return select(heads, range, query);
  }

  historyOf(object: ObjectKey): readonly RecordSeq[] {
    const ids = this.objects.idsOf(object);
    if (ids.length === 0) return [];
    const size = this.limits.segmentRecords;
    const seqs: RecordSeq[] = [];
    const current = this.last - this.segmentObjects.length + 1;
    for (let first = 1; first < current; first += size) {
      const index = this.blocks.segment(first);
      for (const id of ids) for (const offset of index.offsetsOf(id)) seqs.push(recordSeq(first + offset));
    }
    this.segmentObjects.forEach((id, offset) => {
      if (ids.includes(id)) seqs.push(recordSeq(current + offset));
    });
    return seqs.sort((a, b) => a - b);
  }

  watermark(): number {
    return this.watermarks.value();
  }

  sourceState(source: SourceId, live: boolean): void {
    this.watermarks.setLive(source, live);
  }

  stats(): LogStats {
    const { lostPayloads, paused } = this.store;
    return {
      id: this.options.id,
      startedAt: this.options.startedAt,
      records: this.last,
      bytes: this.store.bytes + this.store.waitingBytes(),
      late: this.sealedLate + this.segmentLate,
      paused: paused ?? this.missing,
      ...(lostPayloads === 0 ? {} : { lost: lostPayloads }),
      health: [...this.options.health, ...lostTextHealth(lostPayloads)],
    };
  }

  flush(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.closed || this.options.readOnly) return;
    const tail = this.tail();
    const done = this.store.commit({
      sources: [...this.movedSources].map((source) => ({
        ...this.watermarks.position(source),
        id: this.numberOf(source),
      })),
      lateFacts: this.lateFacts,
      tail,
    });
    this.missing = this.options.missing();
    if (done) {
      this.movedSources.clear();
      this.hasFactRows ||= this.lateFacts.size > 0;
      this.lateFacts.clear();
      this.writtenTo = this.last;
      this.writtenObjects = this.objects.size;
    } else {
      this.store.boundWaiting(this.limits.pausedBytes);
      this.schedule();
    }
  }

  close(): void {
    if (this.closed) return;
    if (!this.options.readOnly) {
      this.seal();
      this.flush();
    }
    this.timer?.dispose();
    this.closed = true;
    this.options.onClose(this.store.paused === undefined);
  }

  private numberOf(source: SourceId): number {
    let id = this.sourceIds.get(source);
    if (id === undefined) {
      this.sourceNames.push(source);
      id = this.sourceNames.length;
      this.sourceIds.set(source, id);
    }
    return id;
  }

  private noteRecord(head: RecordHead, object: number): void {
    this.kinds.add(head.kind);
    this.segmentObjects.push(object);
    if (head.late) this.segmentLate++;
  }

  /** Compresses the block being filled; the commit writes it. */
  private seal(): void {
    const { builder, options } = this;
    if (builder.count > 0) {
      // Under load time counts more than bytes; facts are decoded again when somebody asks.
      const burst = this.clock.monotonic() - this.blockBegan < this.limits.burstMs;
      const effort = burst ? 'quick' : 'small';
      const { first, count, heads, facts, payload } = builder.parts(builder.first, !burst);
      const bytes = facts === undefined ? payload : Buffer.concat([payload, Buffer.from(facts)]);
      this.blocks.add({
        first,
        count,
        kinds: kindMask(this.kinds),
        bytes: payload.length,
        objects:
          this.objects.size > this.sealedObjects
            ? options.codec.pack(this.objects.packAfter(this.sealedObjects))
            : undefined,
        heads: options.codec.pack(heads, effort),
        payload: this.copiesLost ? undefined : options.codec.pack(bytes, effort),
      });
      builder.clear();
      this.kinds.clear();
      this.sealedObjects = this.objects.size;
    }
    if (this.segmentObjects.length === this.limits.segmentRecords) this.sealSegment();
    const waiting = this.store.waitingBytes();
    if (this.store.paused !== undefined) this.store.boundWaiting(this.limits.pausedBytes);
    else if (waiting > this.limits.commitBytes) this.flush();
  }

  private sealSegment(): void {
    this.blocks.addSegment({
      first: this.last - this.segmentObjects.length + 1,
      count: this.segmentObjects.length,
      watermark: this.watermarks.value(),
      late: this.segmentLate,
      objects: this.options.codec.pack(packObjectIndex(this.segmentObjects)),
    });
    this.segmentObjects.length = 0;
    this.sealedLate += this.segmentLate;
    this.segmentLate = 0;
  }

  /** Records in no sealed block that the file does not have yet. */
  private tail(): TailPart | undefined {
    const from = Math.max(this.builder.first, this.writtenTo + 1);
    if (from > this.last) return undefined;
    const objects = Math.max(this.sealedObjects, this.writtenObjects);
    return {
      ...this.builder.parts(from, true),
      objects: this.objects.size > objects ? this.objects.packAfter(objects) : undefined,
    };
  }

  /** The segment being filled when the file was left: its records in sealed blocks. */
  private restoreSegment(): void {
    const size = this.limits.segmentRecords;
    const first = this.blocks.last - (this.blocks.last % size) + 1;
    for (let seq = first; seq <= this.blocks.last; ) {
      const entry = this.blocks.entryOf(seq);
      assert(entry !== undefined, `record ${seq} to be in a block`);
      const { heads, objects } = this.blocks.headsOf(entry);
      heads.forEach((head, index) => {
        if (head.seq >= first) this.noteRecord(head, objects[index] ?? 0);
      });
      seq = entry.first + entry.count;
    }
    this.kinds.clear();
  }

  private schedule(): void {
    if (this.timer !== undefined || this.closed || this.options.readOnly) return;
    const delay = this.store.paused === undefined ? this.limits.commitEveryMs : this.limits.retryEveryMs;
    this.timer = this.clock.setTimer(delay, () => this.flush());
  }

  /** Heads in the range, in the order of the query, passing over blocks without any of its kinds. */
  private *walk(range: SeqRange, query: RecordQuery): Iterable<RecordHead> {
    const wanted = query.kinds === undefined ? -1 : kindMask(query.kinds);
    const step = query.reverse === true ? -1 : 1;
    let seq = step > 0 ? range.first : range.last;
    while (seq >= range.first && seq <= range.last) {
      const entry = this.blocks.entryOf(seq);
      if (entry === undefined) {
        const head = this.builder.head(seq);
        if (head !== undefined) yield head;
        seq += step;
        continue;
      }
      const heads = (entry.kinds & wanted) === 0 ? [] : this.blocks.headsOf(entry).heads;
      const end = step > 0 ? entry.first + entry.count : entry.first - 1;
      for (; seq !== end && seq >= range.first && seq <= range.last; seq += step) {
        const head = heads[seq - entry.first];
        if (head === undefined) break;
        yield head;
      }
      seq = end;
    }
  }

  private *headsOf(seqs: readonly RecordSeq[], query: RecordQuery): Iterable<RecordHead> {
    for (const seq of query.reverse === true ? [...seqs].reverse() : seqs) {
      const head = this.head(seq);
      if (head !== undefined) yield head;
    }
  }
}

interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** What the query asks for of heads that come in its order. */
function* select(heads: Iterable<RecordHead>, range: SeqRange, query: RecordQuery): Iterable<RecordHead> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for (const head of heads) {
    if (head.seq < range.first || head.seq > range.last || !matchesQuery(head, query)) continue;
    yield head;
    left--;
    if (left <= 0) return;
  }
}
