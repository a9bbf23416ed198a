import { z } from 'zod';
import { zProblem } from './connection.ts';

/**
 * A session file of this computer. Times are ms since the epoch. `id` is the file's name; `path` where it lies.
 * recording: this Loopscope writes it now. elsewhere: another one does. interrupted: it was never closed (a crash), all
 * that was committed is there. unreadable: see `problem`; only deleting it is possible.
 */
export const zSessionRow = z.object({
  id: z.string(),
  path: z.string(),
  /** As the user named it, else made from context and operator. */
  name: z.string(),
  named: z.boolean(),
  state: z.enum(['recording', 'elsewhere', 'closed', 'interrupted', 'unreadable']),
  context: z.string().optional(),
  /** Name of the operator that was under debug last. */
  operator: z.string().optional(),
  startedAt: z.number(),
  /** Of the newest record. */
  endedAt: z.number().optional(),
  records: z.number().int(),
  /** Of the file and what lies beside it. */
  bytes: z.number().int(),
  /** Never deleted by retention. */
  kept: z.boolean(),
  problem: zProblem.optional(),
});
export type SessionRow = Readonly<z.infer<typeof zSessionRow>>;

/** How much of the past stays: unkept sessions beyond the newest `keep`, or beyond `maxBytes` in all, are deleted. */
export const zRetention = z.object({
  keep: z.number().int().min(1).max(1000),
  maxBytes: z.number().int().positive(),
});
export type Retention = Readonly<z.infer<typeof zRetention>>;

export const zLibrary = z.object({
  /** Where session files lie; absent where nothing is kept. */
  folder: z.string().optional(),
  /** Of all session files together. */
  bytes: z.number().int(),
  retention: zRetention,
});
export type Library = Readonly<z.infer<typeof zLibrary>>;
