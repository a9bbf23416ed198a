import { z } from 'zod';
import { zBasis } from './basis.ts';
import { zWaitReason } from './queue.ts';

/*
 * Reconcile traces. A span is one reconcile of one key by one controller, put together from what sources say. Times are ms
 * since the epoch by our clock, after skew correction (fractions allowed); what is known only within bounds is an interval.
 * Every part says by itself how it is known.
 */

/** Somewhere in [lo, hi], lo ≤ hi. A time stamp of whole seconds is 999 ms wide, a followed line has no width. */
export const zWithin = z.object({ lo: z.number(), hi: z.number() });
export type Within = Readonly<z.infer<typeof zWithin>>;

/** `unknown`: it ended and nothing says how. A span that has not ended has none. `requeue-after` took precedence over `requeue`. */
export const zSpanResult = z.enum([
  'success',
  'error',
  'terminal',
  'requeue',
  'requeue-after',
  'panic',
  'unknown',
]);
export type SpanResult = z.infer<typeof zSpanResult>;

/**
 * What woke the key, or would have. `timer` covers retries and RequeueAfter: `text` says which. `unseen`: it ran and nothing
 * we see explains why.
 */
export const zTriggerType = z.enum([
  'ADDED',
  'MODIFIED',
  'DELETED',
  'relist',
  'initial',
  'resync',
  'retry',
  'requeue',
  'requeue-after',
  'unseen',
]);
export type TriggerType = z.infer<typeof zTriggerType>;

export const zTrigger = z.object({
  at: zWithin,
  type: zTriggerType,
  /** Record of the event, or of the line that ended the run before. */
  seq: z.number().int().optional(),
  /** Object key of what changed. */
  object: z.string().optional(),
  /** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
  subject: z.string().optional(),
  /** `StatefulSet MODIFIED`, `backoff of 1.28 s after failure 9` … */
  text: z.string(),
  /** Who made that version, as managedFields or audit say. `own`: the operator itself, `span` the run that did. */
  writer: z
    .object({
      manager: z.string(),
      subresource: z.string(),
      own: z.boolean(),
      span: z.string().optional(),
    })
    .optional(),
  /** It found the key queued or running already: no run of its own. */
  collapsed: z.boolean(),
  basis: zBasis,
});
export type Trigger = Readonly<z.infer<typeof zTrigger>>;

/** A read that reached the API server, as audit tells. Reads from the cache never do. */
export const zTraceRead = z.object({
  at: zWithin,
  seq: z.number().int(),
  verb: z.string(),
  subject: z.string(),
  object: z.string().optional(),
  subresource: z.string(),
  code: z.number().int(),
  basis: zBasis,
});
export type TraceRead = Readonly<z.infer<typeof zTraceRead>>;

/** What the operator's cache held of an object when the run began, by the model: newest version delivered before it. */
export const zCacheEntry = z.object({
  object: z.string(),
  subject: z.string(),
  seq: z.number().int(),
  resourceVersion: z.string(),
  /** How long before the start that version arrived, ms. */
  ageMs: z.number(),
  basis: zBasis,
});
export type CacheEntry = Readonly<z.infer<typeof zCacheEntry>>;

/** stored: a new version. noChange: answered with the version that was there. conflict: 409. refused: 403. failed: any other code. */
export const zWriteOutcome = z.enum(['stored', 'noChange', 'conflict', 'refused', 'failed']);
export type WriteOutcome = z.infer<typeof zWriteOutcome>;

export const zTraceWrite = z.object({
  at: zWithin,
  seq: z.number().int(),
  object: z.string().optional(),
  /** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
  subject: z.string(),
  verb: z.enum(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection']),
  /** Empty for the object itself. */
  subresource: z.string(),
  /** Version before, where it was seen. */
  before: z.string().optional(),
  /** Version it made; absent where nothing was stored. */
  resourceVersion: z.string().optional(),
  manager: z.string().optional(),
  outcome: zWriteOutcome,
  code: z.number().int().optional(),
  /** The API server's words of a write that was not stored. */
  message: z.string().optional(),
  /** Changed paths, at most eight; `changes` counts all. */
  fields: z.array(z.string()).readonly(),
  changes: z.number().int(),
  /** Why it stands in this span: `reconcileID`, `audit`, `time`, `owner` … and the records it rests on. */
  basis: zBasis,
});
export type TraceWrite = Readonly<z.infer<typeof zTraceWrite>>;

/** A Kubernetes Event about the key's objects, recorded by the operator. */
export const zTraceEvent = z.object({
  at: zWithin,
  seq: z.number().int(),
  object: z.string(),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  count: z.number().int(),
  basis: zBasis,
});
export type TraceEvent = Readonly<z.infer<typeof zTraceEvent>>;

