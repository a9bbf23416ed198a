import { describe, expect, it } from 'vitest';
import type { Span } from '../../shared/model/trace.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { createSpanRows, newestFirst } from './traceRows.ts';

function span(id: string, at: number): Span {
  return {
    id,
    controller: 'database',
    key: 'shop/orders',
    start: { lo: at, hi: at + 1 },
    triggerList: [],
    writeList: [],
  } as unknown as Span;
}

describe('rows of spans', () => {
  it.each([1, 2, 3])('keep their order, whatever comes, changes, moves and goes (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const pick = (below: number) => Math.floor(random() * below);
    const rows = createSpanRows();
    const table = rows.table({ text: '', limit: 50 });
    const feed = table.subscribe({
      upsert: () => undefined,
      remove: () => undefined,
      reset: () => undefined,
    });
    const known = new Map<string, Span>();
    for (let round = 0; round < 60; round++) {
      const removed = [...known.keys()].filter(() => random() < (round % 3 === 0 ? 0.1 : 0));
      for (const id of removed) known.delete(id);
      // A few are put in place one by one, many in one go.
      const upserts = new Map<string, Span>();
      for (let count = pick(2) === 0 ? pick(10) : 70 + pick(60); count > 0; count--) {
        const id = `s${pick(600)}`;
        const moves = random() < 0.2;
        upserts.set(
          id,
          span(id, moves ? pick(1000) : (known.get(id)?.start.lo ?? 1000 + round * 10 + pick(10))),
        );
      }
      for (const [id, one] of upserts) known.set(id, one);
      rows.apply([...upserts.values()], removed);
      const expected = [...known.values()].sort(newestFirst).map(({ id }) => id);
      expect(rows.newest().map(({ id }) => id)).toEqual(expected);
      expect(feed.total()).toBe(known.size);
      expect(new Set(feed.snapshot().map(({ id }) => id))).toEqual(new Set(expected.slice(0, 50)));
    }
  });
});
