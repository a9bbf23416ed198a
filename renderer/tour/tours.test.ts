import { describe, expect, it } from 'vitest';
import { createI18n } from '../i18n/i18n.tsx';
import { createWindowStore } from '../state/windowState.ts';
import { demoIds, demoInfo, isDemoId } from './demos.ts';
import { leaveTour, moveTour, startTour, tourOf } from './tourState.ts';
import { tours } from './tours.ts';
import { shownDemo, showPlace, stepOf } from './useTour.ts';

describe('the tours', () => {
  it('[DM10] have five to eight steps, as many as their card says', () => {
    for (const id of demoIds) {
      expect(tours[id].length, id).toBe(demoInfo(id).steps);
      expect(tours[id].length, id).toBeGreaterThanOrEqual(5);
      expect(tours[id].length, id).toBeLessThanOrEqual(8);
    }
  });
  it('use the words of their own demo, each once', () => {
    for (const id of demoIds) {
      const words = tours[id].map((step) => step.words);
      expect(words.every((one) => one.startsWith(`${id}.`))).toBe(true);
      expect(new Set(words).size).toBe(words.length);
    }
  });
  it('play forwards only, and never stand before the recording begins', () => {
    for (const { at, playTo = Number.POSITIVE_INFINITY, words } of demoIds.flatMap((id) => tours[id])) {
      expect(at, words).toBeGreaterThanOrEqual(0);
      expect(playTo, words).toBeGreaterThan(at);
    }
  });
  it('keep to short texts in both languages: a card is read, not studied', () => {
    for (const locale of ['en', 'zh-CN'] as const) {
      const { t } = createI18n(locale);
      for (const { words } of demoIds.flatMap((id) => tours[id])) {
        expect(t(`tour.${words}.title`).length, words).toBeLessThanOrEqual(40);
        expect(t(`tour.${words}.text`).length, words).toBeLessThanOrEqual(220);
      }
    }
  });
});

describe('the state of a tour', () => {
  it('[DM15] belongs to one window, begins at the first step, and stops at the closing card', () => {
    const window = createWindowStore();
    const tour = tourOf(window);
    expect(tourOf(window)).toBe(tour);
    expect(tourOf(createWindowStore())).not.toBe(tour);
    moveTour(tour, 1);
    expect(tour.getState()).toEqual({ demo: undefined, step: 0 });
    startTour(tour, 'parked-retry');
    moveTour(tour, -1);
    expect(tour.getState()).toEqual({ demo: 'parked-retry', step: 0 });
    for (let n = 0; n < 20; n += 1) moveTour(tour, 1);
    expect(tour.getState().step).toBe(tours['parked-retry'].length);
    expect(stepOf(tour.getState())).toBeUndefined();
    moveTour(tour, -1);
    expect(stepOf(tour.getState())).toBe(tours['parked-retry'].at(-1));
    leaveTour(tour);
    expect(tour.getState()).toEqual({ demo: undefined, step: 0 });
  });
  it('[DM10] goes to the place of a step, once in the history of places, with what it chooses', () => {
    const window = createWindowStore();
    showPlace(window, {
      words: 'parked-retry.cap',
      tab: 'queue',
      at: 0,
      anchor: [],
      inspector: true,
      select: { queueKey: 'shop/reports-db' },
    });
    const { place, back, queueKey, sheetOpen, landed } = window.getState();
    expect({ place, places: back.length, queueKey, sheetOpen, landed }).toEqual({
      place: { tab: 'queue', object: undefined },
      places: 1,
      queueKey: 'shop/reports-db',
      sheetOpen: true,
      landed: true,
    });
  });
});

describe('shownDemo', () => {
  const playing = {
    origin: 'demo',
    state: 'playing',
    demo: 'hot-loop',
    name: '',
    at: 0,
    wall: 0,
    rate: 1,
    speed: 1,
  } as const;
  it('[DM11] is the demo on screen, not one that is still opening, a file, or one without a tour', () => {
    expect(shownDemo(playing)).toBe('hot-loop');
    expect(shownDemo({ ...playing, state: 'opening' })).toBeUndefined();
    expect(shownDemo({ ...playing, origin: 'file' })).toBeUndefined();
    expect(shownDemo({ ...playing, demo: 'of-a-newer-loopscope' })).toBeUndefined();
    expect(shownDemo(undefined)).toBeUndefined();
    expect(isDemoId('of-a-newer-loopscope')).toBe(false);
  });
});
