import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { RbacLens, RbacRow } from '../../shared/model/rbac.ts';
import { type Access, type AccessOutcome, type AccessRecord, createAccessTracker } from './access.ts';
import { serviceAccountIdentity } from './authorizer.ts';
import { type RbacLensInput, rbacLens } from './lens.ts';
import { readPolicy } from './policy.ts';
import { bind, bindIn, clusterRole, role, type WireRule } from './testObjects.ts';

const identity = serviceAccountIdentity('dbops-system', 'database-operator');
const user = identity.user;

const managerRules: readonly WireRule[] = [
  {
    apiGroups: ['db.example.com'],
    resources: ['databases'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  { apiGroups: ['db.example.com'], resources: ['databases/finalizers'], verbs: ['update'] },
  {
    apiGroups: ['apps'],
    resources: ['statefulsets'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] },
];
const leaseRules: readonly WireRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
];
const objects = [
  clusterRole('database-operator-manager', managerRules),
  bind('manager', 'database-operator-manager', 'dbops-system', 'database-operator'),
  role('dbops-system', 'leader-election', leaseRules),
  bindIn(
    'dbops-system',
    'leader-election',
    { kind: 'Role', name: 'leader-election' },
    'dbops-system',
    'database-operator',
  ),
];

function seen(
  outcome: AccessOutcome,
  verb: string,
  apiGroup: string,
  combined: string,
  namespace = 'shop',
  more: Partial<Access> = {},
): Access {
  const [resource = '', subresource = ''] = combined.split('/');
  const evidence = {
    text: `${outcome} ${verb} ${combined}`,
    basis: { kind: 'observed', from: 'audit' } as const,
    at: '2026-03-10T14:09:20.649Z',
  };
  return { user, outcome, verb, apiGroup, resource, subresource, namespace, evidence, ...more };
}

function lens(access: readonly Access[], more: Partial<RbacLensInput> = {}): RbacLens {
  const tracker = createAccessTracker();
  for (const one of access) tracker.add(one);
  return rbacLens({ identity, policy: readPolicy(objects), access: tracker.records(), ...more });
}

function row(view: RbacLens, id: string): RbacRow {
  const found = view.rows.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no row ${id} in ${view.rows.map((one) => one.id).join(', ')}`);
  return found;
}

const statusRow = 'databases/status.db.example.com@';

describe('RBAC lens', () => {
  it('[LN1] makes a row per resource and scope, and counts what reaches the identity', () => {
    const view = lens([]);
    expect(view).toMatchObject({ bindings: 2, roles: 2, rules: 5, gaps: 0, needed: 0, covered: 0 });
    expect(view.rows.map(({ id, group }) => [id, group])).toEqual([
      ['databases.db.example.com@', 'unused'],
      ['databases/finalizers.db.example.com@', 'unused'],
      ['statefulsets.apps@', 'unused'],
      ['pods/exec.@', 'unused'],
      ['leases.coordination.k8s.io@dbops-system', 'unused'],
    ]);
    expect(row(view, 'pods/exec.@').broad).toBe(true);
    expect(row(view, 'statefulsets.apps@').broad).toBe(false);
  });

  it('[LN2] tells refused, needed, used and unseen apart', () => {
    const view = lens([
      seen('refused', 'update', 'db.example.com', 'databases/status'),
      seen('expected', 'patch', 'db.example.com', 'databases/status', ''),
      seen('allowed', 'update', 'db.example.com', 'databases'),
      seen('allowed', 'update', 'coordination.k8s.io', 'leases', 'dbops-system'),
    ]);
    expect(row(view, statusRow).cells).toEqual({ update: 'refused', patch: 'neededNotTried' });
    expect(row(view, 'databases.db.example.com@').cells).toEqual({
      get: 'grantedNotSeen',
      list: 'grantedNotSeen',
      watch: 'grantedNotSeen',
      update: 'grantedUsed',
      patch: 'grantedNotSeen',
    });
    expect(row(view, 'leases.coordination.k8s.io@dbops-system').cells.update).toBe('grantedUsed');
    expect(view).toMatchObject({ gaps: 1, needed: 3, covered: 2 });
  });

  it('[LN2] a right that was used and is gone is needed; one that was refused and is granted now is no gap', () => {
    const view = lens([
      seen('allowed', 'get', '', 'secrets'),
      seen('refused', 'update', 'db.example.com', 'databases'),
    ]);
    expect(row(view, 'secrets.@').cells).toEqual({ get: 'neededNotTried' });
    expect(row(view, 'databases.db.example.com@').cells.update).toBe('grantedNotSeen');
    expect(row(view, 'databases.db.example.com@').gap).toBeUndefined();
  });

  it('[LN3] puts gaps first, most refusals first, then used, then never used', () => {
    const refused = seen('refused', 'update', 'db.example.com', 'databases/status');
    const view = lens([
      seen('refused', 'create', '', 'events'),
      refused,
      refused,
      seen('allowed', 'get', 'apps', 'statefulsets'),
    ]);
    expect(view.rows.map(({ id }) => id).slice(0, 4)).toEqual([
      statusRow,
      'events.@',
      'statefulsets.apps@',
      'databases.db.example.com@',
    ]);
  });

  it('[LN1] [LN4] a RoleBinding grants in its namespace only', () => {
    const view = lens([seen('refused', 'get', '', 'configmaps', 'shop')], {
      policy: readPolicy([
        ...objects,
        role('billing', 'read', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]),
        bindIn('billing', 'read', { kind: 'Role', name: 'read' }, 'dbops-system', 'database-operator'),
      ]),
    });
    expect(row(view, 'configmaps.@shop').cells).toEqual({ get: 'refused' });
    expect(row(view, 'configmaps.@billing').group).toBe('unused');
    const nearest = row(view, 'configmaps.@shop').gap?.steps.find(({ kind }) => kind === 'nearest');
    expect(nearest).toMatchObject({ lacks: 'scope', path: { scope: 'billing' } });
  });

  it('[LN4] a Role for leader election at home does not make the rest of a cluster-wide operator namespaced', () => {
    const view = lens([seen('refused', 'get', 'coordination.k8s.io', 'leases', 'shop')]);
    expect(row(view, 'leases.coordination.k8s.io@').cells).toEqual({ get: 'refused' });
    expect(row(view, 'leases.coordination.k8s.io@').gap?.marker).not.toContain('namespace=');
    const home = lens([seen('refused', 'delete', 'coordination.k8s.io', 'leases', 'dbops-system')]);
    expect(row(home, 'leases.coordination.k8s.io@dbops-system').cells.delete).toBe('refused');
    expect(row(home, 'leases.coordination.k8s.io@dbops-system').gap?.marker).toContain(
      ',namespace=dbops-system,',
    );
  });

  it('[LN4] an expectation without namespace is met by grants in single namespaces', () => {
    const namespaced = [
      role('shop', 'db', [
        { apiGroups: ['db.example.com'], resources: ['databases'], verbs: ['get', 'list', 'watch'] },
      ]),
      bindIn('shop', 'db', { kind: 'Role', name: 'db' }, 'dbops-system', 'database-operator'),
    ];
    const view = lens([seen('expected', 'watch', 'db.example.com', 'databases', '')], {
      policy: readPolicy(namespaced),
    });
    expect(view.gaps).toBe(0);
    expect(row(view, 'databases.db.example.com@shop').cells.watch).toBe('grantedNotSeen');
  });

  it('[LN4] a log that says "synced" does not make a gap of the other namespaces', () => {
    const read = ['get', 'list', 'watch'];
    const policy = readPolicy([
      role('shop', 'read', [{ apiGroups: [''], resources: ['secrets'], verbs: read }]),
      bindIn('shop', 'read', { kind: 'Role', name: 'read' }, 'dbops-system', 'database-operator'),
      role('dbops-system', 'own', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
      bindIn('dbops-system', 'own', { kind: 'Role', name: 'own' }, 'dbops-system', 'database-operator'),
    ]);
    const evidence = { text: 'synced', basis: { kind: 'reported', from: 'log' } as const };
    const view = lens([seen('allowed', 'list', '', 'secrets', '', { evidence })], { policy });
    expect(view.gaps).toBe(0);
    expect(row(view, 'secrets.@shop').cells.list).toBe('grantedUsed');
    expect(row(view, 'secrets.@dbops-system').cells).toEqual({ get: 'grantedNotSeen' });
  });

  it('explains a refusal, and gives patch and marker', () => {
    const refused = seen('refused', 'update', 'db.example.com', 'databases/status');
    const view = lens(Array.from({ length: 17 }, () => refused));
    const gap = row(view, statusRow).gap;
    expect(gap).toMatchObject({
      verbs: ['update'],
      refusals: 17,
      firstRefusedAt: '2026-03-10T14:09:20.649Z',
      marker: '//+kubebuilder:rbac:groups=db.example.com,resources=databases/status,verbs=get;update;patch',
    });
    expect(gap?.steps).toMatchObject([
      { kind: 'reach', rules: 5, clusterRoleBindings: 1, roleBindings: 1 },
      {
        kind: 'nearest',
        resource: 'databases',
        verbs: ['update'],
        lacks: 'subresource',
        path: { ruleIndex: 0 },
      },
      { kind: 'noRule', resources: ['databases/status', '*/status', '*'], apiGroup: 'db.example.com' },
    ]);
    expect(gap?.patch.lines.map(({ added, text }) => (added ? '+ ' : '  ') + text)).toEqual([
      '  # ClusterRole database-operator-manager',
      '  - apiGroups: [db.example.com]',
      '    resources: [databases]',
      '    verbs: [get, list, watch, update, patch]',
      '+ - apiGroups: [db.example.com]',
      '+   resources: [databases/status]',
      '+   verbs: [get, update, patch]',
    ]);
    expect(row(view, statusRow).lastEvidence?.text).toBe('17 × refused update databases/status');
  });

  it('counts the fullest source, not their sum', () => {
    const refused = seen('refused', 'update', 'db.example.com', 'databases/status');
    const logged = {
      ...refused,
      evidence: { text: 'log', basis: { kind: 'reported', from: 'log' } as const },
    };
    expect(row(lens([refused, refused, logged]), statusRow).gap?.refusals).toBe(2);
  });

  it('says which role a binding misses', () => {
    const view = lens([seen('refused', 'get', '', 'nodes', '')], {
      policy: readPolicy([...objects, bind('lost', 'gone', 'dbops-system', 'database-operator')]),
    });
    expect(row(view, 'nodes.@').gap?.steps[1]).toEqual({
      kind: 'missingRole',
      binding: { kind: 'ClusterRoleBinding', namespace: '', name: 'lost' },
      role: { kind: 'ClusterRole', namespace: '', name: 'gone' },
    });
    expect(view.reach).toContainEqual(expect.objectContaining({ roleExists: false, rules: 0 }));
  });

  it('shows a wildcard as used when a request passed through it, and both rows as broad', () => {
    const view = lens([seen('allowed', 'update', 'db.example.com', 'databases/status')], {
      policy: readPolicy([
        clusterRole('wide', [{ apiGroups: ['*'], resources: ['*/status'], verbs: ['*'] }]),
        bind('wide', 'wide', 'dbops-system', 'database-operator'),
      ]),
    });
    expect(row(view, statusRow)).toMatchObject({
      group: 'used',
      broad: true,
      cells: { update: 'grantedUsed' },
    });
    expect(row(view, '*/status.*@').cells).toMatchObject({ update: 'grantedUsed', get: 'grantedNotSeen' });
  });

  it('keeps the names a grant is limited to, and sees a refusal beyond them', () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['update'], resourceNames: ['own'] }];
    const policy = readPolicy([
      role('shop', 'r', rules),
      bindIn('shop', 'b', { kind: 'Role', name: 'r' }, 'dbops-system', 'database-operator'),
    ]);
    const view = lens([seen('refused', 'update', '', 'configmaps', 'shop', { name: 'other' })], { policy });
    expect(row(view, 'configmaps.@shop')).toMatchObject({
      resourceNames: ['own'],
      cells: { update: 'refused' },
    });
    expect(row(view, 'configmaps.@shop').gap?.steps).toContainEqual(
      expect.objectContaining({ lacks: 'resourceName' }),
    );
  });

  it('[RB12] counts rules that aggregation adds', () => {
    const aggregated = clusterRole(
      'agg',
      [],
      {},
      {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'true' } }] },
      },
    );
    const policy = readPolicy([
      aggregated,
      clusterRole(
        'status',
        [{ apiGroups: ['db.example.com'], resources: ['databases/status'], verbs: ['update'] }],
        { labels: { a: 'true' } },
      ),
      bind('b', 'agg', 'dbops-system', 'database-operator'),
    ]);
    expect(
      row(lens([seen('refused', 'update', 'db.example.com', 'databases/status')], { policy }), statusRow)
        .group,
    ).toBe('unused');
  });

  it('[LN7] judges no grant when roles may not be read, but a refusal stays one', () => {
    const view = lens(
      [
        seen('refused', 'update', 'db.example.com', 'databases/status'),
        seen('expected', 'watch', '', 'secrets', ''),
        seen('allowed', 'get', '', 'pods'),
      ],
      { policy: readPolicy([]), unreadable: ['clusterroles.rbac.authorization.k8s.io'] },
    );
    expect(view.rows.map(({ id, group, cells }) => [id, group, cells])).toEqual([
      ['databases/status.db.example.com@shop', 'gap', { update: 'refused' }],
      ['pods.@shop', 'used', { get: 'grantedUsed' }],
    ]);
    expect(view.unreadable).toEqual(['clusterroles.rbac.authorization.k8s.io']);
  });

  it('grants everything to system:masters', () => {
    const admin = { user: 'admin', groups: ['system:masters'] };
    const view = lens([seen('allowed', 'delete', '', 'nodes', '', { user: 'admin' })], {
      identity: admin,
      policy: readPolicy([]),
    });
    expect(view.rows.map(({ cells }) => cells)).toEqual([{ delete: 'grantedUsed' }]);
  });

  it('shows the review of the API server beside the gap', () => {
    const reviews = [
      {
        verb: 'update',
        apiGroup: 'db.example.com',
        resource: 'databases',
        subresource: 'status',
        namespace: '',
        allowed: false,
      },
    ];
    const view = lens([seen('refused', 'update', 'db.example.com', 'databases/status')], { reviews });
    expect(row(view, statusRow).gap?.review).toEqual({ allowed: false, agrees: true });
  });

  it('ignores what other users did', () => {
    expect(
      lens([seen('refused', 'update', 'db.example.com', 'databases/status', 'shop', { user: 'alice' })]).gaps,
    ).toBe(0);
  });

  it('reads the roles and bindings that did not change no second time', () => {
    let reads = 0;
    const counted = (object: KubeObject): KubeObject =>
      new Proxy(object, {
        get(target, key, receiver) {
          if (key === 'rules' || key === 'subjects') reads++;
          return Reflect.get(target, key, receiver);
        },
      });
    const many = Array.from({ length: 400 }, (_, n) => [
      clusterRole(`role-${n}`, managerRules),
      bind(`bind-${n}`, `role-${n}`, 'other', `account-${n}`),
    ]).flat();
    const all = [...many, ...objects].map(counted);
    const tracker = createAccessTracker();
    for (let n = 0; n < 500; n++)
      tracker.add(
        seen(
          n % 2 === 0 ? 'allowed' : 'refused',
          'update',
          'db.example.com',
          n % 2 === 0 ? 'databases' : 'databases/status',
          `ns-${n}`,
        ),
      );
    const access: readonly AccessRecord[] = tracker.records();
    readPolicy(all);
    expect(reads).toBeGreaterThan(800);
    const readsOf = (objects: readonly KubeObject[]) => {
      reads = 0;
      expect(rbacLens({ identity, policy: readPolicy(objects), access }).gaps).toBe(1);
      return reads;
    };
    readsOf(all);
    // One role changed: a new object among the old ones.
    const changed = () => counted(clusterRole('changed', managerRules));
    reads = 0;
    readPolicy([changed()]);
    const forOne = reads;
    for (let run = 0; run < 3; run++) expect(readsOf([...all, changed()])).toBe(forOne);
  });
});
