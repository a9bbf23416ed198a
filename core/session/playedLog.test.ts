import { expect, test } from 'vitest';
import { objectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createMemoryLog } from './memoryLog.ts';
import { PlayedLog } from './playedLog.ts';
import { createPlayedRecorder } from './playedRecorder.ts';
import type { SessionLog } from './record.ts';
import { createRecorder } from './recorder.ts';

const source = sourceId('log:1');
const key = objectKey({ group: '', kind: 'Pod', namespace: 'shop', name: 'a' });

/** Six records of one object, one a second from 1000. */
function sixRecords(): SessionLog {
  const log = createMemoryLog({ clock: new FakeClock(1000) });
  const recorder = createRecorder(log);
  for (let n = 1; n <= 6; n++) {
    const at = n * 1000;
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'shop', resourceVersion: `${n}` },
    };
    recorder.record({
      kind: 'object',
      source,
      at: { lo: at, hi: at },
      receivedAt: at,
      object: key,
      op: 'modified',
      payload: JSON.stringify(object),
    });
  }
  return log;
}

function advance(played: PlayedLog, whole: SessionLog, to: number): void {
  for (const head of [...whole.heads({ from: recordSeq(played.cursor + 1), to: recordSeq(to) })])
    played.advance(head);
}

test('[PB10] has the records up to its cursor and no more', () => {
  const whole = sixRecords();
  const played = new PlayedLog(whole);
  expect([...played.heads({})]).toEqual([]);
  expect(played.historyOf(key)).toEqual([]);
  advance(played, whole, 4);
  expect(played.stats()).toMatchObject({ records: 4, late: 0 });
  const seqs = (query: Parameters<SessionLog['heads']>[0]) => [...played.heads(query)].map(({ seq }) => seq);
  expect(seqs({})).toEqual([1, 2, 3, 4]);
  expect(seqs({ reverse: true, limit: 2 })).toEqual([4, 3]);
  expect(seqs({ object: key, reverse: true, to: recordSeq(9) })).toEqual([4, 3, 2, 1]);
  expect(played.historyOf(key)).toEqual([1, 2, 3, 4]);
  for (const seq of [4, 5].map(recordSeq)) {
    const there = seq <= 4;
    expect(played.head(seq) !== undefined).toBe(there);
    expect(played.payload(seq) !== undefined).toBe(there);
    expect(played.facts(seq) !== undefined).toBe(there);
  }
  expect([played.cursorTime, played.watermark()]).toEqual([4000, 4000]);
});

test('[PB11] has intervals as they were known then', () => {
  const whole = sixRecords();
  const { intervals } = whole;
  intervals.open('finding', 'x', 1500, 'first');
  intervals.close('finding', 'x', 3500);
  intervals.open('finding', 'x', 5500, 'second');
  const played = new PlayedLog(whole);
  advance(played, whole, 3);
  expect(played.intervals.of('finding', 'x')).toMatchObject([{ value: 'first', to: undefined }]);
  expect(played.intervals.asOf('finding', 'x', 9000)).toMatchObject({ value: 'first', to: undefined });
  advance(played, whole, 4);
  expect(played.intervals.asOf('finding', 'x', 9000)).toBeUndefined();
  expect(played.intervals.asOf('finding', 'x', 2000)).toMatchObject({ value: 'first', to: 3500 });
  advance(played, whole, 6);
  expect(played.intervals.allAsOf('finding', 6000)).toMatchObject([{ value: 'second' }]);
});

test('[PB12] takes nothing in', () => {
  const whole = sixRecords();
  const own: string[] = [];
  const recorder = createPlayedRecorder(whole, ({ kind }) => own.push(kind));
  const input = { kind: 'profile', source, at: { lo: 1, hi: 1 }, receivedAt: 1, payload: '{}' } as const;
  expect(recorder.record(input)).toMatchObject({ seq: 0, kind: 'profile' });
  expect(own).toEqual(['profile']);
  expect(() => recorder.log.append(input)).toThrow('played');
  expect(() => recorder.log.putFacts()).toThrow('played');
  recorder.log.intervals.open('finding', 'x', 1, 'y');
  expect(whole.intervals.of('finding', 'x')).toEqual([]);
  recorder.log.close();
  expect(whole.stats().records).toBe(6);
});

test('gives each record once, its facts, and its object to who asks', () => {
  const whole = sixRecords();
  const recorder = createPlayedRecorder(whole);
  const told: string[] = [];
  recorder.onHead((head, facts) => told.push(`${head.seq} with ${facts.length}`));
  recorder.onRecorded(({ head, fact, object }) =>
    told.push(
      `${head.seq} ${fact.fact} ${object?.metadata.resourceVersion} of ${recorder.log.stats().records}`,
    ),
  );
  recorder.step();
  expect(recorder.next()?.seq).toBe(2);
  while (recorder.step() !== undefined);
  expect(told.slice(0, 3)).toEqual(['1 with 1', '1 object 1 of 1', '2 with 1']);
  expect(told).toHaveLength(12);
  expect(recorder.next()).toBeUndefined();
});
