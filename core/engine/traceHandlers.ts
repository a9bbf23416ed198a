/** The contract's entries about reconcile traces, sources and revisions. */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import type { EngineApi } from '../../shared/contract/api.ts';
import { type RowTable, structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { TableFeed, TableSink } from '../../shared/contract/streams.ts';
import type { ControllerHistory, WalkView } from '../../shared/contract/views/traces.ts';
import type { Engine } from './engine.ts';
import type { EngineSession } from './engineSession.ts';
import type { Offers } from './offers.ts';
import { recordRuns } from './recordRuns.ts';
import { every, throttled } from './throttle.ts';
import { noRevision } from './tracesPort.ts';

/** How often the history of a controller is looked at where no run changed it. */
const historyMs = 5000;

type Follow = (
  subscribe: (session: EngineSession, changed: () => void) => Disposable,
  emit: (session: EngineSession | undefined) => void,
) => Disposable;
type SessionTable = <Row>(
  pick: (session: EngineSession) => RowTable<Row>,
  sink: TableSink<Row>,
) => TableFeed<Row>;

type Methods = Handlers<EngineApi>['methods'];
type Values = Handlers<EngineApi>['values'];
type Tables = Handlers<EngineApi>['tables'];

export function traceMethods(
  engine: Engine,
  offers: Offers,
): Pick<Methods, 'feed.attachOffer' | 'revision.cancel' | 'revision.again'> {
  const notConnected = {
    ok: false,
    problem: { code: 'not-connected', message: 'Connect to a cluster, or open a session, first.' },
  } as const;
  return {
    async 'feed.attachOffer'({ id, consent }) {
      const attached = await offers.attach(id, consent);
      return attached.ok ? { ok: true } : { ok: false, problem: attached.error };
    },
    'revision.cancel'() {
      engine.session()?.traces.cancelRevision();
      return { ok: true };
    },
    'revision.again'() {
      const session = engine.session();
      if (session === undefined) return notConnected;
      session.traces.reviseAgain();
      return { ok: true };
    },
  };
}

export function traceValues(
  follow: Follow,
  offers: Offers,
  clock: Clock,
): Pick<Values, 'span' | 'walk' | 'runOf' | 'revision' | 'controllerHistory' | 'modelCheck' | 'offers'> {
  const onSpans = (session: EngineSession, changed: () => void) => session.traces.onChange.on(changed);

  /** While spans are put together for the first time nothing can be said of them: whoever asks waits. */
  const isWaiting = (session: EngineSession | undefined) => session?.traces.revision().first === true;

  /** Why a key does not run may change without a run: an object comes, a queue moves, a Lease is not renewed. */
  function onCauses(session: EngineSession, changed: () => void): Disposable {
    const store = new DisposableStore();
    const tell = store.add(throttled(clock, 500, changed));
    const poke = () => tell.poke();
    store.add(session.traces.onChange.on(poke));
    store.add(session.shadows.onChange.on(poke));
    store.add(session.operators.onChange.on(poke));
    store.add(session.onObject.on(poke));
    store.add(every(clock, 1000, poke));
    return store;
  }

  /** Gaps open and close, and slots pass, without a run. */
  function onHistory(session: EngineSession, changed: () => void): Disposable {
    const store = new DisposableStore();
    store.add(session.traces.onChange.on(changed));
    store.add(every(clock, historyMs, changed));
    return store;
  }

  return {
    span: ({ id }, emit) =>
      follow(onSpans, (session) => {
        if (!isWaiting(session)) emit(session?.traces.view(id) ?? { id, state: 'unknown' });
      }),
    walk(query, emit) {
      let told: WalkView | undefined;
      return follow(query.span === undefined ? onCauses : onSpans, (session) => {
        if (isWaiting(session)) return;
        const walk = session?.traces.walk(query) ?? { reason: 'not-connected' };
        if (structurallyEqual(walk, told)) return;
        told = walk;
        emit(walk);
      });
    },
    runOf: ({ seq }, emit) =>
      follow(onSpans, (session) => {
        if (!isWaiting(session)) emit(recordRuns(session?.traces.shown() ?? [], seq));
      }),
    revision: (_params, emit) =>
      follow(
        (session, changed) => session.traces.onRevision.on(changed),
        (session) => emit(session?.traces.revision() ?? noRevision),
      ),
    controllerHistory({ controller }, emit) {
      let told: ControllerHistory | undefined;
      return follow(onHistory, (session) => {
        if (isWaiting(session)) return;
        const history = session?.traces.history(controller) ?? {
          controller,
          slotMs: 10_000,
          from: 0,
          to: 0,
          series: [],
          marks: [],
          reason: 'not-connected',
        };
        if (structurallyEqual(history, told)) return;
        told = history;
        emit(history);
      });
    },
    modelCheck: ({ controller }, emit) =>
      follow(onSpans, (session) =>
        emit(session?.traces.modelCheck(controller) ?? { controller, rows: [], reason: 'not-connected' }),
      ),
    offers: (_params, emit) => offers.follow(emit),
  };
}

export function traceTables(sessionTable: SessionTable): Pick<Tables, 'spans' | 'sources'> {
  return {
    spans: (query, sink) => sessionTable((session) => session.traces.rows(query), sink),
    sources: (_params, sink) => sessionTable((session) => session.traces.sources, sink),
  };
}
