import type { Basis } from '../../shared/model/basis.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import {
  type DepthSample,
  type Prediction,
  predictionTolerance,
  type QueueSnapshot,
  type RunEvidence,
  type Wake,
} from '../../shared/model/queue.ts';
import { performCalls, type QueueCall, reconcileEffects } from './controller.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import type { CountCertainty } from './failureCounts.ts';
import type { InferredSuccess, Run } from './keyStates.ts';
import { Ring } from './ring.ts';
import type { RunCounts } from './runCounts.ts';
import { ShadowDelays } from './shadowDelays.ts';
import { outcomeOf, runLine, whyUnobserved } from './shadowFacts.ts';
import { buildSnapshot, type KeyDetail, keyDetail, type SnapshotLimit } from './shadowSnapshot.ts';
import { isEvent, ShadowState } from './shadowState.ts';
import type {
  Enqueue,
  ProcessStarted,
  ReconcileEnded,
  ReconcileSeen,
  ReconcileStarted,
  ShadowQueueOptions,
} from './shadowTypes.ts';
import { ShadowWorkers } from './shadowWorkers.ts';

const LOW_PRIORITY = -100;
/** A key that kept failing is thought to be still at it for this long before a missing line counts as a success for good. */
const LATE_ERROR_MS = 60_000;

/**
 * ShadowQueue: the workqueue of one controller, modelled beside a live operator. Events go in as the operator's handlers
 * would enqueue them, queue and limiter are the exact ports, workers are modelled; facts from the log correct the model
 * wherever both disagree. Every delay it gives is said as a prediction before its end can be known.
 * Pure and deterministic: state changes only in calls, which come in time order. Spec: docs/spec/shadowQueue.md
 */
export class ShadowQueue {
  private readonly state: ShadowState;
  private readonly workers: ShadowWorkers;
  private readonly delays: ShadowDelays;
  private readonly samples: Ring<DepthSample>;

  constructor(options: ShadowQueueOptions) {
    this.state = new ShadowState(options);
    this.delays = new ShadowDelays(this.state);
    this.workers = new ShadowWorkers(this.state, this.delays);
    this.samples = new Ring(options.historySize ?? 4_000);
  }

  /** [SQ1] An event woke `key`. Causes of kind `initial` count only while the operator is starting. */
  enqueue(event: Enqueue): void {
    this.advanceTo(event.at);
    const { state } = this;
    const { key, cause } = event;
    if (cause.kind === 'initial' && !state.starting) return;
    state.totals.events += 1;
    state.tally.woken(key, event.at);
    const subject = cause.subject === undefined ? {} : { subject: cause.subject };
    const wake: Wake = { kind: cause.kind, text: cause.text, ...subject };
    if (event.fresh && state.counts.certainty(key, 'unknown') === 'unknown')
      state.counts.restore(key, 0, 'known');
    if (this.workers.absorb(key, wake)) return;

    const collapsed = state.queue.isDue(key);
    if (collapsed) state.totals.collapsed += 1;
    const priority = event.priority ?? (cause.kind === 'event' ? undefined : LOW_PRIORITY);
    this.noteWake(key, wake, collapsed, priority ?? 0);
    if (event.gone === true) state.keys.of(key).gone = true;
    state.queue.addWithOpts(priority === undefined ? {} : { priority }, [key]);
    state.op({ op: 'enqueued', key, wake, collapsed });
    this.settle();
  }

  /** [SQ3] A reconcile was seen to start. */
  reconcileStarted(fact: ReconcileStarted): void {
    this.advanceTo(fact.at);
    this.state.tally.line(runLine(fact, 'started'));
    this.state.notePrecision(fact);
    this.learnEvidence(fact.basis, 'all');
    const run = this.state.runs.get(fact.key);
    if (run !== undefined && !run.confirmed) this.workers.confirm(run, fact.basis);
    else {
      if (run !== undefined) this.workers.inferSuccess(run, 'queue/next-start');
      this.workers.take(fact.key, { basis: fact.basis });
    }
    this.settle();
  }

