import type { CountDoubt } from '../../shared/contract/views/traces.ts';

/**
 * RunCounts: what a controller counted, as intervals. Real concurrency leaves some things open (control-loop reference, section
 * 9), and so does a log: each reconcile that is known is kept with the times between which it was added, handed out and done,
 * and a count over a stretch of time says how many surely and how many possibly fall into it, and why they differ.
 * Rests on one identity: every add ends in one hand-out, so adds = hand-outs + depth, whatever collapsed before.
 * Pure. Bounded: the oldest runs are let go, and `since` says from when on counts can be asked for. Spec: docs/spec/shadowQueue.md [QC1]–[QC7]
 */

export interface CountInterval {
  readonly lo: number;
  readonly hi: number;
  /** How much each doubt adds to the width; they sum up to hi − lo. */
  readonly doubts: Readonly<Partial<Record<CountDoubt, number>>>;
}

export type RunResult = 'success' | 'error' | 'terminal' | 'requeue' | 'requeueAfter';

export interface CountsBetween {
  readonly adds: CountInterval;
  readonly retries: CountInterval;
  /** At the end of the stretch. */
  readonly depth: CountInterval;
  readonly success: CountInterval;
  /** With terminal errors, as controller-runtime counts them. */
  readonly error: CountInterval;
  readonly requeue: CountInterval;
  readonly requeueAfter: CountInterval;
}

/** A line about a run. `at` in ms, `precisionMs` how wide its time stamp is. */
export interface RunLine {
  readonly key: string;
  readonly reconcileId: string | undefined;
  readonly at: number;
  readonly precisionMs: number;
  /** `started`, `ended`: by controller-runtime's own words. */
  readonly says: 'started' | 'ended' | 'within';
  readonly result: RunResult | undefined;
}

/** Somewhere in [lo, hi], ms. */
interface Span {
  readonly lo: number;
  readonly hi: number;
}

interface CountedRun {
  readonly key: string;
  added: Span;
  /** Handed out. */
  start: Span;
  /** Undefined: it goes on. */
  end: Span | undefined;
  result: RunResult | undefined;
  /** False: only an event speaks for it. */
  readonly seen: boolean;
  caused: boolean;
  /** A delay of its key may have ended instead. */
  readonly delayed: boolean;
}

/** Watch events and log lines reach us this much apart, ms. */
const JITTER_MS = 50;
/** A run that nothing explains was added at most this long before its first line. */
const ROUGHLY_MS = 1_000;
/** An event that led to no run by then led to none. */
const PENDING_MS = 5_000;
const MOST_RUNS = 20_000;
const MOST_IDS = 2_000;

export class RunCounts {
  private runs: CountedRun[] = [];
  private readonly byId = new Map<string, CountedRun>();
  private readonly lastOf = new Map<string, CountedRun>();
  /** Times of events since the key was handed out last. */
  private readonly pending = new Map<string, number[]>();
  private readonly lost: number[] = [];
  private allStarts = false;
  private allEnds = false;
  /** Cause of the run whose cause came latest: what was queued long before it has had its turn. */
  private answeredUpTo = Number.NEGATIVE_INFINITY;
  private lastLineAt = Number.NEGATIVE_INFINITY;
  /** Runs whose end is to come, where every end is logged. */
  private readonly open = new Set<CountedRun>();
  /** Keys that may wait for a delay. */
  private readonly delayed = new Set<string>();
  /** Since when no run is open, ms. */
  private idleSince: number | undefined;
  /** Since when there was always a run open, ms. */
  private busySince = Number.NEGATIVE_INFINITY;
  /** Stretches in which no run was open, long enough to be sure of it: nothing was queued in them. By time. */
  private idle: Span[] = [];
  private from: number;
  private startedAt: number | undefined;

  private readonly kind: () => 'priority' | 'classic';

  constructor(at: number, kind: () => 'priority' | 'classic') {
    this.from = at;
    this.kind = kind;
  }

  /** Counts can be asked for from here on, ms. */
  get since(): number {
    return this.from;
  }

  /** Every run shows in the log: counts need no event that was seen. */
  get tellsAll(): boolean {
    return this.allStarts || this.allEnds;
  }

  /** Start of the process, where it was seen: counts from here are counts since then. */
  get processStartedAt(): number | undefined {
    return this.startedAt;
  }

