import { expect, test } from 'vitest';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { MemoryIntervals } from './intervals.ts';

test.each([1, 2, 3, 4, 5])(
  '[SES15] in whatever order values come, the timeline says what held when, seed %i',
  (seed) => {
    const random = seededRandom(seed);
    const intervals = new MemoryIntervals();
    // The model: for each instant from which something was said, the last thing said of it.
    const said = new Map<number, number | undefined>();
    const held = (pos: number) => {
      const from = Math.max(...[...said.keys()].filter((instant) => instant <= pos), -1);
      return said.get(from);
    };
    for (let count = 0; count < 200; count++) {
      const pos = Math.floor(random() * 1000);
      if (random() < 0.3) {
        // Closing where nothing holds says nothing; an earlier end takes the place of a later one.
        if (held(pos) !== undefined) {
          const next = Math.min(...[...said.keys()].filter((instant) => instant > pos));
          if (said.has(next) && said.get(next) === undefined) said.delete(next);
          said.set(pos, undefined);
        }
        intervals.close('k', 's', pos);
      } else {
        said.set(pos, count);
        intervals.open('k', 's', pos, count);
      }
      const probe = Math.floor(random() * 1000);
      expect(intervals.asOf('k', 's', probe)?.value, `at ${probe} after ${count}`).toBe(held(probe));
    }
    const rows = intervals.of('k', 's');
    rows.forEach((row, index) => {
      const next = rows[index + 1];
      if (next === undefined) return;
      expect(row.from).toBeLessThanOrEqual(next.from);
      expect(row.to ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(next.from);
    });
  },
);
