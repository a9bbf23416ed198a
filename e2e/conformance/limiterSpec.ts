import type { LimiterSpec } from '../../shared/model/limiter.ts';
import { ns } from './mismatch.ts';

/** The vectors' description of a limiter (README of the vectors, "Limiter description"). */
export type VectorLimiter =
  | { readonly type: 'exp'; readonly baseNs?: string; readonly maxNs?: string }
  | {
      readonly type: 'fastslow';
      readonly fastNs?: string;
      readonly slowNs?: string;
      readonly maxFastAttempts?: number;
    }
  | { readonly type: 'bucket'; readonly qps?: number; readonly burst?: number }
  | { readonly type: 'maxof'; readonly limiters?: readonly VectorLimiter[] }
  | { readonly type: 'maxwait'; readonly maxNs?: string; readonly limiters: readonly [VectorLimiter] }
  | { readonly type: 'default' | 'defaultItemBased' };

export function limiterSpec(limiter: VectorLimiter): LimiterSpec {
  switch (limiter.type) {
    case 'exp':
      return { type: 'exp', baseNs: ns(limiter.baseNs), factor: 2, maxNs: ns(limiter.maxNs) };
    case 'fastslow':
      return {
        type: 'fastslow',
        fastNs: ns(limiter.fastNs),
        slowNs: ns(limiter.slowNs),
        maxFastAttempts: limiter.maxFastAttempts ?? 0,
      };
    case 'bucket':
      return { type: 'bucket', qps: limiter.qps ?? 0, burst: limiter.burst ?? 0 };
    case 'maxof':
      return { type: 'maxof', limiters: (limiter.limiters ?? []).map(limiterSpec) };
    case 'maxwait':
      return { type: 'maxwait', maxNs: ns(limiter.maxNs), limiter: limiterSpec(limiter.limiters[0]) };
    case 'default':
    case 'defaultItemBased':
      return { type: limiter.type };
    default:
      throw new Error(`unknown limiter type in the vector: ${JSON.stringify(limiter)}`);
  }
}
