/**
 * What every SessionLog promises, as one suite that each implementation runs. Rules: docs/spec/session.md.
 */
import { describe, expect, test } from 'vitest';
import { objectKey, type RecordSeq, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { RecordHead, RecordInput, SessionLog } from '../session/record.ts';
import type { FakeClock } from './fakeClock.ts';

export const contractStart = Date.UTC(2026, 10, 30, 8, 0, 0);

export interface LogUnderTest {
  readonly log: SessionLog;
  readonly clock: FakeClock;
}

const pods = sourceId('watch:/v1/pods');
const operatorLog = sourceId('log:1');

function podKey(name: string) {
  return objectKey({ group: '', kind: 'Pod', namespace: 'default', name });
}

function podRecord(name: string, version: number, atMs = contractStart + version): RecordInput {
  return {
    kind: 'object',
    source: pods,
    at: { lo: atMs, hi: atMs },
    receivedAt: atMs + 1,
    object: podKey(name),
    uid: `uid-${name}`,
    resourceVersion: resourceVersion(String(version)),
    op: 'modified',
    payload: JSON.stringify({ metadata: { name, resourceVersion: String(version) }, text: 'ä→𝄞' }),
  };
}

function logRecord(line: string, lo: number, hi = lo): RecordInput {
  return { kind: 'log', source: operatorLog, at: { lo, hi }, receivedAt: hi, payload: line };
}

function seqsOf(heads: Iterable<RecordHead>): readonly number[] {
  return [...heads].map((head) => head.seq);
}

/** Runs the suite over logs from `make`; each test gets a fresh one whose clock stands at contractStart. */
export function describeSessionLog(name: string, make: () => LogUnderTest): void {
  describe(`session log: ${name}`, () => {
    test('[SES1] seq counts from 1 without holes', () => {
      const { log } = make();
      expect([podRecord('a', 1), logRecord('x', 5), podRecord('b', 2)].map((r) => log.append(r).seq)).toEqual(
        [1, 2, 3],
      );
      expect(log.stats().records).toBe(3);
      log.close();
    });

    test('[SES2] head and payload come back as they came', () => {
      const { log } = make();
      const input = { ...podRecord('a', 7), metadataOnly: true, initial: true, op: 'listed' as const };
      const head = log.append(input);
      const { payload, ...rest } = input;
      expect(head).toEqual({ ...rest, seq: 1, tie: 0, late: false });
      expect(log.head(head.seq)).toEqual(head);
      expect(log.payload(head.seq)).toBe(payload);
      expect(log.payloadLength(head.seq)).toBe(payload.length);
      const line = log.append(logRecord('', contractStart, contractStart + 999));
      expect(log.payload(line.seq)).toBe('');
      expect(log.head(line.seq)).toEqual(line);
      log.close();
    });

    test('[SES2] a number that does not exist gives nothing', () => {
      const { log } = make();
      log.append(podRecord('a', 1));
      for (const seq of [0, 2, -1, 1_000_000].map(recordSeq)) {
        expect(log.head(seq)).toBeUndefined();
        expect(log.payload(seq)).toBeUndefined();
        expect(log.payloadLength(seq)).toBeUndefined();
        expect(log.facts(seq)).toBeUndefined();
      }
      log.close();
    });

    test('[SES3] facts are kept beside their record', () => {
      const { log } = make();
      const a = log.append(podRecord('a', 1));
      const b = log.append(podRecord('b', 2));
      log.putFacts(b.seq, [{ kind: 'objectSeen', generation: 3 }]);
      expect(log.facts(a.seq)).toBeUndefined();
      expect(log.facts(b.seq)).toEqual([{ kind: 'objectSeen', generation: 3 }]);
      log.putFacts(a.seq, []);
      expect(log.facts(a.seq)).toEqual([]);
      expect(() => log.putFacts(recordSeq(9), [])).toThrow('record that exists');
      log.close();
    });

    test('[SES4] heads by range, kind, object, source, order and limit', () => {
      const { log } = make();
      for (let index = 1; index <= 12; index++) {
        log.append(
          index % 3 === 0
            ? logRecord(`line ${index}`, contractStart + index)
            : podRecord(index % 2 === 0 ? 'even' : 'odd', index),
        );
      }
      expect(seqsOf(log.heads({}))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(seqsOf(log.heads({ from: recordSeq(4), to: recordSeq(6) }))).toEqual([4, 5, 6]);
      expect(seqsOf(log.heads({ from: recordSeq(-3), to: recordSeq(2) }))).toEqual([1, 2]);
      expect(seqsOf(log.heads({ from: recordSeq(8), to: recordSeq(7) }))).toEqual([]);
      expect(seqsOf(log.heads({ kinds: ['log'] }))).toEqual([3, 6, 9, 12]);
      expect(seqsOf(log.heads({ kinds: ['log', 'object'], limit: 2 }))).toEqual([1, 2]);
      expect(seqsOf(log.heads({ object: podKey('odd') }))).toEqual([1, 5, 7, 11]);
      expect(
        seqsOf(log.heads({ object: podKey('odd'), from: recordSeq(5), reverse: true, limit: 2 })),
      ).toEqual([11, 7]);
      expect(seqsOf(log.heads({ source: operatorLog, reverse: true }))).toEqual([12, 9, 6, 3]);
      expect(seqsOf(log.heads({ limit: 0 }))).toEqual([]);
      expect(seqsOf(log.heads({ object: podKey('none') }))).toEqual([]);
      log.close();
    });

    test('[SES4] a walk does not see what is appended during it', () => {
      const { log } = make();
      for (let version = 1; version <= 3; version++) log.append(podRecord('a', version));
      const seen: number[] = [];
      for (const head of log.heads({})) {
        seen.push(head.seq);
        log.append(podRecord('a', 100 + head.seq));
      }
      expect(seen).toEqual([1, 2, 3]);
      log.close();
    });

    test('[SES5] the history of an object is oldest first, across deletion', () => {
      const { log } = make();
      const seqs: RecordSeq[] = [];
      seqs.push(log.append(podRecord('a', 1)).seq);
      log.append(podRecord('b', 2));
      seqs.push(log.append({ ...podRecord('a', 3), op: 'deleted' }).seq);
      seqs.push(log.append({ ...podRecord('a', 4), op: 'added', uid: 'uid-2' }).seq);
      expect(log.historyOf(podKey('a'))).toEqual(seqs);
      expect(log.historyOf(podKey('none'))).toEqual([]);
      log.close();
    });

    test('[SES6] tie counts records of one source at one instant', () => {
      const { log } = make();
      const at = contractStart;
      expect(log.append(logRecord('1', at, at + 999)).tie).toBe(0);
      expect(log.append(podRecord('a', 1, at)).tie).toBe(0);
      expect(log.append(logRecord('2', at, at + 999)).tie).toBe(1);
      expect(log.append(logRecord('3', at, at + 999)).tie).toBe(2);
      expect(log.append(logRecord('4', at + 1000, at + 1999)).tie).toBe(0);
      log.close();
    });

    test('[SES7] an interval that ends before it begins is a bug', () => {
      const { log } = make();
      expect(() => log.append(logRecord('x', 2, 1))).toThrow('lo ≤ hi');
      expect(() => log.append(logRecord('x', Number.NaN))).toThrow('lo ≤ hi');
      expect(log.stats().records).toBe(0);
      log.close();
    });

    test('[SES8] the watermark follows the slowest live source, 2 s behind', () => {
      const { log } = make();
      expect(log.watermark()).toBe(0);
      log.sourceState(pods, true);
      log.sourceState(operatorLog, true);
      expect(log.watermark()).toBe(contractStart - 2000);
      log.append(podRecord('a', 1, contractStart + 10_000));
      expect(log.watermark()).toBe(contractStart - 2000);
      log.append(logRecord('x', contractStart + 4000, contractStart + 4999));
      expect(log.watermark()).toBe(contractStart + 2999);
      log.append(logRecord('y', contractStart + 20_000));
      expect(log.watermark()).toBe(contractStart + 8000);
      log.close();
    });

    test('[SES9] a quiet source that gives a sign of life does not hold the watermark', () => {
      const { log, clock } = make();
      log.sourceState(pods, true);
      log.sourceState(operatorLog, true);
      clock.advanceSync(30_000);
      log.append(logRecord('x', contractStart + 30_000));
      expect(log.watermark()).toBe(contractStart - 2000);
      log.sourceState(pods, true);
      expect(log.watermark()).toBe(contractStart + 28_000);
      log.close();
    });

    test('[SES10] a source that ended does not hold it; when all have, the newest pos is settled', () => {
      const { log } = make();
      log.sourceState(pods, true);
      log.sourceState(operatorLog, true);
      log.append(podRecord('a', 1, contractStart + 50_000));
      log.sourceState(operatorLog, false);
      expect(log.watermark()).toBe(contractStart + 48_000);
      log.sourceState(pods, false);
      expect(log.watermark()).toBe(contractStart + 50_000);
      log.close();
    });

    test('[SES11] a record wholly behind the watermark is late', () => {
      const { log } = make();
      log.sourceState(pods, true);
      log.append(podRecord('a', 1, contractStart + 10_000));
      const settled = log.watermark();
      expect(log.append(logRecord('behind', settled - 500, settled - 1)).late).toBe(true);
      expect(log.append(logRecord('across', settled - 500, settled)).late).toBe(false);
      expect(log.stats().late).toBe(1);
      log.close();
    });

    test('[SES12] nothing is late in an import without live sources', () => {
      const { log } = make();
      log.append(podRecord('a', 1, contractStart + 10_000));
      expect(log.append(logRecord('old', 5)).late).toBe(false);
      log.close();
    });

    test('[SES13] an interval is valid from its start to the start of the next', () => {
      const { log } = make();
      const { intervals } = log;
      const first = intervals.open('condition', 'db/Ready', 100, { status: 'False' });
      const second = intervals.open('condition', 'db/Ready', 200, { status: 'True' });
      expect(second).toBeGreaterThan(first);
      expect(intervals.asOf('condition', 'db/Ready', 99)).toBeUndefined();
      expect(intervals.asOf('condition', 'db/Ready', 100)?.id).toBe(first);
      expect(intervals.asOf('condition', 'db/Ready', 199)?.value).toEqual({ status: 'False' });
      expect(intervals.asOf('condition', 'db/Ready', 200)?.id).toBe(second);
      expect(intervals.asOf('condition', 'other', 200)).toBeUndefined();
      expect(intervals.asOf('other', 'db/Ready', 200)).toBeUndefined();
      expect(intervals.of('condition', 'db/Ready').map((row) => [row.from, row.to, row.revision])).toEqual([
        [100, 200, 1],
        [200, undefined, 1],
      ]);
      log.close();
    });

    test('[SES14] closing ends what is valid then, and only that', () => {
      const { log } = make();
      const { intervals } = log;
      intervals.close('queueItem', 'a', 50);
      intervals.open('queueItem', 'a', 100, 1);
      intervals.close('queueItem', 'a', 150);
      intervals.close('queueItem', 'a', 160);
      expect(intervals.asOf('queueItem', 'a', 150)).toBeUndefined();
      intervals.open('queueItem', 'a', 200, 2);
      expect(intervals.of('queueItem', 'a').map((row) => [row.from, row.to])).toEqual([
        [100, 150],
        [200, undefined],
      ]);
      log.close();
    });

    test('[SES15] a late value ends where the later one begins and is a new revision', () => {
      const { log } = make();
      const { intervals } = log;
      intervals.open('c', 's', 100, 'a');
      intervals.open('c', 's', 300, 'c');
      intervals.open('c', 's', 200, 'b');
      expect(intervals.of('c', 's').map((row) => [row.from, row.to, row.value, row.revision])).toEqual([
        [100, 200, 'a', 2],
        [200, 300, 'b', 2],
        [300, undefined, 'c', 1],
      ]);
      intervals.close('c', 's', 250);
      expect(intervals.asOf('c', 's', 260)).toBeUndefined();
      expect(intervals.asOf('c', 's', 240)).toMatchObject({ value: 'b', revision: 3 });
      expect(intervals.asOf('c', 's', 400)?.value).toBe('c');
      log.close();
    });

    test('[SES16] two values in one ms both stay in the timeline; as of then, the second counts', () => {
      const { log } = make();
      const { intervals } = log;
      intervals.open('c', 's', 100, 'a');
      intervals.open('c', 's', 100, 'b');
      expect(intervals.asOf('c', 's', 100)?.value).toBe('b');
      expect(intervals.of('c', 's').map((row) => [row.from, row.to, row.value])).toEqual([
        [100, 100, 'a'],
        [100, undefined, 'b'],
      ]);
      log.close();
    });

    test('[SES17] all of a kind at one pos, by subject', () => {
      const { log } = make();
      const { intervals } = log;
      intervals.open('grant', 'b', 10, 1);
      intervals.open('grant', 'a', 20, 2);
      intervals.open('other', 'c', 10, 3);
      intervals.open('grant', 'd', 10, 4);
      intervals.close('grant', 'd', 15);
      expect(intervals.allAsOf('grant', 25).map((row) => [row.subject, row.value])).toEqual([
        ['a', 2],
        ['b', 1],
      ]);
      expect(intervals.allAsOf('grant', 12).map((row) => row.subject)).toEqual(['b', 'd']);
      log.close();
    });

    test('[SES18] stats name the session; appending after close is a bug', () => {
      const { log } = make();
      const head = log.append(podRecord('a', 1));
      const stats = log.stats();
      expect(stats).toMatchObject({ startedAt: contractStart, records: 1, late: 0, paused: undefined });
      expect(stats.id).not.toBe('');
      expect(stats.bytes).toBeGreaterThan(0);
      log.flush();
      expect(log.payload(head.seq)).toBe(podRecord('a', 1).payload);
      log.close();
      log.close();
      expect(() => log.append(podRecord('a', 2))).toThrow('closed');
    });
  });
}