  /** [QC2] A line from inside a reconcile. It counts the run; the queue itself goes by starts and ends. */
  reconcileSeen(fact: ReconcileSeen): void {
    this.state.tally.line(runLine(fact, 'within'));
  }

  /** What was counted, as intervals. Ask with times that lie a little back: lines and events come with some delay. */
  get runCounts(): Pick<RunCounts, 'between' | 'since' | 'processStartedAt' | 'tellsAll'> {
    return this.state.tally;
  }

  /** [SQ4] A reconcile was seen to end. */
  reconcileEnded(fact: ReconcileEnded): void {
    this.advanceTo(fact.at);
    this.state.tally.line(runLine(fact, 'ended', fact.result));
    const failed = fact.result === 'error' || fact.result === 'terminal';
    this.state.notePrecision(fact);
    this.learnEvidence(fact.basis, failed ? 'errors' : 'all');
    const run = this.state.runs.get(fact.key) ?? this.runFor(fact);
    if (fact.result === 'error') this.countFailure(fact, run);
    this.delays.resolve(fact, run);
    this.learnDuration(fact, run);
    this.end(fact, run);
    this.settle();
  }

  /** [SQ6] The operator wrote the status of the object of `key`: it runs, or just ran. Weak evidence of success. */
  wroteStatus(fact: { readonly key: string; readonly at: number; readonly basis: Basis }): void {
    this.advanceTo(fact.at);
    this.workers.statusWritten(fact.key, fact.basis);
    this.settle();
  }

  /** [SQ7] The process started: queue and failures are empty; workers wait for workersStarted() or a reconcile. */
  processStarted(fact: ProcessStarted): void {
    this.advanceTo(fact.at);
    this.state.notePrecision(fact);
    this.state.reset('the operator was started');
    this.state.tally.reset(fact.at - (fact.precisionMs ?? 0) / 2, fact.at);
    this.state.startedAt = fact.at;
    this.state.starting = true;
    this.state.workersRunning = false;
    for (const key of fact.initialKeys ?? []) {
      this.enqueue({
        key,
        at: fact.at,
        cause: { subject: undefined, text: 'initial list', kind: 'initial' },
      });
    }
    this.settle();
  }

  /** The controller's "Starting workers". Without a processStarted before it, it is taken for one. */
  workersStarted(fact: { readonly at: number; readonly precisionMs?: number }): void {
    if (!this.state.starting) this.processStarted(fact);
    this.advanceTo(fact.at);
    this.workers.start();
    this.settle();
  }

  /** The process is gone, and its queue with it. */
  processEnded(fact: { readonly at: number }): void {
    this.advanceTo(fact.at);
    this.state.reset('the operator ended');
    this.state.tally.reset(fact.at, undefined);
    this.state.workersRunning = false;
    this.settle();
  }

  /** [SQ8] What the log can tell from now on: attached, lost, or with lines missing. Counts are not certain after a loss. */
  setEvidence(fact: {
    readonly at: number;
    readonly evidence: RunEvidence;
    readonly linesLost?: boolean;
  }): void {
    this.advanceTo(fact.at);
    const { state } = this;
    if (fact.linesLost || fact.evidence === 'none') {
      state.counts.linesLost();
      state.tally.linesLost(fact.at);
    }
    if (state.evidence === 'none' && fact.evidence !== 'none') state.evidenceSince = fact.at;
    state.evidence = fact.evidence;
    this.workers.restartPatience();
    this.settle();
  }

  /** [SQ9] Another queue kind, limiter or number of workers: what is queued stays, delays are given anew. */
  changeProfile(change: { readonly at: number; readonly profile: ControllerProfile }): void {
    this.advanceTo(change.at);
    this.state.book.supersedeAll(this.state.nowMs, 'the profile was changed');
    this.delays.moveFrom(this.state.replaceQueue(change.profile));
    this.state.op({ op: 'reset', because: 'the profile was changed' });
    this.settle();
  }

  /** Lets everything happen that happens by itself up to `at` (ms). */
  advanceTo(at: number): void {
    const target = nsFromMs(at);
    for (let next = this.nextNs(); next !== undefined && next <= target; next = this.nextNs()) {
      this.state.queue.advanceTo(next);
      this.settle();
    }
    this.state.queue.advanceTo(target);
  }

