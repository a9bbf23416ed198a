import { z } from 'zod';

/** Durations are ns as decimal bigint in the engine; in files and on the wire they are text such as `5ms`, `1000s`. */
export type LimiterSpec =
  | { readonly type: 'exp'; readonly baseNs: bigint; readonly factor: number; readonly maxNs: bigint }
  | {
      readonly type: 'fastslow';
      readonly fastNs: bigint;
      readonly slowNs: bigint;
      readonly maxFastAttempts: number;
    }
  | { readonly type: 'bucket'; readonly qps: number; readonly burst: number }
  | { readonly type: 'maxof'; readonly limiters: readonly LimiterSpec[] }
  | { readonly type: 'maxwait'; readonly maxNs: bigint; readonly limiter: LimiterSpec }
  | { readonly type: 'default' }
  | { readonly type: 'defaultItemBased' };

export const zDuration = z
  .string()
  .regex(/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/, 'a duration such as 5ms, 1.5s or 2m');

/** `loopscope.yaml` form of a limiter; same names as the vectors. */
export type LimiterFile =
  | { type: 'exp'; base: string; factor?: number | undefined; max: string }
  | { type: 'fastslow'; fast: string; slow: string; maxFastAttempts: number }
  | { type: 'bucket'; qps: number; burst: number }
  | { type: 'maxof'; limiters: LimiterFile[] }
  | { type: 'maxwait'; max: string; limiter: LimiterFile }
  | { type: 'default' }
  | { type: 'defaultItemBased' };

export const zLimiterFile: z.ZodType<LimiterFile> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('exp'),
      base: zDuration,
      factor: z.number().gt(1).optional(),
      max: zDuration,
    }),
    z.strictObject({
      type: z.literal('fastslow'),
      fast: zDuration,
      slow: zDuration,
      maxFastAttempts: z.number().int().min(0),
    }),
    z.strictObject({ type: z.literal('bucket'), qps: z.number().positive(), burst: z.number().int().min(0) }),
    z.strictObject({ type: z.literal('maxof'), limiters: z.array(zLimiterFile).min(1) }),
    z.strictObject({ type: z.literal('maxwait'), max: zDuration, limiter: zLimiterFile }),
    z.strictObject({ type: z.literal('default') }),
    z.strictObject({ type: z.literal('defaultItemBased') }),
  ]),
);
