import { expect, test } from 'vitest';
import { sleep } from '../../shared/base/clock.ts';
import { FakeClock } from './fakeClock.ts';

test('timers fire at their own instant, in order of time, then of setting', async () => {
  const clock = new FakeClock(1000);
  const seen: [string, number][] = [];
  clock.setTimer(20, () => seen.push(['late', clock.now()]));
  clock.setTimer(10, () => seen.push(['first', clock.now()]));
  clock.setTimer(10, () => seen.push(['second', clock.now()]));
  clock.setTimer(5, () => seen.push(['cancelled', clock.now()])).dispose();
  await clock.advance(15);
  expect(seen).toEqual([
    ['first', 1010],
    ['second', 1010],
  ]);
  expect(clock.pendingTimers).toBe(1);
  expect(clock.nextTimerAt()).toBe(20);
  await clock.advance(5);
  expect(seen.at(-1)).toEqual(['late', 1020]);
});

test('promises settle between timers: a chain of sleeps runs inside one advance', async () => {
  const clock = new FakeClock();
  const seen: number[] = [];
  void (async () => {
    for (let i = 0; i < 5; i++) {
      await sleep(clock, 10);
      for (let turn = 0; turn < 500; turn++) await undefined;
      seen.push(clock.monotonic());
    }
  })();
  await clock.advance(100);
  expect(seen).toEqual([10, 20, 30, 40, 50]);
  expect(clock.monotonic()).toBe(100);
});

test('jump fires with the clock at its end; the wall clock may be set apart', () => {
  const clock = new FakeClock();
  const seen: number[] = [];
  clock.setTimer(10, () => {
    seen.push(clock.monotonic());
    clock.setTimer(0, () => seen.push(-1));
  });
  clock.jump(50);
  expect(seen).toEqual([50, -1]);
  clock.setWall(7);
  clock.advanceSync(3);
  expect([clock.now(), clock.monotonic()]).toEqual([10, 53]);
});
