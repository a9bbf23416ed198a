import { type Prediction, predictionTolerance, type WaitReason } from '../../shared/model/queue.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import type { Run, Wait } from './keyStates.ts';
import type { ReconcileQueue } from './reconcileQueue.ts';
import { ABSORB_MS, inferred, isEvent, type ShadowState } from './shadowState.ts';
import type { ReconcileEnded } from './shadowTypes.ts';

/** With more keys waiting or ready than this, a prediction leaves the competition for workers out: it would cost too much. */
const MOST_RIVALS = 200;

/**
 * ShadowDelays: the delays that keys were given, the predictions that follow from them and how those came out.
 * Spec: docs/spec/shadowQueue.md [SP1]–[SP8].
 */
export class ShadowDelays {
  private readonly state: ShadowState;

  constructor(state: ShadowState) {
    this.state = state;
  }

  /** [SP3]–[SP6] What the end of `run` says about the open prediction of its key. Call before the queue is told. */
  resolve(fact: ReconcileEnded, run: Run): void {
    const { key, at, seq } = fact;
    const { book, queue } = this.state;
    const pending = book.of(key);
    if (pending === undefined) return;
    const stillWaits = queue.readyAtNs(key) === nsFromMs(pending.prediction.runsAt);
    if (book.fits(key, at)) book.observed(key, at, seq);
    else if (pending.overtaken !== undefined) book.supersede(key, at, pending.overtaken.because);
    else if (stillWaits) return;
    else if (isEvent(run.wake)) book.supersede(key, at, run.wake.text);
    else if (run.wake.kind === 'unseen') book.hold(key, at, seq, ABSORB_MS);
    else book.observed(key, at, seq);
  }

  /** [SP1] [SP2] Notes the delay that `key` has now, and says when it ends. Call after the queue was told. */
  give(key: string, why: WaitReason, fact: ReconcileEnded): void {
    const { queue, keys, book } = this.state;
    const readyAtNs = queue.readyAtNs(key);
    const known = keys.of(key);
    if (readyAtNs === undefined || queue.isDue(key)) return;
    const kept = known.wait?.readyAtNs === readyAtNs ? known.wait : undefined;
    if (kept !== undefined && book.of(key) !== undefined) return;
    const sinceNs = earlier(nsFromMs(fact.at), queue.nowNs);
    const atCap = why === 'backoff' && queue.limiter.peek(key, queue.nowNs) <= readyAtNs - sinceNs;
    const wait: Wait = kept ?? { why: atCap ? 'atCap' : why, sinceNs, readyAtNs, basis: fact.basis };
    known.wait = wait;
    if (kept === undefined) this.note(key, wait);
    const delayMs = msFromNs(readyAtNs - wait.sinceNs);
    if ((fact.precisionMs ?? 0) <= predictionTolerance(delayMs)) this.predict(key, wait, fact.seq);
  }

  /** [SW8] Whether `run`, of which nothing was seen, may not have been, so that the key waits for a retry that is ahead. */
  mayStillFail(run: Run): boolean {
    const { counts, bursts, evidence, nowMs, stepsMs } = this.state;
    const { key } = run;
    const most = counts.mostFailures(key);
    if (evidence !== 'errors' || run.sure || most === 0) return false;
    const patience = this.state.patienceMs(key);
    const low = counts.mayBeLow(key) || bursts.between(counts.lastErrorMs(key), nowMs);
    if (low || counts.certainty(key, 'known') === 'unknown')
      return nowMs - (counts.lastErrorMs(key) ?? nowMs) <= 1.1 * (stepsMs.at(-1) ?? 0) + patience;
    return this.retryAheadNs(run) !== undefined;
  }

  /** The count of `key` was put right: so is the delay that it waits for. */
  renew(key: string): void {
    const { queue, counts, keys, runs } = this.state;
    queue.limiter.setFailures(key, counts.failures(key));
    if (runs.has(key) || queue.isDue(key) || queue.readyAtNs(key) === undefined) return;
    const priority = queue.takeKey(key, true) ?? 0;
    queue.metrics.adds -= 1;
    queue.done(key);
    keys.of(key).wait = undefined;
    this.waitAgain({ key, priority, cancelled: undefined });
  }