  /** The process began, or is gone: its queue is empty and its counters begin anew. */
  reset(at: number, startedAt: number | undefined): void {
    this.runs = [];
    this.byId.clear();
    this.lastOf.clear();
    this.pending.clear();
    this.lost.length = 0;
    this.open.clear();
    this.delayed.clear();
    this.idle = [];
    this.idleSince = undefined;
    this.busySince = Number.NEGATIVE_INFINITY;
    this.answeredUpTo = Number.NEGATIVE_INFINITY;
    this.lastLineAt = Number.NEGATIVE_INFINITY;
    this.from = at;
    this.startedAt = startedAt;
  }

  linesLost(at: number): void {
    this.lost.push(at);
    if (this.lost.length > 1_000) this.lost.shift();
  }

  /** An event handler put the key into the queue, as far as we can tell. */
  woken(key: string, at: number): void {
    this.sweep(key, at);
    if (this.explains(key, at)) return;
    const times = this.pending.get(key);
    if (times === undefined) this.pending.set(key, [at]);
    else if (times.length < 1_000) times.push(at);
  }

  /** It came just after the start of a run that nothing explained: the two reached us in the other order. */
  private explains(key: string, at: number): boolean {
    const last = this.lastOf.get(key);
    if (last === undefined || last.caused || at < last.start.lo - JITTER_MS || at > last.start.hi + JITTER_MS)
      return false;
    last.caused = true;
    if (!last.delayed) last.added = { lo: Math.max(last.added.lo, at - 2 * JITTER_MS), hi: last.added.hi };
    return true;
  }

  line(line: RunLine): void {
    const { reconcileId, says, result } = line;
    if (says === 'started') this.allStarts = true;
    if (says === 'ended' && result !== 'error' && result !== 'terminal') this.allEnds = true;
    this.lastLineAt = Math.max(this.lastLineAt, line.at);
    const known = this.runOf(line);
    const run = known ?? this.begin(line);
    if (reconcileId !== undefined && known === undefined) this.remember(reconcileId, run);
    const at = within(line);
    if (says === 'ended') {
      run.end = at;
      run.result = result;
      if (result === 'error' || result === 'requeue' || result === 'requeueAfter') this.delayed.add(run.key);
      this.over(run, at.hi);
      run.start = { lo: Math.min(run.start.lo, at.hi), hi: Math.min(run.start.hi, at.hi) };
    } else if (run.result === undefined) run.end = { lo: at.lo, hi: Number.POSITIVE_INFINITY };
  }

  /** Growth in (from, to], and the depth at `to`; both ends as exactly as they are known. */
  between(from: Span, to: Span): CountsBetween {
    const all = [...this.runs, ...this.unseen(to)];
    const results = (...wanted: readonly RunResult[]) => this.ended(all, from, to, wanted);
    return {
      adds: count(all, (run) => inside(run.added, from, to), this.addDoubt),
      retries: results('error', 'requeue', 'requeueAfter'),
      depth: this.depthAt(all, to),
      success: results('success'),
      error: results('error', 'terminal'),
      requeue: results('requeue'),
      requeueAfter: results('requeueAfter'),
    };
  }

  private readonly addDoubt = (run: CountedRun): CountDoubt => {
    if (!run.seen) return run.end === undefined ? 'queued' : this.silence(run.added);
    return run.caused ? 'edge' : 'unseen-cause';
  };

  /** While its moment is known only roughly: no more than were queued at one time within it. */
  private depthAt(all: readonly CountedRun[], at: Span): CountInterval {
    const queued = all.filter((run) => isQueued(run, at) !== 'no');
    const steps = queued
      .flatMap((run) => [
        { at: Math.max(run.added.lo, at.lo), run, by: 1 },
        { at: Math.min(run.start.hi, at.hi), run, by: -1 },
      ])
      // One that is handed out makes room before the next comes in only where the two are surely apart.
      .sort((a, b) => a.at - b.at || b.by - a.by);
    const now = new Set<CountedRun>();
    let most: readonly CountedRun[] = [];
    for (const { run, by } of steps) {
      if (by > 0) now.add(run);
      else now.delete(run);
      if (now.size > most.length) most = [...now];
    }
    const sure = queued.filter((run) => run.seen && isQueued(run, at) === 'yes');
    return count(most, (run) => (sure.includes(run) ? 'yes' : 'maybe'), this.addDoubt);
  }

