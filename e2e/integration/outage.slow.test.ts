/** The API server goes away and comes back: the window says so, and afterwards it holds what the server holds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../shared/contract/views/connection.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { pause } from '../testbed/processes.ts';
import { seedDatabases } from '../testbed/seed.ts';
import { assertOnlyReads } from './auditLog.ts';
import { type CacheComparison, compareCaches } from './caches.ts';
import { openWindow, type ShownTable, type ShownValue, type TestWindow } from './testWindow.ts';

const outageMs = 10_000;
const database = (name: string) => ({
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  namespace: 'team-a',
  name,
});

describe('an API server that goes away', { timeout: 120_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator;
  let window: TestWindow;
  let connection: ShownValue<Connection>;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    await seedDatabases(admin, { namespace: 'team-a', count: 60, bytes: 1_000 });
    operator = await startOperator(cluster);
    window = openWindow(cluster);
    await window.connect();
    await window
      .table('informers', {})
      .until('databases are watched', (row) => row.resource === 'databases' && row.state === 'live');
    connection = window.value('connection', {});
  });

  afterAll(async () => {
    window.close();
    await operator.stop();
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  test('before anything happens the caches are right', async () => {
    expectSame(await compareCaches(window, admin));
  });

  test('killed and started again after 10 s: told as lost, gaps on record, caches right afterwards', async () => {
    const gaps = window.table('gaps', {});
    const events = window.table('events', { text: '', initial: false, limit: 5_000 });
    const live = window
      .session()
      .watching.manager.sources()
      .filter(({ state }) => state === 'live');
    // A sign of life just before, so that the window can know when contact ended.
    const touched = await admin.patch(database('seed-00000'), { spec: { replicas: 2 } });
    const heard = await events.until(
      'a last change is shown',
      ({ resourceVersion }) => resourceVersion === touched.metadata?.resourceVersion,
    );
    const killedAt = Date.now();
    await cluster.killApiServer();
    await connection.until('the connection is told as lost', ({ phase }) => phase === 'lost');
    await connection.until(
      'it says which try it is at and when the next one comes',
      ({ lost }) => (lost?.attempt ?? 0) >= 2 && (lost?.nextTryAt ?? 0) > killedAt,
    );
    expect(connection.current?.problem?.message).toMatch(/\S+/);
    expect(connection.current?.lost?.since).toBeGreaterThanOrEqual(heard.at);
    expect(connection.current?.lost?.since).toBeLessThanOrEqual(killedAt + 1_500);
    await pause(Math.max(0, killedAt + outageMs - Date.now()));
    await cluster.startApiServer();
    const backAt = Date.now();
    // As much as possible before the window is back: it learns of it by a list or a resumed watch.
    await admin.delete(database('seed-00001'));
    await admin.create({ ...ref('during'), spec: { engine: 'postgres', version: '17' } });
    await admin.patch(database('seed-00002'), { spec: { replicas: 2 } });

    const again = await connection.until(
      'the connection is live again',
      ({ phase }) => phase === 'live',
      30_000,
    );
    expect(again.lost).toBeUndefined();
    console.log(`live again ${(connection.all.at(-1)?.at ?? 0) - backAt} ms after the server was ready`);
    await settled();
    await gaps.until('every gap is closed', () =>
      gaps.rows.every(({ why, to }) => why === 'forbidden' || to !== undefined),
    );

    const lostGaps = gaps.rows.filter(
      ({ why, to }) => why !== 'forbidden' && (to === undefined || to > killedAt),
    );
    expect(new Set(lostGaps.map(({ source }) => source))).toEqual(new Set(live.map(({ source }) => source)));
    for (const gap of lostGaps) expect(gap, gap.text).toMatchObject({ to: expect.any(Number) });
    expect(Math.max(...lostGaps.map(({ from, to = 0 }) => to - from))).toBeGreaterThanOrEqual(
      outageMs - 1_500,
    );
    expect(events.rows.filter(({ type }) => type === 'gap').length).toBeGreaterThanOrEqual(live.length);
    const { log } = window.session().recorder;
    const recorded = [...log.heads({ kinds: ['gap'] })].map(
      ({ seq }) => JSON.parse(log.payload(seq) ?? '') as { id: string; phase: string },
    );
    for (const gap of lostGaps)
      expect(recorded.filter(({ id }) => id === gap.id).map(({ phase }) => phase)).toEqual([
        'opened',
        'closed',
      ]);

    await events.until('the Database created meanwhile is shown', ({ object }) => object?.name === 'during');
    expectSame(await compareCaches(window, admin));
  });

  test('frozen (SIGSTOP) past the probe of the connection: told as lost, and right again after SIGCONT', async () => {
    const pid = cluster.apiServerPid();
    process.kill(pid, 'SIGSTOP');
    try {
      await connection.until('the frozen server is told as lost', ({ phase }) => phase === 'lost', 40_000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await admin.patch(database('seed-00003'), { spec: { replicas: 3 } });
    await connection.until('the connection is live again', ({ phase }) => phase === 'live', 30_000);
    await settled();
    expectSame(await compareCaches(window, admin));
  });

  /** Every source is live and no gap is open. */
  async function settled(): Promise<void> {
    const informers: ShownTable<{ readonly id: string; readonly state: string }> = window.table(
      'informers',
      {},
    );
    await informers.until(
      'every kind is watched again',
      () => informers.rows.every(({ state }) => !['lost', 'syncing', 'waiting'].includes(state)),
      30_000,
    );
  }
});

function ref(name: string) {
  const { namespace, ...rest } = database(name);
  return { apiVersion: rest.apiVersion, kind: rest.kind, metadata: { namespace, name } };
}

function expectSame({ sources, objects, metadataOnly, differences }: CacheComparison): void {
  console.log(`caches: ${sources} sources, ${objects} objects, ${metadataOnly} of them as metadata`);
  expect(differences).toEqual([]);
  expect(sources).toBeGreaterThan(10);
  expect(objects).toBeGreaterThan(100);
  expect(metadataOnly).toBeGreaterThan(0);
}
