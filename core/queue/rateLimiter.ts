import { assertNever } from '../../shared/base/assert.ts';
import type { LimiterSpec } from '../../shared/model/limiter.ts';
import { int64FromFloat, NS_PER_MS, NS_PER_SECOND } from './duration.ts';
import { delayFrom, TokenBucket } from './tokenBucket.ts';

/**
 * RateLimiter: how long a key waits before it may run again. All delays in ns.
 * Spec: docs/spec/limiters.md. Source: client-go util/workqueue/default_rate_limiters.go.
 */
export interface RateLimiter<K> {
  /** Delay for `key`, and counts this call as a failure (and takes a token) whether or not the delay is used. */
  when(key: K, nowNs: bigint): bigint;
  /** Forgets the failures of `key`. */
  forget(key: K): void;
  /** Failures counted for `key`. */
  numRequeues(key: K): number;
  /** What when() would answer now; counts nothing. Not in client-go: the shadow shows it as "next delay". */
  peek(key: K, nowNs: bigint): bigint;
  /** Sets the failures of `key`. Not in client-go: the shadow corrects its count when it was attached in the middle. */
  setFailures(key: K, failures: number): void;
}

/** Builds the limiter that `spec` describes, with no failures and full buckets. */
export function createRateLimiter<K>(spec: LimiterSpec): RateLimiter<K> {
  switch (spec.type) {
    case 'exp':
      return new ItemExponentialFailure(spec.baseNs, spec.factor, spec.maxNs);
    case 'fastslow':
      return new ItemFastSlow(spec.fastNs, spec.slowNs, spec.maxFastAttempts);
    case 'bucket':
      return new BucketLimiter(spec.qps, spec.burst);
    case 'maxof':
      return new MaxOf(spec.limiters.map((part) => createRateLimiter<K>(part)));
    case 'maxwait':
      return new WithMaxWait(createRateLimiter<K>(spec.limiter), spec.maxNs);
    case 'default':
      return createRateLimiter(DEFAULT_CONTROLLER);
    case 'defaultItemBased':
      return new ItemExponentialFailure(NS_PER_MS, 2, 1000n * NS_PER_SECOND);
    default:
      return assertNever(spec);
  }
}

/** The exponential limiter of controller-runtime's priority queue: 5 ms doubling to 1000 s, no bucket. */
export const DEFAULT_PRIORITY: LimiterSpec = {
  type: 'exp',
  baseNs: 5n * NS_PER_MS,
  factor: 2,
  maxNs: 1000n * NS_PER_SECOND,
};

/** DefaultTypedControllerRateLimiter: the above and an overall bucket of 10 per second, burst 100. */
export const DEFAULT_CONTROLLER: LimiterSpec = {
  type: 'maxof',
  limiters: [DEFAULT_PRIORITY, { type: 'bucket', qps: 10, burst: 100 }],
};

/** Failures per key. A key without failures takes no memory. */
class FailureCounts<K> {
  private readonly counts = new Map<K, number>();

  of(key: K): number {
    return this.counts.get(key) ?? 0;
  }

  set(key: K, failures: number): void {
    if (failures > 0) this.counts.set(key, failures);
    else this.counts.delete(key);
  }
}

/** [RL1] base·factor^failures, capped at max; max < 2^63, so overflow shows as max, save for exactly 2^63 (see spec). */
class ItemExponentialFailure<K> implements RateLimiter<K> {
  private readonly failures = new FailureCounts<K>();
  private readonly base: number;
  private readonly factor: number;
  private readonly maxNs: bigint;

  constructor(baseNs: bigint, factor: number, maxNs: bigint) {
    this.base = Number(baseNs);
    this.factor = factor;
    this.maxNs = maxNs;
  }

  when(key: K): bigint {
    const failures = this.failures.of(key);
    this.failures.set(key, failures + 1);
    return this.delay(failures);
  }

  forget(key: K): void {
    this.failures.set(key, 0);
  }

  numRequeues(key: K): number {
    return this.failures.of(key);
  }

  peek(key: K): bigint {
    return this.delay(this.failures.of(key));
  }

