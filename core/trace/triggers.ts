/**
 * Why each run ran. Goes through the runs of a key in order with the queue's own semantics: what arrives while the key is
 * queued collapses, what arrives while it runs makes one more run. Where the log does not tell every run, events and
 * timers that no run takes up force one. Spec: docs/spec/traces.md [TR10], [TR17]–[TR19]
 */
import {
  bounds,
  clip,
  type Item,
  inferredId,
  type KeyContext,
  mayForce,
  midOf,
  namesOfRun,
  namesOfWoken,
  newRun,
  type Run,
} from './shapes.ts';
import type { WokenEvidence } from './traceTypes.ts';
import { type Carry, compareWakers, eventWaker, type LastRun, timerAfter, type Waker } from './wakers.ts';

export interface Explained {
  /** The runs, those that wakers force among them. */
  readonly runs: Run[];
  readonly carry: Carry;
  /** When, with no further evidence, more could be said; Infinity: never. */
  readonly dueAt: number;
}

/** `last`: nothing of the key is known after these. */
export function explainRuns(
  runs: readonly Run[],
  woken: readonly Item<WokenEvidence>[],
  carry: Carry,
  context: KeyContext,
  last: boolean,
): Explained {
  const walk = new TriggerWalk(carry, woken, context);
  for (const [index, run] of runs.entries()) walk.come(run, runs[index + 1]);
  const dueAt = last ? walk.rest() : Infinity;
  return { runs: walk.out, carry: walk.carry(), dueAt };
}

/** A followed file is looked at now and then, and on a busy machine late: so much later a line may be received, ms. */
const lateLineMs = 500;

class TriggerWalk {
  readonly out: Run[] = [];
  private readonly context: KeyContext;
  private failures: number;
  private counted: number;
  private certain: boolean;
  private kept: Carry['kept'];
  private lastRun: LastRun | undefined;
  private wakers: Waker[];

  constructor(carry: Carry, woken: readonly Item<WokenEvidence>[], context: KeyContext) {
    this.context = context;
    this.failures = carry.failures;
    this.counted = carry.counted;
    this.certain = carry.certain;
    this.kept = carry.kept;
    this.lastRun = carry.last;
    this.wakers = [...carry.wakers];
    for (const item of woken)
      if (item.piece.initial) this.listed(item);
      else if (context.lives.canRun(item.hi)) this.wakers.push(eventWaker(item));
    this.wakers.sort(compareWakers);
  }

  /** [TR10] What our first list held wakes the key when the process starts; one that was up had it long before. */
  private listed(item: Item<WokenEvidence>): void {
    const { lives, controller } = this.context;
    const upAt = lives.upAt(lives.lifeAt(item.hi), controller);
    if (upAt !== undefined && upAt < item.lo - bounds.longestWait) return;
    const waker = eventWaker(item);
    const from = upAt ?? -Infinity;
    this.wakers.push({ ...waker, lo: Math.max(waker.lo, from), hi: Math.max(waker.hi, from) });
  }

  carry(): Carry {
    const { failures, counted, certain, kept, wakers } = this;
    return { failures, counted, certain, kept, last: this.lastRun, wakers };
  }

  /** The next run that is known otherwise. */
  come(run: Run, next: Run | undefined): void {
    this.dropWrongTimer(run);
    if (mayForce(this.context.facts)) this.force(run);
    this.place(run, next);
  }

  /**
   * [TR18] A retry whose delay is not sure (the row of failures was not seen from its beginning, or the limiter is not
   * the one that is assumed) holds only if the next run keeps it.
   */
  private dropWrongTimer(run: Run): void {
    const timer = this.wakers.find(isRetry);
    if (timer === undefined) return;
    const late = run.start.hi - (timer.hi + timer.slack);
    const sure = this.certain && this.trusted();
    const eventFirst = this.wakers.some((waker) => waker.event && waker.lo <= run.start.hi);
    if (run.known === 'line' && !eventFirst) this.kept = late > bounds.sameRun / 2 ? 'no' : 'yes';
    if (late <= (sure ? bounds.longestWait : bounds.sameRun / 2)) return;
    if (!sure || this.kept === 'no') this.wakers = this.wakers.filter((waker) => !isRetry(waker));
  }

