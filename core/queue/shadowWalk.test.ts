import { expect, test } from 'vitest';
import type { LimiterFile } from '../../shared/model/limiter.ts';
import { zQueueSnapshot } from '../../shared/model/queue.ts';
import { ShadowQueue } from './shadowQueue.ts';
import { profileOf, T0 } from './testOperator.ts';
import { pick, seededRandom } from './testRandom.ts';

const KEYS = ['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e'];
const LIMITERS: readonly LimiterFile[] = [
  { type: 'default' },
  { type: 'exp', base: '1s', factor: 3, max: '20s' },
  { type: 'bucket', qps: 2, burst: 2 },
  { type: 'fastslow', fast: '10ms', slow: '2s', maxFastAttempts: 3 },
];
const reported = { kind: 'reported', from: 'log' } as const;

/** Any call in any order, likely or not. Answers everything that came out, as text. */
function walk(seed: number, steps: number): string {
  const random = seededRandom(seed);
  const told: unknown[] = [];
  const open = new Set<string>();
  const profile = () =>
    profileOf({
      kind: pick(random, ['priority', 'classic'] as const),
      limiter: pick(random, LIMITERS),
      workers: 1 + Math.floor(random() * 3),
    });
  const queue = new ShadowQueue({
    profile: profile(),
    at: T0,
    evidence: pick(random, ['none', 'errors', 'all'] as const),
    onPrediction: (prediction) => {
      told.push(prediction);
      open.add(prediction.id);
    },
    onOutcome: (outcome) => {
      told.push(outcome);
      expect(open.delete(outcome.predictionId)).toBe(true);
    },
    onOp: (op) => told.push(op),
  });
  let at = T0;
  for (let step = 0; step < steps; step += 1) {
    at += random() < 0.2 ? random() * 8_000 : random() * 60;
    const key = pick(random, KEYS);
    const what = random();
    const late = at - (random() < 0.1 ? 20 : 0);
    if (what < 0.35) {
      const kind = pick(random, ['event', 'event', 'resync', 'initial'] as const);
      queue.enqueue({
        key,
        at: late,
        cause: { subject: undefined, text: 'Database MODIFIED', kind },
        fresh: random() < 0.1,
      });
    } else if (what < 0.7) {
      const result = pick(random, [
        'error',
        'error',
        'error',
        'terminal',
        'success',
        'requeue',
        'requeueAfter',
      ] as const);
      const precisionMs = random() < 0.1 ? 1_000 : 0;
      queue.reconcileEnded({
        key,
        at: late,
        result,
        seq: step,
        basis: reported,
        precisionMs,
        afterMs: random() * 5_000,
      });
    } else if (what < 0.78) queue.reconcileStarted({ key, at: late, basis: reported });
    else if (what < 0.86) queue.wroteStatus({ key, at: late, basis: { kind: 'observed', from: 'watch' } });
    else if (what < 0.92) queue.advanceTo(at);
    else if (what < 0.94) queue.processStarted({ at, initialKeys: KEYS });
    else if (what < 0.96) queue.workersStarted({ at });
    else if (what < 0.97) queue.processEnded({ at });
    else if (what < 0.985) {
      queue.setEvidence({
        at,
        evidence: pick(random, ['none', 'errors', 'all'] as const),
        linesLost: random() < 0.5,
      });
    } else queue.changeProfile({ at, profile: profile() });

    const snapshot = queue.snapshot(at);
    zQueueSnapshot.parse(snapshot);
    const waiting = snapshot.waiting.map((row) => row.key);
    const ready = snapshot.ready.map((row) => row.key);
    for (const list of [waiting, ready, snapshot.processing.map((row) => row.key)])
      expect(new Set(list).size).toBe(list.length);
    expect(snapshot.depth).toBe(ready.length);
    expect(snapshot.waiting.every((row) => row.readyAt >= snapshot.at)).toBe(true);
    expect(
      snapshot.ready
        .filter((row) => row.locked)
        .every((row) => snapshot.processing.some((run) => run.key === row.key)),
    ).toBe(true);
    expect(new Set(queue.pendingPredictions().map(({ id }) => id))).toEqual(open);
    expect(queue.nextChangeAt() ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(snapshot.at);
    for (const total of Object.values(snapshot.totals)) expect(total).toBeGreaterThanOrEqual(0);
    told.push(snapshot.totals);
  }
  return JSON.stringify(told);
}

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'seeded walk %i: any calls in any order keep the model whole',
  (seed) => {
    expect(walk(seed, 250).length).toBeGreaterThan(1_000);
  },
);

test('the same calls give the same answers', () => {
  for (const seed of [1, 2, 3]) expect(walk(seed, 200)).toBe(walk(seed, 200));
});
