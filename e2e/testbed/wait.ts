import { pause } from './processes.ts';

export interface WaitOptions {
  /** Give up after this long; default 30 s. */
  readonly timeoutMs?: number;
  /** Time between two tries; default 50 ms. */
  readonly intervalMs?: number;
}

/**
 * Tries `probe` until it returns something other than undefined or false, and returns that.
 * Throws `what` together with the last error of the probe when the time is over.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, intervalMs = 50 } = options;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
      lastError = undefined;
    } catch (cause) {
      lastError = cause;
    }
    if (performance.now() >= deadline) {
      const why = lastError instanceof Error ? `: ${lastError.message}` : '';
      throw new Error(`not within ${timeoutMs / 1000} s: ${what}${why}`, { cause: lastError });
    }
    await pause(intervalMs);
  }
}
