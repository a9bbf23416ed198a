import { describe, expect, it } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import { livesFrom, type ProcessMark } from './lives.ts';
import type { ProcessEvidence } from './traceTypes.ts';

function mark(seq: number, at: number, event: ProcessEvidence['event']): ProcessMark {
  const piece: ProcessEvidence = {
    evidence: 'process',
    seq: recordSeq(seq),
    source: sourceId('log:1'),
    at: { lo: at, hi: at },
    receivedAt: at,
    ownClock: false,
    event,
    controller: event === 'workers' ? 'database' : undefined,
    holder: undefined,
    workers: 1,
  };
  return { piece, lo: at, hi: at };
}

describe('lives of a process', () => {
  it('[TR20] begins another life with its workers, where the log alone tells of the end before', () => {
    const lives = livesFrom([mark(1, 0, 'workers'), mark(2, 100, 'exited'), mark(3, 130, 'workers')], 5);
    expect([50, 110, 140].map((at) => lives.lifeAt(at))).toEqual([1, 2, 2]);
    expect([50, 110, 140].map((at) => lives.canRun(at))).toEqual([true, false, true]);
    expect(lives.startOf(2)).toEqual({ at: 130, seq: 3 });
  });

  it('[TR20] begins another life where workers start that had started: the process was killed', () => {
    const lives = livesFrom([mark(1, 0, 'workers'), mark(2, 400, 'workers'), mark(3, 9_000, 'workers')], 5);
    expect([50, 5_000, 9_500].map((at) => lives.lifeAt(at))).toEqual([1, 1, 2]);
    expect(lives.startOf(2)).toEqual({ at: 9_000, seq: 3 });
    expect(lives.canRun(9_500)).toBe(true);
  });

  it('[TR20] leaves a process down that nothing was heard of since', () => {
    const lives = livesFrom([mark(1, 0, 'workers'), mark(2, 100, 'exited')], 5);
    expect(lives.canRun(110)).toBe(false);
  });
});
