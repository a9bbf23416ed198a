import { z } from 'zod';
import { zOperatorProfile } from '../../model/profile.ts';

export const zHealth = z.enum(['ok', 'progressing', 'degraded', 'failed', 'unknown', 'deleting']);
export type Health = z.infer<typeof zHealth>;

export const zOperatorSummary = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  /** `Deployment/ns/name`, absent for an operator run locally. */
  workload: z.string().optional(),
  image: z.string().optional(),
  user: z.string(),
  kinds: z.array(z.string()).readonly(),
  health: zHealth,
  detail: z.string(),
  local: z.boolean(),
});
export type OperatorSummary = Readonly<z.infer<typeof zOperatorSummary>>;

export const zOperators = z.object({
  operators: z.array(zOperatorSummary).readonly(),
  chosen: z.string().optional(),
  profile: zOperatorProfile.optional(),
  /** Where the edits are kept, and problems of loopscope.yaml. */
  profileFile: z.string().optional(),
  problems: z.array(z.string()).readonly(),
});
export type Operators = Readonly<z.infer<typeof zOperators>>;

/** A line of the key list: one object of the controller's For kind. */
export const zKeyRow = z.object({
  key: z.string(),
  object: z.string(),
  namespace: z.string(),
  name: z.string(),
  health: zHealth,
  /** Ready | reason of the condition | deleting … */
  text: z.string(),
  failures: z.number().int(),
  /** False while the number of failures is a guess; absent: certain. */
  certain: z.boolean().optional(),
  /** The first line of the last "Reconciler error" of a failing key, at most 300 characters. */
  lastError: z.string().optional(),
  nextRunAt: z.number().optional(),
  state: z.enum(['idle', 'ready', 'running', 'waiting']),
});
export type KeyRow = Readonly<z.infer<typeof zKeyRow>>;

/** One edit of the profile: a path and its new value as JSON (`limiter`, `predicates`, `queue`…). */
export const zProfileEdit = z.object({
  controller: z.string().optional(),
  field: z.enum([
    'for',
    'owns',
    'watches',
    'predicates',
    'queue',
    'limiter',
    'maxConcurrentReconciles',
    'serviceAccount',
    'fieldManagers',
  ]),
  value: z.json(),
});
export type ProfileEdit = Readonly<z.infer<typeof zProfileEdit>>;
