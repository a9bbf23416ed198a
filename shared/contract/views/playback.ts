import { z } from 'zod';
import { zProblem } from './connection.ts';

/**
 * What the window shows and where in time it stands. Times are ms since the epoch. The moment on screen is
 * `at + (wall clock of the engine's host − wall) × rate`; rate 0 stands still, 1 is as it happened.
 * cluster: the live connection. file: an opened session. demo: a recorded incident that comes with Loopscope.
 */
export const zPlayback = z.object({
  origin: z.enum(['none', 'cluster', 'file', 'demo']),
  state: z.enum(['live', 'opening', 'playing', 'paused', 'ended']),
  /** Name of the session or demo; empty for a cluster. */
  name: z.string(),
  /** Set for `file`. */
  path: z.string().optional(),
  /** Set for `demo`. */
  demo: z.string().optional(),
  at: z.number(),
  wall: z.number(),
  rate: z.number(),
  /** What `rate` is while playing. */
  speed: z.number(),
  /** The recorded stretch of a file or demo; `to` is its newest record. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** Records per equal slice of that stretch, for the strip under the window; absent where nobody counted. */
  density: z.array(z.number().int()).readonly().optional(),
  /** While opening: records read, of how many. */
  progress: z.object({ records: z.number().int(), of: z.number().int() }).optional(),
  /** A live recording that goes on while a file or demo is shown. */
  behind: z.object({ context: z.string(), records: z.number().int(), since: z.number() }).optional(),
});
export type Playback = Readonly<z.infer<typeof zPlayback>>;

export const speeds = [0.5, 1, 2, 5, 10, 50] as const;

/** A recorded incident of assets/demo. Its words (title, what it shows, the tour) are in the window's catalogue by `id`. */
export const zDemo = z.object({
  id: z.string(),
  /** Length of the recording. */
  ms: z.number().int(),
  records: z.number().int(),
  bytes: z.number().int(),
  /** What it was recorded from: Kubernetes and Loopscope versions, when. */
  recordedAt: z.number(),
  kubernetes: z.string(),
  problem: zProblem.optional(),
});
export type Demo = Readonly<z.infer<typeof zDemo>>;