  /** What writes reconcileIDs is controller-runtime, and its limiter is known until a retry shows another. */
  private trusted(): boolean {
    return this.kept === 'yes' || (this.kept === 'unknown' && this.lastRun?.reconcileId !== undefined);
  }

  /** What is left after the last known run: forced where the watermark has passed; gives when the next one is due. */
  rest(): number {
    if (!mayForce(this.context.facts)) return Infinity;
    for (;;) {
      const first = this.wakers[0];
      if (first === undefined) return Infinity;
      if (isRetry(first) && !(this.certain && this.trusted())) {
        this.wakers.shift();
        continue;
      }
      const due = this.dueOf(first) + bounds.longestWait + first.slack;
      if (due > this.context.watermark) return due;
      const cluster = this.takeCluster(first);
      this.forceRun(cluster, Infinity);
    }
  }

  /** [TR10] Wakers so long before `run` that another one must have taken them up. */
  private force(run: Run): void {
    for (;;) {
      const first = this.wakers[0];
      if (first === undefined) return;
      const due = this.dueOf(first);
      const until = run.startKnown === 'line' ? run.start.lo : run.start.hi;
      if (until - due <= bounds.longestWait + first.slack) return;
      const own = namesOfRun(run);
      const cluster = this.wakers.filter((waker) => waker.lo <= due + bounds.longestWait);
      const later = this.wakers.some(
        (waker) => !cluster.includes(waker) && waker.lo <= until && !isOwn(waker, own),
      );
      const latest = cluster[cluster.length - 1] ?? first;
      const forced =
        run.startKnown === 'line' ||
        later ||
        until - latest.hi > bounds.quietStart ||
        this.context.lives.lifeAt(due) !== this.context.lives.lifeAt(until);
      if (!forced) return;
      this.forceRun(this.takeCluster(first), until);
    }
  }

  private dueOf(waker: Waker): number {
    return Math.max(waker.hi, this.lastRun?.end.lo ?? -Infinity);
  }

  private takeCluster(first: Waker): readonly Waker[] {
    const until = this.dueOf(first) + bounds.longestWait;
    const cluster = this.wakers.filter((waker) => waker.lo <= until);
    this.wakers = this.wakers.filter((waker) => waker.lo > until);
    return cluster;
  }

  private forceRun(cluster: readonly Waker[], until: number): void {
    const first = cluster[0];
    if (first === undefined) return;
    const due = this.dueOf(first);
    // The process was down, or went down before it could: what waited is lost.
    const { lives } = this.context;
    if (!lives.canRun(due)) return;
    const end = lives.endOf(lives.lifeAt(due));
    const initial = cluster.every((waker) => waker.trigger.type === 'initial');
    if (initial && lives.upAt(lives.lifeAt(due), this.context.controller) === undefined) return;
    if (end !== undefined && end.at < due + bounds.longestWait) return;
    const run = newRun(
      first.event ? 'trigger' : 'timer',
      inferredId(this.context, first.trigger.seq ?? 0) + (first.event ? '' : '|next'),
      first.trigger.because,
    );
    const lastHi = Math.max(...cluster.map((waker) => waker.hi));
    run.start = {
      // Events may have been held up on their way to us, those of the run before as well.
      lo: Math.max(first.event ? first.lo - bounds.heldUp : first.lo, this.lastRun?.start.lo ?? -Infinity),
      hi: Math.max(
        first.hi,
        Math.min(until, Math.max(lastHi, due) + (lastHi > due ? 0 : bounds.longestWait)),
      ),
    };
    run.end = {
      lo: run.start.lo,
      hi: Math.max(run.start.lo, Math.min(until, run.start.hi + bounds.quietEnd)),
    };
    run.notes.push('Nothing was logged or written: that it ran follows from what woke it.');
    this.finish(run, cluster);
  }

