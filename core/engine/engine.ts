/**
 * Engine: one per window host. Owns the connection, the live session behind it and the feeds, and answers the contract.
 * Pure: everything of the machine comes through EngineHost. dispose() leaves nothing running.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { Result } from '../../shared/base/result.ts';
import type { AppInfo, EngineApi } from '../../shared/contract/api.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import { loadProfileFile } from '../profile/load.ts';
import { createFeeds, type FeedSpec, type Feeds } from './feeds.ts';
import { createHandlers } from './handlers.ts';
import type { EngineHost } from './host.ts';
import { createLiveSession, type LiveSession } from './liveSession.ts';

export interface EngineOptions {
  /** What the command line asked for: the window connects by itself. */
  readonly autoConnect?: { readonly context: string | undefined; readonly namespaces: readonly string[] };
  /** A session or demo that the window opens by itself. */
  readonly autoOpen?: AppInfo['autoOpen'];
}

export interface ConnectRequest {
  readonly context: string;
  readonly namespaces?: readonly string[] | undefined;
  readonly consent?: 'once' | 'always' | undefined;
}

export interface Engine extends Disposable {
  readonly handlers: Handlers<EngineApi>;
  readonly feeds: Feeds;
  connection(): Connection;
  readonly onConnection: Emitter<Connection>;
  /** Resolves when discovery is done and watching has begun, or with the reason why not. */
  connect(request: ConnectRequest): Promise<Result<LiveSession, Problem>>;
  disconnect(): void;
  /** The session behind the connection; undefined while idle. */
  session(): LiveSession | undefined;
  readonly onSession: Emitter<LiveSession | undefined>;
  attach(feed: FeedSpec): string;
  /** Overrides of loopscope.yaml, for this and later sessions. */
  setProfileFile(file: ProfileFile, path: string): void;
  loadProfile(path: string): Promise<Result<void, Problem>>;
}

const idle: Connection = { phase: 'idle', namespaces: [] };

export function createEngine(host: EngineHost, options: EngineOptions = {}): Engine {
  const store = new DisposableStore();
  const onConnection = store.add(new Emitter<Connection>());
  const onSession = store.add(new Emitter<LiveSession | undefined>());
  let connection: Connection = idle;
  let session: LiveSession | undefined;
  let profileFile: { file: ProfileFile; path: string } | undefined;
  /** Raised by each connect and disconnect: what an older attempt still brings is dropped. */
  let attempt = 0;

  const feeds = store.add(
    createFeeds({
      now: () => host.clock.now(),
      onGap: (source, at, text) => session?.feedGap(source, at, text),
    }),
  );

  function setConnection(next: Connection): void {
    connection = next;
    onConnection.emit(next);
  }

  function setSession(next: LiveSession | undefined): void {
    feeds.bind(undefined);
    session?.dispose();
    session = next;
    onSession.emit(next);
    if (next !== undefined) feeds.bind(next.recorder);
  }

  async function connect(request: ConnectRequest): Promise<Result<LiveSession, Problem>> {
    const mine = ++attempt;
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
      return { ok: false, error: problem };
    }
    const next = createLiveSession(host, opened.value, {
      context: opened.value.context,
      namespaces,
      profileFile: profileFile?.file,
      profilePath: profileFile?.path,
      positionOf: (source) => feeds.positionOf(source),
      isBacklog: (source) => feeds.isBacklog(source),
      feeds: () => feeds.rows(),
    });
    setSession(next);
    next.onConnection.on((state) => {
      if (mine === attempt) setConnection(state);
    });
    const started = await next.start();
    if (mine !== attempt) return cancelled();
    if (!started.ok) {
      setSession(undefined);
      setConnection({
        phase: 'failed',
        context: opened.value.context,
        server: opened.value.server,
        namespaces,
        problem: started.error,
      });
      return started;
    }
    return { ok: true, value: next };
  }

  const engine: Engine = {
    handlers: undefined as unknown as Handlers<EngineApi>,
    feeds,
    connection: () => connection,
    onConnection,
    connect,
    disconnect() {
      attempt++;
      setSession(undefined);
      setConnection(idle);
    },
    session: () => session,
    onSession,
    attach: (feed) => feeds.attach(feed),
    setProfileFile(file, path) {
      profileFile = { file, path };
      session?.operators.setFile(file, path);
    },
    async loadProfile(path) {
      const text = await host.readText(path);
      if (!text.ok) return text;
      const loaded = loadProfileFile(text.value, host.parseYaml, path);
      if (!loaded.ok) return loaded;
      engine.setProfileFile(loaded.value, path);
      return { ok: true, value: undefined };
    },
    dispose() {
      attempt++;
      setSession(undefined);
      store.dispose();
    },
  };
  return Object.assign(engine, { handlers: createHandlers(host, engine, options) });
}

function cancelled(): Result<never, Problem> {
  return { ok: false, error: { code: 'cancelled', message: 'Connecting was cancelled.' } };
}
