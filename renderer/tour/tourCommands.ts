/** The tour's part of the command table: keys and palette. */
import type { Command, CommandContext } from '../commands.ts';
import { shownPlayback } from '../state/usePlayback.ts';
import { moveTour, startTour, tourOf } from './tourState.ts';
import { shownDemo } from './useTour.ts';

function open({ store }: CommandContext): boolean {
  return tourOf(store).getState().demo !== undefined;
}

export const tourCommands: readonly Command[] = [
  {
    id: 'tour.start',
    title: 'command.tour.start',
    group: 'playback',
    keys: [],
    when: (context) => !open(context) && shownDemo(shownPlayback(context.engine)) !== undefined,
    run: ({ store, engine }) => {
      const demo = shownDemo(shownPlayback(engine));
      if (demo !== undefined) startTour(tourOf(store), demo);
    },
  },
  {
    id: 'tour.next',
    title: 'command.tour.next',
    group: 'playback',
    keys: ['N'],
    when: open,
    run: ({ store }) => moveTour(tourOf(store), 1),
  },
  {
    id: 'tour.back',
    title: 'command.tour.back',
    group: 'playback',
    keys: ['P'],
    when: open,
    run: ({ store }) => moveTour(tourOf(store), -1),
  },
];
