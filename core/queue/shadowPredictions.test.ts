import { expect, test } from 'vitest';
import type { LimiterFile } from '../../shared/model/limiter.ts';
import { predictionTolerance, zPrediction, zPredictionOutcome } from '../../shared/model/queue.ts';
import type { QueueKind } from './reconcileQueue.ts';
import { type OperatorScript, runOperator, T0, type Watched, watchOperator } from './testOperator.ts';
import { pick, seededRandom } from './testRandom.ts';

const KEYS = Array.from({ length: 12 }, (_, index) => `ns/db-${index}`);
const LENGTH_MS = 120_000;
const DEFAULT: LimiterFile = { type: 'default' };
const CUSTOM: LimiterFile = { type: 'exp', base: '1s', factor: 3, max: '20s' };

interface Variant {
  readonly kind: QueueKind;
  readonly limiter: LimiterFile;
  readonly seed: number;
}

const variants: readonly (readonly [string, Variant])[] = (['priority', 'classic'] as const).flatMap((kind) =>
  [DEFAULT, CUSTOM].flatMap((limiter) =>
    [7, 8, 9].map((seed) => {
      const name = `${kind} queue, ${limiter.type === 'default' ? 'default limiter' : '1 s ×3 cap 20 s'}, seed ${seed}`;
      return [name, { kind, limiter, seed }] as const;
    }),
  ),
);

/** Every reconcile fails after 3 to 23 ms; lines and events reach us up to 12 ms late. */
function failing(
  variant: Variant,
  change: (random: () => number) => Partial<OperatorScript> = () => ({}),
): OperatorScript {
  const random = seededRandom(variant.seed);
  return {
    ...variant,
    workers: 1,
    keys: KEYS,
    lengthMs: LENGTH_MS,
    random,
    lines: 'errors',
    lagMs: 12,
    reconcile: () => fails(random, 3, 23),
    ...change(random),
  };
}

function fails(random: () => number, fromMs: number, toMs: number) {
  const durationNs = BigInt(Math.floor((fromMs + (toMs - fromMs) * random()) * 1e6));
  return { durationNs, failure: { kind: 'error', message: 'boom' } } as const;
}

function someEvents(
  random: () => number,
  count: number,
  how: { readonly seen: boolean; readonly wakes: boolean },
) {
  return Array.from({ length: count }, () => ({ at: random() * LENGTH_MS, key: pick(random, KEYS), ...how }));
}

/** Outcomes of predictions with a delay of at least 1 s, which is what the bar speaks of. */
function judge({ predictions, outcomes }: Watched) {
  const byId = new Map(predictions.map((prediction) => [prediction.id, prediction]));
  const long = outcomes.flatMap((outcome) => {
    const prediction = byId.get(outcome.predictionId);
    return prediction !== undefined && prediction.delayMs >= 1_000 ? [{ prediction, outcome }] : [];
  });
  const errors = long.flatMap(({ prediction, outcome }) =>
    outcome.kind === 'hit' || outcome.kind === 'missed'
      ? [{ key: outcome.key, ratio: Math.abs(outcome.errorMs) / predictionTolerance(prediction.delayMs) }]
      : [],
  );
  const sorted = errors.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return {
    retries: errors.length,
    keys: new Set(errors.map(({ key }) => key)).size,
    p95: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY,
    count: (kind: string) => long.filter(({ outcome }) => outcome.kind === kind).length,
  };
}

function watch(script: OperatorScript, from = 0) {
  const watched = watchOperator(script, runOperator(script), from);
  return { watched, ...judge(watched) };
}

test.each(variants)(
  '[SP3] failing keys, error lines only: %s: over 40 retries, p95 well within the tolerance',
  (_name, variant) => {
    const { watched, retries, keys, p95, count } = watch(failing(variant));
    expect(retries).toBeGreaterThanOrEqual(40);
    expect(keys).toBeGreaterThanOrEqual(5);
    expect(p95).toBeLessThanOrEqual(0.5);
    expect(count('missed')).toBe(0);
    for (const prediction of watched.predictions) expect(zPrediction.parse(prediction)).toEqual(prediction);
    for (const outcome of watched.outcomes) expect(zPredictionOutcome.parse(outcome)).toEqual(outcome);
  },
);

test.each(variants)(
  '[SP2] %s: every prediction is said before its outcome, and has exactly one',
  (_name, variant) => {
    const { watched } = watch(
      failing(variant, (random) => ({ events: someEvents(random, 60, { seen: true, wakes: true }) })),
    );
    const resolved = watched.outcomes.map(({ predictionId }) => predictionId);
    const open = watched.shadow.pendingPredictions().map(({ id }) => id);
    expect(new Set(resolved).size).toBe(resolved.length);
    expect([...resolved, ...open].sort()).toEqual(watched.predictions.map(({ id }) => id).sort());
    const madeAt = new Map(watched.predictions.map(({ id, madeAt: at }) => [id, at]));
    for (const outcome of watched.outcomes) {
      const made = madeAt.get(outcome.predictionId) ?? Number.POSITIVE_INFINITY;
      expect(outcome.at).toBeGreaterThanOrEqual(made);
      if (outcome.kind === 'hit' || outcome.kind === 'missed')
        expect(outcome.observedAt).toBeGreaterThan(made);
    }
  },
);

test.each(variants)(
  '[SP4] %s: events that wake keys between retries supersede on a priority queue, and nothing misses',
  (_name, variant) => {
    const { watched, p95, count, retries } = watch(
      failing(variant, (random) => ({ events: someEvents(random, 60, { seen: true, wakes: true }) })),
    );
    expect(retries).toBeGreaterThanOrEqual(40);
    expect(p95).toBeLessThanOrEqual(1);
    expect(count('missed')).toBeLessThanOrEqual(2);
    if (variant.kind === 'priority') expect(count('superseded')).toBeGreaterThan(20);
    else expect(count('superseded')).toBeLessThanOrEqual(3);
    for (const outcome of watched.outcomes) {
      if (outcome.kind === 'superseded') expect(outcome.because).toBe('Database MODIFIED');
    }
  },
);

