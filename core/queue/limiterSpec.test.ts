import { expect, test } from 'vitest';
import type { LimiterFile } from '../../shared/model/limiter.ts';
import { limiterSpecFromFile, limiterStepsMs } from './limiterSpec.ts';
import { DEFAULT_CONTROLLER, DEFAULT_PRIORITY } from './rateLimiter.ts';

test('[RL7] the default is the one of the queue kind; named inside another limiter it is client-go’s', () => {
  expect(limiterSpecFromFile({ type: 'default' }, 'priority')).toEqual({ ok: true, value: DEFAULT_PRIORITY });
  expect(limiterSpecFromFile({ type: 'default' }, 'classic')).toEqual({
    ok: true,
    value: DEFAULT_CONTROLLER,
  });
  const inside: LimiterFile = { type: 'maxwait', max: '7s', limiter: { type: 'default' } };
  expect(limiterSpecFromFile(inside, 'priority')).toMatchObject({
    ok: true,
    value: { limiter: DEFAULT_CONTROLLER },
  });
});

test('a file’s durations become ns, and the factor is 2 unless it says otherwise', () => {
  const exp: LimiterFile = { type: 'exp', base: '1.5s', max: '2m' };
  expect(limiterSpecFromFile(exp, 'priority')).toEqual({
    ok: true,
    value: { type: 'exp', baseNs: 1_500_000_000n, factor: 2, maxNs: 120_000_000_000n },
  });
  const parts: LimiterFile = {
    type: 'maxof',
    limiters: [
      { ...exp, factor: 3 },
      { type: 'fastslow', fast: '1ms', slow: '1s', maxFastAttempts: 2 },
    ],
  };
  expect(limiterSpecFromFile(parts, 'classic')).toMatchObject({
    ok: true,
    value: { limiters: [{ factor: 3 }, { fastNs: 1_000_000n, slowNs: 1_000_000_000n }] },
  });
});

test('a duration that cannot be is an error that names it, however deep it stands', () => {
  const file: LimiterFile = { type: 'maxof', limiters: [{ type: 'exp', base: '5ms', max: '9999999999h' }] };
  const spec = limiterSpecFromFile(file, 'priority');
  expect(spec.ok).toBe(false);
  if (!spec.ok) expect(spec.error).toContain('9999999999h');
});

test.each<[string, LimiterFile, readonly number[]]>([
  ['exp ends at its cap', { type: 'exp', base: '1s', factor: 3, max: '20s' }, [1_000, 3_000, 9_000, 20_000]],
  [
    'fastslow stands still before it turns slow',
    { type: 'fastslow', fast: '5ms', slow: '1s', maxFastAttempts: 2 },
    [5, 5, 1_000],
  ],
  ['a bucket knows no failures', { type: 'bucket', qps: 10, burst: 100 }, [0]],
])('steps: %s', (_name, file, steps) => {
  const spec = limiterSpecFromFile(file, 'priority');
  expect(spec.ok && limiterStepsMs(spec.value)).toEqual(steps);
});

test('steps of the default double from 5 ms and end with 1000 s after 19 failures', () => {
  const steps = limiterStepsMs(DEFAULT_PRIORITY);
  expect([steps[0], steps[8], steps.at(-2), steps.at(-1), steps.length]).toEqual([
    5, 1_280, 655_360, 1_000_000, 19,
  ]);
  expect(limiterStepsMs(DEFAULT_CONTROLLER)).toEqual(steps);
});
