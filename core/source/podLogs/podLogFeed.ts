/**
 * Follows the log of one container through the API server: what the node still holds first, then each line as it comes.
 * Every turn reads twice: without `follow` up to its end, so that what stood there is known as backlog, then with it.
 * Answers overlap (sinceTime has whole seconds): lines are told apart by exact time and text, each is given once and in
 * order; where the last line is not found again, the instance before is read, and what is in neither is a gap.
 * A stream that ends is no fault: containers end, and the API server ends an answer when its own source breaks.
 * Spec: docs/spec/sources.md (SRC1–SRC29)
 */
import { type Clock, sleep } from '../../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../../shared/base/disposable.ts';
import type { FeedLine, FeedSink } from '../../engine/host.ts';
import { type KubeResponse, type KubeTransport, TransportFailure } from '../transport.ts';
import { type PodLogQuery, type PodLogTarget, podLogPath, readRefusal } from './podLogAnswer.ts';
import { createSeenLines } from './seenLines.ts';
import { parseStamped, type StampedLine } from './stampedLine.ts';

/** What the API server says of the container now; asked before each turn. */
export interface PodNow {
  /** The pod is deleted, or all of its containers ended for good. */
  readonly over: boolean;
  /** How often the container was started again. */
  readonly restarts: number;
  /** When the instance that runs was started, ms by the node's clock. */
  readonly startedAt: number | undefined;
}

export interface PodLogOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly target: PodLogTarget;
  /** Undefined: nothing is known of the pod. */
  readonly now: () => PodNow | undefined;
  /** Lines of it that are on record already, the newest, in order. */
  readonly before?: readonly StampedLine[];
}

export interface PodLogFeed extends Disposable {
  /** The pod changed: a wait ends. */
  poke(): void;
}

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** An instance that wrote nothing for so long after its start has probably lost its first lines on the node. */
const quietStartMs = 30_000;
const mostInBatch = 512;

/** How a turn ended. `heard`: it brought lines. */
type Turn =
  | { readonly end: 'again'; readonly heard: boolean; readonly waitMs?: number }
  | { readonly end: 'over'; readonly detail: string };

/** One answer read to its end. `overlaps`: the last line on record is in it; `count`: lines, `fresh`: new ones. */
type Reading =
  | {
      readonly kind: 'read';
      readonly overlaps: boolean;
      readonly count: number;
      readonly fresh: number;
      readonly first: number | undefined;
    }
  | { readonly kind: 'stop'; readonly turn: Turn }
  | { readonly kind: 'noPrevious' };

