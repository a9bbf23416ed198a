import { assert } from '../../shared/base/assert.ts';
import { type Prediction, type PredictionOutcome, predictionTolerance } from '../../shared/model/queue.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import { Heap, type HeapItem } from './heap.ts';

/** A prediction that is not resolved yet. */
export interface PendingPrediction extends HeapItem {
  readonly prediction: Prediction;
  /** When it is given up, or when a held miss becomes final. */
  expiresNs: bigint;
  /** An event that may have made it moot: only what follows tells whether the operator was woken by it too. */
  overtaken: { readonly at: number; readonly because: string } | undefined;
  /** Seen to have missed, and held back for a moment: the event that explains it may still be on its way. */
  missed: { readonly at: number; readonly seq: number | undefined } | undefined;
}

const GRACE_MS = 2_000;

/**
 * PredictionBook: the predictions of one controller from the moment they are said to their outcome. At most one is open
 * per key; each gets exactly one outcome. It decides nothing about the queue. Spec: docs/spec/shadowQueue.md [SP1]–[SP8].
 */
export class PredictionBook {
  private readonly controller: string;
  private readonly idPrefix: string;
  private readonly onPrediction: (prediction: Prediction) => void;
  private readonly onOutcome: (outcome: PredictionOutcome) => void;
  private readonly open = new Map<string, PendingPrediction>();
  private readonly held = new Map<string, PendingPrediction>();
  private readonly byExpiry = new Heap<PendingPrediction>((a, b) => a.expiresNs < b.expiresNs);
  private count = 0;

  constructor(options: {
    readonly controller: string;
    /** Makes ids unique across models of one session. */
    readonly idPrefix: string;
    readonly onPrediction: (prediction: Prediction) => void;
    readonly onOutcome: (outcome: PredictionOutcome) => void;
  }) {
    this.controller = options.controller;
    this.idPrefix = options.idPrefix;
    this.onPrediction = options.onPrediction;
    this.onOutcome = options.onOutcome;
  }

  /** Says it. One that is open for the key must have been resolved before. `patienceMs`: how long a run may take. */
  make(said: Omit<Prediction, 'id' | 'controller'>, patienceMs: number): Prediction {
    assert(!this.open.has(said.key), `two open predictions for ${said.key}`);
    this.count += 1;
    const prediction = { ...said, id: `${this.idPrefix}${this.count}`, controller: this.controller };
    const grace = Math.max(GRACE_MS, patienceMs, predictionTolerance(said.delayMs));
    const expiresNs = nsFromMs(said.predictedAt + grace);
    const pending: PendingPrediction = {
      prediction,
      expiresNs,
      overtaken: undefined,
      missed: undefined,
      index: -1,
    };
    this.open.set(said.key, pending);
    this.byExpiry.push(pending);
    this.onPrediction(prediction);
    return prediction;
  }

  of(key: string): PendingPrediction | undefined {
    return this.open.get(key);
  }

  /** Said and without an outcome. */
  pending(): readonly Prediction[] {
    return [...this.open.values(), ...this.held.values()].map(({ prediction }) => prediction);
  }

  /** Whether a line at `at` is the run it speaks of: neither too early nor too late. */
  fits(key: string, at: number): boolean {
    const pending = this.open.get(key);
    return pending !== undefined && isHit(pending.prediction, at);
  }

  /** An event came first, if the model is right. The first one is remembered. */
  overtake(key: string, at: number, because: string): void {
    const pending = this.open.get(key);
    if (pending !== undefined) pending.overtaken ??= { at, because };
  }

  /** The event that seemed to come first woke nobody: the prediction stands. */
  reinstate(key: string): void {
    const pending = this.open.get(key);
    if (pending !== undefined) pending.overtaken = undefined;
  }

  /** The run was observed: hit or missed by its distance. */
  observed(key: string, at: number, seq: number | undefined): void {
    const pending = this.open.get(key);
    if (pending !== undefined) this.closeObserved(pending, at, seq);
  }

  /** [SP5] A miss that an event still on its way may explain: final after `holdMs`, superseded if explain() comes first. */
  hold(key: string, at: number, seq: number | undefined, holdMs: number): void {
    const pending = this.open.get(key);
    if (pending === undefined) return;
    this.finishHeld(key);
    this.open.delete(key);
    this.held.set(key, pending);
    pending.missed = { at, seq };
    pending.expiresNs = nsFromMs(at + holdMs);
    this.byExpiry.fix(pending);
  }

  /** The event that explains a held miss has come. */
  explain(key: string, at: number, because: string): void {
    const pending = this.held.get(key);
    if (pending !== undefined)
      this.close(pending, { ...this.base(pending, at), kind: 'superseded', because });
  }

  supersede(key: string, at: number, because: string): void {
    const pending = this.open.get(key);
    if (pending !== undefined)
      this.close(pending, { ...this.base(pending, at), kind: 'superseded', because });
  }

  /** [SP7] Its run showed nothing, and the key waits for a later one. */
  missedInSilence(key: string, at: number, because: string): void {
    const pending = this.open.get(key);
    if (pending !== undefined)
      this.close(pending, { ...this.base(pending, at), kind: 'unobserved', because });
  }

  supersedeAll(at: number, because: string): void {
    for (const key of [...this.held.keys()]) this.finishHeld(key);
    for (const key of [...this.open.keys()]) this.supersede(key, at, because);
  }

  /** [SP7] Gives up those whose time is long past, at `nowNs`. */
  expire(nowNs: bigint, because: (prediction: Prediction) => string): void {
    for (
      let next = this.byExpiry.peek();
      next !== undefined && next.expiresNs <= nowNs;
      next = this.byExpiry.peek()
    ) {
      const base = this.base(next, msFromNs(nowNs));
      if (next.missed !== undefined) this.closeObserved(next, next.missed.at, next.missed.seq);
      else if (next.overtaken === undefined)
        this.close(next, { ...base, kind: 'unobserved', because: because(next.prediction) });
      else this.close(next, { ...base, kind: 'superseded', because: next.overtaken.because });
    }
  }

  /** When expire() has something to do next. */
  nextExpiryNs(): bigint | undefined {
    return this.byExpiry.peek()?.expiresNs;
  }

  private finishHeld(key: string): void {
    const pending = this.held.get(key);
    if (pending?.missed !== undefined) this.closeObserved(pending, pending.missed.at, pending.missed.seq);
  }

  private closeObserved(pending: PendingPrediction, at: number, seq: number | undefined): void {
    const { prediction } = pending;
    this.close(pending, {
      ...this.base(pending, at),
      kind: isHit(prediction, at) ? 'hit' : 'missed',
      observedAt: at,
      errorMs: at - prediction.predictedAt,
      ...(seq === undefined ? {} : { observedSeq: seq }),
    });
  }

  private base(pending: PendingPrediction, at: number) {
    const { id, controller, key } = pending.prediction;
    return { predictionId: id, controller, key, at };
  }

  private close(pending: PendingPrediction, outcome: PredictionOutcome): void {
    (pending.missed === undefined ? this.open : this.held).delete(pending.prediction.key);
    this.byExpiry.remove(pending);
    this.onOutcome(outcome);
  }
}

function isHit(prediction: Prediction, at: number): boolean {
  return Math.abs(at - prediction.predictedAt) <= predictionTolerance(prediction.delayMs);
}
