import { describe, expect, it } from 'vitest';
import { type Box, commonPart, overlap, placeCard } from './placeCard.ts';

const card = { width: 336, height: 180 };
const wide = { width: 1440, height: 900 };

describe('placeCard', () => {
  it('goes to the right of a list at the left edge, at its top', () => {
    const nav = { left: 0, top: 120, width: 232, height: 500 };
    expect(placeCard(nav, card, wide)).toEqual({ side: 'right', left: 246, top: 120 });
  });
  it('goes to the left of the inspector, and keeps inside the window', () => {
    const inspector = { left: 1064, top: 800, width: 376, height: 60 };
    expect(placeCard(inspector, card, wide)).toEqual({ side: 'left', left: 714, top: 708 });
    // Beside its lower end: the first lines of the view stay readable.
    const tall = { left: 1064, top: 120, width: 376, height: 400 };
    expect(placeCard(tall, card, wide)).toEqual({ side: 'left', left: 714, top: 520 - card.height });
  });
  it('goes below a line that spans the window, above one at its bottom', () => {
    expect(placeCard({ left: 0, top: 40, width: 1440, height: 36 }, card, wide)).toMatchObject({
      side: 'below',
      left: 1092,
      top: 90,
    });
    expect(placeCard({ left: 0, top: 832, width: 1440, height: 68 }, card, wide)).toMatchObject({
      side: 'above',
      top: 638,
    });
  });
  it('keeps to the beginning of something narrow, and to the end of something wide', () => {
    const small = { width: 800, height: 560 };
    expect(placeCard({ left: 240, top: 100, width: 320, height: 40 }, card, small)).toMatchObject({
      left: 240,
    });
    expect(placeCard({ left: 60, top: 100, width: 700, height: 40 }, card, small)).toMatchObject({
      left: 424,
    });
  });
  it('takes the bottom right corner, above the playback bar, when there is nothing to point at', () => {
    expect(placeCard(undefined, card, wide)).toEqual({ side: 'corner', left: 1092, top: 640 });
  });
  it('hides as little as it can of an anchor that fills the window', () => {
    const anchor = { left: 100, top: 60, width: 1340, height: 840 };
    const placed = placeCard(anchor, card, wide);
    expect(placed.side).toBe('corner');
    expect(overlap(anchor, { ...placed, ...card })).toBeLessThan(card.width * card.height);
  });
  it('[DM13] never covers the anchor where a side has room, and never leaves the window', () => {
    for (let n = 0; n < 2000; n += 1) {
      const random = (salt: number, below: number) => (Math.imul(n * 7 + salt, 2654435761) >>> 0) % below;
      const viewport = { width: 800 + random(1, 1200), height: 560 + random(2, 700) };
      const anchor: Box = {
        left: random(3, viewport.width - 20),
        top: random(4, viewport.height - 20),
        width: 20 + random(5, viewport.width),
        height: 20 + random(6, viewport.height),
      };
      const placed = placeCard(anchor, card, viewport);
      if (placed.side !== 'corner') expect(overlap(anchor, { ...placed, ...card })).toBe(0);
      expect(placed.left).toBeGreaterThanOrEqual(12);
      expect(placed.top).toBeGreaterThanOrEqual(12);
      expect(placed.left + card.width).toBeLessThanOrEqual(viewport.width - 12);
      expect(placed.top + card.height).toBeLessThanOrEqual(viewport.height - 12);
    }
  });
});

describe('commonPart', () => {
  const window = { left: 0, top: 0, ...wide };
  it('cuts what is scrolled away, and says when nothing is left', () => {
    expect(commonPart({ left: -20, top: 880, width: 100, height: 60 }, window)).toEqual({
      left: 0,
      top: 880,
      width: 80,
      height: 20,
    });
    expect(commonPart({ left: 0, top: 901, width: 10, height: 10 }, window)).toBeUndefined();
  });
});
