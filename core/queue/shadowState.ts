import { assert } from '../../shared/base/assert.ts';
import type { Basis } from '../../shared/model/basis.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { BackoffSample, QueueTotals, RunEvidence, Wake } from '../../shared/model/queue.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import { type CountCertainty, FailureCounts } from './failureCounts.ts';
import { type InferredSuccess, KeyStates, RecentMap, type Run } from './keyStates.ts';
import { limiterSpecFromFile, limiterStepsMs } from './limiterSpec.ts';
import { LineBursts } from './lineBursts.ts';
import { PredictionBook } from './predictionBook.ts';
import { createReconcileQueue, type ReconcileQueue } from './reconcileQueue.ts';
import { Ring } from './ring.ts';
import { RunCounts } from './runCounts.ts';
import type { QueueOp, ShadowQueueOptions } from './shadowTypes.ts';
import { TypicalDuration } from './typicalDuration.ts';

/** An event this soon after a run that nothing explained is taken for its cause: the two reached us in the other order. */
export const ABSORB_MS = 250;

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
type Totals = { -readonly [name in keyof Omit<QueueTotals, 'adds' | 'retries' | 'runs'>]: number };

/**
 * ShadowState: everything that a shadow queue knows, shared by its parts (workers, delays). No rules of its own, save how
 * it empties. Inside, time is ns of the queue; ms appear where values leave.
 */
export class ShadowState {
  profile: ControllerProfile;
  queue: ReconcileQueue<string>;
  /** Delay after 1, 2, 3 … failures; the last is the cap. */
  stepsMs: readonly number[];
  evidence: RunEvidence;
  evidenceSince: number | undefined;
  /** When the operator started, if that was seen. */
  startedAt: number | undefined;
  /** How far off the times of facts are at the moment, ms: 0 for followed lines. */
  precisionMs = 0;
  /** Facts up to here may have been off by as much; what follows from them is no measure of anything. */
  impreciseUntilNs = 0n;
  starting = false;
  workersRunning = true;
  totals: Totals = emptyTotals();
  readonly runs = new Map<string, Run>();
  readonly keys = new KeyStates();
  readonly counts: FailureCounts;
  readonly bursts = new LineBursts();
  /** The same runs as intervals, for the comparison with what the operator counts; no rule of the model reads it. */
  readonly tally: RunCounts;
  readonly durations = new TypicalDuration();
  readonly successes = new RecentMap<InferredSuccess>(2_000);
  /** Runs of failing keys that showed nothing and may not have been: the key waits on for its retry. */
  readonly silent = new RecentMap<Run>(2_000);
  /** Start of the last run of a key that nothing explained. */
  readonly unseen = new RecentMap<bigint>(500);
  readonly backoff = new Ring<BackoffSample>(500);
  readonly book: PredictionBook;
  private readonly onOp: ((op: QueueOp) => void) | undefined;

  constructor(options: ShadowQueueOptions) {
    const { queue, stepsMs } = queueOf(options.profile, nsFromMs(options.at));
    this.profile = options.profile;
    this.queue = queue;
    this.stepsMs = stepsMs;
    this.counts = new FailureCounts(stepsMs);
    this.tally = new RunCounts(options.at, () => this.queue.kind);
    this.evidence = options.evidence ?? 'none';
    if (this.evidence !== 'none') this.evidenceSince = options.at;
    this.onOp = options.onOp;
    this.book = new PredictionBook({
      controller: options.profile.name,
      idPrefix: options.idPrefix ?? `${options.profile.name}/${Math.round(options.at)}/`,
      onPrediction: options.onPrediction ?? (() => {}),
      onOutcome: options.onOutcome ?? (() => {}),
    });
  }

  get nowNs(): bigint {
    return this.queue.nowNs;
  }

  get nowMs(): number {
    return msFromNs(this.queue.nowNs);
  }

  get workers(): number {
    return this.profile.maxConcurrentReconciles.value;
  }

  elapsedMs(sinceNs: bigint): number {
    return msFromNs(this.queue.nowNs - sinceNs);
  }

  /** Notes how far off the time of the fact in hand may be. */
  notePrecision(fact: { readonly at: number; readonly precisionMs?: number }): void {
    this.precisionMs = fact.precisionMs ?? 0;
    const untilNs = nsFromMs(fact.at + this.precisionMs);
    if (this.precisionMs > 0 && untilNs > this.impreciseUntilNs) this.impreciseUntilNs = untilNs;
  }

  op(op: DistributiveOmit<QueueOp, 'at'>): void {
    this.onOp?.({ ...op, at: this.nowMs });
  }

  /** How long a run may take before the model goes on without a fact. */
  patienceMs(key: string): number {
    const typical = this.durations.of(key);
    if (this.evidence === 'none') return typical ?? 20;
    if (typical === undefined) return 500 + this.precisionMs;
    return (
      this.precisionMs + Math.max(150, Math.min(4 * typical + 100, Math.max(10_000, 1.5 * typical + 1_000)))
    );
  }

  /** [SF1] How certain it is that a key without a failure here has none in the limiter. */
  ifUnseen(): CountCertainty {
    if (this.startedAt !== undefined) return 'known';
    const cap = this.stepsMs.at(-1) ?? 0;
    const watched = this.evidenceSince === undefined ? 0 : this.nowMs - this.evidenceSince;
    return watched > cap * 1.1 + 1_000 ? 'known' : 'unknown';
  }

  /** The process and its queue are gone. Learnt durations stay. */
  reset(because: string): void {
    this.book.supersedeAll(this.nowMs, because);
    this.queue = queueOf(this.profile, this.queue.nowNs).queue;
    this.runs.clear();
    this.keys.clear();
    this.counts.clear();
    this.successes.clear();
    this.silent.clear();
    this.unseen.clear();
    this.totals = emptyTotals();
    this.startedAt = undefined;
    this.starting = false;
    this.op({ op: 'reset', because });
  }

  /** Takes over another profile with an empty queue of its kind; answers the queue that was. */
  replaceQueue(profile: ControllerProfile): ReconcileQueue<string> {
    const before = this.queue;
    const { queue, stepsMs } = queueOf(profile, before.nowNs);
    this.profile = profile;
    this.queue = queue;
    this.stepsMs = stepsMs;
    this.counts.doubtAll(stepsMs);
    return before;
  }
}

export function isEvent(wake: Wake): boolean {
  return wake.kind === 'event' || wake.kind === 'resync' || wake.kind === 'initial';
}

export function inferred(rule: string): Basis {
  return { kind: 'inferred', by: rule, because: [] };
}

function emptyTotals(): Totals {
  return { collapsed: 0, events: 0, success: 0, error: 0, terminal: 0, requeue: 0, requeueAfter: 0 };
}

function queueOf(profile: ControllerProfile, startNs: bigint) {
  const kind = profile.queue.value;
  const spec = limiterSpecFromFile(profile.limiter.value, kind);
  assert(spec.ok, 'durations of a profile are checked when it is loaded');
  return {
    queue: createReconcileQueue<string>({ kind, limiter: spec.value, startNs }),
    stepsMs: limiterStepsMs(spec.value),
  };
}
