import { expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import { RunCounts } from '../queue/runCounts.ts';
import type { MetricsFact } from '../session/facts.ts';
import { createReportedMetrics } from './reportedMetrics.ts';

const start = 1_790_000_000_000;

function bench() {
  const texts = new Map<number, string>();
  const counts = new RunCounts(start, () => 'priority');
  counts.reset(start, start);
  let settledUntil = start + 60_000;
  const metrics = createReportedMetrics({
    log: { payload: (seq) => texts.get(seq) },
    shadows: { runCounts: (controller) => (controller === 'database' ? counts : undefined) },
    settledUntil: () => settledUntil,
    watchedSince: () => start,
  });
  return {
    metrics,
    run(at: number) {
      const line = { key: 'ns/a', reconcileId: `r${at}`, precisionMs: 0 };
      counts.line({ ...line, at, says: 'started', result: undefined });
      counts.line({ ...line, at: at + 5, says: 'ended', result: 'success' });
    },
    scrape(at: number, adds: number, source = 'metrics:1') {
      const seq = recordSeq(texts.size + 1);
      texts.set(
        seq,
        `process_start_time_seconds ${start / 1000}
workqueue_adds_total{controller="database",name="database"} ${adds}
workqueue_retries_total{controller="database",name="database"} 0
controller_runtime_reconcile_total{controller="database",result="success"} ${adds}
`,
      );
      const fact: MetricsFact = {
        fact: 'metrics',
        seq,
        at: { lo: at, hi: at },
        receivedAt: at,
        source: sourceId(source),
      };
      metrics.apply(fact);
    },
    settle(until: number) {
      settledUntil = until;
    },
  };
}

test('[MC5] [MC6] scrapes of the session against the model of its queue; of replicas the one that works', () => {
  const { metrics, run, scrape, settle } = bench();
  expect(metrics.modelCheck('database')).toMatchObject({ reason: 'no-metrics' });
  for (const after of [1_000, 2_000, 3_000]) run(start + after);
  scrape(start + 500, 0, 'metrics:2');
  scrape(start + 2_500, 2);
  scrape(start + 5_000, 3);
  scrape(start + 5_100, 0, 'metrics:2');
  const adds = () => metrics.modelCheck('database').rows[0];
  expect(adds()).toEqual({ name: 'adds', model: { lo: 3, hi: 3 }, reported: 3, inside: true });
  settle(start + 4_000);
  expect(adds()).toEqual({ name: 'adds', model: { lo: 2, hi: 2 }, reported: 2, inside: true });
  expect(metrics.modelCheck('other')).toEqual({ controller: 'other', rows: [], reason: 'no-metrics' });
});

test('[MC5] many scrapes are thinned out; the first and the last stay', () => {
  const { metrics, run, scrape, settle } = bench();
  run(start + 1_000);
  for (let index = 0; index < 2_500; index += 1) scrape(start + 2_000 + index * 1_000, 1);
  settle(Number.POSITIVE_INFINITY);
  const check = metrics.modelCheck('database');
  expect(check.to).toBe(start + 2_000 + 2_499 * 1_000);
  expect(check.rows[0]).toMatchObject({ reported: 1, inside: true });
  expect(metrics.series('database', 10_000)?.points.length).toBeGreaterThan(0);
});
