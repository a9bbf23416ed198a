import { expect, test } from 'vitest';
import type { DurationBuckets } from './controllerMetrics.ts';
import { histogramQuantile } from './histogram.ts';

function time(...counts: readonly number[]): DurationBuckets {
  const bounds = [0.1, 0.5, 1, Number.POSITIVE_INFINITY];
  return {
    sumSeconds: 0,
    count: counts.at(-1) ?? 0,
    buckets: bounds.map((bound, index) => [bound, counts[index] ?? 0]),
  };
}

test('[MC4] quantiles lie where Prometheus puts them', () => {
  expect(histogramQuantile(0.5, time(10, 10, 10, 10))).toBeCloseTo(0.05);
  expect(histogramQuantile(0.5, time(4, 8, 8, 8))).toBeCloseTo(0.1);
  expect(histogramQuantile(0.75, time(4, 8, 8, 8))).toBeCloseTo(0.3);
  // Above the last bound nobody knows how far.
  expect(histogramQuantile(0.99, time(0, 0, 0, 5))).toBe(1);
  expect(histogramQuantile(0, time(0, 5, 5, 5))).toBeCloseTo(0.1);
});

test('[MC4] between two scrapes only what was observed between them counts', () => {
  expect(histogramQuantile(0.5, time(100, 102, 104, 104), time(100, 100, 100, 100))).toBeCloseTo(0.5);
  expect(histogramQuantile(0.5, time(3, 3, 3, 3), time(3, 3, 3, 3))).toBeUndefined();
  // A new life counts less than the one before: no difference of the two means anything.
  expect(histogramQuantile(0.5, time(1, 1, 1, 9), time(3, 3, 3, 3))).toBeUndefined();
  expect(histogramQuantile(0.5, { sumSeconds: 1, count: 3, buckets: [] })).toBeUndefined();
});