  /** When something happens by itself next, ms; undefined: not before the next call. For the owner's timer. */
  nextChangeAt(): number | undefined {
    const next = this.nextNs();
    return next === undefined ? undefined : msFromNs(next);
  }

  /** The queue at `at` (not before the last call), after everything due has happened. */
  snapshot(at: number, limit: SnapshotLimit = {}): QueueSnapshot {
    this.advanceTo(at);
    return buildSnapshot(this.state, limit);
  }

  /** Depth over time, oldest first. */
  history(): readonly DepthSample[] {
    return this.samples.values();
  }

  /** Predictions without an outcome. */
  pendingPredictions(): readonly Prediction[] {
    return this.state.book.pending();
  }

  /** One key, for a list of keys, as of the last call. `nextRunAt` in ms, when it waits. */
  keyInfo(key: string): {
    readonly state: 'idle' | 'ready' | 'running' | 'waiting';
    readonly failures: number;
    readonly nextRunAt: number | undefined;
  } {
    const { queue, runs, counts } = this.state;
    const readyAtNs = queue.readyAtNs(key);
    const delayed = readyAtNs === undefined ? 'idle' : 'waiting';
    const queued = queue.isDue(key) ? 'ready' : delayed;
    return {
      state: runs.has(key) ? 'running' : queued,
      failures: counts.failures(key),
      nextRunAt: readyAtNs === undefined ? undefined : msFromNs(readyAtNs),
    };
  }

  /** One key in full, as of the last call: for the page of its object. */
  keyDetail(key: string): KeyDetail {
    return keyDetail(this.state, key);
  }

  /** Delays of this limiter, failure by failure, up to its cap, ms. */
  limiterStepsMs(): readonly number[] {
    return this.state.stepsMs;
  }

  /** Everything that is due at this instant; then the workers take what they can. */
  private settle(): void {
    const { state } = this;
    this.workers.giveUp();
    state.book.expire(state.nowNs, (prediction) => whyUnobserved(prediction, state.evidence));
    this.workers.handOut();
    this.sample();
  }

  private nextNs(): bigint | undefined {
    const times = [
      this.state.queue.nextDeadlineNs(),
      this.state.book.nextExpiryNs(),
      this.workers.nextGiveUpNs(),
    ];
    let next: bigint | undefined;
    for (const time of times) if (time !== undefined && (next === undefined || time < next)) next = time;
    return next;
  }

  /** [SQ2] What the event means for the key's place, priority and delay. */
  private noteWake(key: string, wake: Wake, collapsed: boolean, priority: number): void {
    const { queue, keys, book, nowMs } = this.state;
    const known = keys.of(key);
    if (collapsed && known.priority !== undefined && priority > known.priority)
      known.raisedFrom ??= known.priority;
    known.priority = Math.max(known.priority ?? priority, priority);
    known.wake ??= wake;
    known.events += 1;
    if (queue.kind !== 'priority' || queue.readyAtNs(key) === undefined) return;
    known.cancelled = known.wait;
    known.wait = undefined;
    book.overtake(key, nowMs, wake.text);
  }

