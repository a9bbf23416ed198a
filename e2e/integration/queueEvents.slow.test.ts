/** Events wake a failing key early and each run fails: the queue must count on and wait as long as the operator does. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { openWindow, type TestWindow } from './testWindow.ts';

const failing = 'team-a/orders';
const orders = { apiVersion: 'db.example.com/v1', kind: 'Database', namespace: 'team-a', name: 'orders' };
/** Of the default limiter, ms after n failures. */
const delayAfter = (failures: number) => Math.min(5 * 2 ** (failures - 1), 1_000_000);

describe('a failing key that is changed twice', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator | undefined;
  let window: TestWindow | undefined;
  let replicas = 2;

  beforeAll(async () => {
    // Without `update` on databases/status every reconcile of every Database fails.
    await installOperator(admin, { role: 'without-status' });
    await applyManifests(admin, [operatorManifest('samples.yaml'), testbedManifest('reader.yaml')]);
  });

  afterEach(async () => {
    window?.close();
    await operator?.stop();
    operator = undefined;
    window = undefined;
  });

  afterAll(async () => {
    admin.close();
    await cluster.stop();
  });

  test.each([false, true])('metrics attached: %s', async (metrics) => {
    const running = await startOperator(cluster, {});
    operator = running;
    const shown = openWindow(cluster);
    window = shown;
    await shown.connect();
    expect(await shown.client.call('feed.attachLog', { path: running.logPath })).toEqual({ ok: true });
    if (metrics)
      expect(await shown.client.call('feed.attachMetrics', { url: running.metricsUrl })).toEqual({
        ok: true,
      });
    const queue = shown.value('queue', { controller: 'database' });
    await queue.until(
      'the key is shown to have failed eleven times',
      ({ snapshot: now }) => now?.failures.some((row) => row.key === failing && row.failures >= 11) === true,
      30_000,
    );
    expect(linesOf(running.logPath)).toBe(11);

    replicas = replicas === 2 ? 3 : 2;
    const changedAt = Date.now();
    for (const count of [replicas, replicas + 2]) await admin.patch(orders, { spec: { replicas: count } });
    await eventually('the changes woke the key', () => linesOf(running.logPath) >= 13, {
      timeoutMs: 10_000,
      intervalMs: 20,
    });
    const failures = await settled(running.logPath);

    const { snapshot } = await queue.until(
      `the queue counts ${failures} failures and waits`,
      ({ snapshot: now }) =>
        now?.failures.some((row) => row.key === failing && row.failures === failures) === true &&
        now.waiting.some(({ key }) => key === failing),
      5_000,
    );
    const row = snapshot?.waiting.find(({ key }) => key === failing);
    expect(row).toMatchObject({ failures, why: 'backoff' });
    expect(row?.delayMs).toBeCloseTo(delayAfter(failures), -1);
    // It waits from the line of its last failure on, which came within two seconds of the changes.
    const lastLine = (row?.readyAt ?? 0) - delayAfter(failures);
    expect(lastLine).toBeGreaterThan(changedAt);
    expect(lastLine).toBeLessThan(changedAt + 2_000);

    // It never was healthy, nor is it a while later: silence is no proof.
    await eventually('three more seconds', () => Date.now() - changedAt > 6_000, { intervalMs: 100 });
    for (const { at, value } of queue.all.filter((one) => one.at > changedAt)) {
      const now = value.snapshot?.failures.find(({ key }) => key === failing);
      expect(now?.failures, `failures shown ${at - changedAt} ms after the changes`).toBeGreaterThanOrEqual(
        11,
      );
    }
    expect(linesOf(running.logPath)).toBe(failures);
    expect(queue.current?.snapshot?.waiting.find(({ key }) => key === failing)).toMatchObject({
      failures,
      readyAt: row?.readyAt,
    });
  });
});

/** Error lines of the key since the operator started. */
function linesOf(logPath: string): number {
  return readFileSync(logPath, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"msg":"Reconciler error"') && line.includes('"name":"orders"')).length;
}

/** The number of error lines once no more have come for a second. */
async function settled(logPath: string): Promise<number> {
  let count = linesOf(logPath);
  let since = Date.now();
  return eventually(
    'the burst of failures is over',
    () => {
      const now = linesOf(logPath);
      if (now !== count) since = Date.now();
      count = now;
      return Date.now() - since > 1_000 ? count : undefined;
    },
    { timeoutMs: 15_000, intervalMs: 50 },
  );
}
