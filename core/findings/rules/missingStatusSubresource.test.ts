import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { OperatorProfile } from '../../../shared/model/profile.ts';
import { bindIn, clusterRole, role } from '../../rbac/testObjects.ts';
import { evaluate } from '../registry.ts';
import {
  auditLine,
  cluster,
  crd,
  database,
  findingId,
  findingInput,
  kindRules,
  operatorUser,
  refusalText,
  refusedLine,
  statusRule,
  statusWriter,
  workload,
} from '../testInput.ts';

/** `severity basis` of each finding: enough to tell what fired. */
function fired(...args: Parameters<typeof findingInput>): readonly string[] {
  return evaluate(findingInput(...args)).findings.map(({ severity, basis }) => `${severity} ${basis.kind}`);
}

const refusedLog = { log: [refusedLine(3), refusedLine(9)] };

describe('rbac/missing-status-subresource, refused', () => {
  it('[MS1] fires on a refused status write in the log, with the whole answer', () => {
    const { findings, notEvaluated } = evaluate(findingInput(cluster(kindRules), refusedLog));
    expect(notEvaluated).toEqual([]);
    expect(findings).toEqual([
      {
        id: findingId,
        rule: 'rbac/missing-status-subresource',
        severity: 'error',
        subject: 'ServiceAccount/dbops-system/database-operator',
        title: 'update on databases/status is needed, refused 2 times, and granted by no role',
        why: 'The Database CRD serves the status subresource. ClusterRole manager (rule 1) grants update and patch on databases, and a rule on databases does not cover databases/status. Status writes of shop/orders were answered 403 from 14:03:52 to 14:09:52, so the status stays as it was.',
        basis: { kind: 'reported', from: 'log' },
        fix: {
          text: 'Add a rule for API group db.example.com, resource databases/status, verbs get, update and patch to ClusterRole manager. Loopscope never writes: you apply it.',
          patch: [
            '# kubectl patch clusterrole manager --type=json --patch-file=loopscope-patch.yaml',
            '- op: add',
            '  path: /rules/-',
            '  value:',
            '    apiGroups: [db.example.com]',
            '    resources: [databases/status]',
            '    verbs: [get, update, patch]',
            '',
          ].join('\n'),
          marker:
            '//+kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch',
        },
        evidence: [
          {
            text: refusalText(),
            basis: { kind: 'reported', from: 'log' },
            at: '2026-03-10T14:03:52Z',
            file: 'operator.log',
            line: 1,
          },
          {
            text: `last of 2: ${refusalText()}`,
            basis: { kind: 'reported', from: 'log' },
            at: '2026-03-10T14:09:52Z',
            file: 'operator.log',
            line: 2,
          },
          {
            text: 'ClusterRole manager: no rule for databases/status; rule 1 is the nearest',
            basis: { kind: 'observed', from: 'watch' },
          },
          {
            text: 'ClusterRoleBinding manager binds ClusterRole manager to ServiceAccount/dbops-system/database-operator',
            basis: { kind: 'observed', from: 'watch' },
          },
        ],
        openedAt: '2026-03-10T14:03:52Z',
      },
    ]);
  });

  it('[MS1] an audited refusal is observed and counts once beside its log line', () => {
    const { findings } = evaluate(
      findingInput(cluster(kindRules), {
        ...refusedLog,
        audit: [auditLine(403, 3), auditLine(403, 9), auditLine(403, 10)],
      }),
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      basis: { kind: 'observed', from: 'audit' },
      title: expect.stringContaining('refused 3 times'),
    });
  });

  it('[MS1] reads refusals from Events of both APIs', () => {
    const core = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'shop' },
      message: refusalText('patch'),
      lastTimestamp: '2026-03-10T14:09:00Z',
    };
    const modern = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'f', namespace: 'shop' },
      note: refusalText('patch'),
    };
    for (const event of [core, modern])
      expect(fired(cluster(kindRules), { events: [event] })).toEqual(['error reported']);
  });

  it('[MS1] a refused read of the status is no need', () => {
    expect(fired(cluster([...kindRules, statusRule]), { log: [refusedLine(3, refusalText('get'))] })).toEqual(
      [],
    );
  });

  it('[MS2] a grant found now closes it, however it is written', () => {
    for (const rule of [
      statusRule,
      { apiGroups: ['*'], resources: ['*/status'], verbs: ['*'] },
      { apiGroups: ['db.example.com'], resources: ['*'], verbs: ['update'] },
    ]) {
      const { findings, resolved } = evaluate(findingInput(cluster([...kindRules, rule]), refusedLog));
      expect(findings).toEqual([]);
      expect(resolved).toEqual([
        {
          id: findingId,
          because:
            'ClusterRole manager now grants update on databases/status (rv 482044, changed by kubectl-patch)',
        },
      ]);
    }
  });

  it('[MS2] a grant that aggregation brings closes it', () => {
    const aggregated = cluster([], [clusterRole('status', [statusRule], { labels: { agg: 'true' } })]).map(
      (object) =>
        object.kind === 'ClusterRole' && object.metadata.name === 'manager'
          ? { ...object, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { agg: 'true' } }] } }
          : object,
    );
    expect(fired(aggregated, refusedLog)).toEqual([]);
  });

  it('[MS2] a grant in one namespace does not close a refusal in another', () => {
    const objects = cluster(kindRules, [
      role('billing', 'status', [statusRule]),
      bindIn('billing', 'status', { kind: 'Role', name: 'status' }, 'dbops-system', 'database-operator'),
    ]);
    expect(fired(objects, refusedLog)).toEqual(['error reported']);
    expect(fired(objects, { log: [refusedLine(3, refusalText('update', 'billing'))] })).toEqual([]);
  });

  it('[MS3] does not judge grants when no binding names the identity', () => {
    const objects = cluster([...kindRules, statusRule]).filter(({ kind }) => kind !== 'ClusterRoleBinding');
    const { findings } = evaluate(findingInput(objects, refusedLog));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.why).toContain(
      'No binding in this data names ServiceAccount/dbops-system/database-operator',
    );
    expect(findings[0]?.title).toBe('update on databases/status is needed, refused 2 times');
  });

  it('[MS3] [MS8] keeps a refusal when roles may not be read, and says what was not evaluated', () => {
    const unreadable = [
      'clusterroles.rbac.authorization.k8s.io',
      'clusterrolebindings.rbac.authorization.k8s.io',
    ];
    const { findings, notEvaluated } = evaluate(
      findingInput([crd({ status: true })], refusedLog, { unreadable }),
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]?.why).toContain('Roles and bindings could not be read');
    expect(findings[0]?.fix.patch).toContain('kind: ClusterRoleBinding');
    expect(notEvaluated).toEqual([
      {
        rule: 'rbac/missing-status-subresource',
        reason: expect.stringContaining('Roles and bindings may not be read'),
        permission:
          'list clusterrolebindings.rbac.authorization.k8s.io, clusterroles.rbac.authorization.k8s.io at the cluster scope',
      },
    ]);
  });

  it('[MS3] takes a binding of the ServiceAccounts of its namespace for its own', () => {
    const objects = cluster(kindRules).map((object) =>
      object.kind === 'ClusterRoleBinding'
        ? { ...object, subjects: [{ kind: 'Group', name: 'system:serviceaccounts:dbops-system' }] }
        : object,
    );
    const { findings } = evaluate(findingInput(objects, refusedLog));
    expect(findings[0]?.title).toContain('granted by no role');
    expect(findings[0]?.fix.patch).toContain('kubectl patch clusterrole manager');
    expect(fired(objects, {}, { profiles: [profile(stated)] })).toEqual(['warning inferred']);
    const everyone = objects.map((object) =>
      object.kind === 'ClusterRoleBinding'
        ? { ...object, subjects: [{ kind: 'Group', name: 'system:serviceaccounts' }] }
        : object,
    );
    expect(evaluate(findingInput(everyone, refusedLog)).findings[0]?.title).not.toContain('by no role');
  });

  it('[MS8] does not take what the server fails to list for absent', () => {
    const roles = 'clusterroles.rbac.authorization.k8s.io';
    const failing = { unreadable: [roles], failing: [roles], profiles: [profile(stated)] };
    const bound = cluster(kindRules);
    const { findings, notEvaluated } = evaluate(findingInput(bound, {}, failing));
    expect(findings).toEqual([]);
    expect(notEvaluated).toEqual([
      { rule: 'rbac/missing-status-subresource', reason: expect.stringContaining('fails to list them') },
    ]);
    const own = ['databases.db.example.com'];
    const unknown = findingInput(bound, {}, { unreadable: own, profiles: [profile(stated)] });
    expect(evaluate(unknown)).toMatchObject({
      findings: [],
      notEvaluated: [{ permission: 'list databases.db.example.com at the cluster scope' }],
    });
  });

  it('[MS6] a status granted in some namespaces does not serve the objects in others', () => {
    const status = { kind: 'Role', name: 'status' };
    const inNamespace = (namespace: string): readonly KubeObject[] =>
      cluster(kindRules, [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'status', namespace },
          rules: [statusRule],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'status', namespace },
          roleRef: status,
          subjects: [{ kind: 'ServiceAccount', name: 'database-operator', namespace: 'dbops-system' }],
        },
      ]);
    expect(fired(inNamespace('shop'), {}, { profiles: [profile(stated)] })).toEqual([]);
    expect(fired(inNamespace('elsewhere'), {}, { profiles: [profile(stated)] })).toEqual([
      'warning inferred',
    ]);
  });

  it('[MS3] a later write that passed ends what cannot be judged, an earlier one does not', () => {
    const unreadable = ['roles.rbac.authorization.k8s.io'];
    const objects = [crd({ status: true })];
    expect(fired(objects, { audit: [auditLine(403, 3), auditLine(200, 9)] }, { unreadable })).toEqual([]);
    expect(fired(objects, { audit: [auditLine(200, 3), auditLine(403, 9)] }, { unreadable })).toEqual([
      'error observed',
    ]);
  });

  it('[MS4] leaves an object outside of the operator’s namespaces to another rule', () => {
    const objects = [
      crd({ status: true }),
      role('billing', 'db', kindRules),
      bindIn('billing', 'db', { kind: 'Role', name: 'db' }, 'dbops-system', 'database-operator'),
    ];
    expect(fired(objects, refusedLog)).toEqual([]);
    expect(fired(objects, { log: [refusedLine(3, refusalText('update', 'billing'))] })).toEqual([
      'error reported',
    ]);
  });

  it('[MS4] gives a namespaced operator a namespaced patch', () => {
    const objects = [
      crd({ status: true }),
      role('shop', 'db', kindRules),
      bindIn('shop', 'db', { kind: 'Role', name: 'db' }, 'dbops-system', 'database-operator'),
    ];
    const fix = evaluate(findingInput(objects, refusedLog)).findings[0]?.fix;
    expect(fix?.patch).toContain('# kubectl patch role db -n shop ');
    expect(fix?.marker).toContain(',namespace=shop,');
  });

  it('[MS5] leaves CRDs without the subresource, and built-in kinds, to other rules', () => {
    const without = cluster(kindRules).map((object) =>
      object.kind === 'CustomResourceDefinition' ? crd({ status: false }) : object,
    );
    expect(fired(without, refusedLog)).toEqual([]);
    const builtIn = `deployments.apps "x" is forbidden: User "${operatorUser}" cannot update resource "deployments/status" in API group "apps" in the namespace "shop"`;
    expect(fired(cluster([...kindRules, statusRule]), { log: [refusedLine(3, builtIn)] })).toEqual([]);
  });

  it('[MS9] a person in the audit log is no operator', () => {
    const person = auditLine(403, 3).replace(operatorUser, 'alice@example.com');
    expect(fired(cluster([...kindRules, statusRule]), { audit: [person] })).toEqual([]);
  });

  it('[MS9] names the user of an operator that runs locally', () => {
    const text = refusalText('update', 'shop', 'orders', 'dev@example.com');
    expect(
      evaluate(findingInput([crd({ status: true })], { log: [refusedLine(3, text)] })).findings[0]?.subject,
    ).toBe('User/-/dev@example.com');
  });
});

