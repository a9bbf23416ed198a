import { describe, expect, test } from 'vitest';
import type { ControllerHistory, HistoryPoint } from '../../../shared/contract/views/traces.ts';
import {
  decadesOf,
  errorShare,
  evenAbove,
  mergedMarks,
  niceAbove,
  rowsOf,
  spanOf,
  summaryOf,
  timeTicks,
  zoomed,
} from './historyModel.ts';

const slotMs = 10_000;
function history(
  points: readonly HistoryPoint[],
  to: number,
  more: Partial<ControllerHistory> = {},
): ControllerHistory {
  return {
    controller: 'database',
    slotMs,
    from: 0,
    to,
    series: [{ from: 'metrics', basis: { kind: 'reported', from: 'metrics' }, points }],
    marks: [],
    ...more,
  };
}

describe('[SPG30] the span on screen', () => {
  const hour = history([], 3_600_000);
  test('named ranges end at the moment and never begin before the recording', () => {
    expect(spanOf('5m', hour, 3_600_000)).toEqual({ from: 3_300_000, to: 3_600_000 });
    expect(spanOf('1h', history([], 600_000), 600_000)).toEqual({ from: 0, to: 600_000 });
    expect(spanOf('all', hour, 3_600_000)).toEqual({ from: 0, to: 3_600_000 });
    // Nothing came for a minute: that is part of the picture.
    expect(spanOf('all', hour, 3_660_000)).toEqual({ from: 0, to: 3_660_000 });
  });
  test('a selected one stays inside what is known, and two slots wide', () => {
    expect(spanOf({ from: -50, to: 99_000_000 }, hour, 3_600_000)).toEqual({ from: 0, to: 3_600_000 });
    const narrow = spanOf({ from: 100_000, to: 100_001 }, hour, 3_600_000);
    expect(narrow.to - narrow.from).toBe(2 * slotMs);
    expect(spanOf({ from: 3_600_000, to: 3_600_000 }, hour, 3_600_000)).toEqual({
      from: 3_580_000,
      to: 3_600_000,
    });
  });
  test('zoom keeps the point it zooms on where it is', () => {
    const span = zoomed({ from: 1_000_000, to: 2_000_000 }, 0.5, 1_250_000);
    expect(span).toEqual({ from: 1_125_000, to: 1_625_000 });
    expect(spanOf(zoomed(span, 100, 1_250_000), hour, 3_600_000)).toEqual({ from: 0, to: 3_600_000 });
  });
});

describe('[SPG31] slots', () => {
  test('every slot has a row, also those nothing is known of', () => {
    const { rows } = rowsOf(
      history(
        [
          { at: 0, runs: 2 },
          { at: 20_000, runs: 3 },
        ],
        40_000,
      ),
      { from: 0, to: 40_000 },
    );
    expect(rows.map(({ at, metrics }) => [at, metrics?.runs])).toEqual([
      [0, 2],
      [10_000, undefined],
      [20_000, 3],
      [30_000, undefined],
    ]);
  });
  test('a day is put together: counts are added, peaks stay', () => {
    const points = Array.from({ length: 8640 }, (_, n) => ({
      at: n * slotMs,
      runs: 1,
      errors: n === 4000 ? 1 : 0,
      p99Ms: n === 5000 ? 9000 : 20,
      depth: n === 6000 ? 40 : 1,
    }));
    const day = history(points, 86_400_000);
    const rows = rowsOf(day, { from: 0, to: 86_400_000 });
    expect(rows.rows.length).toBeLessThanOrEqual(360);
    const summary = summaryOf(rows);
    expect(summary).toMatchObject({ runs: 8640, errors: 1, p99Ms: 9000, depth: 40 });
  });
});

describe('[SPG32] the sentence', () => {
  test('is of the side that counted: of spans where metrics cover little', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ at: n * slotMs, runs: 4, errors: 1 }));
    const both = history(many.slice(0, 5), 200_000, {
      series: [
        { from: 'metrics', basis: { kind: 'reported', from: 'metrics' }, points: many.slice(0, 5) },
        { from: 'spans', basis: { kind: 'inferred', by: 'spans', because: [] }, points: many },
      ],
    });
    expect(summaryOf(rowsOf(both, { from: 0, to: 200_000 }))).toMatchObject({
      from: 'spans',
      runs: 80,
      share: 0.25,
    });
    expect(summaryOf(rowsOf(history([], 200_000), { from: 0, to: 200_000 }))).toBeUndefined();
  });
  test('no share of errors where nothing ran', () => {
    expect(errorShare({ at: 0, runs: 0, errors: 0 })).toBeUndefined();
    expect(errorShare({ at: 0, runs: 8, errors: 2 })).toBe(25);
    expect(errorShare({ at: 0, runs: 8 })).toBeUndefined();
  });
});

describe('[SPG33] axes', () => {
  test('round tops and decades', () => {
    expect([0, 3, 12, 20, 51, 100].map((value) => niceAbove(value, 4))).toEqual([5, 5, 20, 20, 100, 100]);
    expect([0, 3, 5, 9, 11, 41].map((value) => evenAbove(value, 2))).toEqual([2, 4, 6, 10, 20, 50]);
    expect(decadesOf([])).toEqual([100, 1000, 10_000]);
    expect(decadesOf([3, 450])).toEqual([1, 10, 100, 1000]);
  });
  test('labels are round times, far enough apart', () => {
    const from = new Date(2026, 8, 14, 13, 40, 7).getTime();
    const ticks = timeTicks({ from, to: from + 1_920_000 }, 1000);
    expect(ticks.length).toBeGreaterThan(4);
    for (const tick of ticks) expect(new Date(tick).getSeconds()).toBe(0);
    const apart = ((ticks[1] ?? 0) - (ticks[0] ?? 0)) / 1_920_000;
    expect(apart * 1000).toBeGreaterThanOrEqual(88);
  });
});

describe('[SPG33] marks', () => {
  const gap = (at: number, to?: number) =>
    ({ kind: 'gap', at, text: `gap of ${at}`, ...(to === undefined ? {} : { to }) }) as const;
  test('gaps that overlap are one; one that is open lasts until the end', () => {
    const start = { kind: 'start', at: 12, text: 'it started' } as const;
    expect(mergedMarks([gap(20), gap(10), start, gap(15, 18)], 30)).toEqual([
      { kind: 'gap', at: 10, to: 30, text: 'gap of 10; gap of 15; gap of 20' },
      start,
    ]);
  });
  test('gaps apart stay apart, and more than three are counted', () => {
    const lost = [1, 2, 3, 4, 5].map((at) => gap(at, 9));
    expect(mergedMarks([...lost, gap(20, 21)], 30)).toEqual([
      { kind: 'gap', at: 1, to: 9, text: 'gap of 1; gap of 2; gap of 3; +2' },
      { kind: 'gap', at: 20, to: 21, text: 'gap of 20' },
    ]);
  });
});
