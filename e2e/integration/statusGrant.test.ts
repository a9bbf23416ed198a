/** The missing grant on the status subresource: found with evidence, and closed by the very patch that was shown. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FindingsView } from '../../shared/contract/api.ts';
import type { Finding } from '../../shared/model/finding.ts';
import type { Cluster } from '../testbed/cluster.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests, type KubeClient } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { assertOnlyReads } from './auditLog.ts';
import { openWindow, type ShownValue, type TestWindow } from './testWindow.ts';

const rule = 'rbac/missing-status-subresource';
const orders = {
  apiVersion: 'db.example.com/v1',
  kind: 'Database',
  namespace: 'team-a',
  name: 'orders',
} as const;
const closesWithinMs = 2_000;

describe('the status grant', { timeout: 90_000 }, async () => {
  const cluster = await clusterOrSkip('database-operator');
  if (cluster === undefined) return;
  const admin: KubeClient = cluster.client('admin');
  let operator: RunningOperator;

  beforeAll(async () => {
    await installOperator(admin, { role: 'without-status' });
    await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
    operator = await startOperator(cluster);
  });

  afterAll(async () => {
    await operator.stop();
    assertOnlyReads(cluster);
    admin.close();
    await cluster.stop();
  });

  test('missing: refused in the log, in log and audit, or only inferred; the patch as shown closes it', async () => {
    const withLog = await windowWith(cluster, { log: operator.logPath });
    const withAudit = await windowWith(cluster, { log: operator.logPath, audit: cluster.auditLogPath });
    const withNothing = await windowWith(cluster, {});
    try {
      const [inLog, inAudit, inNothing] = [withLog, withAudit, withNothing].map((one) =>
        one.value('findings', {}),
      ) as [ShownFindings, ShownFindings, ShownFindings];
      const byLog = await openFinding(inLog, ({ severity }) => severity === 'error');
      const byAudit = await openFinding(inAudit, ({ basis }) => basis.kind === 'observed');
      const byRule = await openFinding(inNothing, () => true);

      expect(byLog).toMatchObject({
        severity: 'error',
        subject: 'ServiceAccount/dbops-system/database-operator',
        basis: { kind: 'reported', from: 'log' },
      });
      const line = byLog.evidence.find(({ basis }) => basis.kind === 'reported');
      const refusal = 'cannot update resource "databases/status" in API group "db.example.com"';
      expect(line?.text).toContain(refusal);
      const { log } = withLog.session().recorder;
      const record = [...log.heads({ kinds: ['log'] })].find(({ seq }) => seq === line?.seq);
      expect(log.payload(record?.seq ?? (0 as never))).toContain(refusal.replaceAll('"', '\\"'));
      expect(byLog.evidence.some(({ text }) => /ClusterRoleBinding database-operator binds/.test(text))).toBe(
        true,
      );
      expect(byLog.fix.marker).toBe(
        '//+kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch',
      );

      expect(byAudit).toMatchObject({ severity: 'error', basis: { kind: 'observed', from: 'audit' } });
      expect(byAudit.evidence.some(({ basis }) => basis.kind === 'observed' && basis.from === 'audit')).toBe(
        true,
      );
      expect(byRule).toMatchObject({ severity: 'warning', basis: { kind: 'inferred' } });
      // One cause, one patch, however it was found.
      expect([byAudit.fix.patch, byRule.fix.patch]).toEqual([byLog.fix.patch, byLog.fix.patch]);

      const lens = await withLog
        .value('rbac', {})
        .until('the gap is first', ({ lens }) => lens !== undefined);
      expect(lens.lens?.rows[0]).toMatchObject({
        group: 'gap',
        resource: 'databases',
        subresource: 'status',
      });

      await applyAsShown(admin, byLog.fix.patch ?? '');
      const appliedAt = Date.now();
      for (const [how, shown] of Object.entries({ log: inLog, audit: inAudit, nothing: inNothing })) {
        const closed = await closedFinding(shown);
        const ms = (shown.all.find(({ value }) => isClosed(value))?.at ?? 0) - appliedAt;
        console.log(`with ${how}: closed ${ms} ms after the patch was answered: ${closed.closedBecause}`);
        expect(ms, 'time from the answered patch to the closed finding').toBeLessThanOrEqual(closesWithinMs);
        expect(Date.parse(closed.closedAt ?? '') - appliedAt).toBeLessThanOrEqual(closesWithinMs);
        expect(closed.closedBecause).toContain('ClusterRole database-operator');
      }
      // And it was the right patch: the operator writes now.
      await eventually(
        'the operator writes the status',
        async () => (await admin.get(orders))?.status !== undefined,
        {
          timeoutMs: 40_000,
        },
      );
    } finally {
      for (const window of [withLog, withAudit, withNothing]) window.close();
    }
  });

  test('an operator that only creates a foreign kind with a status gets no finding', async () => {
    await operator.stop();
    await installOperator(admin, { backups: true });
    operator = await startOperator(cluster, { flags: ['--create-backups', '--log-v=5'] });
    const window = await windowWith(cluster, { log: operator.logPath, audit: cluster.auditLogPath });
    try {
      const crd = await admin.get({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: 'backups.backup.example.com',
      });
      expect(JSON.stringify(crd?.spec)).toContain('"subresources":{"status":{}}');
      const events = window.table('events', { text: 'kind:Backup', initial: true, limit: 100 });
      await events.until(
        'the Backup that the operator created is shown',
        ({ object }) => object?.name === 'orders-nightly',
      );
      const keys = window.table('keys', { controller: 'database' });
      await keys.until('its database is known', ({ name }) => name === 'orders');
      // Judged again now that all of it is there.
      window.session().verdicts.judgeNow();
      const { findings, notEvaluated } = window.session().verdicts.findings();
      expect(findings.filter(({ closedAt }) => closedAt === undefined)).toEqual([]);
      expect(notEvaluated).toEqual([]);
    } finally {
      window.close();
    }
  });
});

async function windowWith(
  cluster: Cluster,
  feeds: { readonly log?: string; readonly audit?: string },
): Promise<TestWindow> {
  const window = openWindow(cluster);
  await window.connect();
  const { client } = window;
  if (feeds.log !== undefined)
    expect(await client.call('feed.attachLog', { path: feeds.log })).toEqual({ ok: true });
  if (feeds.audit !== undefined)
    expect(await client.call('feed.attachAudit', { path: feeds.audit })).toEqual({ ok: true });
  return window;
}

type ShownFindings = ShownValue<FindingsView>;

async function openFinding(shown: ShownFindings, wanted: (finding: Finding) => boolean): Promise<Finding> {
  const find = ({ findings }: FindingsView) =>
    findings.find((finding) => finding.rule === rule && finding.closedAt === undefined && wanted(finding));
  const found = find(await shown.until(`an open finding of ${rule}`, (value) => find(value) !== undefined));
  if (found === undefined) throw new Error('unreachable');
  return found;
}

function isClosed({ findings }: FindingsView): boolean {
  return findings.some((finding) => finding.rule === rule && finding.closedAt !== undefined);
}

async function closedFinding(shown: ShownFindings): Promise<Finding> {
  const { findings } = await shown.until(`the finding of ${rule} is closed`, isClosed);
  const closed = findings.find((finding) => finding.rule === rule && finding.closedAt !== undefined);
  if (closed === undefined) throw new Error('unreachable');
  return closed;
}

/** What `kubectl patch KIND NAME --type=json --patch-file=…`, the patch's own first line, would send. */
async function applyAsShown(admin: KubeClient, patch: string): Promise<void> {
  const command = /^# kubectl patch clusterrole (\S+) --type=json --patch-file=\S+$/m.exec(patch);
  if (command === null) throw new Error(`the patch does not say how to apply it:\n${patch}`);
  await admin.json(
    'PATCH',
    `/apis/rbac.authorization.k8s.io/v1/clusterroles/${command[1]}?fieldManager=kubectl-patch`,
    {
      body: parse(patch) as unknown,
      contentType: 'application/json-patch+json',
    },
  );
}