export function followPodLog(options: PodLogOptions, sink: FeedSink): PodLogFeed {
  const { clock, target, transport } = options;
  const name = `${target.namespace}/${target.pod}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const seen = createSeenLines(options.before);
  let waiting = new AbortController();
  let batch: FeedLine[] = [];
  let flushing: Disposable | undefined;
  /** A last line without newline: an answer may have broken there. It counts when it comes like that twice. */
  let open: StampedLine | undefined;
  /** Restarts that the instance before was read for, while no line was known to look for in it. */
  let behindRead = 0;
  /** The instance before was read to its end just now: the one that runs begins with its own first line. */
  let isAtStart = false;
  /** Since it was read last something failed: where its log ends now, what came meanwhile is not known. */
  let isBroken = false;
  let saidByKubelet = '';
  let told = '';

  function flush(): void {
    flushing?.dispose();
    flushing = undefined;
    if (batch.length === 0 || signal.aborted) return;
    const lines = batch;
    batch = [];
    sink.lines(lines);
  }

  function emit(line: StampedLine, backlog: boolean): void {
    seen.add(line);
    batch.push({ text: line.text, at: line.ms, receivedAt: clock.now(), backlog });
    if (batch.length >= mostInBatch) flush();
    else flushing ??= clock.setTimer(0, flush);
  }

  function gap(text: string, from: number, to: number): void {
    flush();
    if (!signal.aborted) sink.gap(text, to, false, Math.min(from, to));
  }

  function tell(...state: Parameters<FeedSink['state']>): void {
    flush();
    const text = `${state[0]} ${state[1]} ${state[2]?.message ?? ''}`;
    if (text === told || signal.aborted) return;
    told = text;
    sink.state(...state);
  }

  function tellLive(): void {
    const restarts = options.now()?.restarts ?? 0;
    const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
    tell('live', `container ${target.container}${again}`);
  }

  /** Reads one answer. `backlog`: what it brings stood there before we looked. */
  async function read(query: PodLogQuery, backlog: boolean): Promise<Reading> {
    const since = seen.since;
    const answer = await transport.request({
      method: 'GET',
      path: podLogPath(target, { ...query, since }),
      accept: '*/*',
      signal,
    });
    if (signal.aborted) return stop({ end: 'over', detail: '' });
    if (!answer.ok) {
      tell('waiting', 'the cluster cannot be reached', {
        code: answer.error.code,
        message: answer.error.message,
      });
      isBroken = true;
      return stop({ end: 'again', heard: false });
    }
    const response = answer.value;
    if (response.status !== 200) return refused(response, query);
    if (query.previous !== true) tellLive();
    return readLines(response, query, backlog);
  }

  async function refused(response: KubeResponse, query: PodLogQuery): Promise<Reading> {
    let body = '';
    try {
      body = await response.text();
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
    }
    const refusal = readRefusal(target, response.status, body, response.header('retry-after'));
    if (query.previous === true && (refusal.kind === 'noPrevious' || response.status === 400))
      return { kind: 'noPrevious' };
    switch (refusal.kind) {
      case 'gone':
        // A node says that as well of a pod that it was just given, or after it was restarted.
        if (options.now()?.over === false) {
          tell('waiting', `its node does not know the pod ${name}`);
          return stop({ end: 'again', heard: false });
        }
        return stop({ end: 'over', detail: refusal.detail });
      case 'waiting':
      case 'noPrevious':
        tell('waiting', refusal.detail);
        return stop({ end: 'again', heard: false });
      case 'failed':
        tell('failed', refusal.detail, refusal.problem);
        isBroken = true;
        return stop({
          end: 'again',
          heard: false,
          ...(refusal.retryAfterMs === undefined ? {} : { waitMs: refusal.retryAfterMs }),
        });
    }
  }

  async function readLines(response: KubeResponse, query: PodLogQuery, backlog: boolean): Promise<Reading> {
    const { last } = seen;
    let isSeen = seen.matcher();
    // What was cut off comes again in full, or stands like that at the end of the file.
    if (query.follow !== true) open = undefined;
    let overlaps = false;
    let count = 0;
    let fresh = 0;
    let first: number | undefined;
    try {
      for await (const raw of response.lines()) {
        if (signal.aborted) break;
        const line = parseStamped(raw);
        const isCut = response.endedInLine === true;
        if (line === undefined) {
          if (!isCut) notice(raw);
          continue;
        }
        const isKnown = isSeen(line);
        if (isCut && !isKnown && !isWhole(line, query)) {
          open = line;
          continue;
        }
        count++;
        if (isKnown) {
          // Older ones may stand in the log of another instance as well.
          overlaps ||= last?.ms === line.ms && last.text === line.text;
          continue;
        }
        if (fresh === 0 && !overlaps && !isAtStart && query.previous !== true) {
          const ended = await lookBehind(last, line, backlog);
          if (ended !== undefined) return stop(ended);
          // It may have been started again just now: then what was read behind is what this answer goes on with.
          isSeen = seen.matcher();
          if (isSeen(line)) continue;
        }
        fresh++;
        first ??= line.ms;
        open = undefined;
        emit(line, backlog);
      }
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      if (signal.aborted) return stop({ end: 'over', detail: '' });
      tell('waiting', 'the connection broke', { code: error.detail.code, message: error.detail.message });
      isBroken = true;
      return stop({ end: 'again', heard: fresh > 0 });
    } finally {
      response.dispose();
      flush();
    }
    return { kind: 'read', overlaps, count, fresh, first };
  }

  /** A last line without newline stands like that in the log: nothing follows an instance that ended, or it came twice. */
  function isWhole(line: StampedLine, query: PodLogQuery): boolean {
    if (query.previous === true) return true;
    return query.follow === true && open?.ms === line.ms && open.text === line.text;
  }

  /** The answer begins with `first`, and the last line that is on record is not in it. A turn: that could not be found out. */
  async function lookBehind(
    last: StampedLine | undefined,
    first: StampedLine,
    backlog: boolean,
  ): Promise<Turn | undefined> {
    if (last === undefined) {
      if (backlog) checkStart(first);
      return undefined;
    }
    const behind = await readPrevious();
    if (behind === 'whole') {
      checkStart(first);
      return undefined;
    }
    if (behind !== 'missing') return behind;
    const { last: reached = last } = seen;
    gap(
      `lines of ${name} between ${clockText(reached.ms)} and ${clockText(first.ms)} may be missing: its node no longer keeps the line that was read last`,
      reached.ms,
      first.ms,
    );
    return undefined;
  }

  /** `first`: of what the node keeps of the instance that runs. */
  function checkStart(first: StampedLine): void {
    const startedAt = options.now()?.startedAt;
    if (startedAt === undefined || first.ms - startedAt < quietStartMs) return;
    gap(
      `the log of ${name} begins at ${clockText(first.ms)} on its node, and its container has run since ${clockText(startedAt)}: if it wrote anything before, that is not kept there`,
      startedAt,
      first.ms,
    );
  }

  /** What the instance before still says. whole: the last line that is on record is in it, so that nothing is missing. */
  async function readPrevious(): Promise<'whole' | 'missing' | Turn> {
    const { last } = seen;
    const reading = await read({ previous: true }, true);
    if (reading.kind === 'stop') return reading.turn;
    if (reading.kind === 'noPrevious') return 'missing';
    if (reading.overlaps || last === undefined) return 'whole';
    if (reading.count === 0) return 'missing';
    const { first } = reading;
    gap(
      `lines of ${name} between ${clockText(last.ms)} and ${clockText(first ?? last.ms)} may be missing: it was started again, and what its node keeps of the instance before begins later`,
      last.ms,
      first ?? last.ms,
    );
    return 'whole';
  }

  /** What the kubelet itself writes into an answer: that it cannot find or read a file, for instance. */
  function notice(raw: string): void {
    const text = raw.trim().slice(0, 300);
    if (text === '' || text === saidByKubelet) return;
    saidByKubelet = text;
    gap(`the kubelet says of the log of ${name}: ${text}`, clock.now(), clock.now());
  }

  async function turn(): Promise<Turn> {
    // The panic that started it again is in the instance before.
    const restarts = options.now()?.restarts ?? 0;
    if (seen.last === undefined && restarts > behindRead) {
      const reading = await read({ previous: true }, true);
      if (reading.kind === 'stop') return reading.turn;
      behindRead = restarts;
      isAtStart = reading.kind === 'read' && reading.count > 0;
    }
    const isOver = options.now()?.over === true;
    const caughtUp = await read({}, true);
    isAtStart = false;
    if (caughtUp.kind === 'stop') return caughtUp.turn;
    isBroken = false;
    // Silent since it was started again: what the instance before still said is nowhere else.
    if (caughtUp.kind === 'read' && caughtUp.count === 0 && seen.last !== undefined) {
      const behind = await readPrevious();
      if (typeof behind === 'object') return behind;
      isBroken = behind === 'missing';
    }
    if (isOver) return { end: 'over', detail: `the pod ${name} has ended` };
    const followed = await read({ follow: true }, false);
    if (followed.kind === 'stop') return followed.turn;
    return { end: 'again', heard: followed.kind === 'read' && followed.fresh > 0 };
  }

  async function run(): Promise<void> {
    let failures = 0;
    tell('waiting', `asking for the log of ${name}`);
    while (!signal.aborted) {
      const began = clock.monotonic();
      const done = await turn();
      if (signal.aborted) return;
      if (done.end === 'over') {
        if (open !== undefined) emit(open, true);
        const { last } = seen;
        if (isBroken && last !== undefined)
          gap(
            `lines of ${name} after ${clockText(last.ms)} may be missing: it ended while its log could not be read`,
            last.ms,
            clock.now(),
          );
        tell('ended', done.detail);
        return;
      }
      const lasted = clock.monotonic() - began > longestWaitMs;
      failures = done.heard || lasted ? 0 : failures + 1;
      const backOff = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, failures - 1));
      const waitMs = done.waitMs ?? backOff;
      waiting = new AbortController();
      await sleep(clock, waitMs * (0.75 + options.random() / 2), waiting.signal);
    }
  }

  void run();
  const ending = toDisposable(() => {
    flush();
    stopping.abort();
    flushing?.dispose();
    waiting.abort();
  });
  return { poke: () => waiting.abort(), dispose: () => ending.dispose() };
}

function stop(turn: Turn): Reading {
  return { kind: 'stop', turn };
}

/** `08:37:02.113Z` */
function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11);
}
