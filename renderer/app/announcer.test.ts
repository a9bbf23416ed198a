import { expect, it } from 'vitest';
import type { Clock } from '../../shared/base/clock.ts';
import { createAnnouncer } from './announcer.ts';

/** Time that moves by hand; one timer is all an announcer has. */
function handClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  let timer: { at: number; fire: () => void } | undefined;
  return {
    now: () => now,
    monotonic: () => now,
    setTimer(delayMs, fire) {
      timer = { at: now + delayMs, fire };
      return {
        dispose() {
          timer = undefined;
        },
      };
    },
    advance(ms) {
      now += ms;
      if (timer === undefined || timer.at > now) return;
      const { fire } = timer;
      timer = undefined;
      fire();
    },
  };
}

it('says the first at once, then one a second, none twice in a row of waiting ones', () => {
  const clock = handClock();
  const said: string[] = [];
  const announcer = createAnnouncer((text) => said.push(text), clock);
  for (const text of ['copied', 'gap', 'gap', 'lost']) announcer.say(text);
  expect(said).toEqual(['copied']);
  clock.advance(999);
  expect(said).toEqual(['copied']);
  clock.advance(1);
  expect(said).toEqual(['copied', 'gap']);
  clock.advance(1000);
  expect(said).toEqual(['copied', 'gap', 'lost']);
  clock.advance(5000);
  announcer.say('copied');
  expect(said.at(-1)).toBe('copied');
});

it('drops the oldest of what waits too long, and everything at its end', () => {
  const clock = handClock();
  const said: string[] = [];
  const announcer = createAnnouncer((text) => said.push(text), clock);
  for (let n = 0; n < 9; n += 1) announcer.say(`${n}`);
  clock.advance(1000);
  expect(said).toEqual(['0', '4']);
  announcer.dispose();
  clock.advance(1000);
  expect(said).toEqual(['0', '4']);
});
