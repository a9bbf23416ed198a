import { describe, expect, it } from 'vitest';
import { rank, readMoment, readRecord, readTime } from './paletteRank.ts';

describe('rank', () => {
  it('puts the start of a name before the start of a word, that before the middle, that before loose letters', () => {
    const titles = ['reorders', 'shop/orders-db', 'orders', 'orders-db', 'o r d e r s', 'billing'];
    const sorted = titles
      .map((title) => ({ title, score: rank('orders', title) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ title }) => title);
    expect(sorted).toEqual(['orders', 'orders-db', 'shop/orders-db', 'reorders', 'o r d e r s']);
  });
  it('needs every word, in any order, and prefers the shorter title', () => {
    expect(rank('queue go', 'Go to Queue')).toBeGreaterThan(0);
    expect(rank('queue stop', 'Go to Queue')).toBe(0);
    expect(rank('gtq', 'Go to Queue')).toBeGreaterThan(0);
    expect(rank('q', 'Go to Queue')).toBeGreaterThan(0);
    expect(rank('dark', 'Dark')).toBeGreaterThan(rank('dark', 'Dark theme of the system'));
    expect(rank('队列', '转到队列')).toBeGreaterThan(0);
    expect(rank('', 'anything')).toBe(0);
  });
});

describe('what a text means', () => {
  it('reads numbers of records', () => {
    expect(['160418', '#160,418', 'record 7', '记录 7'].map(readRecord)).toEqual([160_418, 160_418, 7, 7]);
    expect(['', '0', '12a', '1.5', '-4', 'orders', '99999999999999999999'].map(readRecord)).toEqual(
      Array(7).fill(undefined),
    );
  });
  it('reads a time of day as the last one before now', () => {
    const now = new Date(2026, 10, 30, 14, 12, 6, 240).getTime();
    const at = (...time: [number, number, number, number, number]) => new Date(2026, 10, ...time).getTime();
    expect(readTime('14:03:20', now)).toBe(at(30, 14, 3, 20, 0));
    expect(readTime('14:03:20.48', now)).toBe(at(30, 14, 3, 20, 480));
    expect(readTime('9:05', now)).toBe(at(30, 9, 5, 0, 0));
    expect(readTime('23:00', now)).toBe(at(29, 23, 0, 0, 0));
    expect(['24:00', '14:60', '14', '14:3', 'now'].map((text) => readTime(text, now))).toEqual(
      Array(5).fill(undefined),
    );
  });
  it('[W13] reads a time ahead of the moment on screen, as long as it is of the recording', () => {
    const at = (...time: [number, number, number]) => new Date(2026, 10, 30, ...time).getTime();
    const range = { from: at(12, 13, 40), to: at(12, 16, 35) };
    const now = at(12, 15, 20);
    expect(readMoment('12:16:00', range, now)).toBe(at(12, 16, 0));
    expect(readMoment('12:14:00', range, now)).toBe(at(12, 14, 0));
    expect(['12:13:39', '12:16:36', '0:00', 'now'].map((text) => readMoment(text, range, now))).toEqual(
      Array(4).fill(undefined),
    );
    expect(readMoment('12:16:00', undefined, now)).toBe(at(12, 16, 0) - 86_400_000);
  });
});