  private ended(
    all: readonly CountedRun[],
    from: Span,
    to: Span,
    wanted: readonly RunResult[],
  ): CountInterval {
    return count(
      all,
      (run) => {
        // Where every end is logged, a run without one goes on.
        if (run.end === undefined || (this.allEnds && run.result === undefined && this.open.has(run)))
          return 'no';
        const place = inside(run.end, from, to);
        if (place === 'no') return 'no';
        if (run.result !== undefined) return wanted.includes(run.result) ? place : 'no';
        // An error is always logged: what ended without one ended otherwise.
        return wanted.some((one) => one !== 'error' && one !== 'terminal') ? 'maybe' : 'no';
      },
      (run) => {
        if (run.result !== undefined) return 'edge';
        return run.seen ? 'result-not-logged' : this.silence(run.end ?? run.added);
      },
    );
  }

  private silence({ lo, hi }: Span): CountDoubt {
    return this.lost.some((at) => at >= lo - PENDING_MS && at <= hi + PENDING_MS) ? 'lines-lost' : 'no-line';
  }

  private runOf({ key, reconcileId, at, says }: RunLine): CountedRun | undefined {
    if (reconcileId !== undefined) return this.byId.get(reconcileId);
    const last = this.lastOf.get(key);
    const goesOn = last !== undefined && last.result === undefined;
    return goesOn && says !== 'started' && last.start.lo <= at ? last : undefined;
  }

  private begin(line: RunLine): CountedRun {
    const { key, says } = line;
    const at = within(line);
    const before = this.lastOf.get(key);
    // A key is handed out after it was done with.
    const after = Math.max(this.from, before?.end?.lo ?? before?.start.lo ?? this.from);
    this.close(before, at.hi);
    this.endIdle(says === 'started' ? at.lo : at.lo - ROUGHLY_MS);
    const cause = this.causeOf(key, at.hi);
    const earliest = says === 'started' ? at.lo - JITTER_MS : (cause ?? at.lo - ROUGHLY_MS) - JITTER_MS;
    const start = { lo: Math.min(at.hi, Math.max(earliest, after)), hi: at.hi };
    const delayed = this.delayed.has(key);
    const added = this.addedAt(start, cause, before);
    const run: CountedRun = {
      key,
      added,
      start,
      end: undefined,
      result: undefined,
      seen: true,
      caused: cause !== undefined,
      delayed,
    };
    // A priority queue gives up the delay of what it hands out, a classic one does not.
    if (this.kind() === 'priority') this.delayed.delete(key);
    this.keep(run);
    return run;
  }

  private over(run: CountedRun, at: number): void {
    if (this.open.delete(run) && this.open.size === 0) this.idleSince = at;
  }

  /** When the key was added: with its event, or when a delay ended, which may have been as long ago as workers are busy. */
  private addedAt(start: Span, cause: number | undefined, before: CountedRun | undefined): Span {
    const waited = this.allEnds ? Math.min(this.busySince, start.lo) : start.lo - ROUGHLY_MS;
    // While its key runs it can be added already.
    const earliest = Math.max(this.from, before?.start.lo ?? this.from, waited - JITTER_MS);
    if (cause === undefined) return { lo: Math.min(earliest, start.hi), hi: start.hi };
    const lo = this.delayed.has(before?.key ?? '')
      ? Math.min(earliest, cause - JITTER_MS)
      : cause - JITTER_MS;
    return { lo, hi: Math.min(start.hi, cause + JITTER_MS) };
  }

  /** Its key runs again, so it is over; nobody said how it went. */
  private close(run: CountedRun | undefined, at: number): void {
    if (run === undefined || run.result !== undefined) return;
    this.over(run, at);
    this.delayed.add(run.key);
    run.end = { lo: run.end?.lo ?? run.start.lo, hi: at };
  }

  /** The event that this run answers: the first since the key was handed out that can still have been waiting. */
  private causeOf(key: string, startHi: number): number | undefined {
    this.sweep(key, startHi);
    const times = this.pending.get(key) ?? [];
    const taken = times.filter((time) => time <= startHi + JITTER_MS).length;
    this.setPending(key, times.slice(taken));
    const [first] = times;
    if (taken === 0 || first === undefined) return undefined;
    this.answeredUpTo = Math.max(this.answeredUpTo, first);
    return first;
  }

  /** Events that no run answered: each may have led to a run without a line. */
  private sweep(key: string, now: number): void {
    const times = this.pending.get(key);
    if (times === undefined) return;
    const past = times.filter((time) => this.isPast(time, now));
    if (past.length === 0) return;
    this.noteSilent(key, past);
    this.setPending(key, times.slice(past.length));
  }

  private setPending(key: string, times: number[]): void {
    if (times.length === 0) this.pending.delete(key);
    else this.pending.set(key, times);
  }

