/** The scrubber's arithmetic: where a press or key leads. Times in ms since the epoch. */
import type { StripRange } from './MomentStrip.tsx';

/** The moment under a pointer at `x` px of a strip `width` px wide. */
export function momentAtX({ from, to }: StripRange, x: number, width: number): number {
  const share = Math.max(0, Math.min(1, width <= 0 ? 0 : x / width));
  return Math.round(from + share * (to - from));
}

/**
 * The moment a key leads to from `at`: left and right by 1 s, with Shift, up, down and page keys by 10 s, Home and End to
 * the ends. undefined: not a key of the scrubber.
 */
export function momentOfKey(
  { from, to }: StripRange,
  at: number,
  key: string,
  shift: boolean,
): number | undefined {
  const step = stepOfKey(key, shift);
  if (step === undefined) return key === 'Home' ? from : key === 'End' ? to : undefined;
  return Math.max(from, Math.min(to, at + step));
}

function stepOfKey(key: string, shift: boolean): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return shift ? 10_000 : 1000;
    case 'ArrowLeft':
      return shift ? -10_000 : -1000;
    case 'ArrowUp':
    case 'PageUp':
      return 10_000;
    case 'ArrowDown':
    case 'PageDown':
      return -10_000;
    default:
      return undefined;
  }
}