  /** [SW8] The key of `run` waits for the retry that its last error line gave it. Call when the queue holds the run for done. */
  waitAgain(run: Pick<Run, 'key' | 'priority' | 'cancelled'>): void {
    const { queue, keys, counts, book, nowNs, stepsMs } = this.state;
    const { key, cancelled } = run;
    const dueNs = this.retryAheadNs(run);
    counts.countAll(key);
    queue.limiter.setFailures(key, counts.failures(key));
    const unknown = counts.certainty(key, 'known') === 'unknown';
    if (unknown || dueNs === undefined) return;
    const known = keys.of(key);
    if (queue.isDue(key)) {
      known.cancelled ??= cancelled;
      return;
    }
    if (queue.readyAtNs(key) !== undefined) return;
    const left = later(dueNs - nowNs, 1n);
    queue.addWithOpts({ afterNs: left, priority: run.priority }, [key]);
    queue.metrics.retries -= 1;
    const why = counts.failures(key) >= stepsMs.length ? 'atCap' : 'backoff';
    const sinceNs = earlier(nsFromMs(counts.baseMs(key) ?? this.state.nowMs), nowNs);
    const readyAtNs = nowNs + left;
    known.wait =
      cancelled?.readyAtNs === readyAtNs
        ? cancelled
        : { why, sinceNs, readyAtNs, basis: inferred('queue/no-error-line') };
    if (known.wait === cancelled && book.of(key) !== undefined) {
      book.reinstate(key);
      return;
    }
    const said = book.of(key);
    if (said?.overtaken !== undefined) book.supersede(key, this.state.nowMs, said.overtaken.because);
    else if (said !== undefined && said.prediction.runsAt < this.state.nowMs)
      book.missedInSilence(key, this.state.nowMs, 'no error line came, but a later retry may be ahead');
    if (left > 1n) this.predict(key, known.wait, undefined);
  }

  /** When the retry is due that a run which was none has left standing; undefined when none can be ahead any more. */
  private retryAheadNs(run: Pick<Run, 'key' | 'cancelled'>): bigint | undefined {
    const { counts, nowNs } = this.state;
    const { key, cancelled } = run;
    const most = counts.mostFailures(key);
    // A millisecond less: the run that the retry itself began has been waited for.
    const passedNs = nowNs - nsFromMs(this.state.patienceMs(key) - 1);
    if (cancelled !== undefined && most === counts.failures(key) && cancelled.readyAtNs > passedNs)
      return cancelled.readyAtNs;
    for (const dueMs of [counts.retryDueMs(key, most), counts.latestRetryMs(key, most)]) {
      const dueNs = dueMs === undefined ? 0n : nsFromMs(dueMs);
      if (dueNs > passedNs) return dueNs;
    }
    return undefined;
  }

  /** [SQ9] Queued and delayed keys move to the queue of a changed profile; delays after errors are the new limiter's. */
  moveFrom(before: ReconcileQueue<string>): void {
    const { queue, counts } = this.state;
    for (const key of before.processing()) queue.takeKey(key, false);
    for (const { key, priority } of before.ready()) queue.addWithOpts({ priority }, [key]);
    for (const [key, { failures }] of counts.failing()) queue.limiter.setFailures(key, failures);
    for (const { key, priority, readyAtNs } of before.waiting()) this.waitAnew(key, priority, readyAtNs);
    queue.metrics.adds = before.metrics.adds;
    queue.metrics.retries = before.metrics.retries;
  }

  private predict(key: string, wait: Wait, seq: number | undefined): Prediction {
    const { state } = this;
    const { book, counts, durations } = state;
    book.supersede(key, state.nowMs, 'another delay replaced it');
    const certainty = counts.certainty(key, 'known');
    const byCount = certainty === 'known' ? 'queue/backoff' : `queue/backoff-${certainty}`;
    const runsAt = msFromNs(wait.readyAtNs);
    return book.make(
      {
        key,
        why: wait.why,
        attempt: counts.failures(key),
        delayMs: msFromNs(wait.readyAtNs - wait.sinceNs),
        madeAt: state.nowMs,
        runsAt,
        predictedAt: msFromNs(this.expectedStart(key, wait.readyAtNs)) + (durations.of(key) ?? 0),
        ...(seq === undefined ? {} : { becauseSeq: seq }),
        basis: {
          kind: 'inferred',
          by: wait.why === 'after' ? 'queue/requeue-after' : byCount,
          because: seq === undefined ? [] : [seq],
        },
      },
      state.patienceMs(key),
    );
  }