  private place(run: Run, next: Run | undefined): void {
    const { lives } = this.context;
    const life = lives.lifeAt(run.startKnown === 'line' ? midOf(run.start) : run.start.hi);
    if (this.lastRun !== undefined && this.lastRun.life !== life) this.newLife();
    if (this.lastRun !== undefined) clip(run.start, this.lastRun.end.lo, Infinity);
    const own = namesOfRun(run);
    const taken: Waker[] = [];
    const left: Waker[] = [];
    const sure = run.start.lo === -Infinity ? run.start.hi : run.start.lo;
    for (const waker of this.wakers) {
      if (isOwn(waker, own)) left.push(waker);
      else if (waker.lo <= Math.max(sure, Math.min(run.start.hi, sure + 1))) taken.push(waker);
      else if (waker.lo > run.start.hi + waker.slack) {
        // [TR18] A run before the timer makes the timer moot.
        if (waker.event) left.push(waker);
      } else if (!waker.event) {
        // A timer is never early: the run came before it.
        if (waker.lo <= run.start.hi + (waker.early ?? 1)) taken.push(waker);
      } else if (taken.length === 0) taken.push(waker);
      else if (waker.lo > run.start.hi || (next !== undefined && waker.hi > next.start.lo)) left.push(waker);
      else taken.push(waker);
    }
    if (taken.length === 0) {
      const made = this.madeLate(run, left, own, life);
      if (made !== undefined) taken.push(...left.splice(left.indexOf(made), 1));
    }
    this.wakers = left;
    const why = run.startKnown === 'line' || this.context.facts.tellsRuns ? taken : lastBurst(taken);
    this.finish(run, why.length > 0 ? why : [this.unwoken(run, life)]);
  }

  /**
   * [TR19] The first run of a key before we hear that its object was made: that news was late, where it is less late than it would be
   * had the object been there when the process started.
   */
  private madeLate(
    run: Run,
    left: readonly Waker[],
    own: ReturnType<typeof namesOfRun>,
    life: number,
  ): Waker | undefined {
    if (this.lastRun !== undefined) return undefined;
    const upAt = this.context.lives.upAt(life, this.context.controller);
    const made = left.find(({ trigger }) => trigger.type === 'ADDED');
    if (upAt === undefined || made === undefined || isOwn(made, own)) return undefined;
    const late = made.lo - run.start.hi;
    return late <= bounds.longestWait && late < (run.start.lo - upAt) / 2 ? made : undefined;
  }

  /** [TR19] Nothing seen explains it. */
  private unwoken(run: Run, life: number): Waker {
    const at = { lo: Math.max(run.start.lo, run.start.hi - bounds.quietStart), hi: run.start.hi };
    const base = { lo: at.lo, hi: at.hi, event: true, slack: 0 };
    const { lives, controller } = this.context;
    const result = this.lastRun?.result;
    const seq = this.lastRun?.endSeq;
    if ((result === 'error' || result === 'panic' || result === 'requeue') && !this.isEarly(run)) {
      const type = result === 'requeue' ? 'requeue' : 'retry';
      this.recount(run);
      const because = seq === undefined ? [] : [seq];
      const text = type === 'retry' ? 'retry after the error before' : 'requeue of the run before';
      return { ...base, trigger: { at, type, item: undefined, seq: this.seqOf(seq), text, because } };
    }
    const begin = lives.workersAt(life, controller) ?? lives.startOf(life);
    if (this.lastRun === undefined && begin !== undefined && begin.at <= run.start.hi) {
      const when = { lo: begin.at, hi: Math.max(begin.at, Math.min(begin.at + 1_000, run.start.hi)) };
      const text = 'the process started: every object is queued once';
      return {
        ...base,
        trigger: {
          at: when,
          type: 'initial',
          item: undefined,
          seq: this.seqOf(begin.seq),
          text,
          because: [begin.seq],
        },
      };
    }
    const text = 'nothing that is seen explains this run';
    return { ...base, trigger: { at, type: 'unseen', item: undefined, seq: undefined, text, because: [] } };
  }

  /** [TR18] Before the delay that is known was over: something else woke it. */
  private isEarly(run: Run): boolean {
    const delay =
      this.certain && this.trusted() ? this.context.facts.knobs?.delayAfter(this.counted) : undefined;
    const end = this.lastRun?.end.lo;
    return delay !== undefined && end !== undefined && run.start.hi < end + 0.9 * delay - lateLineMs;
  }

  private seqOf(seq: number | undefined): Waker['trigger']['seq'] {
    return seq as Waker['trigger']['seq'];
  }

  /** The spacing shows which failure it was, where the first ones of the row were not seen. */
  private recount(run: Run): void {
    const spacing = run.start.hi - (this.lastRun?.end.lo ?? run.start.hi);
    const knobs = this.context.facts.knobs;
    if (knobs === undefined || spacing < 1_000) return;
    for (let count = this.counted + 1; count <= 40; count += 1) {
      const delay = knobs.delayAfter(count);
      if (delay === undefined || delay > spacing * 1.1) return;
      if (delay >= spacing * 0.9) {
        this.counted = count;
        this.certain = true;
        run.notes.push('Its delay shows more failures before it than were seen.');
        return;
      }
    }
  }

