import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { HeldClock, PlayedClock } from './playedClock.ts';

const at = Date.parse('2026-11-30T09:00:00Z');

describe('PlayedClock', () => {
  it('[PB34] goes at its rate, stands still, and goes elsewhere', () => {
    const host = new FakeClock(5_000_000);
    const clock = new PlayedClock(host, at);
    host.advanceSync(1000);
    expect([clock.now(), clock.monotonic(), clock.rate]).toEqual([at, 0, 0]);
    clock.play(10);
    host.advanceSync(1000);
    expect([clock.now(), clock.monotonic(), clock.rate]).toEqual([at + 10_000, 10_000, 10]);
    clock.play(0.5);
    host.advanceSync(1000);
    clock.pause();
    host.advanceSync(1000);
    expect([clock.now(), clock.monotonic()]).toEqual([at + 10_500, 10_500]);
    // The past of another moment: time that was played does not run back.
    clock.goTo(at);
    expect([clock.now(), clock.monotonic()]).toEqual([at, 10_500]);
  });

  it('[PB34] fires timers by played time, in order, and only while it plays', () => {
    const host = new FakeClock(5_000_000);
    const clock = new PlayedClock(host, at);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} ${Math.round(clock.now() - at)}`);
    clock.setTimer(2000, note('late'));
    clock.setTimer(1000, note('soon'));
    const never = clock.setTimer(1500, note('never'));
    host.advanceSync(60_000);
    expect(fired).toEqual([]);
    clock.play(2);
    host.advanceSync(500);
    expect(fired).toEqual(['soon 1000']);
    never.dispose();
    clock.pause();
    host.advanceSync(60_000);
    clock.play(0.5);
    host.advanceSync(1999);
    expect(fired).toEqual(['soon 1000']);
    host.advanceSync(2);
    expect(fired).toEqual(['soon 1000', 'late 2000']);
    expect(host.pendingTimers).toBe(0);
    clock.setTimer(1, note('gone'));
    clock.dispose();
    host.advanceSync(1000);
    expect(fired).toHaveLength(2);
    expect(host.pendingTimers).toBe(0);
  });

  it('a timer may pause it, and set others', () => {
    const host = new FakeClock(0);
    const clock = new PlayedClock(host, at);
    const fired: string[] = [];
    clock.play(1);
    clock.setTimer(10, () => {
      fired.push('first');
      clock.pause();
      clock.setTimer(0, () => fired.push('third'));
    });
    clock.setTimer(10, () => fired.push('second'));
    host.advanceSync(100);
    expect(fired).toEqual(['first']);
    clock.play(1);
    host.advanceSync(0);
    expect(fired).toEqual(['first', 'second', 'third']);
  });
});

describe('HeldClock', () => {
  it('[PB34] keeps what comes due while it is held, and fires it when released', () => {
    const host = new FakeClock(0);
    const clock = new HeldClock(host);
    const fired: string[] = [];
    clock.setTimer(10, () => fired.push('before'));
    host.advanceSync(10);
    clock.hold();
    clock.setTimer(10, () => fired.push('a'));
    const given = clock.setTimer(20, () => fired.push('given up'));
    clock.setTimer(30, () => fired.push('b'));
    clock.setTimer(90, () => fired.push('after'));
    host.advanceSync(50);
    given.dispose();
    expect(fired).toEqual(['before']);
    clock.release();
    expect(fired).toEqual(['before', 'a', 'b']);
    host.advanceSync(50);
    expect(fired).toEqual(['before', 'a', 'b', 'after']);
  });
});
