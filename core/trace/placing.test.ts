/** Writes beside a run of which one exact line alone is told: the log of a pod, where only errors are logged. */
import { expect, it } from 'vitest';
import { type ObjectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { Span } from '../../shared/model/trace.ts';
import { worldKnobs } from './testOperator.ts';
import { assembleTraces } from './traceBook.ts';
import type { Evidence, LineEvidence, WriteEvidence } from './traceTypes.ts';

const T = 1_790_000_000_000;
const object = 'db.example.com/Database/shop/orders' as ObjectKey;

function base(seq: number, lo: number, hi = lo) {
  return {
    seq: recordSeq(seq),
    at: { lo: T + lo, hi: T + hi },
    receivedAt: T + hi,
    ownClock: true,
    controller: 'database',
    key: 'shop/orders',
  };
}

function failed(seq: number, at: number, id: string): LineEvidence {
  return {
    ...base(seq, at),
    evidence: 'line',
    source: sourceId('log:pod'),
    reconcileId: id,
    says: 'ended',
    result: 'error',
    afterMs: undefined,
    error: 'updating status: forbidden',
    level: 'error',
    text: 'Reconciler error',
    names: [],
    probe: false,
  };
}

function write(seq: number, lo: number, hi: number, more: Partial<WriteEvidence['write']>): WriteEvidence {
  return {
    ...base(seq, lo, hi),
    evidence: 'write',
    source: sourceId('audit:1'),
    write: {
      object,
      subject: 'Database/shop/orders',
      verb: 'update',
      subresource: 'status',
      outcome: 'refused',
      fields: [],
      changes: 0,
      ...more,
    },
    basis: { kind: 'observed', from: 'audit' },
    by: 'self',
  };
}

function spansOf(pieces: readonly Evidence[]): readonly (readonly [string | undefined, number])[] {
  const spans: readonly Span[] = assembleTraces(pieces, worldKnobs(1), T + 600_000).toReversed();
  return spans.map((span) => [span.reconcileId, span.writeList.length] as const);
}

it('[TR13] puts a write beside the only line of a run into that run: it may have begun before', () => {
  const delays = [0, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240];
  const pieces: Evidence[] = [];
  let at = 1_000;
  let seq = 1;
  for (const [index, delay] of delays.entries()) {
    at += delay;
    // Whoever stamps the line cuts it to the millisecond: it may seem to come before the answer.
    pieces.push(write(seq++, at - 0.4, at + 0.2, {}), failed(seq++, at, `r${index}`));
  }
  expect(spansOf(pieces)).toEqual(delays.map((_, index) => [`r${index}`, 1]));
});

it('[TR13] does so for what the API server stored, whose events came later', () => {
  const pieces: Evidence[] = [];
  for (let index = 0; index < 6; index += 1) {
    const at = 1_000 + index * 20_000;
    const stored = write(2 * index + 1, at + 3, at + 3, {
      outcome: 'stored',
      subresource: '',
      resourceVersion: String(100 + index),
    });
    pieces.push({ ...stored, ownClock: false }, failed(2 * index + 2, at, `r${index}`));
  }
  expect(spansOf(pieces)).toEqual([0, 1, 2, 3, 4, 5].map((index) => [`r${index}`, 1]));
});

it('[TR14] gives the writes of a loop to no error that ends it seconds later', () => {
  const pieces: Evidence[] = [];
  for (let index = 0; index < 20; index += 1) {
    const at = 1_000 + index * 200;
    const version = String(100 + index);
    const stored = write(index + 1, at, at, { outcome: 'stored', resourceVersion: version });
    pieces.push(
      { ...stored, ownClock: false },
      {
        ...base(index + 1, at),
        ownClock: false,
        evidence: 'woken',
        source: sourceId('watch:databases'),
        trigger: { type: 'MODIFIED', object, subject: 'Database/shop/orders', text: 'Database MODIFIED' },
        initial: false,
        gone: false,
        resourceVersion: version,
      },
    );
  }
  // Whole seconds, and nothing says when it began.
  const end = failed(30, 5_000, 'last');
  const spans = spansOf([...pieces, { ...end, at: { lo: T + 5_000, hi: T + 5_999 } }]);
  expect(spans.find(([id]) => id === 'last')?.[1]).toBeLessThan(8);
  expect(spans.length).toBeGreaterThan(12);
});
