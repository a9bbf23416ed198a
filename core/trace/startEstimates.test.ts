import { describe, expect, it } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import { missedBy } from '../../shared/model/nextRun.ts';
import { worldKnobs } from './testOperator.ts';
import { assembleTraces, createTraceBook } from './traceBook.ts';
import type { Evidence, LineEvidence, TraceKnobs } from './traceTypes.ts';

const T = 1_790_000_000_000;

let seq = 0;

/** A line of a log of errors alone, followed: known by its receipt. */
function line(key: string, at: number, more: Partial<LineEvidence> = {}): Evidence {
  seq += 1;
  return {
    evidence: 'line',
    seq: recordSeq(seq),
    source: sourceId('log:1'),
    at: { lo: T + at, hi: T + at },
    receivedAt: T + at,
    ownClock: false,
    controller: 'database',
    key,
    reconcileId: undefined,
    says: 'ended',
    result: 'error',
    afterMs: undefined,
    error: 'no quota',
    level: 'error',
    text: 'Reconciler error',
    names: [],
    probe: false,
    ...more,
  };
}

/** A run of which both ends are logged. */
function whole(key: string, from: number, to: number): Evidence[] {
  const reconcileId = `run-${from}`;
  return [line(key, from, { says: 'started', reconcileId }), line(key, to, { reconcileId })];
}

function spanOf(pieces: readonly Evidence[], key: string, knobs: TraceKnobs = worldKnobs(1)) {
  return assembleTraces(pieces, knobs, T + 90_000).find((span) => span.key === key);
}

describe('starts that nobody tells', () => {
  it('[TR28] lie after the run of another key that the one worker was busy with', () => {
    const pieces = [line('shop/a', 4_000), line('shop/b', 5_000)];
    expect(spanOf(pieces, 'shop/b')).toMatchObject({
      start: { lo: T + 4_000, hi: T + 5_000 },
      startBasis: { kind: 'inferred', by: 'worker' },
      durationMs: { lo: 0, hi: 1_025 },
    });
    expect(spanOf(pieces, 'shop/b', worldKnobs(2))?.start.lo).toBeLessThan(T + 4_000);
  });

  it('[TR30] lie about as long before the end as runs of the controller last', () => {
    const known = [0, 1, 2, 3, 4].flatMap((n) => whole(`shop/k${n}`, n * 1_000, n * 1_000 + 40));
    expect(spanOf([...known, line('shop/b', 60_000)], 'shop/b')).toMatchObject({
      start: { lo: T + 59_950, hi: T + 60_000 },
      startBasis: { kind: 'inferred', by: 'duration' },
    });
    expect(spanOf([...known.slice(2), line('shop/b', 60_000)], 'shop/b')?.start.lo).toBeLessThan(T + 59_950);
  });

  it('[TR18] takes a retry whose line was received some ms sooner than it was due', () => {
    const rows = [0, 5, 15, 35, 75, 155, 315, 635, 1_275, 2_552];
    const pieces = rows.map((at) => line('shop/a', at));
    const spans = assembleTraces(pieces, worldKnobs(1), T + 90_000);
    expect(spans[0]?.trigger?.text).toBe('backoff of 1.28 s after failure 9');
    expect(spans[0]?.start.hi).toBe(T + 2_552);
  });

  it('[TR1] narrows the same, whatever comes first', () => {
    const pieces = [
      line('shop/a', 4_000),
      line('shop/b', 5_000),
      line('shop/c', 4_500),
      ...whole('shop/d', 4_700, 4_800),
    ];
    const inOneGo = assembleTraces(pieces, worldKnobs(1), T + 90_000);
    const book = createTraceBook(worldKnobs(1));
    book.settle(T + 90_000);
    for (const piece of [...pieces].reverse()) {
      book.add(piece);
      book.changes();
    }
    expect(book.spans()).toEqual(inOneGo);
  });
});

describe('what was predicted', () => {
  it('[TR23] is held against the nearest bound of the start', () => {
    const next = { predicted: 100, observed: 95, observedWithin: { lo: 90, hi: 110 } };
    expect(missedBy(next)).toBe(0);
    expect(missedBy({ ...next, predicted: 80 })).toBe(10);
    expect(missedBy({ ...next, predicted: 115 })).toBe(-5);
    expect(missedBy({ predicted: 100, observed: 103 })).toBe(3);
    expect(missedBy({ observed: 103 })).toBeUndefined();
  });
});
