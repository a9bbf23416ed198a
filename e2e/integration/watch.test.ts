/** What happens in the cluster is shown at once, with every version, the difference and the writer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import {
  applyManifests,
  applyYaml,
  createKubeClient,
  type KubeClient,
  type KubeJson,
  type ObjectRef,
} from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { assertOnlyReads, auditEvents } from './auditLog.ts';
import { plainDiff, unabridged } from './objectDiff.ts';
import { eventsSince, versionNow } from './rawWatch.ts';
import { openWindow, type TestWindow } from './testWindow.ts';

const shownWithinMs = 1_000;
const databases = '/apis/db.example.com/v1/namespaces/team-a/databases';
const orders = ref('db.example.com/v1', 'Database', 'orders');
const ordersKey = 'db.example.com/Database/team-a/orders';
const settings = ref('v1', 'ConfigMap', 'settings');
const settingsKey = '/ConfigMap/team-a/settings';
const operatorUser = 'system:serviceaccount:dbops-system:database-operator';

describe('watching a real cluster', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  const as = (userAgent: string) =>
    createKubeClient({ url: cluster.url, caFile: cluster.caFile, token: cluster.token('admin'), userAgent });
  const creator = as('test-creator');
  const changer = as('test-changer');
  let operator: RunningOperator;
  let window: TestWindow;

  beforeAll(async () => {
    await installOperator(admin);
    await applyManifests(admin, [testbedManifest('reader.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}');
    await creator.create({ ...asObject(settings), data: { mode: 'first' } });
    operator = await startOperator(cluster);
    window = openWindow(cluster);
    await window.connect();
    await window
      .table('informers', {})
      .until(
        'databases are watched in full',
        (row) => row.resource === 'databases' && row.state === 'live' && row.detail === 'full',
      );
  });

  afterAll(async () => {
    window.close();
    await operator.stop();
    for (const client of [creator, changer]) client.close();
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  test('a Database created, changed and deleted: shown within 1 s, every version with diff and writer', async () => {
    const events = window.table('events', { text: 'kind:Database', initial: false, limit: 1000 });
    const shown = (op: string, version: string | undefined) =>
      events.until(
        `${op} at version ${version} is shown`,
        (row) => row.op === op && row.resourceVersion === version && row.object?.key === ordersKey,
      );
    const delays: { what: string; ms: number }[] = [];
    const from = await versionNow(admin, databases);

    const created = await creator.create({
      ...asObject(orders),
      spec: { engine: 'postgres', version: '17', replicas: 1 },
    });
    await timed('created', 'added', created);
    await observedGeneration(1);
    const changed = await changer.patch(orders, { spec: { replicas: 3 } });
    await timed('spec changed', 'modified', changed);
    await observedGeneration(2);
    await admin.delete(orders);
    await eventually('the operator let it go', async () => (await admin.get(orders)) === undefined, {
      intervalMs: 10,
    });
    const goneAt = Date.now();
    const gone = await events.until(
      'its deletion is shown',
      (row) => row.op === 'deleted' && row.object?.key === ordersKey,
    );
    delays.push({ what: 'deleted', ms: (events.shownAt(gone.seq) ?? 0) - goneAt });

    // The operator's own writes, by the time the API server answered them.
    const writes = operatorWrites();
    const statusWrites = writes.filter(({ objectRef }) => objectRef?.subresource === 'status');
    expect(statusWrites.length, 'status writes of the operator').toBeGreaterThanOrEqual(2);
    for (const { responseObject, stageTimestamp } of statusWrites) {
      const row = await shown('modified', responseObject?.metadata?.resourceVersion);
      expect(row.writer).toMatchObject({ manager: 'database-operator', subresource: 'status' });
      delays.push({ what: 'status', ms: (events.shownAt(row.seq) ?? 0) - Date.parse(stageTimestamp) });
    }
    console.log(
      `shown after the answer: ${delays.map(({ what, ms }) => `${what} ${Math.round(ms)} ms`).join(', ')}`,
    );
    expect(delays.filter(({ ms }) => ms > shownWithinMs)).toEqual([]);

    const truth = (await eventsSince(admin, databases, from)).filter(
      ({ object }) => object.metadata?.name === 'orders',
    );
    const history = await window.client.call('object.open', { key: ordersKey });
    const versions = history.versions.toReversed();
    expect(versions.map(({ op, resourceVersion }) => `${op} ${resourceVersion}`)).toEqual(
      truth.map(({ type, object }) => `${type.toLowerCase()} ${object.metadata?.resourceVersion}`),
    );
    expect(truth.length).toBeGreaterThanOrEqual(6);
    expect(versions.every(({ metadataOnly, afterGap }) => !metadataOnly && !afterGap)).toBe(true);
    const writerOf = new Map<string, string>([
      [created.metadata?.resourceVersion ?? '', 'test-creator'],
      [changed.metadata?.resourceVersion ?? '', 'test-changer'],
      ...writes.map(
        ({ responseObject, objectRef }) =>
          [
            responseObject?.metadata?.resourceVersion ?? '',
            objectRef?.subresource === undefined
              ? 'database-operator'
              : `database-operator/${objectRef.subresource}`,
          ] as const,
      ),
    ]);
    for (const [index, version] of versions.entries()) {
      const [before, after] = [truth[index - 1]?.object, truth[index]?.object ?? {}];
      const which = `version ${version.resourceVersion}`;
      // A deletion is no write: nobody's entry tells of it.
      const wanted =
        version.op === 'deleted' || isDeleting(after) ? undefined : writerOf.get(version.resourceVersion);
      expect(version.writers.map(nameOf), which).toEqual(wanted === undefined ? [] : [wanted]);
      if (!isDeleting(after)) expect(wanted, `who wrote ${which}`).toBeDefined();
      const diff = await window.client.call('object.diff', { to: version.seq });
      if (before === undefined) {
        expect(diff.note).toContain('first version');
        continue;
      }
      const rows = diff.rows.filter(({ path }) => !path.startsWith('metadata.managedFields'));
      const told = rows
        .map(({ path, sign, old, new: now }) => ({
          path,
          sign,
          ...(old && { old }),
          ...(now && { new: now }),
        }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
      const whole = plainDiff(before, after);
      expect(unabridged(told, whole), which).toEqual(whole);
    }
    const specStep = versions.find(
      ({ resourceVersion }) => resourceVersion === changed.metadata?.resourceVersion,
    );
    const specDiff = await window.client.call('object.diff', { to: specStep?.seq ?? 0 });
    expect(specDiff.rows.find(({ path }) => path === 'spec.replicas')).toMatchObject({
      old: '1',
      new: '3',
      owner: { manager: 'test-changer' },
      takenFrom: 'test-creator',
    });

    async function timed(what: string, op: string, answered: KubeJson): Promise<void> {
      const answeredAt = Date.now();
      const row = await shown(op, answered.metadata?.resourceVersion);
      delays.push({ what, ms: (events.shownAt(row.seq) ?? 0) - answeredAt });
    }
  });

  test('opening an object of a metadata-only kind asks for whole objects; what came before is marked', async () => {
    const informers = window.table('informers', {});
    await informers.until(
      'metadata at first',
      (row) => row.resource === 'configmaps' && row.detail === 'metadata',
    );
    await changer.patch(settings, { data: { mode: 'second' } });
    const events = window.table('events', {
      text: 'kind:ConfigMap name:settings',
      initial: true,
      limit: 100,
    });
    const seen = await events.until('the change is shown as metadata', (row) => row.op === 'modified');
    expect(seen).toMatchObject({ metadataOnly: true, writer: { manager: 'test-changer' } });

    const opened = await window.client.call('object.open', { key: settingsKey });
    expect(opened).toMatchObject({ detail: 'full', upgrading: true });
    expect(opened.versions.map(({ metadataOnly }) => metadataOnly)).toEqual([true, true]);
    await informers.until(
      'configmaps in full',
      (row) => row.resource === 'configmaps' && row.detail === 'full' && row.state !== 'syncing',
    );
    const history = window.value('history', { key: settingsKey });
    await history.until(
      'the newest version is whole',
      ({ upgrading, versions }) => !upgrading && versions[0]?.metadataOnly === false,
    );
    const third = await changer.patch(settings, { data: { mode: 'third' } });
    const { versions } = await history.until(
      'the next version is shown',
      (value) => value.versions[0]?.resourceVersion === third.metadata?.resourceVersion,
    );
    expect(versions.map(({ metadataOnly }) => metadataOnly)).toEqual([false, false, true]);
    const step = await window.client.call('object.diff', { to: versions[0]?.seq ?? 0 });
    expect(step.rows.find(({ path }) => path === 'data.mode')).toMatchObject({
      old: '"second"',
      new: '"third"',
    });
    const acrossUpgrade = await window.client.call('object.diff', { to: versions[1]?.seq ?? 0 });
    expect(acrossUpgrade.note).toContain('metadata');
    expect(acrossUpgrade.rows.some(({ path }) => path.startsWith('data'))).toBe(false);
  });

  test('a CRD that appears later is picked up live and its objects are shown', async () => {
    const informers = window.table('informers', {});
    expect(informers.rows.some((row) => row.resource === 'backups')).toBe(false);
    await applyManifests(admin, [
      operatorManifest('crd-backups.yaml'),
      operatorManifest('role-backups.yaml'),
    ]);
    await informers.until('backups are watched', (row) => row.resource === 'backups' && row.state === 'live');
    const events = window.table('events', { text: 'kind:Backup', initial: true, limit: 100 });
    const created = await creator.create({
      ...asObject(ref('backup.example.com/v1', 'Backup', 'nightly')),
      spec: { databaseName: 'orders', schedule: '0 3 * * *' },
    });
    const answeredAt = Date.now();
    const row = await events.until('the Backup is shown', ({ object }) => object?.name === 'nightly');
    expect(row).toMatchObject({ op: 'added', resourceVersion: created.metadata?.resourceVersion });
    expect((events.shownAt(row.seq) ?? 0) - answeredAt).toBeLessThanOrEqual(shownWithinMs);
  });

  function operatorWrites() {
    return auditEvents(cluster as NonNullable<typeof cluster>).filter(
      ({ user, verb, objectRef, responseObject }) =>
        user.username === operatorUser &&
        verb === 'update' &&
        objectRef?.name === 'orders' &&
        objectRef.resource === 'databases' &&
        responseObject?.metadata?.resourceVersion !== undefined,
    );
  }

  function observedGeneration(wanted: number) {
    return eventually(`the operator's status is of generation ${wanted}`, async () => {
      const status = (await admin.get(orders))?.status as { observedGeneration?: number } | undefined;
      return status?.observedGeneration === wanted;
    });
  }
});

function ref(apiVersion: string, kind: string, name: string): ObjectRef & { readonly namespace: string } {
  return { apiVersion, kind, namespace: 'team-a', name };
}

function asObject({ apiVersion, kind, namespace, name }: ObjectRef): KubeJson {
  return { apiVersion, kind, metadata: { ...(namespace === undefined ? {} : { namespace }), name } };
}

function nameOf({ manager, subresource }: { manager: string; subresource?: string | undefined }): string {
  return subresource === undefined ? manager : `${manager}/${subresource}`;
}

function isDeleting({ metadata }: KubeJson): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
