import { expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../../shared/model/ids.ts';
import type { LogFact } from '../../session/facts.ts';
import { parseLogLine } from '../log/logEntry.ts';
import { followedStamp, isPodLine } from './podLine.ts';

const second = Date.parse('2026-05-01T08:00:00Z');

function fact(source: string, at: number, more: Partial<LogFact> = {}): LogFact {
  return {
    fact: 'log',
    seq: recordSeq(1),
    source: sourceId(source),
    at: { lo: second + at, hi: second + at },
    receivedAt: second + 500,
    entry: parseLogLine('{"level":"info","ts":"2026-05-01T08:00:00Z","msg":"x"}'),
    ...more,
  };
}

test('[SRC4] what a clock can be compared by: the node’s stamp of a pod’s line, the line’s own of a file, and neither of old ones', () => {
  expect(isPodLine(sourceId('podLog:3'))).toBe(true);
  expect(isPodLine(sourceId('podMetrics:3'))).toBe(false);
  // The node is ahead, or behind by an hour: it was followed all the same.
  expect(followedStamp(fact('podLog:1', 700.5))).toEqual({ lo: second + 700.5, hi: second + 700.5 });
  expect(followedStamp(fact('podLog:1', -3_600_000))).toMatchObject({ lo: second - 3_600_000 });
  expect(followedStamp(fact('podLog:1', 0, { initial: true }))).toBeUndefined();
  expect(followedStamp(fact('log:1', 500))).toEqual({ lo: second, hi: second + 999 });
  expect(followedStamp(fact('log:1', 0))).toBeUndefined();
});
