import { describe, expect, it } from 'vitest';
import { seededRandom } from '../queue/testRandom.ts';
import { runWorld, type WorldScript } from './testOperator.ts';
import { type Figures, measure } from './testTruth.ts';
import { assembleTraces } from './traceBook.ts';

const seeds = [1, 2, 3, 4, 5, 6];

function figures(more: Partial<WorldScript>): Figures {
  const all = seeds.map((seed) => {
    const world = runWorld({
      random: seededRandom(seed),
      keys: 5,
      workers: 1,
      lengthMs: 30_000,
      everyMs: 2_000,
      failing: 0.2,
      panics: 0.2,
      log: 'all',
      statusWakes: true,
      lagMs: 1,
      ...more,
    });
    return measure(world, assembleTraces(world.evidence, world.knobs));
  });
  const sum = (of: keyof Figures) => all.reduce((total, one) => total + one[of], 0);
  return {
    writes: sum('writes'),
    placed: sum('placed'),
    onKey: sum('onKey'),
    spans: sum('spans'),
    phantoms: sum('phantoms'),
    errors: sum('errors'),
    errorSpans: sum('errorSpans'),
    runs: sum('runs'),
    found: sum('found'),
  };
}

const worlds: readonly (readonly [string, Partial<WorldScript>])[] = [
  ['one worker', {}],
  ['four workers', { workers: 4 }],
  ['restarts', { restartAt: 12_345 }],
  ['runs of 200 ms', { longestRun: 200 }],
  ['requeue-after', { requeueAfterMs: 3_000 }],
  ['status writes that wake nothing', { statusWakes: false }],
  ['a hot loop', { everyMs: 60, lengthMs: 8_000 }],
];

describe('spans against the truth of a simulated operator', () => {
  it.each(worlds)('log at V(5) with ms: %s', (_name, more) => {
    const result = figures(more);
    expect(result.writes).toBeGreaterThan(500);
    expect(result.placed / result.writes).toBeGreaterThanOrEqual(0.99);
    expect(result.phantoms / result.spans).toBeLessThanOrEqual(0.01);
    expect(result.errorSpans).toBe(result.errors);
    expect(result.errors).toBeGreaterThan(50);
    expect(result.found).toBe(result.runs);
  });

  it.each(worlds)('default log, errors alone and whole seconds: %s', (_name, more) => {
    const result = figures({ ...more, log: 'errors' });
    expect(result.onKey).toBe(result.writes);
    expect(result.phantoms / result.spans).toBeLessThanOrEqual(0.03);
    expect(result.errorSpans).toBe(result.errors);
  });

  it.each(worlds)('no log: %s', (_name, more) => {
    const result = figures({ ...more, log: 'none' });
    expect(result.onKey).toBe(result.writes);
    expect(result.phantoms / result.spans).toBeLessThanOrEqual(0.03);
    expect(result.found).toBeGreaterThan(0);
  });
});
