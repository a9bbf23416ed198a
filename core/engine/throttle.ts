import { type Clock, sleep } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';

export interface Throttled extends Disposable {
  /** Asks for a run; many asks become one. */
  poke(): void;
  /** It was asked for and has not begun: asking again changes nothing. */
  readonly isPending: boolean;
}

/**
 * Runs `work` at most every `everyMs`, the first time at once (next turn), and always once more after the last ask.
 * Work that took long waits at least twenty times as long as it took, so that it never takes more than a twentieth.
 */
export function throttled(clock: Clock, everyMs: number, work: () => void): Throttled {
  let pending: Disposable | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let took = 0;
  let disposed = false;
  return {
    poke() {
      if (disposed || pending !== undefined) return;
      const wait = Math.max(0, last + Math.max(everyMs, took * 20) - clock.monotonic());
      pending = clock.setTimer(wait, () => {
        pending = undefined;
        last = clock.monotonic();
        work();
        took = clock.monotonic() - last;
      });
    },
    get isPending() {
      return pending !== undefined;
    },
    dispose() {
      disposed = true;
      pending?.dispose();
      pending = undefined;
    },
  };
}

/** Runs `work` every `everyMs` until disposed; a run that throws is a bug and ends the process as any other. */
export function every(clock: Clock, everyMs: number, work: () => void): Disposable {
  let timer = clock.setTimer(everyMs, tick);
  function tick(): void {
    timer = clock.setTimer(everyMs, tick);
    work();
  }
  return toDisposable(() => timer.dispose());
}

/** Longest stretch of work before the event loop gets its turn, ms, and as many steps of it at most. */
const chunkMs = 8;
const chunkSteps = 4000;

/**
 * Runs `step` until it gives false, in stretches of a few ms with the event loop's turn between them. False: `signal` was
 * aborted first. `between` is called after each stretch.
 */
export async function inChunks(
  clock: Clock,
  signal: AbortSignal,
  step: () => boolean,
  between: () => void = () => undefined,
): Promise<boolean> {
  for (;;) {
    const until = clock.monotonic() + chunkMs;
    for (let count = 0; count < chunkSteps; count++) {
      if (!step()) return !signal.aborted;
      // To ask the time costs as much as a small step does.
      if (count % 16 === 15 && clock.monotonic() >= until) break;
    }
    between();
    await sleep(clock, 0, signal);
    if (signal.aborted) return false;
  }
}