test.each(variants)(
  '[SP6] %s: events that the operator filters out do not spoil its retries',
  (_name, variant) => {
    const { watched, p95, count, retries } = watch(
      failing(variant, (random) => ({ events: someEvents(random, 60, { seen: true, wakes: false }) })),
    );
    expect(retries).toBeGreaterThanOrEqual(40);
    expect(p95).toBeLessThanOrEqual(1);
    expect(count('missed')).toBe(0);
    expect(watched.ops.filter(({ op }) => op === 'corrected').length).toBeGreaterThan(0);
  },
);

test.each(variants)(
  '[SF2] %s: attached in the middle, the count is read off the spacing of error lines',
  (_name, variant) => {
    const { watched, p95, count, retries } = watch(failing(variant), 20_000);
    expect(retries).toBeGreaterThanOrEqual(10);
    expect(p95).toBeLessThanOrEqual(0.5);
    expect(count('missed')).toBe(0);
    const snapshot = watched.shadow.snapshot(T0 + LENGTH_MS + 5_000);
    expect(snapshot.failures).toHaveLength(KEYS.length);
    expect(watched.predictions[0]?.basis).toMatchObject({ by: 'queue/backoff-spaced' });
  },
);

test.each(variants)(
  '[SP7] %s: retries that succeed leave no line; that is told, and later failures count from one',
  (_name, variant) => {
    const { watched, p95, count } = watch(
      failing(variant, (random) => ({
        reconcile: () => (random() < 0.1 ? { durationNs: 5_000_000n } : fails(random, 3, 23)),
      })),
    );
    expect(p95).toBeLessThanOrEqual(0.5);
    expect([count('missed'), count('superseded')]).toEqual([0, 0]);
    expect(count('unobserved')).toBeGreaterThan(0);
    expect(watched.shadow.snapshot(T0 + LENGTH_MS + 5_000).totals.success).toBeGreaterThan(0);
  },
);

test.each(variants)('[SP8] %s: slow reconciles compete for one worker', (_name, variant) => {
  const { p95, retries } = watch(
    failing(variant, (random) => ({ reconcile: () => fails(random, 140, 160) })),
  );
  expect(retries).toBeGreaterThanOrEqual(40);
  expect(p95).toBeLessThanOrEqual(1);
});

test.each(variants)(
  '[SW6] %s: with every start and end logged, events that woke nobody are seen through',
  (_name, variant) => {
    const { watched, count } = watch(
      failing(variant, (random) => ({
        lines: 'all',
        events: someEvents(random, 60, { seen: true, wakes: false }),
      })),
    );
    expect(count('missed')).toBe(0);
    expect(watched.shadow.snapshot(T0 + LENGTH_MS + 5_000).totals.success).toBe(0);
  },
);

test.each(variants)(
  '[SQ4] %s: model and operator count the same results when all lines are there',
  (_name, variant) => {
    const script = failing(variant, (random) => ({
      lines: 'all',
      workers: 2,
      events: someEvents(random, 40, { seen: true, wakes: true }),
      reconcile: () => {
        const what = random();
        if (what < 0.4) return fails(random, 3, 23);
        if (what < 0.6) return { durationNs: 9_000_000n, requeueAfterNs: 3_000_000_000n };
        if (what < 0.7) return { durationNs: 9_000_000n, requeue: true };
        return { durationNs: 9_000_000n };
      },
    }));
    const received = runOperator(script);
    const { shadow, outcomes } = watchOperator(script, received);
    const { totals } = shadow.snapshot(T0 + LENGTH_MS + 5_000);
    const ended = (result: string) =>
      received.filter((fact) => fact.what === 'end' && fact.result === result).length;
    expect([totals.error, totals.success, totals.requeue, totals.requeueAfter]).toEqual(
      ['error', 'success', 'requeue', 'requeueAfter'].map(ended),
    );
    expect(outcomes.filter(({ kind }) => kind === 'hit').length).toBeGreaterThan(10);
  },
);

test.each(variants)(
  '%s: an engine that reads facts late and ticks by itself predicts as well',
  (_name, variant) => {
    const script = failing(variant);
    const random = seededRandom(variant.seed + 100);
    const watched = watchOperator(script, runOperator(script), 0, () => 40 * random());
    const { p95, retries, count } = judge(watched);
    expect(retries).toBeGreaterThanOrEqual(40);
    expect(p95).toBeLessThanOrEqual(0.5);
    expect(count('missed')).toBe(0);
  },
);

test.each(variants)(
  '[SF3] %s: lines that stood there before, to the second, are counted; predictions begin with followed ones',
  (_name, variant) => {
    const script = failing(variant);
    const cut = T0 + 40_000;
    const received = runOperator(script).map((fact) => {
      return fact.at < cut ? { ...fact, at: Math.floor(fact.at / 1_000) * 1_000, precisionMs: 1_000 } : fact;
    });
    const watched = watchOperator(script, received);
    const followed = {
      predictions: watched.predictions.filter(({ madeAt }) => madeAt >= cut),
      outcomes: watched.outcomes,
    };
    const { p95, retries, count } = judge({ ...watched, ...followed });
    expect(retries).toBeGreaterThanOrEqual(8);
    expect(p95).toBeLessThanOrEqual(0.5);
    expect(count('missed')).toBe(0);
  },
);
