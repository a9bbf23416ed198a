/** What a tour does with the window: begins with its demo, goes to the place of a step, shows its moment. */
import { useContext, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { EngineClient } from '../client/engineClient.ts';
import { useEngine } from '../client/useEngine.tsx';
import { ClockContext } from '../state/clock.ts';
import { useMedia } from '../state/useMedia.ts';
import { usePlayback } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { goTo, setPreferences, type WindowStore } from '../state/windowState.ts';
import { type DemoId, isDemoId } from './demos.ts';
import { leaveTour, startTour, type TourState, tourOf } from './tourState.ts';
import { type TourStep, tours } from './tours.ts';

export function useTourState(): TourState {
  return useStore(tourOf(useWindowStore()));
}

/** The demo on screen, when there is a tour of it. */
export function shownDemo(playback: Playback | undefined): DemoId | undefined {
  if (playback?.origin !== 'demo' || playback.state === 'opening') return undefined;
  return playback.demo !== undefined && isDemoId(playback.demo) ? playback.demo : undefined;
}

/**
 * Opens the tour with its demo, and closes it when something else is shown. A window that finds a demo well under way
 * (it was loaded again) leaves it alone: the tour can be opened from the bar and the palette.
 */
export function useTourOfDemo(): void {
  const store = useWindowStore();
  const playback = usePlayback();
  const demo = shownDemo(playback);
  const last = useRef<DemoId | undefined | 'none'>('none');
  useEffect(() => {
    if (playback === undefined || playback.state === 'opening') return;
    const before = last.current;
    last.current = demo;
    if (before === demo) return;
    if (demo === undefined) leaveTour(tourOf(store));
    else if (before !== 'none' || playback.at - (playback.from ?? playback.at) < freshMs)
      startTour(tourOf(store), demo);
  }, [store, playback, demo]);
}

/** A demo that began so little ago counts as new for a window that finds it, ms of the recording. */
const freshMs = 5_000;

/** Goes where the step is, once as it is entered; from then on the window is the user's. */
export function useEnteredStep(step: TourStep | undefined): void {
  const store = useWindowStore();
  const engine = useEngine();
  const clock = useContext(ClockContext);
  const calm = useMedia('(prefers-reduced-motion: reduce)');
  const from = usePlayback()?.from;
  const entered = useRef<TourStep | undefined>(undefined);
  useEffect(() => {
    // Left: the same step is entered anew when the tour is opened again.
    if (step === undefined) entered.current = undefined;
    if (step === undefined || from === undefined || entered.current === step) return;
    entered.current = step;
    showPlace(store, step);
    void showMoment(engine, step, from, clock.now(), calm);
  }, [store, engine, clock, step, from, calm]);
  useStopAt(step?.playTo === undefined || calm || from === undefined ? undefined : from + step.playTo);
}

export function showPlace(store: WindowStore, step: TourStep): void {
  const { tab, object, select, inspector } = step;
  store.setState({
    // What an earlier step filtered by is not this one's; what the user hid is shown.
    eventFilter: '',
    ...select,
    landed: true,
    paletteOpen: false,
    helpOpen: false,
    navOpen: false,
    sheetOpen: inspector === true,
  });
  if (inspector === true && !store.getState().preferences.inspectorOpen)
    setPreferences(store, { inspectorOpen: true });
  goTo(store, object === undefined ? { tab } : { tab, object });
  if (select !== undefined) store.setState(select);
}

/** Whatever goes wrong is said by the window itself (the engine is gone, the demo was closed): the step stays readable. */
async function showMoment(
  engine: EngineClient,
  step: TourStep,
  from: number,
  now: number,
  calm: boolean,
): Promise<void> {
  const plays = step.playTo !== undefined && !calm;
  const at = from + (calm ? (step.playTo ?? step.at) : step.at);
  try {
    // Standing still first: the moment must not run on while the window finds the place.
    await engine.call('playback.set', { playing: false });
    if (plays || Math.abs(now - at) > 250) await engine.call('playback.seek', { at });
    if (plays) await engine.call('playback.set', { playing: true, speed: step.speed ?? 5 });
  } catch {
    // The connection to the engine ended.
  }
}

/** More than playing passes between two looks, ms of the recording. */
const jumpMs = 3_000;

/** Stops the recording when it reaches the moment, once. */
function useStopAt(moment: number | undefined): void {
  const engine = useEngine();
  const clock = useContext(ClockContext);
  useEffect(() => {
    if (moment === undefined) return;
    // Not before it plays: the seek may still be on its way.
    let plays = false;
    const timer = setInterval(() => {
      const ahead = moment - clock.now();
      if (ahead > 0) plays ||= clock.rate() > 0;
      if (ahead > 0 || !plays) return;
      clearInterval(timer);
      // Much further means that the user went there.
      if (ahead > -jumpMs) engine.call('playback.set', { playing: false }).catch(() => undefined);
    }, 100);
    return () => clearInterval(timer);
  }, [engine, clock, moment]);
}

export function stepOf({ demo, step }: TourState): TourStep | undefined {
  return demo === undefined ? undefined : tours[demo][step];
}
