/**
 * LiveSession: everything behind one connection. Wires WatchManager → recorder → projections and answers the views.
 * Starts with discovery, ends with dispose(): then nothing of it runs and the session file is sealed.
 */
import { DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { ok, type Result } from '../../shared/base/result.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { FeedRow, GapRow, InformerRow, RequestRow } from '../../shared/contract/views/sources.ts';
import { type ObjectKey, type SourceId, sourceId } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { Fact, ObjectFact } from '../session/facts.ts';
import { createRecorder } from '../session/recorder.ts';
import { reviewAccess, serverVersion, whoAmI } from '../source/access/reviews.ts';
import { createClusterModel } from './clusterModel.ts';
import type { EngineSession } from './engineSession.ts';
import { createEventFeed } from './eventFeed.ts';
import { feedGap } from './feeds.ts';
import type { EngineHost, OpenContext } from './host.ts';
import { createObjectIndex } from './objectIndex.ts';
import { searchObjects } from './objectSearch.ts';
import { objectHistory, parse } from './objectViews.ts';
import { createOperatorsModel } from './operatorsModel.ts';
import { createShadows } from './shadows.ts';
import { every, throttled } from './throttle.ts';
import { createVerdicts } from './verdicts.ts';
import { createWatching, type Watching } from './watching.ts';

export interface LiveSessionOptions {
  readonly context: string;
  readonly namespaces: readonly string[];
  readonly profileFile: ProfileFile | undefined;
  readonly profilePath: string | undefined;
  /** The file and line behind the record that is being made, for evidence that names both. */
  readonly positionOf?: (source: SourceId) => { readonly file: string; readonly line: number } | undefined;
  /** True when the record that is being made stood in its file before we looked: it is old, not late. */
  readonly isBacklog?: (source: SourceId) => boolean;
  readonly feeds: () => readonly FeedRow[];
}

export interface LiveSession extends EngineSession {
  readonly watching: Watching;
  start(): Promise<Result<void, Problem>>;
  /** Resolves when every readable kind of the first tiers was listed, or the session ended. */
  synced(): Promise<void>;
  retryNow(): void;
  /** The feeds that are attached to it changed. */
  feedsChanged(): void;
  feedGap(source: SourceId, at: number, text: string): void;
}

/** Requests kept for the audit of ourselves; older ones are in the session. */
const requestsShown = 2000;

export function createLiveSession(
  host: EngineHost,
  open: OpenContext,
  options: LiveSessionOptions,
): LiveSession {
  const { clock } = host;
  const store = new DisposableStore();
  // Disposed in reverse: what still speaks ends before the log that hears it.
  const recorder = createRecorder(host.openSession({ context: options.context, server: open.server }));
  store.add({ dispose: () => recorder.log.close() });
  store.add(open.transport);
  const ending = new AbortController();
  store.add({ dispose: () => ending.abort() });
  const index = createObjectIndex();
  const model = createClusterModel();
  const events = createEventFeed((seq) => parse(recorder.log, seq));
  const informers = new RowTable<InformerRow>((row) => row.id);
  const gaps = new RowTable<GapRow>((row) => row.id);
  const requests = new RowTable<RequestRow>((row) => row.id);
  const onConnection = store.add(new Emitter<Connection>());
  const onStats = store.add(new Emitter<void>());
  const onObject = store.add(new Emitter<ObjectKey>());
  const onFeeds = store.add(new Emitter<void>());

  const watching = store.add(
    createWatching({
      host,
      transport: open.transport,
      recorder,
      namespaces: options.namespaces,
      contextNamespace: open.namespace,
      informers,
      onGap: (gap) => {
        gaps.set(gap);
        if (gap.why !== 'forbidden') events.gap(gap);
        onStats.emit();
      },
      onResources: () => operators.refresh(),
      onPolicy: () => verdicts.refresh(),
    }),
  );
  const operators = store.add(
    createOperatorsModel({
      clock,
      index,
      model,
      recorder,
      resources: () => watching.resources(),
      rbacUnreadable: () => watching.unreadable().some((name) => name.endsWith('.rbac.authorization.k8s.io')),
      file: options.profileFile,
      filePath: options.profilePath,
    }),
  );
  const shadows = store.add(
    createShadows({
      clock,
      index,
      recorder,
      operators,
      resolve: (name) => watching.resolve(name),
    }),
  );
  const verdicts = store.add(
    createVerdicts({
      clock,
      index,
      model,
      recorder,
      operators,
      resolve: (name) => watching.resolve(name)[0],
      resourceOfKind: (kind, where) => watching.resourceOfKind(kind, where),
      ready: () => watching.policyKnown(),
      positionOf: (source) => options.positionOf?.(source),
      unreadable: () => watching.unreadable(),
      failing: () => watching.failing(),
      review: async (question) => {
        const answer = await reviewAccess(open.transport, question, ending.signal);
        return answer.ok ? answer.value : undefined;
      },
    }),
  );

  let connection: Connection = {
    phase: 'connecting',
    context: options.context,
    server: open.server,
    user: open.user,
    namespaces: options.namespaces,
    since: clock.now(),
  };
  function setConnection(change: Partial<Connection>): void {
    connection = { ...connection, ...change };
    onConnection.emit(connection);
  }

  store.add(
    recorder.onRecorded(({ head, fact, object }) => {
      // Our own requests are recorded when they are answered, with the time they were sent: that is not late either.
      if (head.late && head.kind !== 'request' && options.isBacklog?.(head.source) !== true) late++;
      try {
        derive(fact, object);
      } catch (error) {
        // One odd record must not end the session: it is on record, and the health line says that it was not judged.
        notDerived++;
        host.onBug(`record ${head.seq} of ${head.source}`, error);
      }
    }),
  );

  let late = 0;
  let notDerived = 0;
  function derive(fact: Fact, object: KubeObject | undefined): void {
    switch (fact.fact) {
      case 'object':
        applyObject(fact, object);
        return;
      case 'log':
        operators.applyLog(fact);
        shadows.applyLog(fact);
        verdicts.applyLog(fact);
        return;
      case 'audit':
        verdicts.applyAudit(fact);
        return;
      case 'metrics':
        operators.applyMetrics(fact);
        return;
      case 'process':
        operators.applyProcess(fact);
        shadows.applyProcess(fact);
        return;
      case 'other':
        return;
    }
  }

  function applyObject(fact: ObjectFact, object: KubeObject | undefined): void {
    const change = index.apply(fact);
    const before = change.before;
    const older =
      before === undefined || before.deleted || fact.initial || before.fact.metadataOnly !== fact.metadataOnly
        ? undefined
        : before.fact.seq;
    const same = before?.fact.resourceVersion === fact.resourceVersion && !change.now.deleted;
    if (!same) events.change(fact, object, older);
    const matters = model.apply(fact, object);
    operators.applyObject(change, matters);
    shadows.applyObject(change);
    verdicts.applyObject(change, object, matters);
    onObject.emit(fact.key);
  }

  store.add(
    recorder.onProblem(({ head, text }) => host.log(`record ${head.seq} of ${head.source} skipped: ${text}`)),
  );

  let requestCount = 0;
  const shownRequests: number[] = [];
  store.add(
    open.transport.onRequest((trace) => {
      const row: RequestRow = {
        id: ++requestCount,
        at: trace.at,
        method: trace.method,
        path: trace.path,
        stream: trace.stream,
        ...(trace.status === undefined ? {} : { status: trace.status }),
        ...(trace.ms === undefined ? {} : { ms: trace.ms }),
        ...(trace.error === undefined ? {} : { error: trace.error }),
      };
      requests.set(row);
      shownRequests.push(row.id);
      if (shownRequests.length > requestsShown) requests.delete(shownRequests.shift() ?? 0);
      recorder.record({
        kind: 'request',
        source: sourceId('self'),
        at: { lo: trace.at, hi: trace.at },
        receivedAt: trace.at,
        payload: JSON.stringify(row),
      });
    }),
  );

  let pauseTold = false;
  /** Once a session, whether nothing was recorded from the start or the disk filled up later; the window shows it all along. */
  function tellPause(): void {
    const { paused } = recorder.log.stats();
    if (paused === undefined || pauseTold) return;
    pauseTold = true;
    host.log(paused);
  }
  tellPause();

  const refresh = store.add(
    throttled(clock, 250, () => {
      tellPause();
      watching.refreshRows();
      const state = watching.connection();
      setConnection(state);
      onStats.emit();
    }),
  );
  store.add(watching.onChange.on(() => refresh.poke()));
  store.add(every(clock, 1000, () => refresh.poke()));
  // The chosen operator's kinds come first; a new profile may name kinds that are not watched yet.
  store.add(operators.onChange.on(() => watching.want(operators.wantedResources())));

  return {
    clock,
    recorder,
    model,
    index,
    events,
    operators,
    shadows,
    verdicts,
    watching,
    informers,
    gaps,
    requests,
    onConnection,
    onStats,
    onObject,
    onFeeds,
    connection: () => connection,
    feeds: () => options.feeds(),
    feedsChanged: () => onFeeds.emit(),
    async start() {
      setConnection({ phase: 'connecting' });
      const asked = clock.now();
      const version = await serverVersion(open.transport, ending.signal);
      if (!version.ok) return version;
      const skewMs = skewOf(version.value.date, (asked + clock.now()) / 2);
      const me = await whoAmI(open.transport, ending.signal);
      if (!me.ok) return me;
      setConnection({
        version: version.value.version,
        user: me.value?.user ?? open.user,
        ...(skewMs === undefined ? {} : { skewMs }),
      });
      const started = await watching.start();
      if (!started.ok) return started;
      setConnection(watching.connection());
      return ok(undefined);
    },
    synced: () => watching.synced(),
    retryNow: () => watching.retryNow(),
    upgrade: (key) => watching.upgrade(key),
    history: (key) => objectHistory(recorder.log, key, watching.detailOf(key)),
    search: (text, limit) => searchObjects(index, text, limit),
    stats() {
      const feeds = options.feeds();
      const stats = recorder.log.stats();
      const rows = informers.rows.filter((row) => row.state !== 'ended');
      const live = rows.filter((row) => ['live', 'recovered', 'relisted'].includes(row.state)).length;
      return {
        id: stats.id,
        startedAt: stats.startedAt,
        records: stats.records,
        bytes: stats.bytes,
        gaps: gaps.rows.filter((gap) => gap.why !== 'forbidden').length,
        late,
        objects: index.size,
        sourcesLive: live + feeds.filter((feed) => feed.state === 'live').length,
        sourcesTotal: rows.length + feeds.length,
        health: [
          ...stats.health,
          ...(notDerived === 0
            ? []
            : [
                `${notDerived} records are kept but could not be judged: a bug of Loopscope, see its output.`,
              ]),
        ],
        ...(stats.paused === undefined ? {} : { paused: stats.paused }),
      };
    },
    feedGap(source, at, text) {
      const head = recorder.record({
        kind: 'gap',
        source,
        at: { lo: at, hi: at },
        receivedAt: clock.now(),
        payload: JSON.stringify({ why: 'log-rotated', text }),
      });
      shadows.linesLost(clock.now());
      const gap = feedGap(source, head.seq, at, text);
      gaps.set(gap);
      events.gap(gap);
      onStats.emit();
    },
    dispose: () => store.dispose(),
  };
}

/** The Date header has whole seconds: less than a second apart is not known to be apart. Server minus ours, ms. */
function skewOf(date: number | undefined, ours: number): number | undefined {
  const skew = date === undefined ? 0 : Math.round(date + 500 - ours);
  return Math.abs(skew) > 1000 ? skew : undefined;
}
