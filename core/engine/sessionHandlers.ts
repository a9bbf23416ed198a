/** The contract's session library: what the window may do with session files. */

import type { Disposable } from '../../shared/base/disposable.ts';
import type { Result } from '../../shared/base/result.ts';
import type { EngineApi } from '../../shared/contract/api.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { SessionRow } from '../../shared/contract/views/sessions.ts';
import type { Engine } from './engine.ts';
import type { EngineHost } from './host.ts';
import type { SessionLibrary } from './library.ts';
import { every } from './throttle.ts';

type Methods = Pick<
  Handlers<EngineApi>['methods'],
  'session.rename' | 'session.keep' | 'session.delete' | 'session.save' | 'library.setRetention'
>;

export function sessionMethods(host: EngineHost, engine: Engine): Methods {
  const { library } = host;
  noteOperators(library, engine);
  return {
    'session.rename': ({ id, name }) => answer(library.rename(id, name)),
    'session.keep': ({ id, kept }) => answer(library.keep(id, kept)),
    'session.delete': ({ id }) => answer(library.remove(id)),
    'session.save': async ({ name, path }) => {
      const session = engine.session();
      if (session === undefined)
        return { ok: false, problem: { code: 'no-session', message: 'There is nothing to save yet.' } };
      const saved = await library.save(session.recorder.log, name, path);
      return saved.ok ? { ok: true, path: saved.value } : { ok: false, problem: saved.error };
    },
    'library.setRetention': (retention) => answer(library.setRetention(retention)),
  };
}

/** A list of sessions says which operator each was about. */
function noteOperators(library: SessionLibrary, engine: Engine): void {
  let followed: Disposable | undefined;
  engine.onSession.on((session) => {
    // A played session is told again each time it goes elsewhere.
    followed?.dispose();
    followed = session?.operators.onChange.on(() => {
      const name = session.operators.profile()?.name;
      if (name !== undefined) library.noteOperator(session.recorder.log, name);
    });
  });
}

function answer(result: Result<void, Problem>): { ok: true } | { ok: false; problem: Problem } {
  return result.ok ? { ok: true } : { ok: false, problem: result.error };
}

/** How often the growing size of the running recording is told, ms. */
const growthMs = 2000;

export function sessionsTable(host: EngineHost): Handlers<EngineApi>['tables']['sessions'] {
  return (_params, sink) => {
    const { library, clock } = host;
    const table = new RowTable<SessionRow>((row) => row.id);
    library.refresh();
    table.replace(library.rows());
    const feed = table.subscribe(sink);
    const update = () => table.replace(library.rows());
    const changes = library.onChange(update);
    const growth = every(clock, growthMs, update);
    return {
      snapshot: () => feed.snapshot(),
      total: () => feed.total(),
      dispose() {
        changes.dispose();
        growth.dispose();
        feed.dispose();
      },
    };
  };
}

export function libraryValue(host: EngineHost): Handlers<EngineApi>['values']['library'] {
  return (_params, emit) => {
    emit(host.library.info());
    return host.library.onChange(() => emit(host.library.info()));
  };
}
