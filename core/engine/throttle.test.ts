import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { every, throttled } from './throttle.ts';

describe('throttled', () => {
  it('runs once for many asks, and once more after the last', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const work = throttled(clock, 100, () => runs++);
    for (let i = 0; i < 5; i++) work.poke();
    await clock.advance(0);
    expect(runs).toBe(1);
    work.poke();
    await clock.advance(99);
    expect(runs).toBe(1);
    await clock.advance(1);
    expect(runs).toBe(2);
  });

  it('does nothing after dispose', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const work = throttled(clock, 100, () => runs++);
    work.poke();
    work.dispose();
    work.poke();
    await clock.advance(1000);
    expect(runs).toBe(0);
  });
});

describe('every', () => {
  it('repeats until disposed', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const timer = every(clock, 10, () => runs++);
    await clock.advance(35);
    expect(runs).toBe(3);
    timer.dispose();
    await clock.advance(100);
    expect(runs).toBe(3);
  });
});
