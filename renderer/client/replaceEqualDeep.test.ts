import { expect, it } from 'vitest';
import { replaceEqualDeep } from './replaceEqualDeep.ts';

it('keeps the reference of equal parts and of an equal whole', () => {
  const a = {
    rows: [
      { id: 1, tags: ['x'] },
      { id: 2, tags: [] },
    ],
    total: 2,
  };
  const same = replaceEqualDeep(a, structuredClone(a));
  expect(same).toBe(a);
  const b = replaceEqualDeep(a, {
    rows: [
      { id: 1, tags: ['x'] },
      { id: 3, tags: [] },
    ],
    total: 2,
  });
  expect(b).not.toBe(a);
  expect(b.rows[0]).toBe(a.rows[0]);
  expect(b.rows[1]).toEqual({ id: 3, tags: [] });
});

it('sees removed, added and undefined fields and changed lengths', () => {
  expect(replaceEqualDeep({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  const before: { a?: number } = {};
  const after = { a: undefined };
  expect(replaceEqualDeep(before, after)).not.toBe(before);
  const list = [1, 2];
  expect(replaceEqualDeep(list, [1])).toEqual([1]);
  expect(replaceEqualDeep([1], { 0: 1 })).toEqual({ 0: 1 });
});
