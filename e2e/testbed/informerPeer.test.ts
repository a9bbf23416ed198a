import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBinary } from './build.ts';
import { clusterOrSkip } from './clusterOrSkip.ts';
import { applyManifests, applyYaml } from './kubeClient.ts';
import { operatorManifest } from './paths.ts';
import { seedDatabases } from './seed.ts';

describe('client-go informer peer', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('informer-peer');
  if (cluster === undefined) return;
  const admin = cluster.client('admin');

  let peer: string;
  beforeAll(async () => {
    const built = await ensureBinary('informer-peer', () => undefined);
    if (!built.ok) throw new Error(built.error.reason);
    peer = built.value;
    await applyManifests(admin, [operatorManifest('crd-databases.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: seeded}}');
    await seedDatabases(admin, { namespace: 'seeded', count: 300 });
  });
  afterAll(async () => {
    admin.close();
    await cluster.stop();
  });

  test.each([true, false])('syncs every object, compression %s', async (compression) => {
    const [first] = await admin.list('db.example.com/v1', 'Database', 'seeded');
    expect(JSON.stringify(first?.spec).length).toBeGreaterThan(1_700);
    const args = [
      `--kubeconfig=${cluster.kubeconfigPath('admin')}`,
      '--group=db.example.com',
      '--resource=databases',
      `--compression=${compression}`,
    ];
    const { stdout } = await promisify(execFile)(peer, args);
    const result: { readonly ms: number; readonly objects: number; readonly peakRssBytes: number } =
      JSON.parse(stdout);
    expect(result.objects).toBe(300);
    expect(result.ms).toBeGreaterThan(0);
    expect(result.peakRssBytes).toBeGreaterThan(1_000_000);
  });
});
