import { expect, it } from 'vitest';
import { countNewer, nextWhere } from './heldRows.ts';

it('countNewer counts what came after the newest row that was there', () => {
  const rows = [9, 7, 5, 3].map((seq) => ({ seq }));
  expect(countNewer(rows, 5)).toBe(2);
  expect(countNewer(rows, 9)).toBe(0);
  expect(countNewer(rows, 1)).toBe(4);
  expect(countNewer(rows, undefined)).toBe(4);
});

it('nextWhere goes one way, does not wrap, and starts at the edge', () => {
  const rows = ['a', 'gap', 'b', 'gap', 'c'];
  const gap = (row: string) => row === 'gap';
  expect(nextWhere(rows, 1, 1, gap)).toBe(3);
  expect(nextWhere(rows, 1, -1, gap)).toBeUndefined();
  expect(nextWhere(rows, -1, 1, gap)).toBe(1);
  expect(nextWhere(rows, -1, -1, gap)).toBe(3);
});
