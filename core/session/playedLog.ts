/**
 * PlayedLog: a session's log as it was when its record `cursor` had just come. A view, not a copy: nothing is read before
 * it is asked for, and nothing is ever written. Spec: docs/spec/playback.md (PB10–PB15); why: docs/adr/0005-played-view.md.
 */
import { assert } from '../../shared/base/assert.ts';
import type { ObjectKey, RecordSeq } from '../../shared/model/ids.ts';
import type {
  IntervalRow,
  IntervalStore,
  LogStats,
  RecordHead,
  RecordInput,
  RecordQuery,
  SessionLog,
} from './record.ts';

export class PlayedLog implements SessionLog {
  readonly intervals: IntervalStore;
  /** The log this is a view of. */
  readonly whole: SessionLog;
  private seq = 0;
  private time = 0;
  private late = 0;

  constructor(whole: SessionLog) {
    this.whole = whole;
    this.intervals = clippedIntervals(whole.intervals, () => this.time);
  }

  /** Number of the last record that is there; 0 before the first. */
  get cursor(): number {
    return this.seq;
  }

  /** When it came, ms: the greatest receipt time so far. */
  get cursorTime(): number {
    return this.time;
  }

  /** The record after the cursor has come. */
  advance(head: RecordHead): void {
    assert(head.seq === this.seq + 1, 'records to come one after another');
    this.seq = head.seq;
    this.time = Math.max(this.time, head.receivedAt);
    if (head.late) this.late++;
  }

  append(_input: RecordInput): RecordHead {
    throw new Error('append to a session that is played');
  }

  putFacts(): void {
    throw new Error('facts put to a session that is played');
  }

  facts(seq: RecordSeq): readonly unknown[] | undefined {
    return seq > this.seq ? undefined : this.whole.facts(seq);
  }

  head(seq: RecordSeq): RecordHead | undefined {
    return seq > this.seq ? undefined : this.whole.head(seq);
  }

  payload(seq: RecordSeq): string | undefined {
    return seq > this.seq ? undefined : this.whole.payload(seq);
  }

  payloadLength(seq: RecordSeq): number | undefined {
    return seq > this.seq ? undefined : this.whole.payloadLength(seq);
  }

  heads(query: RecordQuery): Iterable<RecordHead> {
    const to = Math.min(query.to ?? this.seq, this.seq) as RecordSeq;
    return this.whole.heads({ ...query, to });
  }

  historyOf(object: ObjectKey): readonly RecordSeq[] {
    const seqs = this.whole.historyOf(object);
    const last = seqs.findLastIndex((seq) => seq <= this.seq);
    return last === seqs.length - 1 ? seqs : seqs.slice(0, last + 1);
  }

  /** Everything that came is settled: nobody speaks any more. */
  watermark(): number {
    return this.time;
  }

  sourceState(): void {}

  /** `bytes` are those of the whole file. */
  stats(): LogStats {
    const { paused: _paused, ...stats } = this.whole.stats();
    return { ...stats, records: this.seq, late: this.late, paused: undefined };
  }

  flush(): void {}

  /** Whoever opened the whole log closes it. */
  close(): void {}
}

/** As they were known at `now()`: what began later is not there, what ended later is still open. */
function clippedIntervals(whole: IntervalStore, now: () => number): IntervalStore {
  const clip = (row: IntervalRow): IntervalRow =>
    row.to !== undefined && row.to > now() ? { ...row, to: undefined } : row;
  return {
    open: () => 0,
    close() {},
    asOf(kind, subject, pos) {
      const row = whole.asOf(kind, subject, Math.min(pos, now()));
      return row && clip(row);
    },
    allAsOf: (kind, pos) => whole.allAsOf(kind, Math.min(pos, now())).map(clip),
    of: (kind, subject) =>
      whole
        .of(kind, subject)
        .filter((row) => row.from <= now())
        .map(clip),
  };
}
