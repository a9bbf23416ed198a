import { expect, test } from 'vitest';
import { createMetricsHistory } from './series.ts';

interface Scrape {
  readonly success?: number;
  readonly error?: number;
  readonly depth?: number;
  readonly started?: number;
  /** Cumulative, by upper bound in seconds. */
  readonly buckets?: Readonly<Record<string, number>>;
  readonly controller?: string;
}

function text({ success = 0, error = 0, depth, started, buckets, controller = 'database' }: Scrape): string {
  return [
    `controller_runtime_reconcile_total{controller="${controller}",result="success"} ${success}`,
    `controller_runtime_reconcile_total{controller="${controller}",result="error"} ${error}`,
    ...(depth === undefined
      ? []
      : [
          `workqueue_depth{controller="${controller}",name="${controller}",priority="0"} ${depth}`,
          `workqueue_depth{controller="${controller}",name="${controller}",priority="-100"} 0`,
        ]),
    ...(started === undefined ? [] : [`process_start_time_seconds ${started / 1000}`]),
    ...Object.entries(buckets ?? {}).map(
      ([le, count]) =>
        `controller_runtime_reconcile_time_seconds_bucket{controller="${controller}",le="${le}"} ${count}`,
    ),
  ].join('\n');
}

const slot = 10_000;
/** Where slots of ten seconds and of a minute begin. */
const start = 1_700_000_040_000;

test('[SPG20] growth between two scrapes is spread over the slots between them; the depth stands where it was seen', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 100, error: 10, depth: 3 }), start);
  history.apply(text({ success: 130, error: 40, depth: 5 }), start + 15_000);
  history.apply(text({ success: 130, error: 40, depth: 0 }), start + 30_000);
  expect(history.series('database', slot)).toEqual({
    from: 'metrics',
    basis: { kind: 'reported', from: 'metrics' },
    points: [
      { at: start, runs: 40, errors: 20, depth: 3 },
      { at: start + 10_000, runs: 20, errors: 10, depth: 5 },
      { at: start + 20_000, runs: 0, errors: 0 },
      { at: start + 30_000, depth: 0 },
    ],
  });
});

test('[SPG20] a controller no scrape told of has no series', () => {
  const history = createMetricsHistory();
  expect(history.series('database', slot)).toBeUndefined();
  history.apply(text({ controller: 'backup' }), start);
  expect(history.series('database', slot)).toBeUndefined();
  expect(history.controllers()).toEqual(['backup']);
});

test('[SPG21] a restarted process counts from zero, from its own start on', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 500, started: start - 3_600_000 }), start);
  history.apply(text({ success: 510, started: start - 3_600_000 }), start + 10_000);
  history.apply(text({ success: 8, started: start + 12_000 }), start + 20_000);
  history.apply(text({ success: 9, started: start + 12_000 }), start + 30_000);
  expect(history.series('database', slot)?.points.map(({ runs }) => runs)).toEqual([10, 8, 1]);
});

test('[SPG21] a restart is seen by a counter that went back where the process does not tell its start', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 500 }), start);
  history.apply(text({ success: 4 }), start + 10_000);
  expect(history.series('database', slot)?.points).toEqual([{ at: start, runs: 4, errors: 0 }]);
});

test('[SPG21] more counted since the restart than before it: the start of the process tells', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 5, started: start - 60_000 }), start);
  history.apply(text({ success: 50, started: start + 1_000 }), start + 10_000);
  expect(history.series('database', slot)?.points[0]?.runs).toBe(50);
});

test('[SPG21] what a process counted before we looked is not told; of one that just started it is', () => {
  const old = createMetricsHistory();
  old.apply(text({ success: 9000, started: start - 86_400_000 }), start);
  expect(old.series('database', slot)?.points).toEqual([]);
  const young = createMetricsHistory();
  young.apply(text({ success: 12, started: start }), start + 10_000);
  expect(young.series('database', slot)?.points).toEqual([{ at: start, runs: 12, errors: 0 }]);
});

