import { expect, test } from 'vitest';
import { counterSeries } from './counters.ts';

const start = 1_000;

test('[MC1] growth from scrape to scrape; the first counts only where the process states its start', () => {
  expect(
    counterSeries([
      { at: 5_000, value: 4 },
      { at: 15_000, value: 4 },
      { at: 25_000, value: 9 },
    ]),
  ).toEqual({
    lives: [{ from: 5_000, to: 25_000, startedAt: undefined, toldBy: 'first' }],
    deltas: [
      { from: 5_000, to: 15_000, delta: 0, life: 0, opens: false },
      { from: 15_000, to: 25_000, delta: 5, life: 0, opens: false },
    ],
  });
  expect(counterSeries([{ at: 5_000, value: 4, processStartedAt: start }]).deltas).toEqual([
    { from: start, to: 5_000, delta: 4, life: 0, opens: true },
  ]);
});

test('[MC2] a counter that fell is a new life', () => {
  expect(
    counterSeries([
      { at: 10_000, value: 50 },
      { at: 20_000, value: 3 },
      { at: 30_000, value: 8 },
    ]),
  ).toEqual({
    lives: [
      { from: 10_000, to: 10_000, startedAt: undefined, toldBy: 'first' },
      { from: 20_000, to: 30_000, startedAt: undefined, toldBy: 'fell' },
    ],
    deltas: [
      { from: 10_000, to: 20_000, delta: 3, life: 1, opens: true },
      { from: 20_000, to: 30_000, delta: 5, life: 1, opens: false },
    ],
  });
});

test('[MC2] another start of the process is a new life, even where the counter has grown past its old value', () => {
  const series = counterSeries([
    { at: 10_000, value: 5, processStartedAt: start },
    { at: 40_000, value: 70, processStartedAt: 25_000 },
  ]);
  expect(series.lives.map(({ toldBy, startedAt }) => ({ toldBy, startedAt }))).toEqual([
    { toldBy: 'first', startedAt: start },
    { toldBy: 'startTime', startedAt: 25_000 },
  ]);
  expect(series.deltas.at(-1)).toEqual({ from: 25_000, to: 40_000, delta: 70, life: 1, opens: true });
});

test('[MC2] a start time that moves a little with the wall clock is the same life', () => {
  const series = counterSeries([
    { at: 10_000, value: 5, processStartedAt: start },
    { at: 20_000, value: 6, processStartedAt: start + 1_010 },
  ]);
  expect(series.lives).toHaveLength(1);
});

test('[MC2] a start that another clock puts before the last scrape of the life before, or after its own, stays between them', () => {
  const at = (processStartedAt: number) =>
    counterSeries([
      { at: 10_000, value: 5, processStartedAt: start },
      { at: 20_000, value: 2, processStartedAt },
    ]).deltas.at(-1)?.from;
  expect(at(8_000)).toBe(10_000);
  expect(at(99_000)).toBe(20_000);
});

test('[MC3] order, doubles, gaps and what is no number', () => {
  const tidy = counterSeries([
    { at: 10_000, value: 1 },
    { at: 30_000, value: 4 },
    { at: 40_000, value: 6 },
  ]);
  const untidy = counterSeries([
    { at: 40_000, value: 6 },
    { at: 10_000, value: 1 },
    { at: 20_000, value: undefined },
    { at: 25_000, value: Number.NaN },
    { at: 30_000, value: 4 },
    { at: 30_000, value: 4 },
    { at: 30_000, value: undefined },
  ]);
  expect(untidy).toEqual(tidy);
  expect(counterSeries([])).toEqual({ lives: [], deltas: [] });
});

test('[MC1] deltas of a life add up to what it shows, whatever the lives', () => {
  let seed = 11;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let round = 0; round < 200; round += 1) {
    const readings: { at: number; value: number; processStartedAt: number }[] = [];
    let startedAt = 0;
    let value = 0;
    const lastOf: number[] = [];
    for (let at = 1_000; at < 200_000; at += 1_000 + Math.floor(random() * 9_000)) {
      if (random() < 0.1 && readings.length > 0) {
        lastOf.push(value);
        startedAt = Math.max(startedAt + 5_000, at - 500);
        value = 0;
      }
      value += Math.floor(random() * 5);
      readings.push({ at, value, processStartedAt: startedAt });
    }
    lastOf.push(value);
    const { lives, deltas } = counterSeries(readings);
    expect(lives).toHaveLength(lastOf.length);
    const sums = lives.map((_, life) =>
      deltas.filter((one) => one.life === life).reduce((sum, one) => sum + one.delta, 0),
    );
    expect(sums).toEqual(lastOf);
  }
});
