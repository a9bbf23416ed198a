import { expect, test } from 'vitest';
import { type ErrorLine, FailureCounts } from './failureCounts.ts';

const STEPS = [1_000, 2_000, 4_000, 8_000, 16_000];

function line(atMs: number, change: Partial<ErrorLine> = {}): ErrorLine {
  return {
    atMs,
    runMs: 0,
    precisionMs: 0,
    explained: true,
    predicted: false,
    unspaced: false,
    delayStays: false,
    ...change,
  };
}

test('a whole history is counted, whatever the spacing', () => {
  const counts = new FailureCounts(STEPS);
  for (const atMs of [0, 9_000, 9_001]) counts.count('a', line(atMs), 'known');
  expect([counts.failures('a'), counts.certainty('a', 'unknown')]).toEqual([3, 'known']);
});

test('[SF2] an unknown count is read off the distance of two lines, less the time that a run takes', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'unknown');
  expect(counts.certainty('a', 'known')).toBe('unknown');
  expect(counts.count('a', line(4_300, { runMs: 300 }), 'unknown')).toEqual({ before: 3, corrected: true });
  expect([counts.failures('a'), counts.certainty('a', 'unknown')]).toEqual([4, 'spaced']);
});

test('[SF2] at the cap the count is the least that gives it', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'unknown');
  expect(counts.count('a', line(16_000), 'unknown').before).toBe(5);
});

test('[SF3] the spacing says nothing when an event woke the run, or when it fits no step', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'unknown');
  expect(counts.count('a', line(4_000, { unspaced: true }), 'unknown').corrected).toBe(false);
  expect(counts.count('a', line(7_000), 'unknown').corrected).toBe(false);
  expect(counts.certainty('a', 'known')).toBe('unknown');
});

test('[SF3] times of whole seconds fit more loosely', () => {
  const precise = new FailureCounts(STEPS);
  const coarse = new FailureCounts(STEPS);
  for (const counts of [precise, coarse]) counts.count('a', line(0), 'unknown');
  expect(precise.count('a', line(9_000), 'unknown').corrected).toBe(false);
  expect(coarse.count('a', line(9_000, { precisionMs: 1_000 }), 'unknown').before).toBe(4);
});

test('a doubt needs a second line: one that came unexplained does not change a known count, the next may', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'known');
  expect(counts.count('a', line(8_000, { explained: false }), 'known')).toEqual({
    before: 1,
    corrected: false,
  });
  expect(counts.certainty('a', 'known')).toBe('doubtful');
  expect(counts.count('a', line(16_000, { explained: false }), 'known')).toEqual({
    before: 4,
    corrected: true,
  });
});

test('a doubt goes when the cause is found, or the prediction came true', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'known');
  counts.count('a', line(300, { explained: false }), 'known');
  counts.reassure('a', false);
  expect(counts.certainty('a', 'unknown')).toBe('known');
  counts.count('a', line(600, { explained: false }), 'known');
  expect(counts.count('a', line(8_600, { predicted: true }), 'known').corrected).toBe(false);
});

test('[SF5] a reported success makes zero certain, an inferred one does not', () => {
  const counts = new FailureCounts(STEPS);
  for (const key of ['seen', 'inferred']) counts.count(key, line(0), 'unknown');
  counts.forget('seen', true);
  counts.forget('inferred', false);
  expect([counts.failures('seen'), counts.certainty('seen', 'unknown')]).toEqual([0, 'known']);
  expect([counts.failures('inferred'), counts.certainty('inferred', 'unknown')]).toEqual([0, 'doubtful']);
});

test('[SF5] an uncertain count that an inferred success took away may still come back by spacing', () => {
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'unknown');
  counts.count('a', line(2_000), 'unknown');
  counts.forget('a', false);
  expect(counts.count('a', line(10_000, { explained: false }), 'unknown')).toEqual({
    before: 4,
    corrected: true,
  });
});

test('[SF3] on a classic queue the delay counts from the line that gave it, past those of events in between', () => {
  const counts = new FailureCounts(STEPS);
  const byEvent = { unspaced: true, delayStays: true };
  counts.count('a', line(0), 'unknown');
  counts.count('a', line(1_500, byEvent), 'unknown');
  counts.count('a', line(2_500, byEvent), 'unknown');
  expect(counts.count('a', line(4_000), 'unknown')).toEqual({ before: 5, corrected: true });
  expect(counts.failures('a')).toBe(6);
});

test('[SF8] where lines may be missing, the delays that make up the distance are counted, also on a known count', () => {
  const missing = { runMs: 10, linesMissing: true } as const;
  const counts = new FailureCounts(STEPS);
  counts.count('a', line(0), 'known');
  // 1 + 2 + 4 s, and three runs of 10 ms: two failures went by unlogged.
  expect(counts.count('a', line(7_030, missing), 'known')).toEqual({ before: 3, corrected: true });
  expect([counts.failures('a'), counts.certainty('a', 'known')]).toEqual([4, 'spaced']);
  const whole = new FailureCounts(STEPS);
  whole.count('a', line(0), 'known');
  expect(whole.count('a', line(1_010, missing), 'known')).toEqual({ before: 1, corrected: false });
  const other = new FailureCounts(STEPS);
  other.count('a', line(0), 'known');
  expect(other.count('a', line(5_000, missing), 'known')).toEqual({ before: 1, corrected: false });
});