test('[SPG22] nothing is told between scrapes that are far apart', () => {
  const history = createMetricsHistory();
  for (let i = 0; i <= 3; i++) history.apply(text({ success: i * 10 }), start + i * 10_000);
  history.apply(text({ success: 900 }), start + 200_000);
  history.apply(text({ success: 910 }), start + 210_000);
  expect(history.series('database', slot)?.points.map(({ at, runs }) => [(at - start) / slot, runs])).toEqual(
    [
      [0, 10],
      [1, 10],
      [2, 10],
      [20, 10],
    ],
  );
});

test('[SPG22] scrapes that always come once a minute have no gaps between them', () => {
  const history = createMetricsHistory();
  for (let i = 0; i <= 5; i++) history.apply(text({ success: i * 6 }), start + i * 60_000);
  expect(history.series('database', 60_000)?.points.filter(({ runs }) => runs !== undefined)).toHaveLength(5);
});

test('[SPG22] scrapes that come more rarely from now on are no gaps for ever', () => {
  const history = createMetricsHistory();
  for (let i = 0; i < 20; i++) history.apply(text({ success: i }), start + i * 1000);
  for (let i = 1; i <= 20; i++) history.apply(text({ success: 20 + i }), start + 20_000 + i * 240_000);
  expect(history.series('database', 240_000)?.points.at(-1)?.runs).toBeGreaterThan(0);
});

test('[SPG22] a scrape that came twice or late changes nothing', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 10 }), start);
  history.apply(text({ success: 20 }), start + 10_000);
  history.apply(text({ success: 12 }), start + 5_000);
  history.apply(text({ success: 20 }), start + 10_000);
  expect(history.series('database', slot)?.points).toEqual([{ at: start, runs: 10, errors: 0 }]);
});

test('[SPG23] quantiles come from what the buckets grew by', () => {
  const history = createMetricsHistory();
  history.apply(text({ buckets: { '0.01': 1000, '0.1': 1000, '1': 1000, '+Inf': 1000 } }), start);
  history.apply(text({ buckets: { '0.01': 1000, '0.1': 1098, '1': 1100, '+Inf': 1100 } }), start + 10_000);
  const [point] = history.series('database', slot)?.points ?? [];
  // 98 of 100 lie between 10 and 100 ms: the 50th in the middle of them, the 99th halfway through the last bucket.
  expect(point?.p50Ms).toBeCloseTo(10 + (90 * 50) / 98, 3);
  expect(point?.p99Ms).toBeCloseTo(550, 3);
});

test('[SPG23] a histogram of +Inf alone, and none, tell no latency', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 1, buckets: { '+Inf': 1 } }), start);
  history.apply(text({ success: 9, buckets: { '+Inf': 9 } }), start + 10_000);
  expect(history.series('database', slot)?.points).toEqual([{ at: start, runs: 8, errors: 0 }]);
});

test('[SPG24] without controller-runtime: sync counters, else the items a queue handed out', () => {
  const history = createMetricsHistory();
  const sync = (calls: number, errors: number, worked: number) =>
    [
      `certs_controller_sync_call_count{controller="issuing"} ${calls}`,
      `certs_controller_sync_error_count{controller="issuing"} ${errors}`,
      `workqueue_work_duration_seconds_count{name="plain"} ${worked}`,
      'controller_runtime_reconcile_total 7',
      '<html>',
    ].join('\n');
  history.apply(sync(5, 1, 3), start);
  history.apply(sync(25, 11, 9), start + 10_000);
  expect(history.series('issuing', slot)?.points).toEqual([{ at: start, runs: 20, errors: 10 }]);
  expect(history.series('plain', slot)?.points).toEqual([{ at: start, runs: 6 }]);
});

test('[SPG24] a family that appears later counts from zero; one that vanishes ends', () => {
  const history = createMetricsHistory();
  history.apply(text({ controller: 'backup' }), start);
  history.apply(`${text({ controller: 'backup' })}\n${text({ success: 3 })}`, start + 10_000);
  history.apply(text({ controller: 'backup' }), start + 20_000);
  expect(history.series('database', slot)?.points).toEqual([{ at: start, runs: 3, errors: 0 }]);
});

