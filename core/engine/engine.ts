/**
 * Engine: one per window host. Owns the live recording, what is shown instead of it, and the feeds, and answers the
 * contract. Pure: everything of the machine comes through EngineHost. dispose() leaves nothing running.
 */
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { AppInfo, EngineApi } from '../../shared/contract/api.ts';
import type { Handlers } from '../../shared/contract/serve.ts';
import type { Connection, Problem } from '../../shared/contract/views/connection.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import type { ProfileFile } from '../../shared/model/profile.ts';
import { loadProfileFile } from '../profile/load.ts';
import { DamagedLog } from '../session/damagedLog.ts';
import type { EngineSession } from './engineSession.ts';
import { createFeeds, type FeedSpec, type Feeds } from './feeds.ts';
import { createHandlers } from './handlers.ts';
import type { EngineHost } from './host.ts';
import type { OpenedSession } from './library.ts';
import { type ConnectRequest, createLiveRecording } from './liveRecording.ts';
import type { LiveSession } from './liveSession.ts';
import { createPlayer, damagedSentence, type Player } from './player.ts';
import { createPodFeeds, type PodFeeds } from './podFeeds.ts';
import type { Recovery } from './recovery.ts';

export interface EngineOptions {
  /** What the command line asked for: the window connects by itself. */
  readonly autoConnect?: { readonly context: string | undefined; readonly namespaces: readonly string[] };
  /** A session or demo that the window opens by itself. */
  readonly autoOpen?: AppInfo['autoOpen'];
}

export interface Engine extends Disposable {
  readonly handlers: Handlers<EngineApi>;
  readonly feeds: Feeds;
  /** Logs and metrics of the operator's pods. */
  readonly pods: PodFeeds;
  /** loopscope.yaml, where one was loaded. */
  profileFile(): ProfileFile | undefined;
  /** Of what is shown. */
  connection(): Connection;
  readonly onConnection: Emitter<Connection>;
  /** Resolves when discovery is done and watching has begun, or with the reason why not. A file that is shown is closed. */
  connect(request: ConnectRequest): Promise<Result<LiveSession, Problem>>;
  /** Tries again what failed. False: nothing to try. */
  retry(): boolean;
  /** Ends the live recording; where there is none, closes what is shown. */
  disconnect(): void;
  /** Gives up opening a file, or connecting. */
  cancel(): void;
  /** What is shown: the live session, or one that is played. Undefined while idle, and while a file is being opened. */
  session(): EngineSession | undefined;
  readonly onSession: Emitter<EngineSession | undefined>;
  /** The live recording, whether it is shown or not. */
  live(): LiveSession | undefined;
  readonly onLive: Emitter<LiveSession | undefined>;
  /** Opens a session file beside a live recording, which goes on. Resolves when it was read, or with why not. */
  openFile(path: string): Promise<Result<void, Problem>>;
  startDemo(id: string): Promise<Result<void, Problem>>;
  /** Leaves what is played, back to the live recording or to nothing; or gives up opening it, back to what was shown before. */
  closePlayed(): void;
  player(): Player | undefined;
  playback(): Playback;
  readonly onPlayback: Emitter<void>;
  attach(feed: FeedSpec): string;
  /** Overrides of loopscope.yaml, for this and later sessions. */
  setProfileFile(file: ProfileFile, path: string): void;
  loadProfile(path: string): Promise<Result<void, Problem>>;
  /** What another engine needs to go on where this one is; undefined while there is nothing to go on with. */
  recovery(): Recovery | undefined;
  /** It may have changed. */
  readonly onRecovery: Emitter<void>;
  /** Goes on where an engine was whose process died. */
  recover(recovery: Recovery): Promise<Result<void, Problem>>;
}

