/** Retries of failing reconciles are predicted before they happen, as near as the bar asks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { faults } from '../testbed/faults.ts';
import { applyManifests, applyYaml, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { assertOnlyReads } from './auditLog.ts';
import {
  describeErrors,
  distributionOf,
  isWithin,
  outcomesOf,
  type Retry,
  retriesOf,
} from './retryErrors.ts';
import { openWindow, type TestWindow } from './testWindow.ts';

/**
 * zap's production logger drops lines after 100 of one message in a second: eight failures of twelve keys fit into the
 * first one, those of twenty keys do not.
 */
const fewKeys = 12;
const moreKeys = 20;
const keys: string[] = [];

/** ms after n failures. */
const defaultLimiter = (failures: number) => Math.min(5 * 2 ** failures, 1_000_000);
const customLimiter = (failures: number) => Math.min(1_000 * 3 ** failures, 20_000);
const shortLimiter = (failures: number) => Math.min(500 * 2 ** failures, 4_000);

describe('retry prediction', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  const running: RunningOperator[] = [];
  const windows: TestWindow[] = [];

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}');
    await createDatabases(fewKeys);
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.close();
    for (const operator of running.splice(0)) await operator.stop();
  });

  afterAll(async () => {
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  async function createDatabases(upTo: number): Promise<void> {
    while (keys.length < upTo) {
      const name = `db-${String(keys.length).padStart(2, '0')}`;
      keys.push(name);
      await admin.create({
        apiVersion: 'db.example.com/v1',
        kind: 'Database',
        metadata: { namespace: 'team-a', name },
        spec: { engine: 'postgres', version: '17' },
      });
    }
  }

  /** A new file, so that it can be followed before the operator starts. */
  function newLog(name: string): string {
    const path = join((cluster as NonNullable<typeof cluster>).dir, 'logs', `${name}.log`);
    writeFileSync(path, '');
    return path;
  }

  async function operatorWith(logPath: string, ...flags: readonly string[]): Promise<void> {
    running.push(await startOperator(cluster as NonNullable<typeof cluster>, { flags, logPath }));
  }

  /** A connected window with the operator's log; `profile` is the text of a loopscope.yaml. */
  async function windowOn(logPath: string, profile?: string): Promise<TestWindow> {
    const window = openWindow(cluster as NonNullable<typeof cluster>);
    windows.push(window);
    if (profile !== undefined) {
      const path = join(window.home, 'loopscope.yaml');
      writeFileSync(path, profile);
      expect(await window.client.call('profile.load', { path })).toEqual({ ok: true });
    }
    await window.connect();
    const attached = await window.client.call('feed.attachLog', { path: logPath });
    expect(attached).toEqual({ ok: true });
    return window;
  }

  function controllerOf(window: TestWindow) {
    return window
      .session()
      .operators.profile()
      ?.controllers.find(({ name }) => name === 'database');
  }

  test('default limiter, inferred, priority queue', async () => {
    const log = newLog('default');
    const window = await windowOn(log);
    await operatorWith(log, ...faults.failing.flags);
    // The ninth to the twelfth retry of a key come 1.28, 2.56, 5.12 and 10.24 s after the failure before.
    await failures(log, 13, 40_000);
    const controller = controllerOf(window);
    expect(controller?.limiter.basis.kind).toBe('inferred');
    expect(controller?.queue.value).toBe('priority');
    await judge('default limiter, priority queue', window, defaultLimiter);
  });

  test('the same with so many keys that the log drops lines in the first second', async () => {
    await createDatabases(moreKeys);
    const log = newLog('sampled');
    const window = await windowOn(log);
    await operatorWith(log, ...faults.failing.flags);
    // Three of the first eight lines of most keys are missing; the delays of 1.28 s and more are all there.
    await failures(log, 10, 40_000);
    await judge('default limiter, lines dropped', window, undefined);
  });

  test('classic queue and a limiter of 500 ms, ×2, at most 4 s, both by loopscope.yaml', async () => {
    const log = newLog('classic');
    const limiter = '{ type: exp, base: 500ms, factor: 2, max: 4s }';
    const window = await windowOn(log, profileOf('classic', limiter));
    const flags = ['--use-priority-queue=false', '--limiter-base=500ms', '--limiter-max=4s'];
    await operatorWith(log, '--fail-all', ...flags);
    await failures(log, 6, 30_000);
    expect(controllerOf(window)?.queue.value).toBe('classic');
    await judge('500 ms ×2 up to 4 s, classic queue', window, shortLimiter);
  });

  test('a limiter of 1 s, ×3, at most 20 s by loopscope.yaml; a second window attaches after 20 s', async () => {
    const log = newLog('custom');
    const profile = profileOf('priority', faults['custom-limiter'].limiter);
    const first = await windowOn(log, profile);
    await operatorWith(log, ...faults['custom-limiter'].flags);
    const startedAt = Date.now();
    await eventually('the operator has failed for 20 s', () => Date.now() - startedAt >= 20_000);
    const attachedAt = Date.now();
    const second = await windowOn(log, profile);
    // 1, 3, 9, 20 and 20 s: the sixth failure of each key comes after 53 s.
    await failures(log, 6, 60_000);
    expect(controllerOf(first)?.limiter).toMatchObject({ value: { base: '1s', factor: 3, max: '20s' } });
    await judge('1 s ×3 up to 20 s, priority queue', first, customLimiter);
    await judge('the same, attached after 20 s', second, customLimiter, attachedAt);
  });

  async function judge(
    what: string,
    window: TestWindow,
    limiter: ((failures: number) => number) | undefined,
    after = 0,
  ): Promise<void> {
    const { log } = window.session().recorder;
    const retries = retriesOf(log, after);
    // Where lines are missing nobody can tell the delay but by the model.
    const long = retries.filter(
      ({ ordinal, delayMs }) => (limiter === undefined ? delayMs : limiter(ordinal - 1)) >= 1_000,
    );
    const distribution = distributionOf(long);
    console.log(describeErrors(what, distribution));
    const outside = long.filter((retry) => !isWithin(retry));
    expect(distribution.n, 'retries with a delay of a second or more').toBeGreaterThanOrEqual(40);
    expect(distribution.keys).toBeGreaterThanOrEqual(5);
    expect(
      distribution.within,
      `share of retries within 5 % of the delay + 50 ms; outside: ${JSON.stringify(outside)}`,
    ).toBeGreaterThanOrEqual(0.95);
    await expectHonestMarks(window, long, limiter);
  }

  /** The product's own marks say the same as what was worked out here. */
  async function expectHonestMarks(
    window: TestWindow,
    retries: readonly Retry[],
    limiter: ((failures: number) => number) | undefined,
  ): Promise<void> {
    const shown = window.table('predictions', { controller: 'database' });
    const outcomes = outcomesOf(window.session().recorder.log);
    for (const retry of retries) {
      const { prediction, key, ordinal } = retry;
      if (prediction === undefined) continue;
      const which = `retry ${ordinal} of ${key}`;
      if (limiter !== undefined) expect(prediction.delayMs, which).toBeCloseTo(limiter(ordinal - 1), 3);
      const outcome = outcomes.get(prediction.id);
      expect(outcome, which).toMatchObject({
        kind: isWithin(retry) ? 'hit' : 'missed',
        observedSeq: retry.lineSeq,
      });
      expect(outcome?.seq, which).toBeGreaterThan(retry.lineSeq);
      const row = await shown.until(`${which} is shown`, (one) => one.prediction.id === prediction.id);
      expect(row.outcome?.kind, which).toBe(outcome?.kind);
    }
  }
});

/** A loopscope.yaml with what the cluster cannot tell, and nothing else. */
function profileOf(queue: 'priority' | 'classic', limiter: string): string {
  return [
    'format: 1',
    'operator: { namespace: dbops-system, workload: Deployment/database-operator }',
    'controllers:',
    `- { name: database, for: databases.db.example.com, queue: ${queue}, limiter: ${limiter} }`,
    '',
  ].join('\n');
}

/** Waits until every key has failed `count` times by the operator's log. */
async function failures(logPath: string, count: number, timeoutMs: number): Promise<void> {
  await eventually(
    `${count} failures of each key are logged`,
    () => {
      const seen = new Map(keys.map((key) => [key, 0]));
      for (const [, name = ''] of readFileSync(logPath, 'utf8').matchAll(
        /"msg":"Reconciler error".*?"name":"([^"]+)"/g,
      ))
        seen.set(name, (seen.get(name) ?? 0) + 1);
      const fewest = Math.min(...seen.values());
      if (fewest < count) throw new Error(`so far ${JSON.stringify(Object.fromEntries(seen))}`);
      return true;
    },
    { timeoutMs, intervalMs: 500 },
  );
}
