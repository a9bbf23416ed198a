/**
 * LiveSession: everything behind one connection. What derives is core/engine/derived.ts; this is what watches: transport,
 * WatchManager, requests of our own, the state of the connection. Starts with discovery, ends with dispose(): then nothing of
 * it runs and the session file is sealed. A session that Loopscope's end had interrupted is folded first and then goes on.
 */
import { DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { ok, type Result } from '../../shared/base/result.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { FeedRow } from '../../shared/contract/views/sources.ts';
import type { SourceId } from '../../shared/model/ids.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import { createRecorder } from '../session/recorder.ts';
import { reviewAccess, serverVersion, whoAmI } from '../source/access/reviews.ts';
import type { KubeTransport } from '../source/transport.ts';
import { createDerived, type DerivedMode } from './derived.ts';
import type { EngineSession } from './engineSession.ts';
import type { EngineHost, OpenContext } from './host.ts';
import { createRecordingPause } from './recordingPause.ts';
import { resumeSession } from './resumeSession.ts';
import { every, throttled } from './throttle.ts';
import type { Watched } from './watched.ts';
import { createWatching, type Watching } from './watching.ts';
import { type ConnectionRecord, type PlainGap, plainGapRow, self } from './watchRecords.ts';

export interface LiveSessionOptions {
  readonly context: string;
  readonly namespaces: readonly string[];
  readonly profileFile: ProfileFile | undefined;
  readonly profilePath: string | undefined;
  /** The session file to go on in, after the process that recorded it died. */
  readonly resume?: string | undefined;
  /** The file and line behind the record that is being made, for evidence that names both. */
  readonly positionOf?: (source: SourceId) => { readonly file: string; readonly line: number } | undefined;
  /** True when the record that is being made stood in its file before we looked: it is old, not late. */
  readonly isBacklog?: (source: SourceId) => boolean;
  readonly feeds: () => readonly FeedRow[];
  /** Called every second while it watches: quiet feeds are alive as well. */
  readonly onAlive?: () => void;
}

export interface LiveSession extends EngineSession {
  readonly watching: Watching;
  /** Folds what a resumed file holds; nothing to do for a new one. Call before feeds are bound and before start(). */
  resume(): Promise<void>;
  /** It goes on in a file that had records. */
  readonly isResumed: boolean;
  /** May be called again when it failed. */
  start(): Promise<Result<void, Problem>>;
  /** Of a resumed one that could not be started: it is shown as it was, with why and when that is tried again. */
  setLost(why: Problem, attempt: number, nextTryAt: number | undefined): void;
  /** Resolves when every readable kind of the first tiers was listed, or the session ended. */
  synced(): Promise<void>;
  retryNow(): void;
  /** The feeds that are attached to it changed. */
  feedsChanged(): void;
  /** What is missing lies in [from, at]. */
  feedGap(source: SourceId, at: number, text: string, restart: boolean, from: number): void;
  /** Behind the allow-list; of a resumed session, whatever is connected now. */
  readonly transport: KubeTransport;
}

/** Lines of our own log about records of one source that could not be read. */
const skipsTold = 3;

export function createLiveSession(
  host: EngineHost,
  open: OpenContext,
  options: LiveSessionOptions,
): LiveSession {
  const { clock } = host;
  const store = new DisposableStore();
  let isWatching = false;
  // Disposed in reverse: what still speaks ends before the log that hears it.
  const stamp = { context: options.context, server: open.server };
  const recorder = createRecorder(host.openSession(stamp, options.resume));
  store.add({ dispose: () => recorder.log.close() });
  store.add(open.transport);
  const ending = new AbortController();
  store.add({ dispose: () => ending.abort() });
  const onConnection = store.add(new Emitter<Connection>());
  // What an earlier run left behind; none where the file could not be opened again.
  const kept = options.resume === undefined ? 0 : recorder.log.stats().records;
  const mode: DerivedMode = { replaying: kept > 0, quiet: kept > 0, inferredByRecord: kept > 0 };
  const resumed = kept === 0 ? undefined : resumeSession({ host, log: recorder.log, stamp, records: kept });

  const derived = store.add(
    createDerived({
      host,
      clock: resumed?.clock ?? clock,
      pace: resumed?.pace ?? clock,
      // While the past is told again nothing of it is recorded anew.
      recorder:
        resumed === undefined
          ? recorder
          : {
              ...recorder,
              record: (input, object) =>
                mode.replaying ? resumed.notKept(input) : recorder.record(input, object),
            },
      watching: currentlyWatched(),
      mode,
      // What is on record of the profile file comes back with the rest.
      profileFile: kept === 0 ? options.profileFile : undefined,
      profilePath: kept === 0 ? options.profilePath : undefined,
      positionOf: (source) =>
        mode.replaying ? resumed?.feeds.positionOf(source) : options.positionOf?.(source),
      isBacklog: (head) =>
        mode.replaying ? resumed?.feeds.isBacklog(head) === true : options.isBacklog?.(head.source) === true,
      review: async (question) => {
        const answer = await reviewAccess(open.transport, question, ending.signal);
        return answer.ok ? answer.value : undefined;
      },
      feeds: () => options.feeds(),
    }),
  );
  const { operators, shadows, verdicts, onStats, onFeeds } = derived;
  const watching = store.add(
    createWatching({
      host,
      transport: open.transport,
      recorder,
      namespaces: options.namespaces,
      contextNamespace: open.namespace,
      informers: derived.informers,
      ...(resumed === undefined
        ? {}
        : {
            resumed: {
              run: String(Math.round(clock.now())),
              seedOf: (resource, namespace) => resumed.seedOf(derived.index, resource, namespace),
            },
          }),
      onGap: (gap) => derived.addGap(gap),
      onResources: () => operators.refresh(),
      onPolicy: () => verdicts.refresh(),
    }),
  );

  /** What was watched when the past was told, until something is watched again. */
  function currentlyWatched(): Watched {
    const now = () => (!isWatching && resumed !== undefined ? resumed.watched : watching);
    return {
      resources: () => now().resources(),
      resolve: (name) => now().resolve(name),
      resourceOfKind: (kind, where) => now().resourceOfKind(kind, where),
      policyKnown: () => now().policyKnown(),
      unreadable: () => now().unreadable(),
      isListed: (key) => now().isListed(key),
      failing: () => now().failing(),
      detailOf: (key) => now().detailOf(key),
    };
  }

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

  store.add(recorder.onRecorded((recorded) => derived.apply(recorded)));
  const skipped = new Map<string, number>();
  store.add(
    recorder.onProblem(({ head, text }) => {
      // A file of another kind may have a million of them; the page of sources counts them all.
      const count = (skipped.get(head.source) ?? 0) + 1;
      skipped.set(head.source, count);
      if (count > skipsTold) return;
      const more = count === skipsTold ? '; further ones of this source are only counted' : '';
      host.log(`record ${head.seq} of ${head.source} skipped: ${text}${more}`);
    }),
  );

  let requestCount = 0;
  store.add(
    open.transport.onRequest((trace) => {
      const row = {
        id: ++requestCount,
        at: trace.at,
        method: trace.method,
        path: trace.path,
        stream: trace.stream,
        ...(trace.status === undefined ? {} : { status: trace.status }),
        ...(trace.ms === undefined ? {} : { ms: trace.ms }),
        ...(trace.error === undefined ? {} : { error: trace.error }),
      };
      derived.addRequest(row);
      recorder.record({
        kind: 'request',
        source: self,
        at: { lo: trace.at, hi: trace.at },
        receivedAt: clock.now(),
        payload: JSON.stringify(row),
      });
    }),
  );

  // Told once a session, whether nothing was recorded from the start or the disk filled up later; the window shows it all along.
  const pause = createRecordingPause({
    clock,
    log: recorder.log,
    say: (sentence) => host.log(sentence),
    onResumed: (from, to, text) => plainGap(self, from, to, { why: 'not-recorded', text }),
    onLosing: (from, to, text) => plainGap(self, from, to, { why: 'not-recorded', text }),
  });
  pause.check();

  const refresh = store.add(
    throttled(clock, 250, () => {
      pause.check();
      if (mode.replaying) return;
      if (!isWatching && resumed !== undefined) {
        derived.informers.replace(resumed.rows(derived.gaps.rows, clock.now()));
        onStats.emit();
        return;
      }
      watching.refreshRows();
      options.onAlive?.();
      const state = watching.connection();
      setConnection(state);
      onStats.emit();
    }),
  );
  store.add(watching.onChange.on(() => refresh.poke()));
  store.add(every(clock, 1000, () => refresh.poke()));
  // The chosen operator's kinds come first; a new profile may name kinds that are not watched yet.
  store.add(
    operators.onChange.on(() => {
      if (!mode.replaying) watching.want(operators.wantedResources());
    }),
  );

  function recordOpened(): void {
    const { version = '', user = '', since = clock.now(), skewMs } = connection;
    const opened: ConnectionRecord = {
      what: 'opened',
      context: options.context,
      server: open.server,
      version,
      user,
      namespaces: options.namespaces,
      since,
      ...(skewMs === undefined ? {} : { skewMs }),
    };
    const now = clock.now();
    recorder.record({
      kind: 'connection',
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify(opened),
    });
  }

  function plainGap(source: SourceId, from: number, to: number, gap: PlainGap): void {
    const head = recorder.record({
      kind: 'gap',
      source,
      at: { lo: from, hi: to },
      receivedAt: clock.now(),
      payload: JSON.stringify(gap),
    });
    derived.addGap(plainGapRow(head, gap));
  }

  return {
    ...derived,
    recorder,
    watching,
    transport: open.transport,
    onConnection,
    connection: () => (isWatching ? { ...connection, ...watching.connection() } : connection),
    feedsChanged: () => onFeeds.emit(),
    async resume() {
      if (resumed === undefined) return;
      requestCount = await resumed.fold(derived, ending.signal);
      if (ending.signal.aborted) return;
      mode.quiet = false;
      mode.replaying = false;
      const { gaps, because } = resumed.absence(clock.now());
      shadows.interrupted(because);
      for (const { source, from, to, text } of gaps) plainGap(source, from, to, { why: 'not-running', text });
      if (gaps.some(({ isFeed }) => isFeed)) shadows.linesLost(clock.now());
      shadows.settle();
      watching.want(operators.wantedResources());
      mode.inferredByRecord = false;
      derived.traces.buildBehind();
      resumed.pace.release();
      onStats.emit();
    },
    isResumed: resumed !== undefined,
    setLost(problem, attempt, nextTryAt) {
      if (resumed === undefined) return;
      const { connection: was, at } = resumed.last();
      const lost = { since: at, attempt, ...(nextTryAt === undefined ? {} : { nextTryAt }) };
      setConnection({ ...was, context: options.context, phase: 'lost', lost, problem });
      refresh.poke();
    },
    async start() {
      // What is shown of the past stays on screen.
      const wasLost = connection.phase === 'lost';
      if (!wasLost) setConnection({ phase: 'connecting' });
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
      recordOpened();
      const started = await watching.start();
      if (!started.ok) return started;
      isWatching = true;
      if (wasLost)
        for (const { source, from, to, text } of resumed?.unreachable(clock.now()) ?? [])
          plainGap(source, from, to, { why: 'connection-lost', text });
      setConnection(watching.connection());
      return ok(undefined);
    },
    synced: () => watching.synced(),
    retryNow: () => watching.retryNow(),
    upgrade: (key) => watching.upgrade(key),
    feedGap(source, at, text, restart, from) {
      shadows.linesLost(clock.now());
      plainGap(source, Math.min(from, at), at, { why: 'log-rotated', text, ...(restart ? { restart } : {}) });
    },
    dispose: () => store.dispose(),
  };
}

/** The Date header has whole seconds: less than a second apart is not known to be apart. Server minus ours, ms. */
function skewOf(date: number | undefined, ours: number): number | undefined {
  const skew = date === undefined ? 0 : Math.round(date + 500 - ours);
  return Math.abs(skew) > 1000 ? skew : undefined;
}
