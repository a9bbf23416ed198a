import { expect, test } from 'vitest';
import type { GapRow } from '../../shared/contract/views/sources.ts';
import type { HistoryInput } from './traceHistory.ts';
import { spansHistory } from './traceHistory.ts';

const gap = (id: string, from: number, to?: number): GapRow => ({
  id,
  source: 'watch:core/v1/pods',
  seq: 1,
  from,
  ...(to === undefined ? {} : { to }),
  why: 'connection-lost',
  text: id,
});

/** A controller of which metrics told one slot, and nothing ran since. */
function marksWith(gaps: readonly GapRow[]): readonly string[] {
  const input = {
    profile: { controllers: [{ name: 'database' }] },
    spans: [],
    metrics: () => ({
      from: 'metrics',
      basis: { kind: 'reported', from: 'metrics' },
      points: [{ at: 100_000, runs: 1, errors: 0 }],
    }),
    gaps,
    log: { heads: () => [], facts: () => [] },
  } as unknown as HistoryInput;
  return spansHistory('database', input).marks.map(({ text }) => text);
}

test('[SPG33] gaps after the last run are told, and one that is still open whenever it began', () => {
  expect(marksWith([gap('later', 300_000), gap('open', 20_000), gap('over', 20_000, 30_000)])).toEqual([
    'open',
    'later',
  ]);
});
