/** The contract's moments: opened sessions, demos and the clock that plays them. */
import type { Result } from '../../shared/base/result.ts';
import type { EngineApi } from '../../shared/contract/api.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { DamagedLog } from '../session/damagedLog.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './host.ts';
import { damagedSentence, type Player } from './player.ts';
import { every } from './throttle.ts';

type Methods = Pick<
  Handlers<EngineApi>['methods'],
  'session.open' | 'session.close' | 'demo.list' | 'demo.start' | 'playback.set' | 'playback.seek'
>;
type Done = { ok: true } | { ok: false; problem: Problem };

export function playbackMethods(host: EngineHost, engine: Engine): Methods {
  function withPlayer(use: (player: Player) => void): Done {
    const player = engine.player();
    if (player?.session() === undefined)
      return {
        ok: false,
        problem: {
          code: 'not-played',
          message: 'Nothing is played. Open a session or start a demo first.',
        },
      };
    use(player);
    return { ok: true };
  }

  return {
    'session.open': async ({ path }) => answer(await engine.openFile(path)),
    'session.close': () => {
      engine.closePlayed();
      return { ok: true };
    },
    'demo.list': () => ({ demos: host.demos.list() }),
    'demo.start': async ({ id }) => answer(await engine.startDemo(id)),
    'playback.set': ({ playing, speed }) =>
      withPlayer((player) => {
        if (speed !== undefined) player.setSpeed(speed);
        if (playing === true) player.play();
        else if (playing === false) player.pause();
      }),
    'playback.seek': async ({ at }) => {
      let going: Promise<void> | undefined;
      const done = withPlayer((player) => {
        going = player.seek(at);
      });
      try {
        await going;
      } catch (error) {
        if (!(error instanceof DamagedLog)) throw error;
        const { name } = engine.playback();
        return { ok: false, problem: { code: 'damaged', message: damagedSentence(name, error) } };
      }
      return done;
    },
  };
}

function answer(result: Result<void, Problem>): Done {
  return result.ok ? { ok: true } : { ok: false, problem: result.error };
}

/** The recording that goes on behind a file grows. */
const growthMs = 1000;

export function playbackValue(host: EngineHost, engine: Engine): Handlers<EngineApi>['values']['playback'] {
  return (_params, emit) => {
    const tell = () => emit(engine.playback());
    tell();
    const telling = engine.onPlayback.on(tell);
    const growing = every(host.clock, growthMs, () => {
      if (engine.player() !== undefined && engine.live() !== undefined) tell();
    });
    return {
      dispose() {
        telling.dispose();
        growing.dispose();
      },
    };
  };
}
