import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBinary } from './build.ts';
import { startCluster } from './cluster.ts';
import { applyManifests, applyYaml } from './kubeClient.ts';
import { operatorManifest } from './paths.ts';
import { seedDatabases } from './seed.ts';

describe('client-go informer peer', { timeout: 60_000 }, async () => {
  const started = await startCluster();
  const peer = await ensureBinary('informer-peer', (line) => console.log(line));
  if (!started.ok || !peer.ok) {
    test.skip(`skipped: ${!started.ok ? started.error.reason : !peer.ok ? peer.error.reason : ''}`, () =>
      undefined);
    return;
  }
  const cluster = started.value;
  const admin = cluster.client('admin');

  beforeAll(async () => {
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
    const { stdout } = await promisify(execFile)(peer.value, args);
    const result: { readonly ms: number; readonly objects: number; readonly peakRssBytes: number } =
      JSON.parse(stdout);
    expect(result.objects).toBe(300);
    expect(result.ms).toBeGreaterThan(0);
    expect(result.peakRssBytes).toBeGreaterThan(1_000_000);
  });
});
