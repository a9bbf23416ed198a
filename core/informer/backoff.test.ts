import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { createBackoff, reflectorBackoffConfig } from './backoff.ts';

describe('reflector backoff', () => {
  it('[BK1] doubles from 800 ms to 30 s', () => {
    const config = { ...reflectorBackoffConfig, jitter: 0 };
    const backoff = createBackoff({ clock: new FakeClock(), random: () => 0.5, config });
    expect(Array.from({ length: 8 }, () => backoff.next())).toEqual([
      800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000,
    ]);
  });

  it('[BK2] adds up to one delay of jitter that does not carry on', () => {
    const backoff = createBackoff({ clock: new FakeClock(), random: () => 0.999 });
    const delays = Array.from({ length: 8 }, () => backoff.next());
    expect(delays[0]).toBeCloseTo(800 * 1.999);
    expect(delays[1]).toBeCloseTo(1600 * 1.999);
    expect(delays[7]).toBeLessThan(60_000);
  });

  it('[BK3] starts over more than two minutes after the series began, not at two', async () => {
    const clock = new FakeClock();
    const config = { ...reflectorBackoffConfig, jitter: 0 };
    const backoff = createBackoff({ clock, random: () => 0, config });
    backoff.next();
    await clock.advance(120_000);
    expect(backoff.next()).toBe(1600);
    await clock.advance(1);
    expect(backoff.next()).toBe(800);
  });

  it('[BK4] counts from the reset, not from the last call', async () => {
    const clock = new FakeClock();
    const config = { ...reflectorBackoffConfig, jitter: 0 };
    const backoff = createBackoff({ clock, random: () => 0, config });
    const delays: number[] = [];
    for (let call = 0; call < 5; call++) {
      await clock.advance(50_000);
      delays.push(backoff.next());
    }
    // 50 s, 100 s: one series; 150 s is a new one that lasts to 270 s.
    expect(delays).toEqual([800, 1600, 800, 1600, 3200]);
  });
});
