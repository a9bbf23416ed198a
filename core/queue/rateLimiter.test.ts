import { expect, test } from 'vitest';
import type { LimiterSpec } from '../../shared/model/limiter.ts';
import { createRateLimiter, DEFAULT_PRIORITY, type RateLimiter } from './rateLimiter.ts';
import { delayFrom, TokenBucket } from './tokenBucket.ts';

const MS = 1_000_000n;

function delays(limiter: RateLimiter<string>, count: number, key = 'a'): bigint[] {
  return Array.from({ length: count }, () => limiter.when(key, 0n));
}

test('[RL1] exp doubles from base to max and counts each call', () => {
  const limiter = createRateLimiter<string>(DEFAULT_PRIORITY);
  expect(delays(limiter, 4)).toEqual([5n * MS, 10n * MS, 20n * MS, 40n * MS]);
  expect(delays(limiter, 1096).at(-1)).toBe(1_000_000n * MS);
  expect(limiter.numRequeues('a')).toBe(1100);
  limiter.forget('a');
  expect(limiter.when('a', 0n)).toBe(5n * MS);
});

test('[RL1] another factor: 1 s tripling to 20 s', () => {
  const spec: LimiterSpec = { type: 'exp', baseNs: 1_000n * MS, factor: 3, maxNs: 20_000n * MS };
  expect(delays(createRateLimiter<string>(spec), 5)).toEqual(
    [1n, 3n, 9n, 20n, 20n].map((s) => s * 1_000n * MS),
  );
});

test('[RL2] exactly 2^63 turns negative, as the conversion on amd64 does', () => {
  const limiter = createRateLimiter<string>({ type: 'exp', baseNs: 1n, factor: 2, maxNs: 10n });
  limiter.setFailures('a', 63);
  expect(limiter.when('a', 0n)).toBe(-(2n ** 63n));
  expect(limiter.when('a', 0n)).toBe(10n);
});

test('[RL3] fastslow turns slow after its fast attempts', () => {
  const limiter = createRateLimiter<string>({ type: 'fastslow', fastNs: 1n, slowNs: 9n, maxFastAttempts: 2 });
  expect(delays(limiter, 4)).toEqual([1n, 1n, 9n, 9n]);
});

test('[RL4] a bucket knows no failures and makes all keys wait', () => {
  const limiter = createRateLimiter<string>({ type: 'bucket', qps: 10, burst: 2 });
  expect(delays(limiter, 2)).toEqual([0n, 0n]);
  expect(limiter.when('other', 0n)).toBe(100n * MS);
  expect(limiter.numRequeues('other')).toBe(0);
});

test('[RL5] [RL7] maxof asks every part: the bucket loses its token also when the backoff is longer', () => {
  const spec: LimiterSpec = {
    type: 'maxof',
    limiters: [
      { type: 'exp', baseNs: 500n * MS, factor: 2, maxNs: 600n * MS },
      { type: 'bucket', qps: 1, burst: 1 },
    ],
  };
  expect(delays(createRateLimiter<string>(spec), 3)).toEqual([500n * MS, 1_000n * MS, 2_000n * MS]);
});

test('[RL6] maxwait cuts the delay, not the count', () => {
  const limiter = createRateLimiter<string>({ type: 'maxwait', maxNs: 7n * MS, limiter: DEFAULT_PRIORITY });
  expect(delays(limiter, 3)).toEqual([5n * MS, 7n * MS, 7n * MS]);
  expect(limiter.numRequeues('a')).toBe(3);
});

test('peek says what when will answer, for every type, and counts nothing', () => {
  const specs: LimiterSpec[] = [
    { type: 'default' },
    { type: 'defaultItemBased' },
    { type: 'fastslow', fastNs: 3n, slowNs: 30n, maxFastAttempts: 2 },
    { type: 'bucket', qps: 4, burst: 2 },
    { type: 'maxwait', maxNs: 20n * MS, limiter: { type: 'default' } },
  ];
  for (const spec of specs) {
    const limiter = createRateLimiter<string>(spec);
    for (let step = 0; step < 130; step += 1) {
      const peeked = limiter.peek('a', BigInt(step) * MS);
      expect(limiter.peek('a', BigInt(step) * MS)).toBe(peeked);
      expect(limiter.when('a', BigInt(step) * MS)).toBe(peeked);
    }
  }
});

test('[RL8] [RL9] a bucket starts full; a clock behind the last use counts as standing still', () => {
  const bucket = new TokenBucket(10, 5);
  expect(bucket.tokensAt(-7n)).toBe(5);
  bucket.reserve(1_000n * MS, 5);
  expect(bucket.tokensAt(900n * MS)).toBe(0);
  expect(bucket.tokensAt(1_100n * MS)).toBe(1);
});

test('[RL10] reserving goes into debt; more than the burst is refused', () => {
  const bucket = new TokenBucket(10, 2);
  const waits = [1, 2, 3, 4].map(() => delayFrom(bucket.reserve(0n), 0n));
  expect(waits).toEqual([0n, 0n, 100n * MS, 200n * MS]);
  expect(bucket.tokensAt(0n)).toBe(-2);
  expect(delayFrom(bucket.reserve(0n, 3), 0n)).toBe(2n ** 63n - 1n);
  expect(bucket.allow(0n)).toBe(false);
});

test('[RL11] cancelling gives tokens back while the time to act lies ahead', () => {
  const bucket = new TokenBucket(10, 2);
  bucket.reserve(0n, 2);
  const later = bucket.reserve(0n, 2);
  bucket.cancel(later, 0n);
  expect(bucket.tokensAt(0n)).toBe(0);
  bucket.cancel(later, 500n * MS);
  expect(bucket.tokensAt(100n * MS)).toBe(1);
});

test('[RL12] a new rate or burst settles the tokens first', () => {
  const bucket = new TokenBucket(10, 10);
  bucket.reserve(0n, 10);
  bucket.setLimit(500n * MS, 100);
  expect(bucket.tokensAt(500n * MS)).toBe(5);
  expect(bucket.tokensAt(510n * MS)).toBe(6);
  bucket.setBurst(510n * MS, 3);
  expect(bucket.tokensAt(510n * MS)).toBe(3);
});
