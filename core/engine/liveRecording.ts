/**
 * LiveRecording: the one live session of an engine, from the attempt to connect to its end; whether it is shown is somebody
 * else's business. After the process of an engine died it goes on in the same file.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Connection, ExecCommand, Problem } from '../../shared/contract/views/connection.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { Feeds } from './feeds.ts';
import type { EngineHost, OpenContext } from './host.ts';
import { createLateTransport, type LateTransport } from './lateTransport.ts';
import { createLiveSession, type LiveSession } from './liveSession.ts';
import type { Recovery } from './recovery.ts';

export interface ConnectRequest {
  readonly context: string;
  readonly namespaces?: readonly string[] | undefined;
  readonly consent?: 'once' | 'always' | undefined;
}

export interface LiveRecording extends Disposable {
  connection(): Connection;
  session(): LiveSession | undefined;
  readonly onConnection: Emitter<Connection>;
  readonly onSession: Emitter<LiveSession | undefined>;
  connect(request: ConnectRequest): Promise<Result<LiveSession, Problem>>;
  /**
   * Connects again and goes on in the session file, if it is still there. Where that fails its session is shown as it was,
   * lost, and connecting is tried again.
   */
  recover(live: Past): Promise<Result<LiveSession, Problem>>;
  /** Tries again what failed. False: nothing to try. */
  retry(): boolean;
  disconnect(): void;
  /** For whoever looks at something else meanwhile. */
  behind(): Playback['behind'];
  recovery(): Recovery['live'];
}

type Past = NonNullable<Recovery['live']>;

interface Attempt extends ConnectRequest {
  /** Of an engine that died: what to go on with. */
  readonly past?: Past | undefined;
}

/** A resumed session whose cluster cannot be reached: when that is tried again, and doing it now. */
interface NextTry extends Disposable {
  now(): void;
}

/** Until it is tried again: the first time, at most, and where credentials were refused (a plugin may open a page), ms. */
const firstTryMs = 2000;
const maxTryMs = 30_000;
const credentialsTryMs = 300_000;

const idle: Connection = { phase: 'idle', namespaces: [] };

