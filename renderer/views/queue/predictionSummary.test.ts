import { expect, it } from 'vitest';
import { predictions } from '../../testing/incident/queue.ts';
import { summarize } from './predictionSummary.ts';
import { minuteTicks, upToNow } from './QueueCharts.tsx';
import { calm } from './WaitingSection.tsx';

it('judges only what a run confirmed or refuted', () => {
  const summary = summarize(predictions);
  expect(summary).toMatchObject({ judged: 11, hit: 11, missed: 0 });
  expect(summary.largestErrorMs).toBeLessThan(5);
  const [first] = predictions;
  if (first?.outcome?.kind !== 'hit') throw new Error('the first prediction came out');
  const missed = { ...first, outcome: { ...first.outcome, kind: 'missed' as const, errorMs: -420 } };
  expect(summarize([first, missed])).toMatchObject({ judged: 2, hit: 1, missed: 1, largestErrorMs: 420 });
  expect(summarize([])).toEqual({ judged: 0, hit: 0, missed: 0, largestErrorMs: 0 });
});

it('upToNow holds the depth from before the window and up to now', () => {
  const sample = { depth: 2, waiting: 1, processing: 0 };
  const history = [
    { at: 10, ...sample },
    { at: 150, ...sample, depth: 5 },
  ];
  expect(upToNow(history, [100, 200]).map((s) => [s.at, s.depth])).toEqual([
    [100, 2],
    [150, 5],
    [200, 5],
  ]);
  expect(upToNow([], [100, 200])).toEqual([]);
});

it('minuteTicks are whole minutes by the clock', () => {
  expect(minuteTicks([50_000, 400_000], 3)).toEqual([180_000, 360_000]);
});

it('calm countdown text never shows more than the moment allows', () => {
  expect([9, 310, 4_260, 12_400, 162_130, 668_000].map(calm)).toEqual([
    '9 ms',
    '310 ms',
    '4.2 s',
    '12 s',
    '2m 42s',
    '11m 08s',
  ]);
});