  setFailures(key: K, failures: number): void {
    this.failures.set(key, failures);
  }

  private delay(failures: number): bigint {
    const backoff = this.base * this.factor ** failures;
    if (backoff > 2 ** 63) return this.maxNs;
    const delay = int64FromFloat(backoff);
    return least(delay, this.maxNs);
  }
}

/** [RL3] fast for the first `maxFastAttempts` failures of a key, then slow. */
class ItemFastSlow<K> implements RateLimiter<K> {
  private readonly failures = new FailureCounts<K>();
  private readonly fastNs: bigint;
  private readonly slowNs: bigint;
  private readonly maxFastAttempts: number;

  constructor(fastNs: bigint, slowNs: bigint, maxFastAttempts: number) {
    this.fastNs = fastNs;
    this.slowNs = slowNs;
    this.maxFastAttempts = maxFastAttempts;
  }

  when(key: K): bigint {
    const delay = this.peek(key);
    this.failures.set(key, this.failures.of(key) + 1);
    return delay;
  }

  forget(key: K): void {
    this.failures.set(key, 0);
  }

  numRequeues(key: K): number {
    return this.failures.of(key);
  }

  peek(key: K): bigint {
    return this.failures.of(key) < this.maxFastAttempts ? this.fastNs : this.slowNs;
  }

  setFailures(key: K, failures: number): void {
    this.failures.set(key, failures);
  }
}

/** [RL4] One bucket for all keys; knows no failures. */
class BucketLimiter<K> implements RateLimiter<K> {
  private readonly bucket: TokenBucket;

  constructor(qps: number, burst: number) {
    this.bucket = new TokenBucket(qps, burst);
  }

  when(_key: K, nowNs: bigint): bigint {
    return delayFrom(this.bucket.reserve(nowNs), nowNs);
  }

  forget(): void {}

  numRequeues(): number {
    return 0;
  }

  peek(_key: K, nowNs: bigint): bigint {
    return this.bucket.peekDelay(nowNs);
  }

  setFailures(): void {}
}

/** [RL5] The longest delay of all parts; every part counts the failure and takes its token. */
class MaxOf<K> implements RateLimiter<K> {
  private readonly parts: readonly RateLimiter<K>[];

  constructor(parts: readonly RateLimiter<K>[]) {
    this.parts = parts;
  }

  when(key: K, nowNs: bigint): bigint {
    return longest(this.parts.map((part) => part.when(key, nowNs)));
  }

  forget(key: K): void {
    for (const part of this.parts) part.forget(key);
  }

  numRequeues(key: K): number {
    return Math.max(0, ...this.parts.map((part) => part.numRequeues(key)));
  }

  peek(key: K, nowNs: bigint): bigint {
    return longest(this.parts.map((part) => part.peek(key, nowNs)));
  }

  setFailures(key: K, failures: number): void {
    for (const part of this.parts) part.setFailures(key, failures);
  }
}

/** [RL6] The inner delay, but never more than max; failures keep counting. */
class WithMaxWait<K> implements RateLimiter<K> {
  private readonly inner: RateLimiter<K>;
  private readonly maxNs: bigint;

  constructor(inner: RateLimiter<K>, maxNs: bigint) {
    this.inner = inner;
    this.maxNs = maxNs;
  }

  when(key: K, nowNs: bigint): bigint {
    return least(this.inner.when(key, nowNs), this.maxNs);
  }

  forget(key: K): void {
    this.inner.forget(key);
  }

  numRequeues(key: K): number {
    return this.inner.numRequeues(key);
  }

  peek(key: K, nowNs: bigint): bigint {
    return least(this.inner.peek(key, nowNs), this.maxNs);
  }

  setFailures(key: K, failures: number): void {
    this.inner.setFailures(key, failures);
  }
}

function longest(delays: readonly bigint[]): bigint {
  let most = 0n;
  for (const delay of delays) if (delay > most) most = delay;
  return most;
}

function least(a: bigint, b: bigint): bigint {
  if (a > b) return b;
  return a;
}
