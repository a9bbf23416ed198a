import { describe, expect, it } from 'vitest';
import {
  nothingShown,
  openedBehind,
  openedFile,
  openingFile,
  playback,
} from '../testing/incident/library.ts';
import { frozenClock, momentAt, movable } from './clock.ts';
import { pageOf, shownMoment } from './usePlayback.ts';

describe('momentAt', () => {
  const moment = { at: 1000, wall: 500, rate: 2 };
  it('moves from its anchor at its rate, and stands at rate 0', () => {
    expect(momentAt(moment, 500)).toBe(1000);
    expect(momentAt(moment, 800)).toBe(1600);
    expect(momentAt({ ...moment, rate: 0 }, 99_000)).toBe(1000);
    expect(momentAt({ ...moment, rate: 0.5 }, 700)).toBe(1100);
  });
  it('never passes the newest record', () => {
    expect(momentAt({ ...moment, to: 1500 }, 800)).toBe(1500);
    expect(momentAt({ ...moment, to: 1500 }, 700)).toBe(1400);
  });
  it('stays where the engine put it when that is past the newest record', () => {
    expect(momentAt({ ...moment, to: 900 }, 800)).toBe(1000);
  });
});

describe('window clock', () => {
  it('shows the wall until it follows a moment, and again afterwards', () => {
    let wall = 10_000;
    const clock = movable(() => wall, false);
    expect([clock.now(), clock.rate()]).toEqual([10_000, 1]);
    clock.follow({ at: 500, wall: 10_000, rate: 10 });
    wall += 30;
    expect([clock.now(), clock.wall(), clock.rate()]).toEqual([800, 10_030, 10]);
    clock.follow({ at: 800, wall, rate: 0 });
    wall += 5000;
    expect([clock.now(), clock.rate()]).toEqual([800, 0]);
    clock.follow(undefined);
    expect(clock.now()).toBe(wall);
  });
  it('tells of a jump once, and not of the same moment again', () => {
    const clock = movable(() => 0, false);
    let jumps = 0;
    const stop = clock.onJump(() => {
      jumps += 1;
    });
    clock.follow({ at: 1, wall: 0, rate: 1, to: 9 });
    clock.follow({ at: 1, wall: 0, rate: 1, to: 9 });
    expect(jumps).toBe(1);
    clock.follow({ at: 1, wall: 0, rate: 0, to: 9 });
    expect(jumps).toBe(2);
    stop();
    clock.follow(undefined);
    expect(jumps).toBe(2);
  });
  it('does not tick when frozen, whatever it follows', () => {
    const clock = frozenClock(100);
    clock.follow({ at: 40, wall: 100, rate: 5 });
    expect([clock.now(), clock.rate()]).toEqual([40, 0]);
  });
});

describe('what is shown', () => {
  it('takes the moment of a session, and the wall for a cluster or nothing', () => {
    expect(shownMoment(openedFile)).toEqual({
      at: openedFile.at,
      wall: openedFile.wall,
      rate: 0,
      to: openedFile.to,
    });
    expect([shownMoment(playback), shownMoment(nothingShown), shownMoment(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('has a page for each state of connection and playback', () => {
    const page = (phase: Parameters<typeof pageOf>[0], shown = playback, early = false) =>
      pageOf(phase, shown, early);
    expect([page('live'), page('lost'), page('syncing'), page('syncing', playback, true)]).toEqual([
      'main',
      'main',
      'start',
      'main',
    ]);
    expect([page('idle'), page('failed'), page('connecting'), page(undefined)]).toEqual([
      'start',
      'start',
      'start',
      'wait',
    ]);
    // A session needs no connection, and one that is behind does not show through.
    expect([page('idle', openedFile), page('lost', openedBehind), page('live', openingFile)]).toEqual([
      'main',
      'main',
      'opening',
    ]);
  });
});
