import { performance } from 'node:perf_hooks';
import type { Clock } from '../../shared/base/clock.ts';
import { toDisposable } from '../../shared/base/disposable.ts';

/** The machine's time. */
export const systemClock: Clock = {
  // Not timeOrigin + performance.now(): that would not follow a laptop through its sleep.
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
