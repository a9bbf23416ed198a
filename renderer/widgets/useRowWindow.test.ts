import { describe, expect, it } from 'vitest';
import { moved, rangeOf } from './useRowWindow.ts';

describe('moved', () => {
  it('always covers what is seen, and moves seldom', () => {
    const [spare, seenRows] = [8, 20];
    const slots = seenRows + 1 + 2 * spare;
    let start = 0;
    let moves = 0;
    for (const seen of [...range(0, 400), ...range(0, 400).reverse(), 5000, 3, 99_000]) {
      const next = moved(start, seen, spare);
      if (next !== start) moves += 1;
      start = next;
      const { first, end } = rangeOf(start, slots, 100_000);
      expect(first).toBeLessThanOrEqual(seen);
      expect(end).toBeGreaterThanOrEqual(seen + seenRows + 1);
    }
    expect(moves).toBeLessThan(150);
  });
});

describe('rangeOf', () => {
  it('ends with the list, also when that became shorter than where it stood', () => {
    expect(rangeOf(90, 40, 100)).toEqual({ first: 60, end: 100 });
    expect(rangeOf(90, 40, 10)).toEqual({ first: 0, end: 10 });
    expect(rangeOf(0, 40, 0)).toEqual({ first: 0, end: 0 });
    expect(rangeOf(7, 40, 1000)).toEqual({ first: 7, end: 47 });
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}