  /**
   * [SP8] When a worker gets to `key`, which becomes ready at `readyAtNs`: keys that are ready before it go first, each for
   * its typical time, and those that failed are taken to fail again. Exact when no worker is contended.
   */
  private expectedStart(key: string, readyAtNs: bigint): bigint {
    const { state } = this;
    const { queue, runs, counts } = state;
    if (queue.waitingCount() + queue.len() > MOST_RIVALS) return readyAtNs;
    const free: bigint[] = Array.from({ length: state.workers }, () => queue.nowNs);
    const busy = [...runs.values()]
      .filter((run) => run.key !== key)
      .map((run) => run.startedNs + this.typicalNs(run.key));
    for (const [worker, end] of busy.slice(0, free.length).entries()) free[worker] = end;

    const ready = queue.ready().filter((item) => item.key !== key);
    const rivals = ready.map((item) => ({
      key: item.key,
      atNs: queue.nowNs,
      failures: counts.failures(item.key),
    }));
    for (const item of queue.waiting()) {
      if (item.key !== key)
        rivals.push({ key: item.key, atNs: item.readyAtNs, failures: counts.failures(item.key) });
    }
    for (let turn = 0; turn < 2 * MOST_RIVALS; turn += 1) {
      let first = 0;
      for (const [index, rival] of rivals.entries())
        if (rival.atNs < (rivals[first]?.atNs ?? 0n)) first = index;
      const rival = rivals[first];
      if (rival === undefined || rival.atNs >= readyAtNs) break;
      const worker = soonest(free);
      const endNs = later(free[worker] ?? 0n, rival.atNs) + this.typicalNs(rival.key);
      free[worker] = endNs;
      const step =
        rival.failures === 0 ? undefined : state.stepsMs[Math.min(rival.failures, state.stepsMs.length - 1)];
      if (step === undefined) rivals.splice(first, 1);
      else rivals[first] = { key: rival.key, atNs: endNs + nsFromMs(step), failures: rival.failures + 1 };
    }
    return later(free[soonest(free)] ?? 0n, readyAtNs);
  }

  private typicalNs(key: string): bigint {
    return nsFromMs(this.state.durations.of(key) ?? 0);
  }

  private note(key: string, wait: Wait): void {
    const { state } = this;
    const delayMs = msFromNs(wait.readyAtNs - wait.sinceNs);
    const failures = state.counts.failures(key);
    state.backoff.push({ at: msFromNs(wait.sinceNs), key, failures, delayMs, why: wait.why });
    state.op({ op: 'waits', key, why: wait.why, delayMs, readyAt: msFromNs(wait.readyAtNs), failures });
  }

  private waitAnew(key: string, priority: number, readyAtNs: bigint): void {
    const { queue, keys, counts, stepsMs } = this.state;
    const known = keys.of(key);
    const wait = known.wait;
    const failures = counts.failures(key);
    const stepMs = stepsMs[Math.min(failures, stepsMs.length) - 1];
    const backoff = wait !== undefined && wait.why !== 'after' && stepMs !== undefined;
    const anewNs = backoff ? wait.sinceNs + nsFromMs(stepMs) : readyAtNs;
    const left = later(anewNs - queue.nowNs, 1n);
    queue.addWithOpts({ afterNs: left, priority }, [key]);
    if (wait === undefined) return;
    const error = backoff && wait.why !== 'rateLimited';
    const why = error ? (failures >= stepsMs.length ? 'atCap' : 'backoff') : wait.why;
    known.wait = { ...wait, why, readyAtNs: queue.nowNs + left };
    if (left > 1n) this.predict(key, known.wait, undefined);
  }
}

function soonest(free: readonly bigint[]): number {
  let worker = 0;
  for (const [index, at] of free.entries()) if (at < (free[worker] ?? at)) worker = index;
  return worker;
}

function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

function earlier(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