export function createLiveRecording(
  host: EngineHost,
  feeds: Feeds,
  profile: () => { readonly file: ProfileFile; readonly path: string } | undefined,
): LiveRecording {
  const store = new DisposableStore();
  const onConnection = store.add(new Emitter<Connection>());
  const onSession = store.add(new Emitter<LiveSession | undefined>());
  let connection: Connection = idle;
  let session: LiveSession | undefined;
  /** Raised by each connect and disconnect: what an older attempt still brings is dropped. */
  let attempt = 0;
  let last: Attempt | undefined;
  /** Not a session yet: its past is being told. */
  let resuming: LiveSession | undefined;
  let nextTry: NextTry | undefined;
  /** Where the session is recorded from. */
  let from = { server: '', namespace: 'default' };

  function setConnection(next: Connection): void {
    connection = next;
    onConnection.emit(next);
  }

  function setSession(next: LiveSession | undefined): void {
    nextTry?.dispose();
    nextTry = undefined;
    resuming?.dispose();
    resuming = undefined;
    const before = session;
    if (before === undefined && next === undefined) return;
    feeds.bind(undefined);
    before?.dispose();
    session = next;
    onSession.emit(next);
  }

  async function connect(request: Attempt): Promise<Result<LiveSession, Problem>> {
    const mine = ++attempt;
    last = request;
    setSession(undefined);
    const namespaces = request.namespaces ?? [];
    setConnection({ phase: 'connecting', context: request.context, namespaces, since: host.clock.now() });
    const opened = await host.contexts.open(request.context, request.consent);
    if (mine !== attempt) {
      if (opened.ok) opened.value.transport.dispose();
      return cancelled();
    }
    const { past } = request;
    // What may run is asked of the user before anything else.
    if (!opened.ok && (past?.session === undefined || opened.error.consent !== undefined))
      return refused(request, opened.error);
    const own = profile();
    const line = createLateTransport();
    if (opened.ok) line.use(opened.value.transport);
    const open = { ...(opened.ok ? opened.value : startOf(request)), transport: line };
    from = { server: open.server, namespace: open.namespace };
    const next = createLiveSession(host, open, {
      context: open.context,
      namespaces,
      profileFile: own?.file,
      profilePath: own?.path,
      resume: past?.session,
      positionOf: (source) => feeds.positionOf(source),
      isBacklog: (source) => feeds.isBacklog(source),
      feeds: () => feeds.rows(),
      onAlive: () => feeds.signOfLife(),
    });
    resuming = next;
    await next.resume();
    if (mine !== attempt) return cancelled();
    resuming = undefined;
    // The file is not there any more, and nothing else is.
    if (!opened.ok && !next.isResumed) {
      next.dispose();
      return refused(request, opened.error);
    }
    // Shown when all of its past is told.
    setSession(next);
    next.onConnection.on((state) => {
      if (mine === attempt) setConnection(state);
    });
    feeds.bind(next.recorder);
    const started = opened.ok ? await next.start() : opened;
    if (mine !== attempt) return cancelled();
    if (!started.ok) {
      const { code, message } = started.error;
      if (next.isResumed) {
        line.leave();
        tryLater(request, next, line, { code, message }, 1);
        return err({ code, message });
      }
      setSession(undefined);
      setConnection({
        phase: 'failed',
        context: open.context,
        server: open.server,
        namespaces,
        problem: { code, message },
      });
      return err({ code, message });
    }
    // From now on it is a session like any other: the next attempt makes one of its own.
    last = { ...request, past: undefined };
    return ok(next);
  }

  function refused(
    { context, namespaces = [] }: Attempt,
    { consent, ...problem }: Problem & { readonly consent?: ExecCommand },
  ): Result<never, Problem> {
    setConnection({
      phase: 'failed',
      context,
      namespaces,
      problem,
      ...(consent === undefined ? {} : { consent }),
    });
    return err(problem);
  }

  /** What was there stays on screen; connecting is tried again, each time with what the kubeconfig says then. */
  function tryLater(
    request: Attempt,
    session: LiveSession,
    line: LateTransport,
    why: Problem,
    count: number,
  ): void {
    const mine = attempt;
    const waitMs = /^(auth|unauthorized)/.test(why.code)
      ? credentialsTryMs
      : Math.min(maxTryMs, firstTryMs * 1.5 ** (count - 1));
    const timer = host.clock.setTimer(waitMs, () => void again());
    nextTry = { now: () => void again(), dispose: () => timer.dispose() };
    session.setLost(why, count, host.clock.now() + waitMs);

    async function again(): Promise<void> {
      timer.dispose();
      nextTry = undefined;
      session.setLost(why, count, undefined);
      const opened = await host.contexts.open(request.context, request.consent);
      if (mine !== attempt) {
        if (opened.ok) opened.value.transport.dispose();
        return;
      }
      if (opened.ok) line.use(opened.value.transport);
      const started = opened.ok ? await session.start() : opened;
      if (mine !== attempt) return;
      if (started.ok) {
        last = { ...request, past: undefined };
        return;
      }
      line.leave();
      const { code, message } = started.error;
      tryLater(request, session, line, { code, message }, count + 1);
    }
  }

  return {
    connection: () => connection,
    session: () => session,
    onConnection,
    onSession,
    connect,
    recover: (past) => {
      const { context, namespaces, consented } = past;
      return connect({ context, namespaces, past, ...(consented ? { consent: 'once' } : {}) });
    },
    retry() {
      if (connection.phase === 'failed' && connection.context !== undefined) {
        const { context, namespaces } = connection;
        void connect({ context, namespaces, past: last?.past });
        return true;
      }
      if (nextTry !== undefined) {
        nextTry.now();
        return true;
      }
      session?.retryNow();
      return session !== undefined;
    },
    disconnect() {
      attempt++;
      last = undefined;
      setSession(undefined);
      setConnection(idle);
    },
    behind() {
      if (session === undefined) return undefined;
      const { records, startedAt } = session.recorder.log.stats();
      return { context: connection.context ?? '', records, since: startedAt };
    },
    recovery() {
      if (last === undefined || (session === undefined && last.past === undefined)) return undefined;
      const file = session?.recorder.log.file ?? last.past?.session;
      return {
        context: connection.context ?? last.context,
        namespaces: last.namespaces ?? [],
        server: session === undefined ? (last.past?.server ?? '') : from.server,
        namespace: session === undefined ? (last.past?.namespace ?? 'default') : from.namespace,
        consented: last.consent !== undefined,
        ...(file === undefined ? {} : { session: file }),
      };
    },
    dispose() {
      attempt++;
      setSession(undefined);
      store.dispose();
    },
  };
}

/** Of a context that cannot be opened, what an earlier engine knew. */
function startOf({ context, past }: Attempt): Omit<OpenContext, 'transport'> {
  return { context, server: past?.server ?? '', user: '', namespace: past?.namespace ?? 'default' };
}

function cancelled(): Result<never, Problem> {
  return err({ code: 'cancelled', message: 'Connecting was cancelled.' });
}
