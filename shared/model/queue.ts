import { z } from 'zod';
import { zBasis } from './basis.ts';

/*
 * The shadow workqueue of one controller, as the window sees it. Times are ms since the epoch (fractions allowed), spans
 * end in `Ms`. Keys are reconcile keys: `namespace/name`, or `name`.
 */

/** What woke a key: the first event of those that collapsed into the run. */
export const zWake = z.object({
  kind: z.enum(['event', 'resync', 'initial', 'retry', 'after', 'unseen']),
  /** `StatefulSet MODIFIED`, `backoff of 1.28 s` … */
  text: z.string(),
  /** Object key of what changed, where one object did. */
  subject: z.string().optional(),
});
export type Wake = Readonly<z.infer<typeof zWake>>;

/** A key that is due, in hand-out order. `locked`: it runs already and will run once more. */
export const zReadyRow = z.object({
  key: z.string(),
  priority: z.number().int(),
  since: z.number(),
  inQueueMs: z.number(),
  wokenBy: zWake,
  /** Events that collapse into this one run. */
  events: z.number().int(),
  locked: z.boolean(),
  /** Set when a later event raised it from this priority. */
  raisedFrom: z.number().int().optional(),
});
export type ReadyRow = Readonly<z.infer<typeof zReadyRow>>;

export const zProcessingRow = z.object({
  key: z.string(),
  priority: z.number().int(),
  since: z.number(),
  runningMs: z.number(),
  /** Typical duration learnt for this controller; absent before the first one was seen. */
  usualMs: z.number().optional(),
  wokenBy: zWake,
  events: z.number().int(),
  /** reported when the start was logged, else inferred. */
  basis: zBasis,
});
export type ProcessingRow = Readonly<z.infer<typeof zProcessingRow>>;

/**
 * backoff: after an error. atCap: after an error, and the limiter gives no longer delay. rateLimited: Result.Requeue.
 * after: Result.RequeueAfter.
 */
export const zWaitReason = z.enum(['backoff', 'atCap', 'rateLimited', 'after']);
export type WaitReason = z.infer<typeof zWaitReason>;

/** A delayed key, earliest first. */
export const zWaitingRow = z.object({
  key: z.string(),
  priority: z.number().int(),
  readyAt: z.number(),
  /** The delay it was given, and since when. */
  delayMs: z.number(),
  since: z.number(),
  why: zWaitReason,
  failures: z.number().int(),
  /** What the limiter would give after one more failure. */
  nextDelayMs: z.number(),
  basis: zBasis,
});
export type WaitingRow = Readonly<z.infer<typeof zWaitingRow>>;

/** A key with failures counted by the limiter, whatever its state. */
export const zFailureRow = z.object({
  key: z.string(),
  failures: z.number().int(),
  /** False while the count rests on the spacing of error lines because the beginning was not seen. */
  certain: z.boolean(),
  lastErrorAt: z.number().optional(),
  /** The first line of the last "Reconciler error", at most 300 characters. */
  lastError: z.string().optional(),
  nextDelayMs: z.number(),
  /** When it runs next, if it waits. */
  nextRunAt: z.number().optional(),
});
export type FailureRow = Readonly<z.infer<typeof zFailureRow>>;

/** Counts since the process started, or since we looked. Same meaning as the operator's own counters. */
export const zQueueTotals = z.object({
  adds: z.number().int(),
  retries: z.number().int(),
  /** Events that found their key already queued. */
  collapsed: z.number().int(),
  events: z.number().int(),
  runs: z.number().int(),
  success: z.number().int(),
  error: z.number().int(),
  terminal: z.number().int(),
  requeue: z.number().int(),
  requeueAfter: z.number().int(),
});
export type QueueTotals = Readonly<z.infer<typeof zQueueTotals>>;

/** One delay given by the limiter or by RequeueAfter, for the backoff chart. */
export const zBackoffSample = z.object({
  at: z.number(),
  key: z.string(),
  failures: z.number().int(),
  delayMs: z.number(),
  why: zWaitReason,
});
export type BackoffSample = Readonly<z.infer<typeof zBackoffSample>>;

/** The queue after something changed it. `depth` as workqueue_depth counts: due keys, those running again included. */
export const zDepthSample = z.object({
  at: z.number(),
  depth: z.number().int(),
  waiting: z.number().int(),
  processing: z.number().int(),
});
export type DepthSample = Readonly<z.infer<typeof zDepthSample>>;

/** How ends of reconciles are known: every one logged, only the errors, or not at all. */
export const zRunEvidence = z.enum(['all', 'errors', 'none']);
export type RunEvidence = z.infer<typeof zRunEvidence>;

export const zQueueSnapshot = z.object({
  controller: z.string(),
  at: z.number(),
  kind: z.enum(['priority', 'classic']),
  workers: z.number().int(),
  /** Set when the operator started, or a restart was seen; absent when we attached in the middle. */
  startedAt: z.number().optional(),
  evidence: zRunEvidence,
  depth: z.number().int(),
  /** Of all delayed keys; `waiting` may be cut (and `ready`: then `depth` says how many there are). */
  waitingTotal: z.number().int().optional(),
  ready: z.array(zReadyRow).readonly(),
  processing: z.array(zProcessingRow).readonly(),
  waiting: z.array(zWaitingRow).readonly(),
  failures: z.array(zFailureRow).readonly(),
  totals: zQueueTotals,
  /** The delays this limiter gives one key, failure by failure, up to its cap: the small ticks of the axis. */
  limiterStepsMs: z.array(z.number()).readonly(),
  /** Newest last. */
  backoff: z.array(zBackoffSample).readonly(),
});
export type QueueSnapshot = Readonly<z.infer<typeof zQueueSnapshot>>;

/**
 * When a key runs next, said before it happens and never changed afterwards. `runsAt`: the reconcile starts.
 * `predictedAt`: its log line is expected (runsAt plus the typical duration).
 */
export const zPrediction = z.object({
  id: z.string(),
  controller: z.string(),
  key: z.string(),
  why: zWaitReason,
  /** Failures counted when it was made: the run it speaks of is attempt + 1. */
  attempt: z.number().int(),
  delayMs: z.number(),
  madeAt: z.number(),
  runsAt: z.number(),
  predictedAt: z.number(),
  /** The record that caused it: the log line of the error. */
  becauseSeq: z.number().int().optional(),
  basis: zBasis,
});
export type Prediction = Readonly<z.infer<typeof zPrediction>>;

const outcomeBase = {
  predictionId: z.string(),
  controller: z.string(),
  key: z.string(),
  /** When it was known. */
  at: z.number(),
};
const observedBase = {
  ...outcomeBase,
  observedAt: z.number(),
  /** observedAt − predictedAt: positive is later than predicted. */
  errorMs: z.number(),
  observedSeq: z.number().int().optional(),
};

/**
 * hit: within 5 % of the delay + 50 ms. missed: the run came at another time. superseded: an event or a restart made it
 * moot, `because` says which. unobserved: no line came in time; with logs of errors only that means success.
 */
export const zPredictionOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hit'), ...observedBase }),
  z.object({ kind: z.literal('missed'), ...observedBase }),
  z.object({ kind: z.literal('superseded'), ...outcomeBase, because: z.string() }),
  z.object({ kind: z.literal('unobserved'), ...outcomeBase, because: z.string() }),
]);
export type PredictionOutcome = Readonly<z.infer<typeof zPredictionOutcome>>;

/** Where a hit ends: |errorMs| may be this much for a delay. */
export function predictionTolerance(delayMs: number): number {
  return 0.05 * delayMs + 50;
}
