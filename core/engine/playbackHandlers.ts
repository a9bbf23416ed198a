/** The contract's moments: opened sessions, demos and the clock that plays them. */
import type { EngineApi } from '../../shared/contract/api.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './host.ts';

type Methods = Pick<
  Handlers<EngineApi>['methods'],
  'session.open' | 'session.close' | 'demo.list' | 'demo.start' | 'playback.set' | 'playback.seek'
>;

export function playbackMethods(host: EngineHost, _engine: Engine): Methods {
  const refused = { ok: false as const, problem: { code: 'not-played', message: 'Nothing is played here.' } };
  return {
    'session.open': () => refused,
    'session.close': () => refused,
    'demo.list': () => ({ demos: host.demos.list() }),
    'demo.start': () => refused,
    'playback.set': () => refused,
    'playback.seek': () => refused,
  };
}

export function playbackValue(host: EngineHost, engine: Engine): Handlers<EngineApi>['values']['playback'] {
  return (_params, emit) => {
    const tell = () => {
      const live = engine.session() !== undefined;
      const now = host.clock.now();
      emit({
        origin: live ? 'cluster' : 'none',
        state: 'live',
        name: '',
        at: now,
        wall: now,
        rate: 1,
        speed: 1,
      });
    };
    tell();
    return engine.onSession.on(tell);
  };
}
