/**
 * Time for the window. `now` is the moment on screen: the wall clock of the engine's host while a cluster is shown, and
 * the moment of the recording while a session or a demo is. Countdowns and ages are measured against it, in steps of
 * 250 ms, so that no text changes more often; at a moment that stands still nothing ticks. Tests and the gallery freeze
 * the wall.
 */
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';

/** What a moment is computed from: `at + (wall now − wall) × rate`, never past `to`. Times in ms since the epoch. */
export interface MovingMoment {
  readonly at: number;
  readonly wall: number;
  /** 0 stands still, 1 as it happened. */
  readonly rate: number;
  /** The newest record. */
  readonly to?: number | undefined;
}

export interface WindowClock {
  /** The moment on screen, ms since the epoch. */
  now(): number;
  /** By the engine's host, ms since the epoch, whatever is on screen. */
  wall(): number;
  /** The wall stands still: nothing ticks. */
  readonly frozen: boolean;
  /** How fast the moment on screen moves; 0 while it stands. */
  rate(): number;
  /** Shows this moment from now on; undefined: the wall clock. */
  follow(moment: MovingMoment | undefined): void;
  /** Calls back when the moment on screen jumps, or starts, stops or changes its pace. Returns how to stop that. */
  onJump(listener: () => void): () => void;
}

/** The clock of a window; `sync` takes the wall clock of the engine's host, ms. */
export function hostClock(): WindowClock & { sync(hostNow: number): void } {
  let offset = 0;
  const clock = movable(() => Date.now() + offset, false);
  return Object.assign(clock, {
    sync(hostNow: number) {
      offset = hostNow - Date.now();
    },
  });
}

export function frozenClock(at: number): WindowClock {
  return movable(() => at, true);
}

/** Exported for tests: `wall` is the host's clock, ms. */
export function movable(wall: () => number, frozen: boolean): WindowClock {
  let shown: MovingMoment | undefined;
  const listeners = new Set<() => void>();
  return {
    frozen,
    wall,
    now: () => (shown === undefined ? wall() : momentAt(shown, wall())),
    rate: () => (frozen ? 0 : shown === undefined ? 1 : shown.rate),
    follow(moment) {
      if (sameMoment(shown, moment)) return;
      shown = moment;
      for (const listener of listeners) listener();
    },
    onJump(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The moment on screen at `wallNow`, ms. */
export function momentAt(moment: MovingMoment, wallNow: number): number {
  const at = moment.at + (wallNow - moment.wall) * moment.rate;
  return moment.to === undefined ? at : Math.min(at, Math.max(moment.to, moment.at));
}

function sameMoment(a: MovingMoment | undefined, b: MovingMoment | undefined): boolean {
  return a?.at === b?.at && a?.wall === b?.wall && a?.rate === b?.rate && a?.to === b?.to;
}

export const ClockContext = createContext<WindowClock>(frozenClock(0));

/**
 * The moment on screen, moving every `stepMs` (250 or 1000) of the wall. `stopped`: it keeps still, as while the
 * connection is lost. A jump (a seek, pause, another recording) shows at once.
 */
export function useNow(stepMs: 250 | 1000, stopped = false): number {
  const clock = useContext(ClockContext);
  const [now, setNow] = useState(() => clock.now());
  const moving = useSyncExternalStore(
    clock.onJump,
    () => clock.rate() !== 0,
    () => false,
  );
  useEffect(() => {
    if (stopped) return;
    const read = () => setNow(clock.now());
    read();
    const forget = clock.onJump(read);
    const timer = moving ? setInterval(read, stepMs) : undefined;
    return () => {
      forget();
      clearInterval(timer);
    };
  }, [clock, stepMs, stopped, moving]);
  return now;
}

/** The wall clock of the engine's host, whatever moment is on screen: for what happens on this computer now. */
export function useWallNow(stepMs: 250 | 1000): number {
  const clock = useContext(ClockContext);
  const [now, setNow] = useState(() => clock.wall());
  useEffect(() => {
    if (clock.frozen) return;
    const read = () => setNow(clock.wall());
    read();
    const timer = setInterval(read, stepMs);
    return () => clearInterval(timer);
  }, [clock, stepMs]);
  return now;
}