test('[SPG25] replicas are summed, and one that is not heard leaves the counts unknown', () => {
  const history = createMetricsHistory();
  for (let i = 0; i <= 4; i++) {
    if (i !== 2) history.apply(text({ success: i * 10, depth: 1 }), start + i * 60_000, 'a');
    history.apply(text({ success: i, depth: 2 }), start + i * 60_000, 'b');
  }
  const points = history.series('database', 60_000)?.points ?? [];
  expect(points.map(({ runs }) => runs)).toEqual([11, 11, 11, 11, undefined]);
  const silent = createMetricsHistory();
  for (let i = 0; i <= 20; i++) {
    if (i < 3 || i > 15) silent.apply(text({ success: i * 10 }), start + i * slot, 'a');
    silent.apply(text({ success: i }), start + i * slot, 'b');
  }
  const told = silent.series('database', slot)?.points ?? [];
  expect(
    told.filter(({ runs }) => runs !== undefined).map(({ at, runs }) => [(at - start) / slot, runs]),
  ).toEqual([
    [0, 11],
    [1, 11],
    [16, 11],
    [17, 11],
    [18, 11],
    [19, 11],
  ]);
});

test('[SPG26] a long recording loses resolution at its old end, and nothing of what was counted', () => {
  const history = createMetricsHistory();
  const scrapes = 9996;
  for (let i = 0; i <= scrapes; i++) history.apply(text({ success: i * 3 }), start + i * 5000);
  const points = history.series('database', 60_000)?.points ?? [];
  expect(points.reduce((sum, { runs = 0 }) => sum + runs, 0)).toBeCloseTo(scrapes * 3, 0);
  // Newest at full resolution.
  expect(history.series('database', 5000)?.points.at(-1)?.runs).toBe(3);
});

test('[SPG26] the same answer until a scrape came, another one after it', () => {
  const history = createMetricsHistory();
  history.apply(text({ success: 0 }), start);
  history.apply(text({ success: 5 }), start + 10_000);
  const before = history.series('database', slot);
  history.apply(text({ controller: 'backup' }), start + 10_000, 'other');
  expect(history.series('database', slot)).toBe(before);
  expect(history.series('database', 5000)?.points).toHaveLength(2);
  history.apply(text({ success: 9 }), start + 20_000);
  expect(history.series('database', slot)?.points.map(({ runs }) => runs)).toEqual([5, 4]);
});

test('[SPG26] asked after each scrape or once at the end: the same points', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const asked = createMetricsHistory();
  const once = createMetricsHistory();
  const count = { a: 0, b: 0 };
  let at = start;
  for (let i = 0; i < 600; i++) {
    at += 3000 + Math.floor(random() * 6000);
    const source = random() < 0.5 ? 'a' : 'b';
    // One of the two is silent for a while, and started again now and then.
    if (source === 'a' && i % 100 > 70) continue;
    count[source] = random() < 0.02 ? 0 : count[source] + Math.floor(random() * 9);
    const scrape = text({
      success: count[source],
      depth: i % 5,
      buckets: { '0.1': count[source], '+Inf': count[source] },
    });
    for (const history of [asked, once]) history.apply(scrape, at, source);
    asked.series('database', slot);
  }
  expect(asked.series('database', slot)).toEqual(once.series('database', slot));
  expect(once.series('database', slot)?.points.length).toBeGreaterThan(100);
});

test('[SPG26] what pods that are gone told is forgotten first', () => {
  const history = createMetricsHistory();
  for (let pod = 0; pod < 600; pod++) {
    const at = start + pod * 30_000;
    history.apply(text({ success: 0 }), at, `pod-${pod}`);
    history.apply(text({ success: 1 }), at + slot, `pod-${pod}`);
  }
  const points = history.series('database', slot)?.points ?? [];
  expect(points).toHaveLength(512);
  expect(points[0]?.at).toBe(start + 88 * 30_000);
});
