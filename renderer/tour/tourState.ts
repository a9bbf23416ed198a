/** Where the guided tour stands. Kept beside the window's state, which nothing of this concerns. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WindowStore } from '../state/windowState.ts';
import type { DemoId } from './demos.ts';
import { tours } from './tours.ts';

export interface TourState {
  /** The demo whose tour is open. */
  readonly demo: DemoId | undefined;
  /** From 0; the number of steps: the card after the last one. */
  readonly step: number;
}

export type TourStore = StoreApi<TourState>;

const closed: TourState = { demo: undefined, step: 0 };
const stores = new WeakMap<WindowStore, TourStore>();

/** The tour of a window. */
export function tourOf(window: WindowStore): TourStore {
  let store = stores.get(window);
  if (store === undefined) {
    store = createStore<TourState>(() => closed);
    stores.set(window, store);
  }
  return store;
}

export function startTour(tour: TourStore, demo: DemoId): void {
  tour.setState({ demo, step: 0 });
}

export function leaveTour(tour: TourStore): void {
  tour.setState(closed);
}

/** One step on (1) or back (−1); after the last comes the closing card, before the first nothing. */
export function moveTour(tour: TourStore, by: 1 | -1): void {
  tour.setState((state) => {
    if (state.demo === undefined) return state;
    const step = Math.max(0, Math.min(tours[state.demo].length, state.step + by));
    return step === state.step ? state : { ...state, step };
  });
}
