/**
 * How long a Reflector waits before it lists or watches again. Exponential, with a random addition so that many clients
 * do not return together. Mirrors client-go tools/cache/reflector.go and apimachinery pkg/util/wait/backoff.go
 * (Backoff.DelayWithReset). Spec: docs/spec/handlers.md [BK1]–[BK4]
 */
import type { Clock } from '../../shared/base/clock.ts';

export interface BackoffConfig {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** A delay of d becomes uniform in [d, d + jitter·d). */
  readonly jitter: number;
  /** More than this after the start of the current series, the next call starts a new one. */
  readonly resetMs: number;
}

export const reflectorBackoffConfig: BackoffConfig = {
  initialMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetMs: 120_000,
};

export interface Backoff {
  /** The next delay in ms. Counts the call; never throws. */
  next(): number;
}

/** `random` answers uniformly in [0, 1); it is not asked when jitter is 0. */
export function createBackoff(options: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: () => number;
  readonly config?: BackoffConfig;
}): Backoff {
  const { clock, random, config = reflectorBackoffConfig } = options;
  let current = config.initialMs;
  let seriesStart = clock.monotonic();

  return {
    next() {
      const now = clock.monotonic();
      // Since the series began, not since the last call: a reflector that keeps failing starts over every two minutes.
      if (now - seriesStart > config.resetMs) {
        current = config.initialMs;
        seriesStart = now;
      }
      const delay = current;
      current = Math.min(current * config.factor, config.maxMs);
      return config.jitter > 0 ? delay + random() * config.jitter * delay : delay;
    },
  };
}
