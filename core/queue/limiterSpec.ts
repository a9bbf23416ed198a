import { ok, type Result } from '../../shared/base/result.ts';
import type { LimiterFile, LimiterSpec } from '../../shared/model/limiter.ts';
import { msFromNs, parseDuration } from './duration.ts';
import { createRateLimiter, DEFAULT_CONTROLLER, DEFAULT_PRIORITY } from './rateLimiter.ts';
import type { QueueKind } from './reconcileQueue.ts';

/**
 * The limiter that a profile describes; `{type: default}` is the default of the queue kind [RL7]. Durations were checked
 * by the schema; one that is too long is an error sentence.
 */
export function limiterSpecFromFile(file: LimiterFile, kind: QueueKind): Result<LimiterSpec, string> {
  switch (file.type) {
    case 'exp':
      return durations([file.base, file.max], ([baseNs, maxNs]) => ({
        type: 'exp',
        baseNs,
        factor: file.factor ?? 2,
        maxNs,
      }));
    case 'fastslow':
      return durations([file.fast, file.slow], ([fastNs, slowNs]) => {
        return { type: 'fastslow', fastNs, slowNs, maxFastAttempts: file.maxFastAttempts };
      });
    case 'bucket':
      return ok({ type: 'bucket', qps: file.qps, burst: file.burst });
    case 'maxof': {
      const limiters: LimiterSpec[] = [];
      for (const part of file.limiters) {
        const spec = limiterSpecFromFile(part, 'classic');
        if (!spec.ok) return spec;
        limiters.push(spec.value);
      }
      return ok({ type: 'maxof', limiters });
    }
    case 'maxwait': {
      const inner = limiterSpecFromFile(file.limiter, 'classic');
      if (!inner.ok) return inner;
      return durations([file.max, file.max], ([maxNs]) => ({ type: 'maxwait', maxNs, limiter: inner.value }));
    }
    case 'default':
      return ok(kind === 'priority' ? DEFAULT_PRIORITY : DEFAULT_CONTROLLER);
    case 'defaultItemBased':
      return ok({ type: 'defaultItemBased' });
  }
}

const MAX_STEPS = 64;

/**
 * The delays (ms) that one key gets failure by failure from an idle limiter, up to and including the first that does not
 * grow any more. A limiter without failures (bucket) gives one step.
 */
export function limiterStepsMs(spec: LimiterSpec): readonly number[] {
  const limiter = createRateLimiter<string>(spec);
  const steps: number[] = [];
  for (let failures = 0; failures < MAX_STEPS; failures += 1) {
    limiter.setFailures('key', failures);
    const step = msFromNs(limiter.peek('key', 0n));
    steps.push(step);
    limiter.setFailures('key', failures + 1);
    const grows = msFromNs(limiter.peek('key', 0n)) > step;
    if (!grows && !laterGrowth(spec, failures + 1)) break;
  }
  return steps;
}

/** fastslow stands still at first and grows later. */
function laterGrowth(spec: LimiterSpec, failures: number): boolean {
  const limiter = createRateLimiter<string>(spec);
  limiter.setFailures('key', failures);
  const now = limiter.peek('key', 0n);
  limiter.setFailures('key', MAX_STEPS);
  return limiter.peek('key', 0n) > now;
}

function durations(
  texts: readonly [string, string],
  build: (ns: readonly [bigint, bigint]) => LimiterSpec,
): Result<LimiterSpec, string> {
  const first = parseDuration(texts[0]);
  if (!first.ok) return first;
  const second = parseDuration(texts[1]);
  if (!second.ok) return second;
  return ok(build([first.value, second.value]));
}
