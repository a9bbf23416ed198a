/** One thing at a time, at most one a second: what a screen reader is told. */
import type { Clock } from '../../shared/base/clock.ts';

export interface Announcer {
  /** Says it now, or after what waits. The same text that waits already is said once. */
  say(text: string): void;
  dispose(): void;
}

const everyMs = 1000;
/** Older ones are of no use when they are reached. */
const most = 5;

export function createAnnouncer(show: (text: string) => void, clock: Clock): Announcer {
  const waiting: string[] = [];
  let timer: { dispose(): void } | undefined;
  function next(): void {
    timer = undefined;
    const text = waiting.shift();
    if (text === undefined) return;
    show(text);
    timer = clock.setTimer(everyMs, next);
  }
  return {
    say(text) {
      if (waiting.includes(text)) return;
      waiting.push(text);
      if (waiting.length > most) waiting.shift();
      if (timer === undefined) next();
    },
    dispose() {
      timer?.dispose();
      timer = undefined;
      waiting.length = 0;
    },
  };
}
