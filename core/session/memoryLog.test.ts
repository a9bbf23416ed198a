import { expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { contractStart, describeSessionLog } from '../testing/sessionLogContract.ts';
import { createMemoryLog } from './memoryLog.ts';

describeSessionLog('memory', () => {
  const clock = new FakeClock(contractStart);
  return { clock, log: createMemoryLog({ clock }) };
});

test('[SES39] keeps as much text as it may, and of older records only what they were about', () => {
  const clock = new FakeClock(contractStart);
  const log = createMemoryLog({ clock, paused: 'Nothing is recorded: no folder.', keepChars: 1000 });
  const source = sourceId('log:1');
  for (let count = 1; count <= 50; count++) {
    const at = { lo: clock.now(), hi: clock.now() };
    const payload = `${count} `.padEnd(100, 'x');
    const { seq } = log.append({ kind: 'log', source, at, receivedAt: clock.now(), payload });
    log.putFacts(seq, [{ count }]);
  }
  const { records, lost, bytes, health } = log.stats();
  expect([records, lost, bytes]).toEqual([50, 40, 1000]);
  expect(health).toEqual(['The text of 40 records was not kept: nothing could be written for too long.']);
  expect([...log.heads({})]).toHaveLength(50);
  expect([log.payload(recordSeq(40)), log.facts(recordSeq(40))]).toEqual([undefined, undefined]);
  expect(log.payload(recordSeq(41))?.slice(0, 3)).toBe('41 ');
  expect(log.facts(recordSeq(41))).toEqual([{ count: 41 }]);
  // One that is too large by itself is there for who is told of it.
  log.append({
    kind: 'log',
    source,
    at: { lo: clock.now(), hi: clock.now() },
    receivedAt: clock.now(),
    payload: 'y'.repeat(5000),
  });
  expect(log.payload(recordSeq(51))).toHaveLength(5000);
  expect(log.stats().lost).toBe(50);
});
