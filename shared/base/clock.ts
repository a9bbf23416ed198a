import type { Disposable } from './disposable.ts';

/**
 * Time as an argument. `now` is wall time in ms since the epoch (may jump), `monotonic` is ms from an arbitrary
 * start (never goes back; fractions allowed). `setTimer` runs `fire` once after `delayMs`; disposing cancels it.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  setTimer(delayMs: number, fire: () => void): Disposable;
}

/** Resolves after `delayMs` on `clock`; resolves early (false) when `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve(false);
      return;
    }
    const onAbort = () => {
      timer.dispose();
      resolve(false);
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal?.addEventListener('abort', onAbort);
  });
}
