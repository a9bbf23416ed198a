/** What views of reconcile traces read. */
import { z } from 'zod';
import { zBasis } from '../../model/basis.ts';
import { zSpan, zSpanRow, zWalk } from '../../model/trace.ts';
import { zProblem } from './connection.ts';
import { zMissingGrant } from './sources.ts';

/**
 * Which spans: of a controller, of a key, of one object's key in whatever controller, and by the grammar of
 * shared/model/filter.ts over the fields of spanFilter.ts. Newest first; `limit` rows are sent, the total is told.
 */
export const zSpanQuery = z.object({
  controller: z.string().optional(),
  object: z.string().optional(),
  text: z.string(),
  limit: z.number().int().min(1).max(5000),
});
export type SpanQuery = Readonly<z.infer<typeof zSpanQuery>>;

/** `gone`: a revision merged it into another; `span` is the one that covers its time now, where one does. */
export const zSpanView = z.object({
  id: z.string(),
  span: zSpan.optional(),
  state: z.enum(['found', 'gone', 'unknown']),
  earlier: zSpanRow.optional(),
  later: zSpanRow.optional(),
});
export type SpanView = Readonly<z.infer<typeof zSpanView>>;

/**
 * The runs a record belongs to. `within`: it is a write, a read, an Event or a line of that run. `woke`: it is a trigger of
 * that run, the earliest of them.
 */
export const zRecordRuns = z.object({
  seq: z.number().int(),
  within: zSpanRow.optional(),
  woke: zSpanRow.optional(),
});
export type RecordRuns = Readonly<z.infer<typeof zRecordRuns>>;

/** `span` asks why that run happened; without it, why `key` does not run (or did not since its last change). */
export const zWalkQuery = z.object({
  controller: z.string(),
  key: z.string(),
  span: z.string().optional(),
});
export type WalkQuery = Readonly<z.infer<typeof zWalkQuery>>;
export const zWalkView = z.object({ walk: zWalk.optional(), reason: z.string().optional() });
export type WalkView = Readonly<z.infer<typeof zWalkView>>;

/** The past being derived again because of late records: with progress, to be cancelled. */
export const zRevisionState = z.object({
  /** Of the last published one; 0: none was needed. */
  revision: z.number().int(),
  state: z.enum(['idle', 'deriving']),
  /**
   * None is shown until it is done: the spans of a session that was opened, or that stands at another moment now, are put
   * together. `done` of `total` are then steps of no unit.
   */
  first: z.boolean().optional(),
  /** Label of the source that makes it necessary, and of the one that made the last. */
  source: z.string().optional(),
  done: z.number().int(),
  total: z.number().int(),
  /** Spans that the last revision added, changed, took away. */
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  at: z.number().optional(),
  /** The last one was cancelled: what its source tells is not in the spans. */
  cancelled: z.boolean(),
});
export type RevisionState = Readonly<z.infer<typeof zRevisionState>>;

/** One point of a controller's history: the slot [at, at + slotMs). */
export const zHistoryPoint = z.object({
  at: z.number(),
  /** Reconciles that ended in the slot; undefined: not known. */
  runs: z.number().optional(),
  errors: z.number().optional(),
  /** Milliseconds. */
  p50Ms: z.number().optional(),
  p99Ms: z.number().optional(),
  depth: z.number().optional(),
  /** Writes stored in the slot. */
  writes: z.number().optional(),
});
export type HistoryPoint = Readonly<z.infer<typeof zHistoryPoint>>;

export const zHistorySeries = z.object({
  /** From the operator's metrics, or counted from spans. */
  from: z.enum(['metrics', 'spans']),
  basis: zBasis,
  points: z.array(zHistoryPoint).readonly(),
});
export type HistorySeries = Readonly<z.infer<typeof zHistorySeries>>;

export const zControllerHistory = z.object({
  controller: z.string(),
  slotMs: z.number(),
  from: z.number(),
  to: z.number(),
  series: z.array(zHistorySeries).readonly(),
  /** Process starts, leader changes, gaps: vertical rules of the charts. */
  marks: z
    .array(
      z.object({
        at: z.number(),
        to: z.number().optional(),
        kind: z.enum(['start', 'exit', 'leader', 'gap']),
        text: z.string(),
      }),
    )
    .readonly(),
  reason: z.string().optional(),
});
export type ControllerHistory = Readonly<z.infer<typeof zControllerHistory>>;

