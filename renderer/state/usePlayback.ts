/** What the window shows: a cluster, an opened session, a recorded incident; and the pages that follow from it. */
import { useContext, useEffect } from 'react';
import type { Connection } from '../../shared/contract/views/connection.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { EngineClient } from '../client/engineClient.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { ClockContext, type MovingMoment } from './clock.ts';
import { useWindow } from './useWindow.tsx';

export function usePlayback(): Playback | undefined {
  return useValueOf('playback', {}, (snapshot) => snapshot.value);
}

/** A session or demo is on screen, or about to be: nothing there is told by a cluster now. */
export function isRecording(playback: Pick<Playback, 'origin'> | undefined): boolean {
  return playback?.origin === 'file' || playback?.origin === 'demo';
}

/** True while what is on screen comes from a session or a demo. */
export function useIsRecording(): boolean {
  return useValueOf('playback', {}, (snapshot) => isRecording(snapshot.value));
}

/** For commands, outside of components: what is shown now. */
export function shownPlayback(engine: EngineClient): Playback | undefined {
  return engine.value('playback', {}).get().value;
}

/** The moment of a session or demo; undefined: the wall clock is the moment. */
export function shownMoment(playback: Playback | undefined): MovingMoment | undefined {
  if (playback === undefined || !isRecording(playback)) return undefined;
  const { at, wall, rate, to } = playback;
  return { at, wall, rate, to };
}

/**
 * Keeps the window's clock at the moment of what is shown. `held`: nobody tells what happens (the engine is gone), so the
 * moment stands where the last word was. Used once, at the root.
 */
export function useFollowPlayback(held: boolean): void {
  const clock = useContext(ClockContext);
  const moment = useValueOf('playback', {}, (snapshot) => shownMoment(snapshot.value));
  useEffect(() => {
    clock.follow(held ? { at: clock.now(), wall: clock.wall(), rate: 0 } : moment);
  }, [clock, moment, held]);
}

export type Page = 'wait' | 'start' | 'opening' | 'main';

/** The page of the window. `openedEarly`: the user looks at what is here before the first sync ended. */
export function pageOf(
  phase: Connection['phase'] | undefined,
  playback: Pick<Playback, 'origin' | 'state'> | undefined,
  openedEarly: boolean,
): Page {
  if (isRecording(playback)) return playback?.state === 'opening' ? 'opening' : 'main';
  if (phase === undefined) return 'wait';
  return phase === 'live' || phase === 'lost' || (phase === 'syncing' && openedEarly) ? 'main' : 'start';
}

export function usePage(): Page {
  const phase = useValueOf('connection', {}, (snapshot) => snapshot.value?.phase);
  const playback = useValueOf('playback', {}, ({ value }) =>
    value === undefined ? undefined : { origin: value.origin, state: value.state },
  );
  const openedEarly = useWindow((s) => s.openedEarly);
  return pageOf(phase, playback, openedEarly);
}