function profile(
  basis: OperatorProfile['identity']['basis'],
  fieldManagers: readonly string[] = [],
): OperatorProfile {
  const known = <T>(value: T) => ({ value, basis, why: 'the profile says so' });
  return {
    id: 'o',
    name: 'dbops',
    identity: known({
      user: operatorUser,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:dbops-system', 'system:authenticated'],
      serviceAccount: { namespace: 'dbops-system', name: 'database-operator' },
    }),
    fieldManagers: known(fieldManagers),
    controllers: [
      {
        name: 'database',
        for: known('databases.db.example.com'),
        owns: known([]),
        watches: known([]),
        predicates: known([]),
        queue: known('priority' as const),
        limiter: known({ type: 'default' as const }),
        maxConcurrentReconciles: known(1),
      },
    ],
  };
}

const stated = { kind: 'observed', from: 'file' } as const;
const guessed = { kind: 'inferred', by: 'profile/grants', because: [] } as const;
const startLine = JSON.stringify({
  level: 'info',
  ts: '2026-03-10T14:00:00Z',
  msg: 'Starting Controller',
  controller: 'database',
  controllerGroup: 'db.example.com',
  controllerKind: 'Database',
});
const noFinalizers = kindRules.slice(0, 1);

describe('rbac/missing-status-subresource, inferred', () => {
  it('[MS6] warns for a For kind that the log names', () => {
    const { findings } = evaluate(findingInput(cluster(noFinalizers), { log: [startLine] }));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      id: findingId,
      severity: 'warning',
      basis: { kind: 'inferred', by: 'rbac/missing-status-subresource' },
      title: 'update on databases/status is needed and granted by no role',
      openedAt: '2026-03-10T14:30:00Z',
    });
    expect(findings[0]?.evidence[0]).toMatchObject({ file: 'operator.log', line: 1 });
  });

  it('[MS6] is silent when the status is granted, and says by whom', () => {
    const { findings, resolved } = evaluate(
      findingInput(cluster([...kindRules, statusRule]), { log: [startLine] }),
    );
    expect(findings).toEqual([]);
    expect(resolved[0]?.because).toContain('ClusterRole manager now grants update on databases/status');
  });

  it('[MS6] is silent when somebody else writes that status, unless that is the operator itself', () => {
    const objects = (manager: string) =>
      cluster(noFinalizers, [database('billing', { managedFields: [statusWriter(manager)] })]);
    expect(fired(objects('other-controller'), { log: [startLine] })).toEqual([]);
    expect(fired(objects('dbops'), {}, { profiles: [profile(stated, ['dbops'])] })).toEqual([
      'warning inferred',
    ]);
    expect(fired(objects('other'), {}, { profiles: [profile(stated, ['dbops'])] })).toEqual([]);
  });

  it('[MS6] needs a CRD that serves status', () => {
    const objects = cluster(kindRules).map((object) =>
      object.kind === 'CustomResourceDefinition' ? crd({ status: false }) : object,
    );
    expect(fired(objects, { log: [startLine] })).toEqual([]);
  });

  it('[MS7] believes a stated profile, and a guessed one only with a finalizers grant', () => {
    expect(fired(cluster(noFinalizers), {}, { profiles: [profile(stated)] })).toEqual(['warning inferred']);
    expect(fired(cluster(noFinalizers), {}, { profiles: [profile(guessed)] })).toEqual([]);
    expect(fired(cluster(kindRules), {}, { profiles: [profile(guessed)] })).toEqual(['warning inferred']);
  });

  it('[MS7] infers from grants alone, but not for a kind somebody controls, nor through wildcards', () => {
    expect(fired(cluster(kindRules))).toEqual(['warning inferred']);
    const owner = {
      apiVersion: 'net.example.com/v1',
      kind: 'Gate',
      name: 'edge',
      uid: 'u',
      controller: true,
    };
    expect(fired(cluster(kindRules, [database('child', { ownerReferences: [owner] })]))).toEqual([]);
    const all = { apiGroups: ['*'], resources: ['*/finalizers'], verbs: ['*'] };
    expect(fired(cluster([...noFinalizers, all]))).toEqual([]);
  });

  it('[MS7] creating somebody else’s kind is no need', () => {
    const creates = [
      {
        apiGroups: ['db.example.com'],
        resources: ['databases'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
    ];
    expect(fired(cluster(creates))).toEqual([]);
  });

  it('[MS8] is not evaluated when no binding names the operator', () => {
    const objects = cluster(kindRules).filter(({ kind }) => kind !== 'ClusterRoleBinding');
    const { findings, notEvaluated } = evaluate(findingInput(objects, {}, { profiles: [profile(stated)] }));
    expect(findings).toEqual([]);
    expect(notEvaluated.map(({ reason }) => reason)).toEqual([
      'No binding in this data names ServiceAccount/dbops-system/database-operator, so its grants on databases/status are not judged.',
    ]);
  });

  it('[MS8] is not evaluated when CRDs may not be read', () => {
    const unreadable = ['customresourcedefinitions.apiextensions.k8s.io'];
    const { notEvaluated } = evaluate(findingInput([workload], {}, { unreadable }));
    expect(notEvaluated[0]?.permission).toBe(
      'list customresourcedefinitions.apiextensions.k8s.io at the cluster scope',
    );
  });

  it('[MS8] is not evaluated when workloads may not be read, or the server fails to list them', () => {
    const unreadable = ['deployments.apps'];
    expect(evaluate(findingInput(cluster(kindRules), {}, { unreadable })).notEvaluated).toEqual([
      {
        rule: 'rbac/missing-status-subresource',
        reason: 'Workloads may not be read (deployments.apps), so which operators run is not known.',
        permission: 'list deployments.apps at the cluster scope',
      },
    ]);
    const failing = { unreadable, failing: unreadable };
    expect(evaluate(findingInput(cluster(kindRules), {}, failing)).notEvaluated).toMatchObject([
      { reason: expect.stringContaining('the server fails to list them') },
    ]);
  });

  it('a refusal replaces the inference: one cause, one finding', () => {
    expect(
      fired(cluster(kindRules), { log: [startLine, refusedLine(3)] }, { profiles: [profile(stated)] }),
    ).toEqual(['error reported']);
  });
});