/**
 * Why a count of the model is no single number. edge: a scrape lies between an event and its run, or within the width of a
 * time stamp. no-line: nothing shows whether a run took place. result-not-logged: it did, and nobody says how it ended.
 * unseen-cause: nothing we saw woke it. queued: an event that led to no run yet. lines-lost: lines of the log are missing.
 */
export const zCountDoubt = z.enum([
  'edge',
  'no-line',
  'result-not-logged',
  'unseen-cause',
  'queued',
  'lines-lost',
]);
export type CountDoubt = z.infer<typeof zCountDoubt>;

/** Our model against what the operator's metrics report; the reported figures are never given to the model. */
export const zModelCheckRow = z.object({
  name: z.enum(['adds', 'retries', 'depth', 'success', 'error', 'requeue', 'requeue-after']),
  /** Of the model: between lo and hi. Since the start of the process that is running, or since we looked. */
  model: z.object({ lo: z.number(), hi: z.number() }),
  /** Counter's growth over the same time. */
  reported: z.number().optional(),
  /** Reported lies in the interval; absent without a report. */
  inside: z.boolean().optional(),
  /** How much each doubt adds to the width of the interval. */
  doubts: z.partialRecord(zCountDoubt, z.number().int()).optional(),
});
export const zModelCheck = z.object({
  controller: z.string(),
  from: z.number().optional(),
  to: z.number().optional(),
  rows: z.array(zModelCheckRow).readonly(),
  reason: z.string().optional(),
});
export type ModelCheck = Readonly<z.infer<typeof zModelCheck>>;

/** One source of any kind, for the page of sources. */
export const zSourceRow = z.object({
  id: z.string(),
  kind: z.enum([
    'watch',
    'log',
    'metrics',
    'audit',
    'stdin',
    'child',
    'podLog',
    'podMetrics',
    'lease',
    'managedFields',
    'events',
  ]),
  label: z.string(),
  /** `lost`: a watch of ours while the API server does not answer. */
  state: z.enum(['waiting', 'live', 'lost', 'ended', 'failed', 'forbidden']),
  detail: z.string(),
  records: z.number().int(),
  unparsed: z.number().int(),
  late: z.number().int(),
  lastAt: z.number().optional(),
  /** Its clock against ours: positive is ahead. `samples` pairs were compared; absent: nothing to compare with. */
  skew: z.object({ ms: z.number(), errorMs: z.number(), samples: z.number().int() }).optional(),
  /** From the time it states to our receipt, ms, the newest hundred. */
  lagMs: z.object({ p50: z.number(), p99: z.number() }).optional(),
  /** Finest step of its time stamps, ms. */
  resolutionMs: z.number().optional(),
  gaps: z.number().int(),
  problem: zProblem.optional(),
  /** Can be detached. */
  attached: z.boolean(),
});
export type SourceRow = Readonly<z.infer<typeof zSourceRow>>;

/** What could be attached with one click, and what it would tell. */
export const zSourceOffer = z.object({
  id: z.string(),
  kind: z.enum(['podLog', 'podMetrics', 'log', 'metrics', 'audit']),
  label: z.string(),
  /** What becomes visible with it, a sentence. */
  gives: z.string(),
  /** Why it cannot be attached now: a missing right, no such pod … */
  blocked: z.string().optional(),
  /** The rights that are missing, so that their rule can be copied. */
  missing: z.array(zMissingGrant).readonly().optional(),
  /** It reaches into the cluster's network: needs the user's word, and is recorded. */
  consent: z.boolean(),
  /** Form to fill in: a path or an address. */
  needs: z.enum(['nothing', 'path', 'url']),
});
export type SourceOffer = Readonly<z.infer<typeof zSourceOffer>>;
export const zSourceOffers = z.object({ offers: z.array(zSourceOffer).readonly() });
export type SourceOffers = Readonly<z.infer<typeof zSourceOffers>>;