  private newLife(): void {
    const last = this.lastRun;
    const { lives } = this.context;
    const end = last === undefined ? undefined : lives.endOf(last.life);
    const since = end?.at ?? -Infinity;
    this.wakers = this.wakers.filter(
      (waker) => waker.event && (waker.hi >= since || waker.trigger.type === 'initial'),
    );
    this.failures = 0;
    this.counted = 0;
    this.certain = true;
    this.lastRun = undefined;
  }

  /** Names the trigger, counts failures, leaves a timer behind. */
  private finish(run: Run, taken: readonly Waker[]): void {
    const { lives } = this.context;
    const at = run.startKnown === 'line' ? midOf(run.start) : run.start.hi;
    run.life = lives.lifeAt(at);
    run.leader = lives.leaderAt(at);
    run.failures = this.failures;
    run.triggers = taken.toSorted(compareWakers).map((waker) => waker.trigger);
    const first = run.triggers[0];
    if (first !== undefined) {
      if (run.startKnown !== 'line' && first.type !== 'unseen' && first.item === undefined)
        clip(run.start, Math.min(first.at.lo, run.start.hi - this.unsure(run)), Infinity);
      if (run.startKnown !== 'line' && first.item !== undefined)
        clip(run.start, first.at.lo - bounds.heldUp, Infinity);
      if (first.type !== 'unseen')
        run.waitMs = {
          lo: Math.max(0, run.start.lo - first.at.hi),
          hi: Math.max(0, run.start.hi - first.at.lo),
        };
    }
    if (run.start.lo === -Infinity) run.start.lo = run.start.hi - bounds.quietStart;
    if (run.triggers.some((trigger) => trigger.type === 'ADDED' || trigger.type === 'initial'))
      this.certain = true;
    this.count(run);
    this.out.push(run);
    this.lastRun = {
      id: run.id,
      start: { ...run.start },
      end: { ...run.end },
      reconcileId: run.reconcileId,
      result: run.result,
      endSeq: run.endLine?.piece.seq,
      life: run.life,
    };
    const timer = timerAfter(run, this.counted, this.context);
    // Timers of the run before are moot: the key was taken out of the queue.
    this.wakers = this.wakers.filter((waker) => waker.event);
    if (timer !== undefined) this.wakers = [...this.wakers, timer].sort(compareWakers);
  }

  /** A run that ended when its line was received ended, and so began, some ms before. */
  private unsure(run: Run): number {
    return run.endLine === undefined || run.endLine.piece.ownClock ? 0 : bounds.receiptSlack;
  }

  private count(run: Run): void {
    switch (run.result) {
      case 'error':
      case 'panic':
        this.failures += 1;
        this.counted += 1;
        return;
      case 'terminal':
        this.failures += 1;
        return;
      case 'requeue':
        this.failures = 0;
        this.counted += 1;
        return;
      case 'success':
      case 'requeue-after':
        this.failures = 0;
        this.counted = 0;
        this.certain = true;
        return;
      default:
        // A log that shows errors showed none of it.
        if (!this.context.facts.hasLog || this.context.facts.tellsEnds) return;
        this.failures = 0;
        this.counted = 0;
    }
  }
}

/**
 * [TR17] Where runs that went well are not told, what came long before the last events was taken up by one of those: a key
 * that is due waits no longer than that. `wakers` in order.
 */
function lastBurst(wakers: readonly Waker[]): readonly Waker[] {
  let from = 0;
  let until = -Infinity;
  for (const [index, waker] of wakers.entries()) {
    if (waker.event && waker.lo - until > bounds.longestWait) from = index;
    until = Math.max(until, waker.hi);
  }
  return wakers.slice(from);
}

function isRetry(waker: Waker): boolean {
  return !waker.event && waker.trigger.type !== 'requeue-after';
}

/** True when the run itself wrote what this event tells of. */
function isOwn(waker: Waker, own: ReadonlySet<string | number>): boolean {
  const { item } = waker.trigger;
  return item !== undefined && own.size > 0 && namesOfWoken(item.piece).some((name) => own.has(name));
}
