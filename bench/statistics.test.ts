import { describe, expect, test } from 'vitest';
import { median, percentile, rawValues, verdict, verdictText } from './statistics.ts';

describe('median', () => {
  test('is the middle value, whatever the order, and leaves the values alone', () => {
    const values = [900, 11, 12, 10, 10_000];
    expect(median(values)).toBe(12);
    expect(values).toEqual([900, 11, 12, 10, 10_000]);
  });

  test('of an even number is the mean of the two in the middle', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  test('sorts numbers as numbers', () => {
    expect(median([9, 10, 100])).toBe(10);
  });

  test('of nothing is no number', () => {
    expect(median([])).toBeNaN();
  });
});

test('percentile: the smallest value that the share does not exceed; all is the largest', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([50, 99, 100]);
  expect([percentile([7], 0.5), percentile([7], 0), percentile([], 0.5)]).toEqual([7, 7, Number.NaN]);
  expect(values[0]).toBe(100);
});

describe('verdict', () => {
  test('compares medians, so that one slow round decides nothing', () => {
    expect(verdict([50, 60, 5000], [100, 90, 120], 0.6)).toEqual({ ratio: 0.6, bar: 0.6, met: true });
  });

  test('a ratio above its bar is missed, and says so', () => {
    const missed = verdict([70], [100], 0.6);
    expect(missed.met).toBe(false);
    expect(verdictText(missed)).toBe('0.70 × (bar 0.6, MISSED)');
  });

  test('refuses rounds that were not measured in turn', () => {
    expect(() => verdict([1, 2], [1], 1)).toThrow('2 rounds against 1');
    expect(() => verdict([], [], 1)).toThrow('0 rounds');
  });
});

test('raw values are rounded and stay in the order of the rounds', () => {
  expect(rawValues([10.26, 9.94], 1)).toBe('[10.3 9.9]');
});
