import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { createAuthorizer, identityOfUser, serviceAccountIdentity } from './authorizer.ts';
import { type MissingAccess, nearestRule } from './nearest.ts';
import { kubebuilderMarker, patchFor, patchVerbs } from './patch.ts';
import { readPolicy } from './policy.ts';
import { scalar } from './ruleYaml.ts';
import { bind, bindIn, clusterRole, rbacObject, role, type WireRule } from './testObjects.ts';

const sa = serviceAccountIdentity('ops', 'ctl');
const kindRule: WireRule = { apiGroups: ['db.example.com'], resources: ['databases'], verbs: ['update'] };
const status: MissingAccess = {
  apiGroup: 'db.example.com',
  resource: 'databases',
  subresource: 'status',
  verbs: ['update'],
  scope: '',
};

function patch(objects: readonly KubeObject[], missing: MissingAccess = status, identity = sa) {
  const policy = readPolicy(objects);
  const authorizer = createAuthorizer(policy);
  const nearest = nearestRule(authorizer.grants(identity), missing);
  return patchFor(missing, identity, policy, authorizer.bindings(identity), nearest);
}

describe('RBAC patch', () => {
  it('[LN5] adds one rule to the role with the nearest rule', () => {
    const result = patch([
      clusterRole('many', [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
      ]),
      clusterRole('manager', [kindRule]),
      bind('a', 'many', 'ops', 'ctl'),
      bind('b', 'manager', 'ops', 'ctl'),
    ]);
    expect(result.yaml).toBe(
      [
        '# kubectl patch clusterrole manager --type=json --patch-file=loopscope-patch.yaml',
        '- op: add',
        '  path: /rules/-',
        '  value:',
        '    apiGroups: [db.example.com]',
        '    resources: [databases/status]',
        '    verbs: [get, update, patch]',
        '',
      ].join('\n'),
    );
    expect(result).toMatchObject({ create: false, role: { kind: 'ClusterRole', name: 'manager' } });
  });

  it('[LN5] makes the rules list of a role that has none', () => {
    const bare = rbacObject('ClusterRole', 'manager', undefined, {});
    expect(patch([bare, bind('b', 'manager', 'ops', 'ctl')]).yaml).toContain(
      '- op: add\n  path: /rules\n  value:\n  - apiGroups: [db.example.com]\n',
    );
  });

  it('[LN5] leaves built-in roles and roles bound through groups alone', () => {
    const group = rbacObject('ClusterRoleBinding', 'g', undefined, {
      roleRef: { kind: 'ClusterRole', name: 'everyone' },
      subjects: [{ kind: 'Group', name: 'system:authenticated' }],
    });
    const result = patch([
      clusterRole('system:node', [kindRule]),
      clusterRole('edit', [kindRule], { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } }),
      clusterRole('everyone', [kindRule]),
      group,
      bind('a', 'system:node', 'ops', 'ctl'),
      bind('b', 'edit', 'ops', 'ctl'),
    ]);
    expect(result).toMatchObject({
      create: true,
      role: { kind: 'ClusterRole', name: 'ctl-databases-status' },
    });
    expect(result.yaml).toContain('- {kind: ServiceAccount, name: ctl, namespace: ops}');
    expect(result.lines.every(({ added }) => added)).toBe(true);
  });

  it('[LN5] changes an aggregated role at the source of the nearest rule', () => {
    const result = patch([
      clusterRole(
        'agg',
        [kindRule],
        {},
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'true' } }] } },
      ),
      clusterRole('other', [], { labels: { a: 'true' } }),
      clusterRole('source', [kindRule], { labels: { a: 'true' } }),
      bind('b', 'agg', 'ops', 'ctl'),
    ]);
    expect(result.role.name).toBe('source');
    expect(result.note).toContain('ClusterRole agg is aggregated');
  });

  it('[LN5] proposes a labelled role where an aggregated one has no source', () => {
    const result = patch([
      clusterRole(
        'agg',
        [kindRule],
        {},
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'x.y/agg': 'true' } }] } },
      ),
      bind('b', 'agg', 'ops', 'ctl'),
    ]);
    expect(result).toMatchObject({ create: true, role: { name: 'agg-additions' } });
    expect(result.yaml).toContain("    x.y/agg: 'true'\n");
  });

  it('[LN5] stays in the namespace of the need', () => {
    const scoped: MissingAccess = { ...status, scope: 'shop' };
    const bound = patch(
      [role('shop', 'db', [kindRule]), bindIn('shop', 'b', { kind: 'Role', name: 'db' }, 'ops', 'ctl')],
      scoped,
    );
    expect(bound.command).toBe('kubectl patch role db -n shop --type=json --patch-file=loopscope-patch.yaml');
    const fresh = patch([], scoped);
    expect(fresh.role).toEqual({ kind: 'Role', namespace: 'shop', name: 'ctl-databases-status' });
    expect(fresh.yaml).toContain(
      'kind: RoleBinding\nmetadata: {name: ctl-databases-status, namespace: shop}\n',
    );
  });

  it('[LN5] binds a user who is no ServiceAccount by name', () => {
    expect(patch([], status, identityOfUser('alice@example.com')).yaml).toContain(
      "- {kind: User, apiGroup: rbac.authorization.k8s.io, name: 'alice@example.com'}",
    );
  });

  it('[LN6] grants whole customary sets of verbs', () => {
    expect(patchVerbs({ ...status, subresource: 'finalizers' })).toEqual(['update']);
    expect(patchVerbs({ ...status, subresource: '', verbs: ['watch'] })).toEqual(['get', 'list', 'watch']);
    expect(
      patchVerbs({ ...status, subresource: '', verbs: ['deletecollection', 'patch', 'create'] }),
    ).toEqual(['create', 'patch', 'deletecollection']);
  });

  it('writes kubebuilder markers of core groups and namespaces', () => {
    const events: MissingAccess = {
      apiGroup: '',
      resource: 'events',
      subresource: '',
      verbs: ['create', 'patch'],
      scope: 'ops',
    };
    const ref = { kind: 'Role', namespace: 'ops', name: 'r' } as const;
    expect(kubebuilderMarker(events, ref)).toBe(
      '//+kubebuilder:rbac:groups="",namespace=ops,resources=events,verbs=create;patch',
    );
    const wide = { kind: 'ClusterRole', namespace: '', name: 'r' } as const;
    expect(kubebuilderMarker(events, wide)).toBe(
      '//+kubebuilder:rbac:groups="",resources=events,verbs=create;patch',
    );
  });

  it('quotes what YAML would read as something else', () => {
    expect(['', '*', '*/status', 'yes', 'x: y', 'a-b.c/d', "it's"].map(scalar)).toEqual([
      "''",
      "'*'",
      "'*/status'",
      "'yes'",
      "'x: y'",
      'a-b.c/d',
      "'it''s'",
    ]);
  });
});
