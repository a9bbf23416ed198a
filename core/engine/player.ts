/**
 * Player: an opened session file or a demo, and where in it we stand: opens it in slices, plays it by a scaled clock, goes
 * to any of its moments. Forwards it folds on; backwards it folds from the beginning. Spec: docs/spec/playback.md
 */
import { sleep } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { Playback } from '../../shared/contract/views/playback.ts';
import { DamagedLog } from '../session/damagedLog.ts';
import type { SessionLog } from '../session/record.ts';
import { countDensity } from './density.ts';
import type { EngineHost } from './host.ts';
import type { OpenedSession } from './library.ts';
import { PlayedClock } from './playedClock.ts';
import { createPlayedSession, type PlayedSession } from './playedSession.ts';
import { readConnectionRecord } from './watchRecords.ts';

export interface Player extends Disposable {
  /** What was recorded. */
  readonly context: string;
  /** Folds the recording: a file to its end, a demo to its beginning. False: cancelled. Throws DamagedLog. */
  open(): Promise<boolean>;
  /** What is shown; undefined until it was opened. */
  session(): PlayedSession | undefined;
  playback(): Playback;
  play(): void;
  pause(): void;
  setSpeed(speed: number): void;
  /** Resolves when it is there, or another call goes elsewhere. Throws DamagedLog; what is shown stays. */
  seek(at: number): Promise<void>;
  /** Another session, or the same at another moment: everything is to be read again. */
  readonly onSession: Emitter<void>;
  readonly onPlayback: Emitter<void>;
}

