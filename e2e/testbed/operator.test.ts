import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterOrSkip } from './clusterOrSkip.ts';
import { applyManifests, applyYaml, type KubeClient } from './kubeClient.ts';
import { installOperator, startOperator } from './operator.ts';
import { operatorManifest } from './paths.ts';
import { eventually } from './wait.ts';

interface LogLine {
  readonly msg?: string;
  readonly name?: string;
  readonly error?: string;
  readonly ts?: string;
  readonly reconcileID?: string;
}

describe('operator under debug', { timeout: 90_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');

  beforeAll(() => installOperator(admin, { role: 'without-status' }));
  afterAll(async () => {
    admin.close();
    await cluster.stop();
  });

  test('without databases/status every reconcile is forbidden, until the role is applied', async () => {
    await createDatabases(admin, 'refused', ['one', 'two']);
    const operator = await startOperator(cluster);
    try {
      const refused = await eventually('a refused status update is logged', () =>
        jsonLines(operator.logPath).find((line) => line.msg === 'Reconciler error'),
      );
      expect(refused.error).toContain(
        'cannot update resource "databases/status" in API group "db.example.com"',
      );
      expect(refused.ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(refused.reconcileID).toMatch(/^[0-9a-f-]{36}$/);

      await applyManifests(admin, [operatorManifest('role.yaml')]);
      for (const name of ['one', 'two']) {
        await eventually(
          `${name} has a status`,
          async () => (await statusOf(admin, 'refused', name)) !== undefined,
        );
      }
    } finally {
      await operator.stop();
    }
  });

  test('an own limiter spaces failing reconciles by base·factorⁿ up to its cap; a heal file ends the failing', async () => {
    await createDatabases(admin, 'broken', ['stuck', 'fine']);
    const healFile = join(cluster.dir, 'healed');
    const flags = [
      '--watch-namespaces=broken',
      '--fail-names=^stuck$',
      `--heal-file=${healFile}`,
      '--limiter-base=300ms',
      '--limiter-factor=3',
      '--limiter-max=2s',
      '--log-time=rfc3339nano',
    ];
    const operator = await startOperator(cluster, { flags });
    try {
      const seen = await errorTimes(operator.logPath, 'stuck', 5);
      const gaps = seen.slice(1).map((at, i) => at - (seen[i] ?? at));
      // A timer is never early; how late it is is the machine's.
      for (const [i, expected] of [300, 900, 2_000, 2_000].entries()) {
        expect(gaps[i], `gap ${i}`).toBeGreaterThan(expected - 20);
        expect(gaps[i], `gap ${i}`).toBeLessThan(expected + 1_000);
      }
      // A conflict with its own earlier write, from a stale cache, is normal; the injected failure is not.
      const injected = jsonLines(operator.logPath).filter((line) => line.error?.includes('quota exceeded'));
      expect(new Set(injected.map((line) => line.name))).toEqual(new Set(['stuck']));
      expect(await statusOf(admin, 'broken', 'stuck')).toMatchObject({ phase: 'Failed' });

      writeFileSync(healFile, '');
      await eventually('stuck recovers', async () => {
        const status = await statusOf(admin, 'broken', 'stuck');
        return status !== undefined && JSON.stringify(status).includes('"phase":"Failed"') === false;
      });
    } finally {
      await operator.stop();
      rmSync(healFile, { force: true });
    }
  });

  test('a hot loop reconciles again and again without a change of the spec', async () => {
    await createDatabases(admin, 'hot', ['spinning']);
    const operator = await startOperator(cluster, {
      flags: ['--watch-namespaces=hot', '--hot-loop', '--reconcile-delay=20ms', '--log-v=5'],
    });
    try {
      await eventually('ten reconciles succeed', () => {
        const lines = jsonLines(operator.logPath);
        return lines.filter((line) => line.msg === 'Reconcile successful').length >= 10;
      });
    } finally {
      await operator.stop();
    }
  });

  test.each([
    {
      format: 'console',
      pattern: /^\d{4}-\d\d-\d\dT\S+\tERROR\tReconciler error\t\{.*"error": "provisioning storage/m,
    },
    {
      format: 'klog',
      pattern: /^E\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+\.go:\d+\] "Reconciler error" err="provisioning storage/m,
    },
  ])('logs in the format $format, from a classic queue under a Lease', async ({ format, pattern }) => {
    await createDatabases(admin, 'formats', ['any']);
    const operator = await startOperator(cluster, {
      flags: [
        '--fail-all',
        '--watch-namespaces=formats',
        `--log-format=${format}`,
        '--use-priority-queue=false',
        '--leader-elect',
      ],
    });
    try {
      await eventually('an error is logged', () => pattern.test(readFileSync(operator.logPath, 'utf8')));
      const lease = await admin.get({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        namespace: 'dbops-system',
        name: 'database-operator.db.example.com',
      });
      expect(lease?.spec).toMatchObject({ holderIdentity: expect.stringMatching(/.+_.+/) });
      const metrics = await (await fetch(operator.metricsUrl)).text();
      expect(metrics).toMatch(/^controller_runtime_reconcile_errors_total\{controller="database"\} [1-9]/m);
      expect(metrics).toMatch(/^workqueue_depth\{controller="database",name="database",priority=""\}/m);
    } finally {
      await operator.stop();
    }
  });
});

async function createDatabases(
  admin: KubeClient,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  await applyYaml(admin, `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`);
  for (const name of names) {
    await admin.apply({
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      metadata: { namespace, name },
      spec: { engine: 'postgres', version: '17' },
    });
  }
}

async function statusOf(admin: KubeClient, namespace: string, name: string): Promise<unknown> {
  const object = await admin.get({ apiVersion: 'db.example.com/v1', kind: 'Database', namespace, name });
  return object?.status;
}

function jsonLines(path: string): readonly LogLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

/** When, in ms, each of the first `count` errors of an object was logged. */
async function errorTimes(path: string, name: string, count: number): Promise<readonly number[]> {
  const errors = () =>
    jsonLines(path).filter((line) => line.msg === 'Reconciler error' && line.name === name);
  await eventually(`${count} errors of ${name}`, () => errors().length >= count);
  return errors()
    .slice(0, count)
    .map(({ ts = '' }) => Date.parse(ts));
}
