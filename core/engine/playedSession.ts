/**
 * PlayedSession: a recorded session as views read it, standing at one of its moments. Records go through the same
 * derivations as live ones; what was watched, how and with what gaps is folded from what was recorded of it. Nothing is
 * ever put on record. Spec: docs/spec/playback.md
 */
import type { Clock } from '../../shared/base/clock.ts';
import { DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import type { Connection } from '../../shared/contract/views/connection.ts';
import { createPlayedRecorder, type PlayedRecorder } from '../session/playedRecorder.ts';
import type { SessionLog } from '../session/record.ts';
import { createDerived, type DerivedMode } from './derived.ts';
import type { EngineSession } from './engineSession.ts';
import { createFeedFold } from './feedFold.ts';
import type { EngineHost } from './host.ts';
import type { OpenedSession } from './library.ts';
import { HeldClock, type PlayedClock } from './playedClock.ts';
import { createRetelling } from './retelling.ts';
import { every, inChunks, throttled } from './throttle.ts';
import { createWatched } from './watched.ts';
import { createWatchFold } from './watchFold.ts';

export interface PlayedSession extends EngineSession {
  readonly recorder: PlayedRecorder;
  /**
   * Folds every record up to the moment `at` without telling anybody, then judges once. False: aborted on the way; the
   * session is of no use then. Reconciles are put together behind it: `traces.settle()` waits for them.
   */
  foldTo(at: number, signal: AbortSignal, progress: (records: number) => void): Promise<boolean>;
  /** Gives the next record to everybody. */
  step(): void;
  /** When the next record comes, ms; undefined at the end. */
  nextAt(): number | undefined;
}

export interface PlayedSessionOptions {
  readonly host: Pick<EngineHost, 'clock' | 'onBug'>;
  readonly opened: OpenedSession;
  readonly clock: PlayedClock;
  /** What the looker did to the profile: payloads of `profile` records, kept in memory alone. */
  readonly own: string[];
  /** Waits for all reconciles before it judges, instead of building them behind what is shown. */
  readonly whole?: boolean;
}

export function createPlayedSession(options: PlayedSessionOptions): PlayedSession {
  const { host, opened, own } = options;
  const store = new DisposableStore();
  const pace = new HeldClock(host.clock);
  const mode: DerivedMode = {
    replaying: true,
    quiet: false,
    inferredByRecord: tellsWhenInferred(opened.log),
  };
  const recorder = createPlayedRecorder(opened.log, (input) => {
    if (input.kind === 'profile' && !isInference(input.payload) && !mode.quiet) own.push(input.payload);
  });
  const { log } = recorder;
  const watch = createWatchFold(opened);
  const feeds = createFeedFold();
  const watching = createWatched(watch);
  const onConnection = store.add(new Emitter<Connection>());
  /** While records are read in a row it is the time of the one that is read. */
  const clock: Clock = {
    now: () => (mode.quiet ? log.cursorTime : options.clock.now()),
    monotonic: () => options.clock.monotonic(),
    setTimer: (delayMs, fire) => options.clock.setTimer(delayMs, fire),
  };
  const derived = store.add(
    createDerived({
      host,
      clock,
      pace,
      recorder,
      watching,
      mode,
      profileFile: undefined,
      profilePath: undefined,
      positionOf: (source) => feeds.positionOf(source),
      isBacklog: (head) => feeds.isBacklog(head),
      review: async () => undefined,
      feeds: () => feeds.rows(),
    }),
  );
  const { events, gaps, informers, onFeeds, onStats } = derived;
  const retelling = store.add(createRetelling({ log, derived, watch, feeds }));
  store.add(recorder.onHead((head, facts) => retelling.before(head, facts)));
  store.add(recorder.onRecorded((recorded) => derived.apply(recorded)));

  /** What the looker did before, to another session of the same recording. */
  let hasOwn = false;
  let changed = true;
  let refreshedAt = Number.NaN;
  function refresh(): void {
    const now = clock.now();
    if (!changed && now === refreshedAt) return;
    changed = false;
    refreshedAt = now;
    informers.replace(watch.rows(gaps.rows, now));
    onConnection.emit(watch.connection());
    onFeeds.emit();
    onStats.emit();
  }
  const soon = store.add(throttled(pace, 250, refresh));
  store.add(every(pace, 1000, refresh));

  function step(): void {
    const head = recorder.step();
    if (head === undefined) return;
    retelling.after(head);
    changed = true;
    if (!mode.quiet) soon.poke();
  }

  function nextAt(): number | undefined {
    const next = recorder.next();
    return next && Math.max(next.receivedAt, log.cursorTime);
  }

  return {
    ...derived,
    clock,
    recorder,
    watching,
    onConnection,
    connection: () => watch.connection(),
    upgrade() {},
    step,
    nextAt,
    async foldTo(at, signal, progress) {
      mode.quiet = true;
      pace.hold();
      events.mute(true);
      const done = await inChunks(
        host.clock,
        signal,
        () => {
          if (derived.shadows.buildSome()) return true;
          const next = nextAt();
          if (next === undefined || next > at) return derived.shadows.beginBuilding();
          step();
          return true;
        },
        () => progress(log.cursor),
      );
      if (!done) return false;
      if (options.whole === true && !(await inChunks(host.clock, signal, () => derived.traces.buildSome())))
        return false;
      events.mute(false);
      // Told at the time of the last record, as it was live; then time goes on to the moment asked for.
      derived.settle();
      options.clock.goTo(at);
      if (!hasOwn) for (const payload of own) derived.operators.applyRetold(payload);
      hasOwn = true;
      mode.quiet = false;
      derived.shadows.settle();
      derived.traces.buildBehind();
      refresh();
      pace.release();
      return true;
    },
    dispose: () => store.dispose(),
  };
}

/** Sessions from before that was recorded infer as live ones do, by time. */
function tellsWhenInferred(log: SessionLog): boolean {
  for (const { seq } of log.heads({ kinds: ['profile'] }))
    if (isInference(log.payload(seq) ?? '')) return true;
  return false;
}

function isInference(payload: string): boolean {
  return asRecord(parseJson(payload))?.what === 'inferred';
}
