import { expect, it } from 'vitest';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { appliedSkew, createSkewFold } from './skew.ts';

/** Things stated by a clock that is `ahead` and received within `waysMs`; stamps cut to `step` ms. */
function pairs(seed: number, count: number, ahead: number, step: number, waysMs: number) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, n) => {
    const at = 1_700_000_000_000 + n * 3777 + Math.floor(random() * 1000);
    const lo = Math.floor((at + ahead) / step) * step;
    return { stated: { lo, hi: lo + step - 1 }, receivedAt: at + 1 + random() ** 3 * waysMs };
  });
}

it.each([
  [0, 1],
  [0, 1000],
  [4000, 1],
  [4000, 1000],
  [-7300, 1],
  [-7300, 1000],
])('[SK1] finds a clock that is %i ms ahead, stamps of %i ms, within its error', (ahead, step) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const fold = createSkewFold();
    for (const { stated, receivedAt } of pairs(seed, 200, ahead, step, 400))
      fold.pair('c', stated, receivedAt);
    const { ms = 0, errorMs = 0 } = fold.estimate('c') ?? {};
    expect(Math.abs(ms - ahead)).toBeLessThanOrEqual(errorMs);
    expect(errorMs).toBeLessThanOrEqual(step === 1 ? 20 : 60);
  }
});

it('[SK1] says the same of the same pairs in any order, and nothing of too few', () => {
  const given = pairs(7, 50, 900, 1000, 300);
  const [one, other] = [createSkewFold(), createSkewFold()];
  for (const { stated, receivedAt } of given) one.pair('c', stated, receivedAt);
  for (const { stated, receivedAt } of given.toReversed()) other.pair('c', stated, receivedAt);
  expect(one.estimate('c')).toEqual(other.estimate('c'));
  const few = createSkewFold();
  for (const { stated, receivedAt } of given.slice(0, 2)) few.pair('c', stated, receivedAt);
  expect(few.estimate('c')).toBeUndefined();
});

it('[SK1] claims no more than few stamps of whole seconds tell', () => {
  // Thirty things in three seconds, all of them late in theirs.
  const fold = createSkewFold();
  for (let n = 0; n < 30; n += 1) {
    const at = 1_700_000_000_000 + (n % 3) * 1000 + 420 + n * 10;
    const lo = Math.floor(at / 1000) * 1000;
    fold.pair('c', { lo, hi: lo + 999 }, at + 3);
  }
  const { ms = Number.NaN, errorMs = 0 } = fold.estimate('c') ?? {};
  expect(Math.abs(ms)).toBeLessThanOrEqual(errorMs);
  expect(appliedSkew({ ms, errorMs, samples: 30 })).toEqual({ ms: 0, errorMs: 0 });
});

it('[SK3] takes nothing off where clocks may be the same, and moves in steps', () => {
  expect(appliedSkew(undefined)).toEqual({ ms: 0, errorMs: 0 });
  expect(appliedSkew({ ms: 110, errorMs: 20, samples: 9 }).ms).toBe(0);
  expect(appliedSkew({ ms: 4012, errorMs: 20, samples: 9 })).toEqual({ ms: 4000, errorMs: 45 });
  expect(appliedSkew({ ms: -4020, errorMs: 20, samples: 9 }).ms).toBe(-4000);
});
