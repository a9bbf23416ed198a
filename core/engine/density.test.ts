import { expect, it } from 'vitest';
import { sourceId } from '../../shared/model/ids.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { countDensity } from './density.ts';

function logOf(times: readonly number[]) {
  const clock = new FakeClock();
  const log = createMemoryLog({ clock });
  for (const at of times)
    log.append({
      kind: 'log',
      source: sourceId('log:op'),
      at: { lo: at, hi: at },
      receivedAt: at,
      payload: 'x',
    });
  return { clock, log };
}

async function count(times: readonly number[], range: { from: number; to: number }, slices: number) {
  const { clock, log } = logOf(times);
  const counting = countDensity(log, range, clock, new AbortController().signal, slices);
  await clock.advance(1000);
  return counting;
}

it('counts each record once, in the slice of its receipt, both ends included', async () => {
  expect(await count([100, 101, 150, 199, 200], { from: 100, to: 200 }, 4)).toEqual([2, 0, 1, 2]);
});

it('leaves out what came before the stretch, and has a slice for one without length', async () => {
  expect(await count([10, 99, 100, 201], { from: 100, to: 200 }, 2)).toEqual([1, 0]);
  expect(await count([100, 100], { from: 100, to: 100 }, 3)).toEqual([2, 0, 0]);
});

it('counts a long log as a short one', async () => {
  const times = Array.from({ length: 5000 }, (_, n) => 1000 + n);
  expect(await count(times, { from: 1000, to: 5999 }, 5)).toEqual([1000, 1000, 1000, 1000, 1000]);
});

it('gives up when nobody looks any more', async () => {
  const { clock, log } = logOf(Array.from({ length: 600_000 }, (_, n) => n));
  const stop = new AbortController();
  const counting = countDensity(log, { from: 0, to: 600_000 }, clock, stop.signal);
  stop.abort();
  await clock.advance(10);
  expect(await counting).toBeUndefined();
});
