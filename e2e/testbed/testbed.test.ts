import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachCluster, readClusterInfo } from './cluster.ts';
import { clusterOrSkip } from './clusterOrSkip.ts';
import { applyManifests, type KubeClient } from './kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from './operator.ts';
import { operatorManifest, testbedManifest } from './paths.ts';
import { type PodStandIn, startPodStandIn } from './podStandIn.ts';
import { isRunning } from './processes.ts';
import { eventually } from './wait.ts';

const orders = {
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  namespace: 'team-a',
  name: 'orders',
} as const;
const ordersSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  namespace: 'team-a',
  name: 'orders',
} as const;

describe('test bed', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator;
  let pods: PodStandIn;

  beforeAll(async () => {
    await installOperator(admin, { backups: true });
    operator = await startOperator(cluster, { flags: ['--create-backups'] });
    pods = startPodStandIn(admin);
    await applyManifests(admin, [operatorManifest('samples.yaml')]);
  });

  afterAll(async () => {
    await pods.stop();
    await operator.stop();
    admin.close();
    const pid = cluster.apiServerPid();
    await cluster.stop();
    expect(isRunning(pid)).toBe(false);
  });

  test('says the version it was built from', async () => {
    const version = await admin.json('GET', '/version');
    expect(version.gitVersion).toMatch(/^v1\.\d+\.\d+/);
    expect(cluster.info.startMs).toBeLessThan(60_000);
  });

  test('a Database becomes a StatefulSet, a Service, a Secret and a foreign Backup', async () => {
    const set = await eventually('the StatefulSet exists', () => admin.get(ordersSet));
    const owners = set.metadata?.ownerReferences;
    expect(owners).toEqual([expect.objectContaining({ kind: 'Database', name: 'orders', controller: true })]);
    for (const [apiVersion, kind, name] of [
      ['v1', 'Service', 'orders'],
      ['v1', 'Secret', 'orders-credentials'],
      ['backup.example.com/v1', 'Backup', 'orders-nightly'],
    ] as const) {
      await eventually(`${kind} ${name} exists`, () =>
        admin.get({ apiVersion, kind, namespace: 'team-a', name }),
      );
    }
  });

  test.runIf(cluster.hasControllerManager)('it becomes Ready once its pods are', async () => {
    const database = await eventually('orders is Ready', async () => {
      const object = await admin.get(orders);
      return JSON.stringify(object?.status ?? {}).includes('"reason":"Provisioned"') ? object : undefined;
    });
    expect(database.status).toMatchObject({ phase: 'Ready', readyReplicas: 2, observedGeneration: 1 });
  });

  test('a deleted Database goes once the operator has removed its finalizer', async () => {
    const billing = { ...orders, name: 'billing' };
    await eventually('it has the finalizer', async () => {
      const object = await admin.get(billing);
      return JSON.stringify(object?.metadata?.finalizers ?? []).includes('db.example.com/cleanup');
    });
    await admin.delete(billing);
    await eventually('billing is gone', async () => (await admin.get(billing)) === undefined);
  });

  test('the operator writes under its own name and with its own ServiceAccount', async () => {
    const set = await eventually('the StatefulSet exists', () => admin.get(ordersSet));
    expect(JSON.stringify(set.metadata?.managedFields)).toContain('"manager":"database-operator"');
    const audited = readFileSync(cluster.auditLogPath, 'utf8')
      .split('\n')
      .filter((line) =>
        line.includes('"user":{"username":"system:serviceaccount:dbops-system:database-operator"'),
      );
    expect(
      audited.some((line) => line.includes('"resource":"statefulsets"') && line.includes('"requestObject"')),
    ).toBe(true);
    expect(audited.filter((line) => line.includes('"resource":"secrets"')).join('\n')).not.toContain(
      '"requestObject"',
    );
  });

  test('the viewer may read databases of one namespace and nothing else', async () => {
    await applyManifests(admin, [testbedManifest('viewer.yaml')]);
    const viewer = cluster.client('viewer');
    try {
      await eventually('the grant works', async () => (await viewer.get(orders)) !== undefined);
      const pods403 = await viewer.request('GET', '/api/v1/pods');
      expect(pods403.status).toBe(403);
    } finally {
      viewer.close();
    }
  });

  test('the API server dies by SIGKILL and comes back with the same data, from an attached handle', async () => {
    const attached = attachCluster(readClusterInfo(cluster.dir));
    const before = await admin.get(orders);
    const pid = attached.apiServerPid();
    await attached.killApiServer();
    await expect(admin.request('GET', '/readyz', { timeoutMs: 2_000 })).rejects.toThrow();
    await attached.startApiServer();
    expect(attached.apiServerPid()).not.toBe(pid);
    const after = await admin.get(orders);
    expect(after?.metadata?.uid).toBe(before?.metadata?.uid);
  });
});
