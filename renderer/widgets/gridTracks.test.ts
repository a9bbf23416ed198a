import { describe, expect, it } from 'vitest';
import { maxColumn, minColumn, minOf, tracksOf } from './gridTracks.ts';

const columns = [
  { id: 'a', track: '100px' },
  { id: 'b', track: 'minmax(160px, 2fr)' },
  { id: 'c', track: '1fr' },
];
/** 100 + 160 + 40, two gaps of 12, 32 of padding. */
const least = 100 + 160 + 40 + 24 + 32;

describe('[T3] widths of columns', () => {
  it('knows what a track needs at least', () => {
    expect(columns.map(({ track }) => minOf(track))).toEqual([100, 160, minColumn]);
  });
  it("takes the user's widths while they fit, and the view's own when they no longer do", () => {
    expect(tracksOf(columns, {}, 800)).toBe('100px minmax(160px, 2fr) 1fr');
    expect(tracksOf(columns, { b: 300 }, 800)).toBe('100px 300px 1fr');
    expect(tracksOf(columns, { b: 300 }, least + 139)).toBe('100px minmax(160px, 2fr) 1fr');
    expect(tracksOf(columns, { b: 300 }, least + 140)).toBe('100px 300px 1fr');
  });
  it('lets a column grow only as far as the others keep what they need', () => {
    expect(maxColumn(columns, {}, 'a', least + 50)).toBe(150);
    expect(maxColumn(columns, { b: 200 }, 'a', least + 50)).toBe(110);
    expect(maxColumn(columns, {}, 'a', 100)).toBe(minColumn);
    const widest = maxColumn(columns, {}, 'c', 900);
    expect(tracksOf(columns, { c: widest }, 900)).toContain(`${widest}px`);
    expect(tracksOf(columns, { c: widest + 1 }, 900)).not.toContain(`${widest + 1}px`);
  });
});
