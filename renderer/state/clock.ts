/**
 * Time for the window: the wall clock of the engine's host (countdowns are measured against it), in steps of 250 ms, so
 * that no text changes more often. Tests and the gallery freeze it.
 */
import { createContext, useContext, useEffect, useState } from 'react';

export interface WindowClock {
  /** ms since the epoch, by the engine's host. */
  now(): number;
  readonly frozen: boolean;
}

export function hostClock(): WindowClock & { sync(hostNow: number): void } {
  let offset = 0;
  return {
    frozen: false,
    now: () => Date.now() + offset,
    sync(hostNow) {
      offset = hostNow - Date.now();
    },
  };
}

export function frozenClock(at: number): WindowClock {
  return { frozen: true, now: () => at };
}

export const ClockContext = createContext<WindowClock>(frozenClock(0));

/** The time now, moving every `stepMs` (250 or 1000). `stopped`: it keeps still, as while the connection is lost. */
export function useNow(stepMs: 250 | 1000, stopped = false): number {
  const clock = useContext(ClockContext);
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (clock.frozen || stopped) return;
    setNow(clock.now());
    const timer = setInterval(() => setNow(clock.now()), stepMs);
    return () => clearInterval(timer);
  }, [clock, stepMs, stopped]);
  return now;
}
