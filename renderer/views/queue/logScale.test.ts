import { describe, expect, it } from 'vitest';
import { createI18n } from '../../i18n/i18n.tsx';
import { formatStep, limiterText } from './limiterText.ts';
import { createLogScale, labelledSteps } from './logScale.ts';

const steps = Array.from({ length: 19 }, (_, n) => Math.min(1_000_000, 5 * 2 ** n));

describe('createLogScale', () => {
  it('runs from 5 ms to 1000 s and clamps', () => {
    const scale = createLogScale(steps);
    expect(scale.x(5)).toBe(0);
    expect(scale.x(1)).toBe(0);
    expect(scale.x(1_000_000)).toBe(100);
    expect(scale.x(5_000_000)).toBe(100);
    expect(scale.x(Math.sqrt(5 * 1_000_000))).toBeCloseTo(50, 9);
  });
  it('widens for a limiter that goes further', () => {
    const scale = createLogScale([1, 3_600_000]);
    expect([scale.minMs, scale.maxMs]).toEqual([1, 3_600_000]);
  });
});

it('labelledSteps takes every third step, keeps the last and their distance', () => {
  const labels = labelledSteps(steps, createLogScale(steps), 8);
  expect(labels.map(formatStep)).toEqual(['5 ms', '40 ms', '320 ms', '2.56 s', '20.5 s', '2m 44s', '1000 s']);
  expect(labelledSteps([], createLogScale([]), 8)).toEqual([]);
  expect(labelledSteps([1000, 3000, 9000, 20_000], createLogScale([]), 30)).toEqual([20_000]);
});

describe('limiterText', () => {
  const { t } = createI18n('en');
  it.each([
    [{ type: 'exp', base: '5ms', factor: 2, max: '1000s' }, '5 ms × 2ⁿ, cap 1000 s'],
    [{ type: 'exp', base: '1s', factor: 3, max: '20s' }, '1 s × 3ⁿ, cap 20 s'],
    [{ type: 'fastslow', fast: '100ms', slow: '10s', maxFastAttempts: 3 }, '100 ms for 3 tries, then 10 s'],
    [{ type: 'bucket', qps: 10, burst: 100 }, '10 a second, burst 100'],
  ] as const)('%o', (limiter, text) => {
    expect(limiterText(limiter, 'priority', t)).toBe(text);
  });
  it('nests and knows both defaults', () => {
    const inner = { type: 'bucket' as const, qps: 10, burst: 100 };
    const both = {
      type: 'maxof' as const,
      limiters: [{ type: 'exp' as const, base: '5ms', max: '1000s' }, inner],
    };
    expect(limiterText(both, 'classic', t)).toBe(
      'the longest of 5 ms × 2ⁿ, cap 1000 s | 10 a second, burst 100',
    );
    expect(limiterText({ type: 'default' }, 'priority', t)).not.toBe(
      limiterText({ type: 'default' }, 'classic', t),
    );
  });
});
