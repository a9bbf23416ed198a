import { expect, test } from 'vitest';
import { operatorMetrics } from './controllerMetrics.ts';
import { parseMetrics } from './parse.ts';

test('[FEED1] samples with labels, escapes, exponents and time stamps; comments and blank lines are none', () => {
  const text = [
    '# HELP a_total Help \\n text',
    '# TYPE a_total counter',
    'a_total 3',
    'a_total{} 4',
    'b{x="1",y="a \\"q\\" \\\\ \\n, }" , } 1.5e-07 1700000000000',
    'c{le="+Inf"} +Inf',
    'd NaN',
    '',
    'e -Inf',
    ':colon:name 2',
  ].join('\r\n');
  expect(parseMetrics(text)).toEqual({
    samples: [
      { name: 'a_total', labels: {}, value: 3 },
      { name: 'a_total', labels: {}, value: 4 },
      { name: 'b', labels: { x: '1', y: 'a "q" \\ \n, }' }, value: 1.5e-7 },
      { name: 'c', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
      { name: 'd', labels: {}, value: Number.NaN },
      { name: 'e', labels: {}, value: Number.NEGATIVE_INFINITY },
      { name: ':colon:name', labels: {}, value: 2 },
    ],
    unparsed: 0,
  });
});

test('[FEED1] a broken line is counted and skipped', () => {
  const text = 'ok 1\nbroken\n{x="1"} 2\nopen{x="1 3\nbad{1x="a"} 1\nvalue one\n<html>\nlast 2';
  const { samples, unparsed } = parseMetrics(text);
  expect(samples.map((sample) => sample.name)).toEqual(['ok', 'last']);
  expect(unparsed).toBe(6);
});

test('[FEED2] controllers with their queue: the label priority tells a priority queue', () => {
  const metrics = operatorMetrics(`
controller_runtime_max_concurrent_reconciles{controller="database"} 4
controller_runtime_active_workers{controller="database"} 1
controller_runtime_reconcile_total{controller="database",result="error"} 7
controller_runtime_reconcile_total{controller="database",result="success"} 2
controller_runtime_reconcile_errors_total{controller="database"} 7
workqueue_depth{controller="database",name="database",priority="0"} 3
workqueue_depth{controller="database",name="database",priority="-100"} 2
workqueue_depth{controller="backup",name="backup",priority=""} 1
workqueue_depth{name="plain"} 0
workqueue_adds_total{controller="database",name="database"} 9
workqueue_retries_total{controller="database",name="database"} 7
workqueue_queue_duration_seconds_bucket{controller="database",name="database",le="1e-08"} 0
workqueue_queue_duration_seconds_sum{controller="database",name="database"} 0.5
workqueue_queue_duration_seconds_count{controller="database",name="database"} 9
workqueue_unfinished_work_seconds{controller="database",name="database"} 0.25
leader_election_master_status{name="lock"} 1
process_start_time_seconds 1.5e+09
go_goroutines 12
`);
  expect(metrics).toEqual({
    controllers: [
      { controller: 'backup', queueKind: 'classic', reconciles: {}, depth: 1 },
      {
        controller: 'database',
        queueKind: 'priority',
        maxConcurrentReconciles: 4,
        activeWorkers: 1,
        reconciles: { error: 7, success: 2 },
        reconcileErrors: 7,
        depth: 5,
        adds: 9,
        retries: 7,
        unfinishedWorkSeconds: 0.25,
        queueDuration: { sumSeconds: 0.5, count: 9 },
      },
      { controller: 'plain', queueKind: 'classic', reconciles: {}, depth: 0 },
    ],
    leader: { lock: true },
    processStartedAt: 1.5e12,
    unparsed: 0,
  });
});

test('[FEED2] a priority queue that saw no item yet has no depth', () => {
  const [only] = operatorMetrics('workqueue_adds_total{controller="pod",name="pod"} 0').controllers;
  expect(only).toEqual({ controller: 'pod', queueKind: 'priority', reconciles: {}, adds: 0 });
  expect(
    operatorMetrics('controller_runtime_active_workers{controller="a"} 0').controllers[0]?.queueKind,
  ).toBeUndefined();
});

test('[MC4] the time of reconciles keeps its buckets, by bound', () => {
  const [only] = operatorMetrics(`
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="+Inf"} 9
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="0.1"} 8
controller_runtime_reconcile_time_seconds_bucket{controller="a",le="0.005"} 2
controller_runtime_reconcile_time_seconds_sum{controller="a"} 1.5
controller_runtime_reconcile_time_seconds_count{controller="a"} 9
`).controllers;
  expect(only?.reconcileTime).toEqual({
    sumSeconds: 1.5,
    count: 9,
    buckets: [
      [0.005, 2],
      [0.1, 8],
      [Number.POSITIVE_INFINITY, 9],
    ],
  });
});
