import { expect, test } from 'vitest';
import { Heap } from './heap.ts';
import { seededRandom } from './testRandom.ts';

test.each([1, 2, 3])('seeded walk %i: leaves in order, and every element knows its place', (seed) => {
  const random = seededRandom(seed);
  const heap = new Heap<{ value: number; index: number }>((a, b) => a.value < b.value);
  const inside: { value: number; index: number }[] = [];
  for (let step = 0; step < 2_000; step += 1) {
    const what = random();
    const some = inside[Math.floor(random() * inside.length)];
    if (what < 0.45 || some === undefined) {
      const item = { value: Math.floor(random() * 50), index: -1 };
      inside.push(item);
      heap.push(item);
    } else if (what < 0.6) {
      some.value = Math.floor(random() * 50);
      heap.fix(some);
    } else if (what < 0.75) {
      heap.remove(some);
      inside.splice(inside.indexOf(some), 1);
      expect(some.index).toBe(-1);
    } else {
      const least = Math.min(...inside.map(({ value }) => value));
      const popped = heap.pop();
      expect(popped?.value).toBe(least);
      if (popped !== undefined) inside.splice(inside.indexOf(popped), 1);
    }
    expect(heap.size).toBe(inside.length);
    expect(heap.values().every((item, index) => item.index === index)).toBe(true);
  }
});

test('an empty heap has nothing to give', () => {
  const heap = new Heap<{ index: number }>(() => false);
  expect([heap.peek(), heap.pop(), heap.size]).toEqual([undefined, undefined, 0]);
});