  /** [SQ5] [SF6] Which run an end without a known run belongs to. */
  private runFor(fact: ReconcileEnded): Run {
    const { key, at, basis } = fact;
    const { queue, successes, book } = this.state;
    if (queue.isDue(key) || queue.readyAtNs(key) !== undefined) return this.workers.takeQueued(key, basis);

    const success = successes.get(key);
    const pending = book.of(key);
    if (pending?.overtaken !== undefined && book.fits(key, at)) {
      book.reinstate(key);
      this.undo(
        key,
        success,
        pending.prediction.attempt,
        success?.certainty ?? 'doubtful',
        'what seemed to wake it before did not',
      );
      return this.takeLate(fact, { kind: 'retry', text: 'backoff' }, nsFromMs(pending.prediction.runsAt));
    }
    if (success === undefined) return this.workers.take(key, { basis });
    const dueMs = this.retryDue(fact, success);
    if (dueMs !== undefined) {
      this.undo(key, success, success.failures, success.certainty, 'the run in between did not happen');
      return this.takeLate(fact, { kind: 'retry', text: 'backoff' }, nsFromMs(dueMs));
    }
    const near = 4 * this.state.patienceMs(key);
    const late = this.state.elapsedMs(success.startedNs);
    if (late > Math.max(near, success.certainty === 'known' ? LATE_ERROR_MS : 0))
      return this.workers.take(key, { basis });
    const certainty = late > near ? 'doubtful' : success.certainty;
    const ranMs = this.state.durations.of(key) ?? 0;
    if (late > near && this.state.counts.fitsLongerDelay(key, success.failures, at - ranMs)) {
      this.undo(key, success, success.failures, certainty, 'a line before it was lost');
      return this.workers.take(key, { basis });
    }
    this.undo(key, success, success.failures, certainty, 'its line came late');
    return this.takeLate(fact, { kind: 'retry', text: 'the run before' }, success.startedNs);
  }

  /** When the retry was due, if the line comes at its time: then the success was inferred from a run that did not happen. */
  private retryDue(fact: ReconcileEnded, success: InferredSuccess): number | undefined {
    const { counts, durations } = this.state;
    const dueMs = success.failures > 0 ? counts.retryDueMs(fact.key, success.failures) : undefined;
    if (dueMs === undefined) return undefined;
    const delayMs = dueMs - (counts.lastErrorMs(fact.key) ?? dueMs);
    const offMs = Math.abs(fact.at - dueMs - (durations.of(fact.key) ?? 0));
    return offMs <= predictionTolerance(delayMs) + (fact.precisionMs ?? 0) ? dueMs : undefined;
  }

  /** A run that began before, as it now turns out. */
  private takeLate(fact: ReconcileEnded, wake: Wake, startedNs: bigint): Run {
    const taken = this.workers.take(fact.key, { basis: fact.basis, timer: false });
    this.state.unseen.delete(fact.key);
    return this.workers.replace(taken, {
      wake,
      byTimer: true,
      startedNs: startedNs < this.state.nowNs ? startedNs : this.state.nowNs,
    });
  }

  /** An inferred success was none. The add that the queue counts when the key is taken did not happen either. */
  private undo(
    key: string,
    success: InferredSuccess | undefined,
    failures: number,
    certainty: CountCertainty,
    because: string,
  ): void {
    const { state } = this;
    if (success !== undefined) state.totals.success -= 1;
    state.queue.metrics.adds -= 1;
    state.counts.restore(key, failures, certainty);
    state.op({ op: 'corrected', key, because });
  }

  private countFailure(fact: ReconcileEnded, run: Run): void {
    const { key, at } = fact;
    const { queue, counts, durations, bursts } = this.state;
    this.recount(fact, run);
    const linesMissing = !isEvent(run.wake) && bursts.between(counts.lastErrorMs(key), at);
    bursts.note(at);
    const took = at - msFromNs(run.startedNs);
    const usual = durations.of(key) ?? 0;
    const { before, corrected } = counts.count(
      key,
      {
        atMs: at,
        runMs: usual,
        precisionMs: fact.precisionMs ?? 0,
        explained: run.wake.kind !== 'unseen',
        predicted: run.byTimer && this.state.book.fits(key, at),
        delayStays: queue.kind === 'classic' && isEvent(run.wake),
        unspaced: isEvent(run.wake) || took > 4 * this.state.patienceMs(key),
        linesMissing,
      },
      this.state.ifUnseen(),
    );
    if (queue.numRequeues(key) !== before) queue.limiter.setFailures(key, before);
    if (!corrected) return;
    this.state.op({
      op: 'corrected',
      key,
      because: `the spacing of its error lines means ${before + 1} failures`,
    });
  }

