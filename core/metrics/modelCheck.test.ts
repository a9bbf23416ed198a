import { describe, expect, it } from 'vitest';
import { RunCounts } from '../queue/runCounts.ts';
import type { ControllerMetrics } from '../source/metrics/controllerMetrics.ts';
import { modelCheck, type ReportedCounts } from './modelCheck.ts';

const start = 10_000;
const controller = 'database';

function counted(runs: number): RunCounts {
  const counts = new RunCounts(start, () => 'priority');
  counts.reset(start, start);
  for (let index = 0; index < runs; index += 1) {
    const at = start + 1_000 + index * 1_000;
    const line = { key: 'ns/a', reconcileId: `r${index}`, precisionMs: 0 };
    counts.line({ ...line, at, says: 'started', result: undefined });
    counts.line({ ...line, at: at + 10, says: 'ended', result: index % 2 === 0 ? 'success' : 'error' });
  }
  return counts;
}

function scrape(at: number, adds: number, more: Partial<ControllerMetrics> = {}): ReportedCounts {
  const error = Math.floor(adds / 2);
  return {
    at: { lo: at, hi: at },
    processStartedAt: start - 500,
    metrics: {
      controller,
      queueKind: 'priority',
      reconciles: { success: adds - error, error, requeue: 0, requeue_after: 0 },
      adds,
      retries: error,
      depth: 0,
      ...more,
    },
  };
}

const forEver = Number.POSITIVE_INFINITY;

describe('the model against what is reported', () => {
  it('[MC5] since the start of the process, where both know it', () => {
    const check = modelCheck({
      controller,
      model: counted(8),
      scrapes: [scrape(start + 4_500, 4), scrape(start + 9_500, 8)],
      settledUntil: forEver,
    });
    expect(check).toMatchObject({ controller, from: start, to: start + 9_500 });
    expect(
      check.rows.map(({ name, model, reported, inside }) => [name, model.lo, model.hi, reported, inside]),
    ).toEqual([
      ['adds', 8, 8, 8, true],
      ['retries', 4, 4, 4, true],
      ['depth', 0, 0, 0, true],
      ['success', 4, 4, 4, true],
      ['error', 4, 4, 4, true],
      ['requeue', 0, 0, 0, true],
      ['requeue-after', 0, 0, 0, true],
    ]);
  });

  it('[MC5] a scrape that is too fresh waits; a difference is told as one', () => {
    const check = modelCheck({
      controller,
      model: counted(8),
      scrapes: [scrape(start + 4_500, 5), scrape(start + 9_500, 8)],
      settledUntil: start + 9_000,
    });
    expect(check.to).toBe(start + 4_500);
    expect(check.rows[0]).toEqual({ name: 'adds', model: { lo: 4, hi: 4 }, reported: 5, inside: false });
  });

  it('[MC5] not from the start of a process that ran before we watched, where the log tells errors alone', () => {
    const model = new RunCounts(start, () => 'priority');
    model.reset(start, start);
    const failed = (at: number) =>
      model.line({
        key: 'ns/a',
        reconcileId: `r${at}`,
        precisionMs: 0,
        at,
        says: 'ended',
        result: 'error',
      });
    failed(start + 1_000);
    failed(start + 62_000);
    const scrapes = [scrape(start + 60_500, 3_734), scrape(start + 65_500, 3_735)];
    const input = { controller, model, scrapes, settledUntil: forEver };
    const check = modelCheck({ ...input, watchedSince: start + 60_000 });
    expect(check).toMatchObject({ from: start + 60_500 });
    expect(check.rows.find(({ name }) => name === 'adds')).toMatchObject({ reported: 1, inside: true });
    expect(modelCheck({ ...input, watchedSince: start + 61_000 })).toMatchObject({
      reason: 'too-few-scrapes',
    });
  });

  it('[MC6] attached in the middle: growth from the first scrape that the model covers', () => {
    const model = new RunCounts(start + 3_200, () => 'priority');
    for (let index = 3; index < 8; index += 1) {
      const line = { key: 'ns/a', reconcileId: `r${index}`, precisionMs: 0 };
      model.line({ ...line, at: start + 1_000 + index * 1_000, says: 'started', result: undefined });
      model.line({ ...line, at: start + 1_010 + index * 1_000, says: 'ended', result: 'success' });
    }
    const check = modelCheck({
      controller,
      model,
      scrapes: [scrape(start + 1_500, 1), scrape(start + 4_500, 104), scrape(start + 9_500, 108)],
      settledUntil: forEver,
    });
    expect(check).toMatchObject({ from: start + 4_500, to: start + 9_500 });
    expect(check.rows[0]).toMatchObject({ name: 'adds', reported: 4, inside: true });
  });

  it('[MC6] lives are cut: only the last one is compared', () => {
    const before = { ...scrape(2_000, 90), processStartedAt: 500 };
    const check = modelCheck({
      controller,
      model: counted(4),
      scrapes: [before, scrape(start + 9_500, 4)],
      settledUntil: forEver,
    });
    expect(check.rows[0]).toMatchObject({ reported: 4, inside: true });
  });

  it('[MC7] says why there is nothing to compare', () => {
    const reasonOf = (scrapes: readonly ReportedCounts[], model: RunCounts | undefined) =>
      modelCheck({ controller, scrapes, model, settledUntil: 50_000 });
    const none = (reason: string) => ({ controller, rows: [], reason });
    expect(reasonOf([], counted(1))).toEqual(none('no-metrics'));
    expect(reasonOf([scrape(20_000, 1)], undefined)).toEqual(none('no-model'));
    expect(reasonOf([scrape(60_000, 1)], counted(1))).toEqual(none('too-few-scrapes'));
    const bare: ReportedCounts = {
      at: { lo: 20_000, hi: 20_000 },
      processStartedAt: undefined,
      metrics: { controller, queueKind: undefined, reconciles: {} },
    };
    expect(reasonOf([bare], counted(1))).toEqual(none('no-queue-metrics'));
    expect(reasonOf([{ ...scrape(20_000, 1), processStartedAt: undefined }], counted(1))).toEqual(
      none('too-few-scrapes'),
    );
  });

  it('[MC7] a priority queue without a sample of its depth has none queued; counters that are not there are not compared', () => {
    const { depth: _, ...metrics } = scrape(start + 9_500, 2).metrics;
    const check = modelCheck({
      controller,
      model: counted(2),
      scrapes: [{ ...scrape(start + 9_500, 2), metrics: { ...metrics, reconciles: {} } }],
      settledUntil: forEver,
    });
    expect(check.rows.find(({ name }) => name === 'depth')).toMatchObject({ reported: 0, inside: true });
    expect(check.rows.find(({ name }) => name === 'error')).toEqual({
      name: 'error',
      model: { lo: 1, hi: 1 },
    });
  });
});
