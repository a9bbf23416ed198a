import { z } from 'zod';

/** An expected failure as the window and the CLI show it: a code and a sentence that says what to do. */
export const zProblem = z.object({ code: z.string(), message: z.string() });
export type Problem = Readonly<z.infer<typeof zProblem>>;

/** The command a kubeconfig wants to run for its credentials. Values of env are never shown. */
export const zExecCommand = z.object({
  command: z.string(),
  args: z.array(z.string()).readonly(),
  envNames: z.array(z.string()).readonly(),
  file: z.string(),
  user: z.string(),
});
export type ExecCommand = Readonly<z.infer<typeof zExecCommand>>;

export const zContextSummary = z.object({
  name: z.string(),
  cluster: z.string(),
  server: z.string(),
  user: z.string(),
  namespace: z.string().optional(),
  auth: z.enum(['client certificate', 'token', 'token file', 'basic', 'exec', 'oidc', 'none', 'unsupported']),
  exec: zExecCommand.optional(),
  current: z.boolean(),
  file: z.string(),
  problem: zProblem.optional(),
});
export type ContextSummary = Readonly<z.infer<typeof zContextSummary>>;

export const zContexts = z.object({
  contexts: z.array(zContextSummary).readonly(),
  files: z
    .array(z.object({ path: z.string(), state: z.enum(['read', 'missing', 'empty', 'malformed']) }))
    .readonly(),
  /** Where the list of files came from. */
  origin: z.enum(['flag', 'environment', 'default']),
  problem: zProblem.optional(),
});
export type Contexts = Readonly<z.infer<typeof zContexts>>;

/** opening: a session file or demo is being read (progress: the `playback` value). */
export const zConnectionPhase = z.enum([
  'idle',
  'connecting',
  'opening',
  'syncing',
  'live',
  'lost',
  'failed',
]);

/** First sync, counted. `expected` is an estimate from remainingItemCount, absent when unknown. */
export const zSyncProgress = z.object({
  objects: z.number().int(),
  expected: z.number().int().optional(),
  resourcesReady: z.number().int(),
  resourcesTotal: z.number().int(),
  steps: z
    .array(
      z.object({
        id: z.string(),
        label: z.string(),
        state: z.enum(['waiting', 'running', 'done', 'forbidden', 'failed']),
        detail: z.string(),
        ms: z.number().optional(),
      }),
    )
    .readonly(),
});

/** Times are ms since the epoch by our clock. */
export const zConnection = z.object({
  phase: zConnectionPhase,
  context: z.string().optional(),
  server: z.string().optional(),
  version: z.string().optional(),
  user: z.string().optional(),
  namespaces: z.array(z.string()).readonly(),
  since: z.number().optional(),
  sync: zSyncProgress.optional(),
  /** Set while lost: when contact ended, which try comes next and when. */
  lost: z
    .object({ since: z.number(), attempt: z.number().int(), nextTryAt: z.number().optional() })
    .optional(),
  problem: zProblem.optional(),
  /** Set when the context wants to run a program and nobody agreed yet. */
  consent: zExecCommand.optional(),
  /** Server clock minus ours, ms, when known and above 500. */
  skewMs: z.number().optional(),
});
export type Connection = Readonly<z.infer<typeof zConnection>>;

export const zConnectParams = z.object({
  context: z.string(),
  namespaces: z.array(z.string()).readonly().optional(),
  consent: z.enum(['once', 'always']).optional(),
});

/** The recording in progress. */
export const zSessionStats = z.object({
  id: z.string(),
  startedAt: z.number(),
  records: z.number().int(),
  bytes: z.number().int(),
  gaps: z.number().int(),
  late: z.number().int(),
  objects: z.number().int(),
  sourcesLive: z.number().int(),
  sourcesTotal: z.number().int(),
  /** Why recording is paused (disk full), else absent. */
  paused: z.string().optional(),
  health: z.array(z.string()).readonly(),
});
export type SessionStats = Readonly<z.infer<typeof zSessionStats>>;
