import { z } from 'zod';
import { zProblem } from './connection.ts';

export const zMissingGrant = z.object({
  verb: z.string(),
  group: z.string(),
  resource: z.string(),
  /** Absent: cluster-wide. */
  namespace: z.string().optional(),
});
export type MissingGrant = Readonly<z.infer<typeof zMissingGrant>>;

/** One Reflector of Loopscope's own. `id` is its source id; times ms; `spark` counts events in 32 equal slots, newest last. */
export const zInformerRow = z.object({
  id: z.string(),
  group: z.string(),
  version: z.string(),
  resource: z.string(),
  kind: z.string(),
  namespace: z.string().optional(),
  state: z.enum(['waiting', 'syncing', 'live', 'recovered', 'relisted', 'lost', 'forbidden', 'ended']),
  stateSince: z.number(),
  mode: z.enum(['WatchList', 'List + watch']).optional(),
  detail: z.enum(['full', 'metadata']),
  objects: z.number().int(),
  lastResourceVersion: z.string().optional(),
  lastEventAt: z.number().optional(),
  perMinute: z.number(),
  spark: z.array(z.number()).readonly(),
  reconnects: z.number().int(),
  relists: z.number().int(),
  gapMs: z.number(),
  bytes: z.number().int(),
  missing: z.array(zMissingGrant).readonly(),
  problem: zProblem.optional(),
});
export type InformerRow = Readonly<z.infer<typeof zInformerRow>>;

/** Logs, metrics, audit files and stdin attached to the operator. */
export const zFeedRow = z.object({
  id: z.string(),
  kind: z.enum(['log', 'metrics', 'audit', 'stdin', 'child', 'podLog', 'podMetrics']),
  label: z.string(),
  state: z.enum(['waiting', 'live', 'ended', 'failed']),
  records: z.number().int(),
  unparsed: z.number().int(),
  lastAt: z.number().optional(),
  detail: z.string(),
  problem: zProblem.optional(),
});
export type FeedRow = Readonly<z.infer<typeof zFeedRow>>;

/** A stretch that a source did not see. `to` absent: still open. */
export const zGapRow = z.object({
  id: z.string(),
  seq: z.number().int(),
  source: z.string(),
  from: z.number(),
  to: z.number().optional(),
  why: z.enum([
    'expired',
    'connection-lost',
    'relist',
    'stream-error',
    'buffer-full',
    'log-rotated',
    'forbidden',
    /** Loopscope itself was not there. */
    'not-running',
    /** The session file could not be written for a while. */
    'not-recorded',
  ]),
  text: z.string(),
  found: z
    .object({
      created: z.number().int(),
      changed: z.number().int(),
      deleted: z.number().int(),
      unchanged: z.number().int(),
    })
    .optional(),
});
export type GapRow = Readonly<z.infer<typeof zGapRow>>;

/** One request of Loopscope's own, as sent: the audit of ourselves. */
export const zRequestRow = z.object({
  id: z.number().int(),
  at: z.number(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  status: z.number().int().optional(),
  ms: z.number().optional(),
  error: z.string().optional(),
  stream: z.boolean(),
});
export type RequestRow = Readonly<z.infer<typeof zRequestRow>>;