/** `demo`: its id; it begins to play. Absent: a file, which stands at its end. */
export function createPlayer(host: EngineHost, opened: OpenedSession, demo?: string): Player {
  const { log } = opened;
  const total = log.stats().records;
  const from = beginning(log);
  const to = Math.max(from, newest(log));
  const onSession = new Emitter<void>();
  const onPlayback = new Emitter<void>();
  const own: string[] = [];
  let session: PlayedSession | undefined;
  let clock = new PlayedClock(host.clock, from);
  let speed = 1;
  let wantsPlay = false;
  /** Going somewhere: what is on the way is given up when somebody wants to go elsewhere. */
  let going: AbortController | undefined;
  let isOpening = true;
  let read = 0;
  let next: Disposable | undefined;
  let isDisposed = false;
  let density: readonly number[] | undefined;
  const counting = new AbortController();

  /** Steps through what is due, and waits for what comes then. */
  function pump(): void {
    next?.dispose();
    next = undefined;
    if (session === undefined || going !== undefined || clock.rate === 0) return;
    const until = host.clock.monotonic() + pumpMs;
    for (;;) {
      const at = session.nextAt();
      if (at === undefined) {
        end();
        return;
      }
      const wait = at - clock.now();
      if (wait > 0.5 || host.clock.monotonic() >= until) {
        next = clock.setTimer(Math.max(0, wait), pump);
        return;
      }
      try {
        session.step();
      } catch (error) {
        stop(error);
        return;
      }
    }
  }

  /** What comes next cannot be read: it stands still here, and everything before can be looked at. */
  function stop(error: unknown): void {
    if (error instanceof DamagedLog) host.log(damagedSentence(opened.name, error));
    else host.onBug(`playing ${opened.name}`, error);
    wantsPlay = false;
    clock.pause();
    onPlayback.emit();
  }

  function end(): void {
    clock.pause();
    clock.goTo(to);
    wantsPlay = false;
    onPlayback.emit();
  }

  function run(): void {
    if (!wantsPlay || going !== undefined || session === undefined) return;
    clock.play(speed);
    onPlayback.emit();
    pump();
  }

  /** Folds to a moment; a new session takes the place of the one that is shown when it is there. */
  async function goTo(at: number): Promise<boolean> {
    const isOnTheWay = going !== undefined;
    going?.abort();
    const mine = new AbortController();
    going = mine;
    clock.pause();
    read = 0;
    onPlayback.emit();
    // Of many wishes in a row (a slider that is dragged) only the last is worth beginning.
    if (isOnTheWay) await sleep(host.clock, 0, mine.signal);
    if (going !== mine || isDisposed) return false;
    const here = session;
    const stands = isBroken ? here?.recorder.log.cursorTime : clock.now();
    const isAhead = here !== undefined && stands !== undefined && at >= stands;
    const target = isAhead ? { session: here, clock } : fresh();
    isBroken ||= isAhead;
    here?.traces.rest(true);
    let done: boolean;
    const giveUp = () => {
      if (target.session !== session) discard(target);
      session?.traces.rest(going !== undefined);
    };
    try {
      done = await target.session.foldTo(at, mine.signal, (records) => {
        read = records;
        onPlayback.emit();
      });
    } catch (error) {
      if (going === mine) going = undefined;
      giveUp();
      wantsPlay = false;
      if (!isDisposed) onPlayback.emit();
      throw error;
    }
    if (going !== mine || isDisposed) {
      giveUp();
      return false;
    }
    going = undefined;
    isBroken = false;
    if (!done) {
      giveUp();
      return false;
    }
    target.session.traces.rest(false);
    const before = session === target.session ? undefined : { session, clock };
    session = target.session;
    clock = target.clock;
    onSession.emit();
    before?.session?.dispose();
    if (before !== undefined) before.clock.dispose();
    onPlayback.emit();
    return true;
  }
  /** A fold on the session that is shown was given up half way. It can go on, but not be shown. */
  let isBroken = false;

  function fresh(): { readonly session: PlayedSession; readonly clock: PlayedClock } {
    const own_ = new PlayedClock(host.clock, from);
    return { clock: own_, session: createPlayedSession({ host, opened, clock: own_, own }) };
  }

  function discard(one: { readonly session: PlayedSession; readonly clock: PlayedClock }): void {
    one.session.dispose();
    one.clock.dispose();
  }

  function state(): Playback['state'] {
    if (isOpening) return 'opening';
    if (wantsPlay) return 'playing';
    return demo !== undefined && clock.now() >= to ? 'ended' : 'paused';
  }

  return {
    context: opened.context,
    onSession,
    onPlayback,
    session: () => session,
    async open() {
      const done = await goTo(demo === undefined ? to : from);
      isOpening = false;
      if (!done) return false;
      // Nothing waits for it: the strip has no columns until then.
      void countDensity(log, { from, to }, host.clock, counting.signal).then((counts) => {
        density = counts;
        if (counts !== undefined) onPlayback.emit();
      }, notCounted);
      if (demo !== undefined) {
        wantsPlay = true;
        run();
      }
      onPlayback.emit();
      return true;
    },
    playback: () => ({
      origin: demo === undefined ? 'file' : 'demo',
      state: state(),
      name: opened.name,
      ...(demo === undefined ? { path: opened.path } : { demo }),
      at: clock.now(),
      wall: host.clock.now(),
      rate: clock.rate,
      speed,
      from,
      to,
      ...(density === undefined ? {} : { density }),
      ...(going === undefined ? {} : { progress: { records: read, of: total } }),
    }),
    play() {
      if (wantsPlay || isOpening) return;
      wantsPlay = true;
      // At its end it begins anew.
      if (clock.now() >= to) void goTo(from).then((there) => there && run(), stop);
      else run();
    },
    pause() {
      wantsPlay = false;
      clock.pause();
      next?.dispose();
      next = undefined;
      onPlayback.emit();
    },
    setSpeed(wanted) {
      speed = wanted;
      if (clock.rate > 0) run();
      else onPlayback.emit();
    },
    async seek(at) {
      if (isOpening) return;
      const there = await goTo(Math.min(to, Math.max(from, at)));
      if (there) run();
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      going?.abort();
      counting.abort();
      next?.dispose();
      session?.dispose();
      clock.dispose();
      onSession.dispose();
      onPlayback.dispose();
      log.close();
    },
  };
}

/** A strip without columns; what is damaged is said when it is played. */
function notCounted(error: unknown): void {
  if (!(error instanceof DamagedLog)) throw error;
}

export function damagedSentence(name: string, error: unknown): string {
  const what = error instanceof Error ? error.message : String(error);
  return `The session ${name} is damaged: ${what.replace(/\.$/, '')}. Take another copy of it if there is one.`;
}

/** Longest stretch of records that came at once, ms. */
const pumpMs = 8;

/** The end of the first sync, so that a recording begins with a whole cluster; without one, its first record. ms. */
function beginning(log: SessionLog): number {
  let time = 0;
  for (const head of log.heads({ kinds: ['connection'] })) {
    time = Math.max(time, head.receivedAt);
    if (readConnectionRecord(log.payload(head.seq) ?? '')?.what === 'synced') return time;
  }
  for (const head of log.heads({ limit: 1 })) return head.receivedAt;
  return log.stats().startedAt;
}

/** Receipt of the newest record, ms. Requests are recorded after others that came later. */
function newest(log: SessionLog): number {
  let time = 0;
  for (const { receivedAt } of log.heads({ reverse: true, limit: 100 })) time = Math.max(time, receivedAt);
  return time;
}
