import { expect, test } from 'vitest';
import { LineBursts } from './lineBursts.ts';

test('[SF8] 100 lines within a second may hide more, until the next line of each key', () => {
  const bursts = new LineBursts();
  for (let i = 0; i < 99; i++) bursts.note(i * 10);
  expect(bursts.between(500, 2_000)).toBe(false);
  bursts.note(990);
  expect(bursts.between(500, 2_000)).toBe(true);
  expect(bursts.between(990, 2_000)).toBe(true);
  expect(bursts.between(1_500, 2_000)).toBe(false);
  expect(bursts.between(500, 900)).toBe(false);
  expect(bursts.between(undefined, 2_000)).toBe(false);
});

test('[SF8] 100 lines in more than a second hide nothing', () => {
  const bursts = new LineBursts();
  for (let i = 0; i < 300; i++) bursts.note(i * 12);
  expect(bursts.between(0, 10_000)).toBe(false);
});