  private endIdle(at: number): void {
    const { idleSince } = this;
    this.idleSince = undefined;
    if (idleSince === undefined || at - idleSince <= 2 * JITTER_MS) return;
    this.busySince = at;
    this.idle.push({ lo: idleSince, hi: at });
    if (this.idle.length > MOST_RUNS) this.idle = this.idle.slice(MOST_RUNS / 2);
  }

  /** A worker was idle for a while between the two: what was queued then had its turn before. */
  private wasIdle(from: number, to: number): boolean {
    const enough = ({ lo, hi }: Span) => Math.min(hi, to) - Math.max(lo, from) > JITTER_MS;
    if (this.idleSince !== undefined && enough({ lo: this.idleSince, hi: to })) return true;
    for (let index = this.idle.length - 1; index >= 0; index -= 1) {
      const gap = this.idle[index];
      if (gap === undefined || gap.hi <= from) return false;
      if (enough(gap)) return true;
    }
    return false;
  }

  /** It led to a run long ago or to none: the workers were idle since, or have come to what was queued long after it. */
  private isPast(time: number, now: number): boolean {
    if (this.allEnds && this.wasIdle(time + JITTER_MS, now)) return true;
    if (time >= now - PENDING_MS) return false;
    const isIdle = this.lastLineAt < now - PENDING_MS && (!this.allEnds || this.open.size === 0);
    return isIdle || this.answeredUpTo > time + PENDING_MS;
  }

  private noteSilent(key: string, times: readonly number[]): void {
    // Where every start is logged, an event without a start woke nothing.
    if (this.allStarts) return;
    for (const time of times) this.keep(silentRun(key, time));
  }

  /** What waits for a run at `to`, and older events that got none. */
  private *unseen(to: Span): Generator<CountedRun> {
    for (const [key, times] of this.pending)
      for (const time of times) {
        if (time > to.hi + JITTER_MS) continue;
        if (!this.isPast(time, to.lo))
          yield {
            ...silentRun(key, time),
            start: { lo: time, hi: Number.POSITIVE_INFINITY },
            end: this.allStarts ? undefined : { lo: time, hi: Number.POSITIVE_INFINITY },
          };
        else if (!this.allStarts) yield silentRun(key, time);
      }
  }

  private remember(id: string, run: CountedRun): void {
    this.byId.set(id, run);
    if (this.byId.size <= MOST_IDS) return;
    const oldest = this.byId.keys().next();
    if (!oldest.done) this.byId.delete(oldest.value);
  }

  private keep(run: CountedRun): void {
    this.runs.push(run);
    if (run.seen) {
      this.lastOf.set(run.key, run);
      this.open.add(run);
    }
    if (this.runs.length <= MOST_RUNS) return;
    const gone = this.runs.splice(0, MOST_RUNS / 2);
    for (const one of gone) this.open.delete(one);
    this.from = Math.max(this.from, ...gone.slice(-1).map(({ start }) => start.lo));
    this.startedAt = undefined;
  }
}

function silentRun(key: string, at: number): CountedRun {
  const around = { lo: at - JITTER_MS, hi: at + PENDING_MS };
  return {
    key,
    added: { lo: at - JITTER_MS, hi: at + JITTER_MS },
    start: around,
    end: around,
    result: undefined,
    seen: false,
    caused: true,
    delayed: false,
  };
}

function within({ at, precisionMs }: RunLine): Span {
  return { lo: at - precisionMs / 2, hi: at + precisionMs / 2 };
}

type Place = 'yes' | 'maybe' | 'no';

function inside({ lo, hi }: Span, from: Span, to: Span): Place {
  if (hi <= from.lo || lo > to.hi) return 'no';
  return lo > from.hi && hi <= to.lo ? 'yes' : 'maybe';
}

function isQueued({ added, start }: CountedRun, at: Span): Place {
  if (added.lo > at.hi || start.hi <= at.lo) return 'no';
  return added.hi <= at.lo && start.lo > at.hi ? 'yes' : 'maybe';
}

function count(
  runs: Iterable<CountedRun>,
  place: (run: CountedRun) => Place,
  doubtOf: (run: CountedRun) => CountDoubt,
): CountInterval {
  let lo = 0;
  let hi = 0;
  const doubts: Partial<Record<CountDoubt, number>> = {};
  for (const run of runs) {
    const where = place(run);
    if (where === 'no') continue;
    hi += 1;
    if (where === 'yes' && run.seen) lo += 1;
    else {
      const doubt = doubtOf(run);
      doubts[doubt] = (doubts[doubt] ?? 0) + 1;
    }
  }
  return { lo, hi, doubts };
}
