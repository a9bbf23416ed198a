/** A person with almost no rights: what may be read is shown, the rest says which grant is missing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { assertOnlyReads } from './auditLog.ts';
import { openWindow, type TestWindow } from './testWindow.ts';

const rule = 'rbac/missing-status-subresource';
const operatorUser = 'system:serviceaccount:dbops-system:database-operator';
const orders = {
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  namespace: 'team-a',
  name: 'orders',
} as const;
const ordersKey = 'db.example.com/Database/team-a/orders';

describe('a viewer with almost no rights', { timeout: 60_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator;
  let window: TestWindow;

  beforeAll(async () => {
    await installOperator(admin, { role: 'without-status' });
    await applyManifests(admin, [operatorManifest('samples.yaml'), testbedManifest('viewer.yaml')]);
    operator = await startOperator(cluster);
    window = openWindow(cluster, { user: 'viewer' });
  });

  afterAll(async () => {
    window.close();
    await operator.stop();
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  test('connects, and every kind that may not be read is listed with the grant it lacks', async () => {
    const connection = await window.connect(['team-a']);
    expect(connection).toMatchObject({ phase: 'live', user: 'viewer' });
    expect(connection.problem).toBeUndefined();
    const informers = window.table('informers', {});
    const secrets = await informers.until(
      'Secrets are listed as not readable',
      (row) => row.resource === 'secrets' && row.state === 'forbidden' && row.namespace === undefined,
    );
    expect(secrets.missing).toContainEqual({ verb: 'list', group: '', resource: 'secrets' });
    expect(secrets.problem?.message).toContain('cannot list resource "secrets"');
    const pods = await informers.until(
      'pods were tried in the namespace too',
      (row) => row.resource === 'pods' && row.namespace === 'team-a',
    );
    expect(pods).toMatchObject({ state: 'forbidden' });
    expect(pods.missing).toContainEqual({ verb: 'list', group: '', resource: 'pods', namespace: 'team-a' });
    expect(
      informers.rows.filter(({ state, missing }) => state === 'forbidden' && missing.length === 0),
    ).toEqual([]);
    expect(informers.rows.filter(({ state }) => state === 'lost')).toEqual([]);
  });

  test('a rule that cannot be judged says so, with the permission that would allow it', async () => {
    const { notEvaluated, findings } = await window
      .value('findings', {})
      .until('not evaluated', (view) => view.notEvaluated.some((one) => one.rule === rule));
    expect(findings).toEqual([]);
    const missing = notEvaluated.find((one) => one.rule === rule);
    expect(missing?.reason).toMatch(/may not be read/);
    expect(missing?.permission).toMatch(/list .*clusterroles\.rbac\.authorization\.k8s\.io/);
  });

  test('the operator named by hand: its databases are shown from the one namespace that may be read', async () => {
    const { client } = window;
    const named = await client.call('operator.useIdentity', {
      user: operatorUser,
      controllers: ['databases.db.example.com'],
    });
    expect(named).toEqual({ ok: true });
    const row = await window
      .table('informers', {})
      .until(
        'databases of team-a are watched',
        (one) => one.resource === 'databases' && one.state === 'live',
      );
    expect(row).toMatchObject({ namespace: 'team-a', detail: 'full', objects: 2 });
    const events = window.table('events', { text: 'kind:Database', initial: false, limit: 100 });
    const changed = await admin.patch(orders, { spec: { replicas: 3 } });
    await events.until(
      'a change is shown',
      (one) => one.resourceVersion === changed.metadata?.resourceVersion,
    );
    const history = await client.call('object.open', { key: ordersKey });
    expect(history).toMatchObject({ detail: 'full', upgrading: false });
    const diff = await client.call('object.diff', { to: history.versions[0]?.seq ?? 0 });
    expect(diff.rows.find(({ path }) => path === 'spec.replicas')).toMatchObject({ old: '2', new: '3' });
  });

  test('with the log the refused write is an error even though no role may be read', async () => {
    const attached = await window.client.call('feed.attachLog', { path: operator.logPath });
    expect(attached).toEqual({ ok: true });
    const { findings, notEvaluated } = await window
      .value('findings', {})
      .until('the finding', (view) => view.findings.some((finding) => finding.rule === rule));
    expect(findings[0]).toMatchObject({ severity: 'error', basis: { kind: 'reported', from: 'log' } });
    expect(notEvaluated.find((one) => one.rule === rule)?.permission).toContain('clusterroles');
    const keys = window.table('keys', { controller: 'database' });
    await keys.until('its keys are listed', ({ name }) => name === 'orders');
  });
});
