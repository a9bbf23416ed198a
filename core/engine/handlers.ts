/** The engine's side of shared/contract/api.ts: each entry reads a projection of the live session. */
import { type Disposable, DisposableStore, toDisposable } from '../../shared/base/disposable.ts';
import type { EngineApi } from '../../shared/contract/api.ts';
import { type RowTable, structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { TableFeed, TableSink } from '../../shared/contract/streams.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { EventRow } from '../../shared/contract/views/objects.ts';
import { type ObjectKey, recordSeq } from '../../shared/model/ids.ts';
import { conditionsView } from './conditionsView.ts';
import type { Engine, EngineOptions } from './engine.ts';
import type { EngineSession } from './engineSession.ts';
import { compileEventFilter } from './eventFilter.ts';
import type { FeedKind } from './feeds.ts';
import type { EngineHost } from './host.ts';
import { objectDiff, objectDocument } from './objectViews.ts';
import { createOffers } from './offers.ts';
import { ownershipDeps, ownershipView } from './ownershipView.ts';
import { playbackMethods, playbackValue } from './playbackHandlers.ts';
import { libraryValue, sessionMethods, sessionsTable } from './sessionHandlers.ts';
import { throttled } from './throttle.ts';
import { traceMethods, traceTables, traceValues } from './traceHandlers.ts';
import { withoutSecrets } from './watchRecords.ts';
import { whyChanges, whyView } from './whyView.ts';

type Done = { ok: true } | { ok: false; problem: Problem };
const done: Done = { ok: true };

export function createHandlers(
  host: EngineHost,
  engine: Engine,
  options: EngineOptions,
): Handlers<EngineApi> {
  const { contexts } = host;

  function withSession<T>(read: (session: EngineSession) => T): T | { ok: false; problem: Problem } {
    const session = engine.session();
    return session === undefined ? failed('not-connected', 'Connect to a cluster first.') : read(session);
  }

  /** Emits now and on every change, and follows the engine to its next session. */
  function follow(
    subscribe: (session: EngineSession, changed: () => void) => Disposable,
    emit: (session: EngineSession | undefined) => void,
  ): Disposable {
    const store = new DisposableStore();
    let inner: Disposable | undefined;
    const bind = (session: EngineSession | undefined) => {
      inner?.dispose();
      inner = session && subscribe(session, () => emit(session));
      emit(session);
    };
    store.add(engine.onSession.on(bind));
    store.add(toDisposable(() => inner?.dispose()));
    bind(engine.session());
    return store;
  }

  /** A table that lives in the session: bound again when the session changes. */
  function sessionTable<Row>(
    pick: (session: EngineSession) => RowTable<Row>,
    sink: TableSink<Row>,
  ): TableFeed<Row> {
    let inner: TableFeed<Row> | undefined;
    const bind = (session: EngineSession | undefined) => {
      inner?.dispose();
      inner = session && pick(session).subscribe(sink);
    };
    bind(engine.session());
    const following = engine.onSession.on((session) => {
      bind(session);
      sink.reset();
    });
    return {
      snapshot: () => inner?.snapshot() ?? [],
      total: () => inner?.total() ?? 0,
      dispose() {
        following.dispose();
        inner?.dispose();
      },
    };
  }

  /** A value of one object: asks for it whole and follows its changes. */
  function objectValue(key: string, emit: (session: EngineSession | undefined) => void): Disposable {
    return follow((session, changed) => {
      session.upgrade(key as ObjectKey);
      return session.onObject.on((changedKey) => {
        if (changedKey === key) changed();
      });
    }, emit);
  }

  /** A page of one object that rests on more than the object: told when it reads otherwise. */
  function objectPage<T>(
    key: string,
    changes: typeof whyChanges,
    read: (session: Parameters<typeof whyView>[0]) => T,
    emit: (value: T) => void,
  ): Disposable {
    let last: T | undefined;
    return follow(
      (session, changed) => {
        session.upgrade(key as ObjectKey);
        return changes(session, host.clock, key as ObjectKey, changed);
      },
      (session) => {
        const next = read(session);
        if (last !== undefined && structurallyEqual(last, next)) return;
        last = next;
        emit(next);
      },
    );
  }

  const offers = createOffers(host, engine);
  const waiting = { feeds: () => (engine.player() === undefined ? engine.feeds.rows() : []) };

  return {
    methods: {
      'app.info': () => ({
        version: host.version,
        platform: host.platform,
        node: host.node,
        now: host.clock.now(),
        ...(options.autoConnect === undefined
          ? {}
          : {
              autoConnect: {
                namespaces: options.autoConnect.namespaces,
                ...(options.autoConnect.context === undefined
                  ? {}
                  : { context: options.autoConnect.context }),
              },
            }),
        ...(options.autoOpen === undefined ? {} : { autoOpen: options.autoOpen }),
      }),
      'contexts.list': () => contexts.list(),
      'connection.connect': async (params) => {
        const connected = await engine.connect(params);
        return connected.ok ? done : { ok: false, problem: connected.error };
      },
      'connection.cancel': () => {
        engine.cancel();
        return done;
      },
      'connection.disconnect': () => {
        engine.disconnect();
        return done;
      },
      'connection.retry': () => {
        if (engine.retry()) return done;
        return engine.player() === undefined
          ? failed('not-connected', 'Connect to a cluster first.')
          : recorded('Close the recording to go on with a cluster.');
      },
      'object.open': ({ key }) => {
        const session = engine.session();
        if (session === undefined) return emptyHistory(key);
        session.upgrade(key as ObjectKey);
        return session.history(key as ObjectKey);
      },
      'object.diff': ({ from, to }) => {
        const session = engine.session();
        if (session === undefined) return { to, rows: [], note: 'There is no session.' };
        return objectDiff(
          session.recorder.log,
          from === undefined ? undefined : recordSeq(from),
          recordSeq(to),
        );
      },
      'object.document': ({ seq }) => {
        const session = engine.session();
        const document =
          session && objectDocument(session.recorder.log, recordSeq(seq), (value) => host.toYaml(value));
        return document ?? { seq, yaml: '', owners: [], metadataOnly: false };
      },
      'object.search': ({ text, limit }) => ({ hits: engine.session()?.search(text, limit) ?? [] }),
      'operator.choose': ({ id }) =>
        withSession((session) =>
          session.operators.choose(id)
            ? done
            : failed('no-such-operator', 'This operator is gone. Choose another.'),
        ),
      'operator.useIdentity': ({ user, controllers }) =>
        withSession((session) => {
          session.operators.setLocal(user, controllers);
          return done;
        }),
      'profile.edit': (edit) =>
        withSession((session) => {
          const edited = session.operators.edit(edit);
          return edited.ok ? done : { ok: false, problem: edited.error };
        }),
      'profile.load': async ({ path }) => {
        const loaded = await engine.loadProfile(path);
        return loaded.ok ? done : { ok: false, problem: loaded.error };
      },
      'feed.attachLog': ({ path }) =>
        attachChecked('log', path, () => {
          engine.attach({ kind: 'log', label: path, start: (sink) => host.feeds.tail(path, sink) });
        }),
      'feed.attachAudit': ({ path }) =>
        attachChecked('audit', path, () => {
          engine.attach({ kind: 'audit', label: path, start: (sink) => host.feeds.tail(path, sink) });
        }),
      'feed.importAudit': ({ path }) =>
        attachChecked('audit', path, () => {
          engine.attach({ kind: 'audit', label: path, start: (sink) => host.feeds.read(path, sink) });
        }),
      'feed.attachMetrics': ({ url }) => {
        if (engine.player() !== undefined) return recorded(noFeeds);
        // Refused before it is a feed: the label of one is told in rows, in recovery and in what is recorded.
        if (/^(?:[^/?#]*\/\/)?[^/?#\s]*@/.test(url))
          return failed(
            'metrics-url',
            'A metrics URL must not carry a user or password: it would be recorded.',
          );
        if (!/^https?:\/\/[^/\s]+/.test(url))
          return failed(
            'bad-url',
            `${withoutSecrets(url)} is no address. Give the whole one, such as http://127.0.0.1:8080/metrics.`,
          );
        if (isAttached('metrics', url))
          return failed('already-attached', `${withoutSecrets(url)} is read already.`);
        engine.attach({ kind: 'metrics', label: url, start: (sink) => host.feeds.scrape(url, sink) });
        return done;
      },
      'feed.detach': ({ id }) =>
        engine.feeds.detach(id) ? done : failed('no-such-feed', 'This feed was detached already.'),
      'preferences.get': () => ({ json: host.preferences.get() }),
      'preferences.set': ({ json }) => {
        const saved = host.preferences.set(json);
        return saved.ok ? done : { ok: false, problem: saved.error };
      },
      ...sessionMethods(host, engine),
      ...playbackMethods(host, engine),
      ...traceMethods(engine, offers),
    },
    values: {
      ...traceValues(follow, offers, host.clock),
      playback: playbackValue(host, engine),
      library: libraryValue(host),
      why: ({ key }, emit) =>
        objectPage(key, whyChanges, (session) => whyView(session, key as ObjectKey), emit),
      conditions: ({ key }, emit) =>
        objectPage(key, whyChanges, (session) => conditionsView(session, key as ObjectKey), emit),
      ownership: ({ key }, emit) =>
        follow(
          (session, changed) => {
            session.upgrade(key as ObjectKey);
            const store = new DisposableStore();
            // It goes through every object: at most twice a second, whatever happens in the cluster.
            const tell = store.add(throttled(host.clock, 500, changed));
            store.add(session.onObject.on(() => tell.poke()));
            store.add(session.operators.onChange.on(() => tell.poke()));
            return store;
          },
          (session) => emit(ownershipView(session && ownershipDeps(session), key as ObjectKey)),
        ),
      connection(_params, emit) {
        emit(engine.connection());
        return engine.onConnection.on(emit);
      },
      session: (_params, emit) =>
        follow(
          (session, changed) => session.onStats.on(changed),
          (session) =>
            emit(
              session?.stats() ?? {
                id: '',
                startedAt: 0,
                records: 0,
                bytes: 0,
                gaps: 0,
                late: 0,
                objects: 0,
                sourcesLive: 0,
                sourcesTotal: 0,
                health: [],
              },
            ),
        ),
      operators: (_params, emit) =>
        follow(
          (session, changed) => session.operators.onChange.on(changed),
          (session) => emit(session?.operators.view() ?? { operators: [], problems: [] }),
        ),
      queue: ({ controller }, emit) =>
        follow(
          (session, changed) => session.shadows.onChange.on(changed),
          (session) =>
            emit(session?.shadows.view(controller) ?? { controller, history: [], reason: 'not-connected' }),
        ),
      rbac: (_params, emit) =>
        follow(
          (session, changed) => session.verdicts.onChange.on(changed),
          (session) => emit(session?.verdicts.rbac() ?? { reason: 'not-connected' }),
        ),
      findings: (_params, emit) =>
        follow(
          (session, changed) => session.verdicts.onChange.on(changed),
          (session) => emit(session?.verdicts.findings() ?? { findings: [], notEvaluated: [] }),
        ),
      feeds(_params, emit) {
        // Feeds that wait for a session to be attached to are there without one.
        const tell = () => emit({ feeds: (engine.session() ?? waiting).feeds() });
        const store = new DisposableStore();
        store.add(engine.feeds.onChange.on(tell));
        store.add(
          follow(
            (session, changed) => session.onFeeds.on(changed),
            () => tell(),
          ),
        );
        return store;
      },
      history: ({ key }, emit) =>
        objectValue(key, (session) => emit(session?.history(key as ObjectKey) ?? emptyHistory(key))),
    },
    tables: {
      ...traceTables(sessionTable),
      events: (filter, sink) => eventsTable(engine, filter, sink),
      informers: (_params, sink) => sessionTable((session) => session.informers, sink),
      gaps: (_params, sink) => sessionTable((session) => session.gaps, sink),
      keys: ({ controller }, sink) => sessionTable((session) => session.shadows.keys(controller), sink),
      predictions: ({ controller }, sink) =>
        sessionTable((session) => session.shadows.predictions(controller), sink),
      requests: (_params, sink) => sessionTable((session) => session.requests, sink),
      sessions: sessionsTable(host),
    },
  };

  function isAttached(kind: FeedKind, label: string): boolean {
    return engine.feeds
      .rows()
      .some((row) => row.kind === kind && row.label === label && /^(?:live|waiting)$/.test(row.state));
  }

  async function attachChecked(kind: 'log' | 'audit', path: string, attach: () => void): Promise<Done> {
    if (engine.player() !== undefined) return recorded(noFeeds);
    if (path.trim() === '') return failed('bad-path', 'Give the path of a file.');
    if (isAttached(kind, path))
      return failed('already-attached', `${path} is read already: what it holds is on record.`);
    const readable = await host.feeds.probe(path);
    if (!readable.ok) return { ok: false, problem: readable.error };
    attach();
    return done;
  }
}

const noFeeds = 'Close the recording to attach a log, metrics or an audit file to a live session.';

function recorded(whatToDo: string): { ok: false; problem: Problem } {
  return failed('recorded', `What is shown was recorded. ${whatToDo}`);
}

function failed(code: string, message: string): { ok: false; problem: Problem } {
  return { ok: false, problem: { code, message } };
}

function emptyHistory(key: string) {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return {
    object: { key, group, kind, namespace, name },
    versions: [],
    detail: 'metadata' as const,
    upgrading: false,
  };
}

/** Matching rows of the ring, then what comes; old rows leave the window's copy when the limit is passed. */
function eventsTable(
  engine: Engine,
  filter: { readonly text: string; readonly initial: boolean; readonly limit: number },
  sink: TableSink<EventRow>,
): TableFeed<EventRow> {
  const matches = compileEventFilter(filter.text);
  let shown: number[] = [];
  let inner: Disposable | undefined;
  const bind = (session: EngineSession | undefined) => {
    inner?.dispose();
    inner = session?.events.onRow((row, initial) => {
      if ((initial && !filter.initial) || !matches(row)) return;
      sink.upsert(row);
      shown.push(row.seq);
      if (shown.length > filter.limit) {
        const old = shown.shift();
        if (old !== undefined) sink.remove(old);
      }
    });
  };
  bind(engine.session());
  const following = engine.onSession.on((session) => {
    bind(session);
    sink.reset();
  });
  return {
    snapshot() {
      const rows = engine.session()?.events.recent(filter) ?? [];
      shown = rows.map((row) => row.seq);
      return rows;
    },
    total: () => shown.length,
    dispose() {
      following.dispose();
      inner?.dispose();
    },
  };
}