  /** [SF7] The line is where the prediction put it: a success inferred since, after an event, did not happen. */
  private recount(fact: ReconcileEnded, run: Run): void {
    const { counts, book } = this.state;
    const pending = book.of(fact.key);
    if (pending === undefined || !run.byTimer || !book.fits(fact.key, fact.at)) return;
    const { attempt } = pending.prediction;
    if (
      counts.failures(fact.key) !== 0 ||
      attempt === 0 ||
      counts.certainty(fact.key, 'known') !== 'doubtful'
    )
      return;
    counts.restore(fact.key, attempt, 'doubtful');
    this.state.op({ op: 'corrected', key: fact.key, because: 'what seemed to wake it before did not' });
  }

  /** Only from times that are exact at both ends: a start reckoned from a whole second says nothing of the duration. */
  private learnDuration(fact: ReconcileEnded, run: Run): void {
    if ((fact.precisionMs ?? 0) > 0 || run.wake.kind === 'unseen') return;
    if (run.reckonedFromNs <= this.state.impreciseUntilNs) return;
    this.state.durations.observe(fact.key, fact.at - msFromNs(run.startedNs));
  }

  /** [SQ4] The result rules of the controller, then what follows from them here. */
  private end(fact: ReconcileEnded, run: Run): void {
    const { key, result } = fact;
    const { state } = this;
    const { queue, counts } = state;
    state.runs.delete(key);
    state.totals[result] += 1;
    state.op({ op: 'ended', key, result, basis: fact.basis });
    if (result === 'error' && counts.certainty(key, 'known') === 'unknown') this.endUnknown(key);
    else {
      performCalls(queue, key, this.callsOf(fact, run));
      if (result === 'success' || result === 'requeueAfter')
        counts.forget(key, fact.basis.kind !== 'inferred');
      if (result === 'requeue')
        counts.restore(key, queue.numRequeues(key), counts.certainty(key, 'doubtful'));
      this.delays.give(
        key,
        result === 'requeue' ? 'rateLimited' : result === 'requeueAfter' ? 'after' : 'backoff',
        fact,
      );
    }
    state.keys.tidy(key);
  }

  /**
   * The calls of the result rules. A delay counts from `fact.at`, which may lie a little behind the queue's time when the
   * fact was read late; so the limiter is asked here and what has passed already is taken off.
   */
  private callsOf(fact: ReconcileEnded, run: Run): readonly QueueCall[] {
    const { queue, nowNs } = this.state;
    const passedNs = nowNs - nsFromMs(fact.at);
    const { calls } = reconcileEffects(outcomeOf(fact), run.priority);
    if (passedNs <= 0n) return calls;
    return calls.map((call) => {
      if (call.method !== 'AddWithOpts') return call;
      const { rateLimited, afterNs = 0n, ...rest } = call.opts;
      const delayNs = rateLimited ? queue.limiter.when(fact.key, nowNs) : afterNs;
      const left = delayNs <= 0n || delayNs > passedNs ? delayNs - passedNs : 1n;
      return { method: 'AddWithOpts', opts: { ...rest, afterNs: left } };
    });
  }

  /** [SF4] It waits, but nobody knows how long: the next line tells. The limiter counted and took its token all the same. */
  private endUnknown(key: string): void {
    const { queue } = this.state;
    queue.limiter.when(key, queue.nowNs);
    queue.metrics.retry();
    queue.done(key);
  }

  private learnEvidence(basis: Basis, shows: 'errors' | 'all'): void {
    const { state } = this;
    if (basis.kind !== 'reported' || basis.from !== 'log') return;
    if (state.evidence === 'all' || state.evidence === shows) return;
    if (state.evidence === 'none') state.evidenceSince = state.nowMs;
    state.evidence = shows;
    this.workers.restartPatience();
  }

  private sample(): void {
    const { queue, runs, nowMs } = this.state;
    const sample = {
      at: nowMs,
      depth: queue.metrics.depth,
      waiting: queue.waitingCount(),
      processing: runs.size,
    };
    const last = this.samples.last();
    if (last?.at === sample.at) this.samples.replaceLast(sample);
    else if (
      last?.depth !== sample.depth ||
      last.waiting !== sample.waiting ||
      last.processing !== sample.processing
    ) {
      this.samples.push(sample);
    }
  }
}
