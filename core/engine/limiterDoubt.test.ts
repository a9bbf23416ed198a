import { expect, test } from 'vitest';
import type { PredictionRow } from '../../shared/contract/api.ts';
import { missedPredictions } from './limiterDoubt.ts';

/** One row per letter, a second apart: h hit, m missed, u unobserved, s superseded, - open. */
function rows(outcomes: string): PredictionRow[] {
  return [...outcomes].map((letter, index) => {
    const at = index * 1000;
    const same = { predictionId: `p${index}`, controller: 'database', key: 'shop/orders', at: at + 500 };
    const prediction: PredictionRow['prediction'] = {
      id: `p${index}`,
      controller: 'database',
      key: 'shop/orders',
      why: 'backoff',
      attempt: 1,
      delayMs: 500,
      madeAt: at,
      runsAt: at + 500,
      predictedAt: at + 500,
      basis: { kind: 'reported', from: 'log' },
    };
    switch (letter) {
      case 'h':
        return { prediction, outcome: { ...same, kind: 'hit', observedAt: at + 500, errorMs: 0 } };
      case 'm':
        return { prediction, outcome: { ...same, kind: 'missed', observedAt: at + 900, errorMs: 400 } };
      case 'u':
        return { prediction, outcome: { ...same, kind: 'unobserved', because: '' } };
      case 's':
        return { prediction, outcome: { ...same, kind: 'superseded', because: '' } };
      default:
        return { prediction };
    }
  });
}

test.each([
  ['mmm', undefined],
  ['mmmm', { missed: 4, of: 4 }],
  ['mmhh', { missed: 2, of: 4 }],
  ['mhhh', undefined],
  ['musm--m', undefined],
  ['hhhhhhhmmmmm', { missed: 5, of: 10 }],
  ['mmmmmmhhhhhhhhhh', undefined],
])('%s', (outcomes, doubt) => {
  expect(missedPredictions(rows(outcomes), 0)).toEqual(doubt);
});

test('what was predicted by another limiter does not count', () => {
  expect(missedPredictions(rows('mmmmmm'), 2000)).toEqual({ missed: 4, of: 4 });
  expect(missedPredictions(rows('mmmmmm'), 3000)).toBeUndefined();
});
