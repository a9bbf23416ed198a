/**
 * The session's log without a file: for tests, and for a check that ends when it has judged. Keeps every payload as the
 * string it was given. Behaves as core/node/sqliteSession.ts does; both pass core/testing/sessionLogContract.ts.
 */
import { assert } from '../../shared/base/assert.ts';
import type { Clock } from '../../shared/base/clock.ts';
import type { ObjectKey, RecordSeq } from '../../shared/model/ids.ts';
import { MemoryIntervals } from './intervals.ts';
import { makeHead } from './logHead.ts';
import { matchesQuery, queryRange } from './logQuery.ts';
import { Watermark } from './logWatermark.ts';
import { lostTextHealth } from './lostText.ts';
import type { RecordHead, RecordInput, RecordQuery, SessionLog } from './record.ts';

export interface MemoryLogOptions {
  readonly clock: Clock;
  /** Default: `memory`. */
  readonly id?: string;
  /** Why there is no file, for stats().paused; absent when none was wanted. */
  readonly paused?: string;
  /** Characters of payload that stay; past that payloads and facts are given up oldest first. Default: all stay. */
  readonly keepChars?: number;
}

/** A log that lives as long as its process. `stats().bytes` counts characters of payload that are kept. */
export function createMemoryLog(options: MemoryLogOptions): SessionLog {
  const { clock } = options;
  const startedAt = clock.now();
  const watermark = new Watermark(() => clock.now());
  const intervals = new MemoryIntervals();
  const heads: RecordHead[] = [];
  const payloads: (string | undefined)[] = [];
  const keepChars = options.keepChars ?? Number.POSITIVE_INFINITY;
  const facts: (readonly unknown[] | undefined)[] = [];
  const byObject = new Map<ObjectKey, RecordSeq[]>();
  let bytes = 0;
  let late = 0;
  /** Records without text; they are the oldest. */
  let lost = 0;
  let closed = false;

  function append(input: RecordInput): RecordHead {
    assert(!closed, 'append to a closed session');
    const head = makeHead(input, heads.length + 1, watermark.place(input.source, input.at));
    heads.push(head);
    payloads.push(input.payload);
    bytes += input.payload.length;
    if (bytes > keepChars) giveUpOldest();
    if (head.late) late++;
    if (head.object !== undefined) {
      const seqs = byObject.get(head.object);
      if (seqs === undefined) byObject.set(head.object, [head.seq]);
      else seqs.push(head.seq);
    }
    return head;
  }

  /** Never the newest: who is told of a record reads its text. */
  function giveUpOldest(): void {
    while (bytes > keepChars && lost < heads.length - 1) {
      bytes -= payloads[lost]?.length ?? 0;
      payloads[lost] = undefined;
      facts[lost] = undefined;
      lost++;
    }
  }

  function* walk(
    seqs: readonly number[] | undefined,
    query: RecordQuery,
    last: number,
  ): Iterable<RecordHead> {
    const range = queryRange(query, last);
    const count = seqs === undefined ? range.last - range.first + 1 : seqs.length;
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    for (let step = 0; step < count && left > 0; step++) {
      const place = query.reverse === true ? count - 1 - step : step;
      const seq = seqs === undefined ? range.first + place : (seqs[place] ?? 0);
      const head = heads[seq - 1];
      if (head === undefined || seq < range.first || seq > range.last || !matchesQuery(head, query)) continue;
      left--;
      yield head;
    }
  }

  return {
    append,
    putFacts(seq, values) {
      assert(heads[seq - 1] !== undefined, `facts of a record that exists, got ${seq}`);
      if (seq > lost) facts[seq - 1] = values;
    },
    facts: (seq) => facts[seq - 1],
    head: (seq) => heads[seq - 1],
    payload: (seq) => payloads[seq - 1],
    payloadLength: (seq) => payloads[seq - 1]?.length,
    heads(query) {
      const seqs = query.object === undefined ? undefined : [...(byObject.get(query.object) ?? [])];
      return walk(seqs, query, heads.length);
    },
    historyOf: (object) => [...(byObject.get(object) ?? [])],
    intervals,
    watermark: () => watermark.value(),
    sourceState: (source, live) => watermark.setLive(source, live),
    stats() {
      return {
        id: options.id ?? 'memory',
        startedAt,
        records: heads.length,
        bytes,
        late,
        paused: options.paused,
        ...(lost === 0 ? {} : { lost }),
        health: lostTextHealth(lost),
      };
    },
    flush() {},
    close() {
      closed = true;
    },
  };
}
