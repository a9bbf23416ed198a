import type { Clock } from '../../shared/base/clock.ts';
import { toDisposable } from '../../shared/base/disposable.ts';

export const browserClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
