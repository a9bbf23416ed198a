/**
 * LiveRecording: the one live session of an engine, from the attempt to connect to its end; whether it is shown is somebody
 * else's business. After the process of an engine died it goes on in the same file.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import type { Feeds } from './feeds.ts';
import type { EngineHost } from './host.ts';
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
  /** Connects again and goes on in the session file, if it is still there. */
  recover(live: NonNullable<Recovery['live']>): Promise<Result<LiveSession, Problem>>;
  /** Tries again what failed. False: nothing to try. */
  retry(): boolean;
  disconnect(): void;
  /** For whoever looks at something else meanwhile. */
  behind(): Playback['behind'];
  recovery(): Recovery['live'];
}

interface Attempt extends ConnectRequest {
  readonly resume?: string | undefined;
}

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

  function setConnection(next: Connection): void {
    connection = next;
    onConnection.emit(next);
  }

  function setSession(next: LiveSession | undefined): void {
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
    if (!opened.ok) {
      const { consent, ...problem } = opened.error;
      setConnection({
        phase: 'failed',
        context: request.context,
        namespaces,
        problem,
        ...(consent === undefined ? {} : { consent }),
      });
      return err(problem);
    }
    const own = profile();
    const next = createLiveSession(host, opened.value, {
      context: opened.value.context,
      namespaces,
      profileFile: own?.file,
      profilePath: own?.path,
      resume: request.resume,
      positionOf: (source) => feeds.positionOf(source),
      isBacklog: (source) => feeds.isBacklog(source),
      feeds: () => feeds.rows(),
    });
    resuming = next;
    await next.resume();
    if (mine !== attempt) return cancelled();
    resuming = undefined;
    // Shown when all of its past is told.
    setSession(next);
    next.onConnection.on((state) => {
      if (mine === attempt) setConnection(state);
    });
    feeds.bind(next.recorder);
    const started = await next.start();
    if (mine !== attempt) return cancelled();
    if (!started.ok) {
      // What was read of the file stays in it: the next attempt goes on there.
      const file = request.resume === undefined ? undefined : next.recorder.log.file;
      setSession(undefined);
      last = { ...request, resume: file };
      setConnection({
        phase: 'failed',
        context: opened.value.context,
        server: opened.value.server,
        namespaces,
        problem: started.error,
      });
      return started;
    }
    // From now on it is a session like any other: the next attempt makes one of its own.
    last = { ...request, resume: undefined };
    return ok(next);
  }

  return {
    connection: () => connection,
    session: () => session,
    onConnection,
    onSession,
    connect,
    recover: ({ context, namespaces, consented, session: file }) =>
      connect({ context, namespaces, resume: file, ...(consented ? { consent: 'once' } : {}) }),
    retry() {
      if (connection.phase === 'failed' && connection.context !== undefined) {
        const { context, namespaces } = connection;
        void connect({ context, namespaces, resume: last?.resume });
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
      if (last === undefined || (session === undefined && last.resume === undefined)) return undefined;
      const file = session?.recorder.log.file ?? last.resume;
      return {
        context: connection.context ?? last.context,
        namespaces: last.namespaces ?? [],
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

function cancelled(): Result<never, Problem> {
  return err({ code: 'cancelled', message: 'Connecting was cancelled.' });
}
