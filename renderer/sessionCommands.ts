/** Commands about sessions, demos and the moment on screen; part of the one table (commands.ts). */
import type { Command, CommandContext } from './commands.ts';
import { closeShown, nextSpeed, restartPlayback, setSpeed, togglePlayback } from './state/playbackActions.ts';
import { setSessionsUi, startDemo } from './state/sessionsUi.ts';
import { isRecording, shownPlayback } from './state/usePlayback.ts';
import { type DemoId, demoIds } from './tour/demos.ts';

/** A session or demo is on screen. */
function recording({ engine }: CommandContext): boolean {
  return isRecording(shownPlayback(engine));
}

function played(context: CommandContext): boolean {
  return recording(context) && shownPlayback(context.engine)?.state !== 'opening';
}

/** The live recording that goes on behind what is shown. */
export function isBehind({ engine }: Pick<CommandContext, 'engine'>): boolean {
  return shownPlayback(engine)?.behind !== undefined;
}

function speedCommand(id: string, title: Command['title'], key: string, step: 1 | -1): Command {
  return {
    id,
    title,
    group: 'playback',
    keys: [key],
    when: played,
    run: ({ engine }) => {
      const playback = shownPlayback(engine);
      if (playback !== undefined) void setSpeed(engine, nextSpeed(playback.speed, step));
    },
  };
}

function demoCommand(id: DemoId): Command {
  return {
    id: `demo.start.${id}`,
    title: `command.demo.${id}`,
    group: 'file',
    keys: [],
    run: ({ engine, store }) => void startDemo(engine, store, id, id),
  };
}

export const sessionCommands: readonly Command[] = [
  {
    id: 'session.open',
    title: 'command.session.open',
    group: 'file',
    keys: ['Mod+O'],
    run: ({ store }) => setSessionsUi(store, { dialog: 'open' }),
  },
  {
    id: 'session.list',
    title: 'command.session.list',
    group: 'file',
    keys: [],
    run: ({ store }) => setSessionsUi(store, { dialog: 'list' }),
  },
  {
    id: 'session.save',
    title: 'command.session.save',
    group: 'file',
    keys: ['Mod+S'],
    when: (context) => context.connected || played(context),
    run: ({ store }) => setSessionsUi(store, { dialog: 'save', panel: false }),
  },
  {
    id: 'session.rename',
    title: 'command.session.rename',
    group: 'file',
    keys: [],
    when: (context) => context.connected && !recording(context),
    run: ({ store }) => setSessionsUi(store, { dialog: 'none', panel: true }),
  },
  {
    id: 'session.close',
    title: 'command.session.close',
    group: 'file',
    keys: [],
    when: recording,
    run: ({ engine }) => void closeShown(engine),
  },
  ...demoIds.map(demoCommand),
  {
    id: 'playback.toggle',
    title: 'command.playback.toggle',
    group: 'playback',
    keys: ['Space'],
    when: played,
    run: ({ engine }) => void togglePlayback(engine),
  },
  {
    id: 'playback.restart',
    title: 'command.playback.restart',
    group: 'playback',
    keys: [],
    when: played,
    run: ({ engine }) => void restartPlayback(engine),
  },
  speedCommand('playback.faster', 'command.playback.faster', '>', 1),
  speedCommand('playback.slower', 'command.playback.slower', '<', -1),
];