export function createEngine(host: EngineHost, options: EngineOptions = {}): Engine {
  const store = new DisposableStore();
  const onConnection = store.add(new Emitter<Connection>());
  const onSession = store.add(new Emitter<EngineSession | undefined>());
  const onPlayback = store.add(new Emitter<void>());
  const onRecovery = store.add(new Emitter<void>());
  let profileFile: { file: ProfileFile; path: string } | undefined;
  let player: Player | undefined;
  /** What is played comes back when what is being opened in its place cannot be shown, or is given up. */
  let before: Player | undefined;
  /** What is shown, as it was told last. */
  let shown: EngineSession | undefined;
  /** Raised by each opening and closing: what an older one still brings is dropped. */
  let opening = 0;
  /** Of a file that is being looked for. */
  let isPending = false;

  const feeds: Feeds = store.add(
    createFeeds({
      now: () => host.clock.now(),
      onGap: (source, at, text, restart, from) =>
        recording.session()?.feedGap(source, at, text, restart, from),
    }),
  );
  const recording = store.add(createLiveRecording(host, feeds, () => profileFile));
  const pods = store.add(
    createPodFeeds({ host, feeds, live: () => recording.session(), onLive: recording.onSession }),
  );
  store.add(feeds.onChange.on(() => recording.session()?.feedsChanged()));
  store.add(pods.onChange.on(() => onRecovery.emit()));
  store.add(
    recording.onConnection.on((connection) => {
      if (player === undefined) onConnection.emit(connection);
      onRecovery.emit();
    }),
  );
  store.add(
    recording.onSession.on(() => {
      if (player === undefined) show();
      else onPlayback.emit();
      onRecovery.emit();
    }),
  );

  /** Tells what is shown now; a played session that went elsewhere is told again. */
  function show(): void {
    const next = player === undefined ? recording.session() : player.session();
    if (next !== shown || player !== undefined) {
      shown = next;
      onSession.emit(next);
    }
    onConnection.emit(connection());
    onPlayback.emit();
    onRecovery.emit();
  }

  function connection(): Connection {
    if (player === undefined) return recording.connection();
    return player.session()?.connection() ?? { phase: 'opening', context: player.context, namespaces: [] };
  }

  function dropPlayer(): void {
    opening++;
    isPending = false;
    const dropped = [player, before];
    player = undefined;
    before = undefined;
    for (const one of dropped) one?.dispose();
  }

  /** Leaves what is played; while it is being opened, for what was played before. */
  function leavePlayer(): void {
    opening++;
    const dropped = player;
    player = before;
    before = undefined;
    dropped?.dispose();
    shown = undefined;
    show();
  }

  async function play(
    open: () => Promise<Result<OpenedSession, Problem>>,
    demo?: string,
  ): Promise<Result<Player, Problem>> {
    const mine = ++opening;
    isPending = true;
    const opened = await open().finally(() => {
      if (mine === opening) isPending = false;
    });
    if (mine !== opening) {
      if (opened.ok) opened.value.log.close();
      return cancelled();
    }
    if (!opened.ok) return opened;
    let next: Player;
    try {
      next = createPlayer(host, opened.value, demo);
    } catch (error) {
      opened.value.log.close();
      return notReadable(host, opened.value, error);
    }
    player?.pause();
    if (player?.session() === undefined) player?.dispose();
    else before = player;
    player = next;
    let followed: EngineSession | undefined;
    next.onSession.on(() => {
      if (player !== next) return;
      const session = next.session();
      // The same one again, elsewhere in time, is followed already.
      if (session !== followed)
        session?.onConnection.on((state) => {
          if (player === next && next.session() === session) onConnection.emit(state);
        });
      followed = session;
      show();
    });
    next.onPlayback.on(() => {
      if (player === next) onPlayback.emit();
    });
    show();
    try {
      const done = await next.open();
      if (mine !== opening || !done) return cancelled();
    } catch (error) {
      if (mine !== opening) return cancelled();
      leavePlayer();
      return notReadable(host, opened.value, error);
    }
    before?.dispose();
    before = undefined;
    onRecovery.emit();
    return ok(next);
  }

  const engine: Engine = {
    handlers: undefined as unknown as Handlers<EngineApi>,
    feeds,
    pods,
    profileFile: () => profileFile?.file,
    connection,
    onConnection,
    onSession,
    onPlayback,
    onRecovery,
    onLive: recording.onSession,
    async connect(request) {
      dropPlayer();
      const connecting = recording.connect(request);
      show();
      return connecting;
    },
    retry: () => (player === undefined ? recording.retry() : false),
    disconnect() {
      if (recording.connection().phase === 'idle') engine.closePlayed();
      else recording.disconnect();
    },
    cancel() {
      if (isPending || (player !== undefined && player.session() === undefined)) engine.closePlayed();
      else engine.disconnect();
    },
    session: () => (player === undefined ? recording.session() : player.session()),
    live: () => recording.session(),
    async openFile(path) {
      const playing = await play(() => host.library.open(path));
      return playing.ok ? ok(undefined) : playing;
    },
    async startDemo(id) {
      const playing = await play(() => host.demos.open(id), id);
      return playing.ok ? ok(undefined) : playing;
    },
    closePlayed() {
      // What is shown stays while another file is only being looked for.
      if (isPending) {
        opening++;
        isPending = false;
        return;
      }
      if (player !== undefined) leavePlayer();
    },
    player: () => player,
    playback: () => {
      const behind = recording.behind();
      if (player !== undefined) return { ...player.playback(), ...(behind === undefined ? {} : { behind }) };
      const now = host.clock.now();
      return {
        origin: recording.session() === undefined ? 'none' : 'cluster',
        state: 'live',
        name: '',
        at: now,
        wall: now,
        rate: 1,
        speed: 1,
      };
    },
    attach(feed) {
      const id = feeds.attach(feed);
      onRecovery.emit();
      return id;
    },
    setProfileFile(file, path) {
      profileFile = { file, path };
      recording.session()?.operators.setFile(file, path);
      // For a recording that is shown it counts too, in memory alone.
      player?.session()?.operators.setFile(file, path);
      onRecovery.emit();
    },
    async loadProfile(path) {
      const text = await host.readText(path);
      if (!text.ok) return text;
      const loaded = loadProfileFile(text.value, host.parseYaml, path);
      if (!loaded.ok) return loaded;
      engine.setProfileFile(loaded.value, path);
      return ok(undefined);
    },
    recovery() {
      const live = recording.recovery();
      const played = player?.session() === undefined ? undefined : player.playback();
      if (live === undefined && played === undefined) return undefined;
      return {
        feeds: feeds
          .specs()
          .flatMap(({ id, kind, label }) =>
            kind === 'log' || kind === 'metrics' || kind === 'audit' ? [{ id, kind, label }] : [],
          ),
        ...(live === undefined ? {} : { live, pods: pods.recovery() }),
        ...(profileFile === undefined ? {} : { profile: profileFile.path }),
        ...(played === undefined
          ? {}
          : {
              shown: {
                origin: played.origin === 'demo' ? 'demo' : 'file',
                id: played.demo ?? played.path ?? '',
                at: played.at,
                playing: played.state === 'playing',
                speed: played.speed,
              },
            }),
      };
    },
    async recover(recovery) {
      const { profile, shown: before, live } = recovery;
      // A file that is gone meanwhile is no reason not to go on: what it said is in the session.
      if (profile !== undefined) {
        const loaded = await engine.loadProfile(profile);
        if (!loaded.ok) host.log(loaded.error.message);
      }
      for (const { id, kind, label } of recovery.feeds)
        feeds.attach(
          {
            kind,
            label,
            start: (sink) =>
              kind === 'metrics' ? host.feeds.scrape(label, sink) : host.feeds.tail(label, sink),
          },
          id,
        );
      if (recovery.pods !== undefined) pods.restore(recovery.pods);
      const connecting = live === undefined ? undefined : recording.recover(live);
      if (before !== undefined) {
        const playing =
          before.origin === 'demo'
            ? await play(() => host.demos.open(before.id), before.id)
            : await play(() => host.library.open(before.id));
        if (playing.ok) {
          playing.value.setSpeed(before.speed);
          if (!before.playing) playing.value.pause();
          await playing.value.seek(before.at);
          if (before.playing) playing.value.play();
        } else if (connecting === undefined) return playing;
      }
      const connected = await connecting;
      return connected === undefined || connected.ok ? ok(undefined) : connected;
    },
    dispose() {
      dropPlayer();
      store.dispose();
    },
  };
  return Object.assign(engine, { handlers: createHandlers(host, engine, options) });
}

/** A log that is damaged says so where it is read; anything else is a bug as well. */
function notReadable(host: EngineHost, { name }: OpenedSession, error: unknown): Result<never, Problem> {
  if (!(error instanceof DamagedLog)) host.onBug(`opening ${name}`, error);
  return err({ code: 'damaged', message: damagedSentence(name, error) });
}

function cancelled(): Result<never, Problem> {
  return err({ code: 'cancelled', message: 'Opening was cancelled.' });
}