export const zTraceLine = z.object({
  at: zWithin,
  seq: z.number().int(),
  level: z.enum(['error', 'warning', 'info', 'debug']).optional(),
  text: z.string(),
});
export type TraceLine = Readonly<z.infer<typeof zTraceLine>>;

/**
 * What follows. `predicted` is the stored prediction, never made again; `observed` the start of the next run of the key.
 * `by` tells what that run was: the predicted one, or one that something else woke first.
 */
export const zNextRun = z.object({
  why: zWaitReason.optional(),
  delayMs: z.number().optional(),
  predicted: z.number().optional(),
  predictionId: z.string().optional(),
  observed: z.number().optional(),
  /** Where that start is not told: what is known of it; `observed` is its middle. */
  observedWithin: zWithin.optional(),
  span: z.string().optional(),
  by: z.enum(['predicted', 'event', 'restart', 'unknown']).optional(),
});
export type NextRun = Readonly<z.infer<typeof zNextRun>>;

/** One line of a list of spans. */
export const zSpanRow = z.object({
  /** Stable: the reconcileID where there is one, else controller, key and the record it was first known by. */
  id: z.string(),
  controller: z.string(),
  /** `namespace/name` or `name`. */
  key: z.string(),
  /** Object key of the key's object. */
  object: z.string(),
  start: zWithin,
  /** Absent while it runs. */
  end: zWithin.optional(),
  result: zSpanResult.optional(),
  /** The first line of the error, at most 300 characters. */
  error: z.string().optional(),
  reconcileId: z.string().optional(),
  /** Failures in a row before this run. */
  failures: z.number().int(),
  /** From due to start; absent where it is not known when it became due. */
  waitMs: zWithin.optional(),
  durationMs: zWithin.optional(),
  /** Candidate triggers, the collapsed ones included, and the one that is named first. */
  triggers: z.number().int(),
  trigger: zTrigger.pick({ type: true, text: true, subject: true, writer: true, basis: true }).optional(),
  /** A version that the operator itself wrote is among its triggers. */
  selfWoken: z.boolean().optional(),
  /** Stored writes, and those that were not. */
  writes: z.number().int(),
  notStored: z.number().int(),
  reads: z.number().int(),
  events: z.number().int(),
  lines: z.number().int(),
  /** Versions it stored, the first eight: a version stands under the run that wrote it by this alone. */
  versions: z
    .array(z.object({ object: z.string(), resourceVersion: z.string() }))
    .readonly()
    .optional(),
  /** That it ran at all. */
  basis: zBasis,
  /** Later than the watermark: what comes late can still change it. */
  provisional: z.boolean(),
  /** Revision that gave it its present form; `revisedBy`: the source whose late records changed it. */
  revision: z.number().int(),
  revisedBy: z.string().optional(),
});
export type SpanRow = Readonly<z.infer<typeof zSpanRow>>;

export const zSpan = zSpanRow.extend({
  startBasis: zBasis,
  endBasis: zBasis.optional(),
  resultBasis: zBasis.optional(),
  triggerList: z.array(zTrigger).readonly(),
  readList: z.array(zTraceRead).readonly(),
  /** False: no audit is attached, so that reads cannot be seen; those from the cache never can. */
  readsObservable: z.boolean(),
  cache: z.array(zCacheEntry).readonly(),
  writeList: z.array(zTraceWrite).readonly(),
  eventList: z.array(zTraceEvent).readonly(),
  /** At most 500; `lines` counts all. */
  lineList: z.array(zTraceLine).readonly(),
  next: zNextRun.optional(),
  /** Life of the process it ran in, from 1, and who held the Lease then. */
  life: z.number().int(),
  leader: z.string().optional(),
  /** What could not be told apart, in a sentence each. */
  notes: z.array(z.string()).readonly(),
});
export type Span = Readonly<z.infer<typeof zSpan>>;

/** A step of "why did it run?" and "why did it not run?", in causal order. */
export const zWalkStep = z.object({
  step: z.enum([
    'watched',
    'scope',
    'changed',
    'predicate',
    'mapped',
    'process',
    'leader',
    'queued',
    'parked',
    'worker',
    'ran',
  ]),
  verdict: z.enum(['yes', 'no', 'unknown']),
  /** A whole sentence. */
  text: z.string(),
  at: zWithin.optional(),
  /** Records it rests on. */
  because: z.array(z.number().int()).readonly(),
  basis: zBasis,
});
export type WalkStep = Readonly<z.infer<typeof zWalkStep>>;

export const zWalk = z.object({
  controller: z.string(),
  key: z.string(),
  question: z.enum(['ran', 'notRan']),
  /** The answer in one sentence; the steps show it. */
  answer: z.string(),
  /** The step that decides, by its place in `steps`; absent: none does. */
  decides: z.number().int().optional(),
  span: z.string().optional(),
  steps: z.array(zWalkStep).readonly(),
});
export type Walk = Readonly<z.infer<typeof zWalk>>;
