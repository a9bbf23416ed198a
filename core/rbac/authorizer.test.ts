import { describe, expect, it } from 'vitest';
import {
  type AccessRequest,
  createAuthorizer,
  identityOfUser,
  requestName,
  ruleAllows,
  serviceAccountIdentity,
} from './authorizer.ts';
import { readPolicy, readRule } from './policy.ts';
import { bind, bindIn, clusterRole, rbacObject, role } from './testObjects.ts';

const sa = serviceAccountIdentity('ops', 'ctl');

function ask(
  verb: string,
  resource: string,
  more: Partial<Extract<AccessRequest, { kind: 'resource' }>> = {},
): AccessRequest {
  return {
    kind: 'resource',
    verb,
    apiGroup: '',
    resource,
    subresource: '',
    namespace: 'shop',
    name: '',
    ...more,
  };
}

function rule(fields: Readonly<Record<string, readonly string[]>>) {
  return readRule({ apiGroups: [''], verbs: ['*'], ...fields });
}

describe('RBAC authorizer', () => {
  it('[RB1] asks ClusterRoleBindings first and takes the first match in listed order', () => {
    const policy = readPolicy([
      clusterRole('a', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
      clusterRole('b', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]),
      role('shop', 'r', [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }]),
      bindIn('shop', 'own', { kind: 'Role', name: 'r' }, 'ops', 'ctl'),
      bind('second', 'b', 'ops', 'ctl'),
      bind('first', 'a', 'ops', 'ctl'),
    ]);
    const authorizer = createAuthorizer(policy);
    const reason = (request: AccessRequest) => {
      const decision = authorizer.authorize(sa, request);
      return decision.allowed ? decision.reason : 'refused';
    };
    expect(reason(ask('get', 'pods'))).toBe(
      'RBAC: allowed by ClusterRoleBinding "second" of ClusterRole "b" to ServiceAccount "ctl/ops"',
    );
    expect(reason(ask('delete', 'pods'))).toBe(
      'RBAC: allowed by RoleBinding "own/shop" of Role "r" to ServiceAccount "ctl/ops"',
    );
  });

  it('[RB2] a RoleBinding allows nothing outside of its namespace, at the cluster scope, or by URL', () => {
    const policy = readPolicy([
      clusterRole('all', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'], nonResourceURLs: ['*'] }]),
      bindIn('shop', 'own', { kind: 'ClusterRole', name: 'all' }, 'ops', 'ctl'),
    ]);
    const authorizer = createAuthorizer(policy);
    expect(authorizer.authorize(sa, ask('get', 'pods')).allowed).toBe(true);
    expect(authorizer.authorize(sa, ask('get', 'pods', { namespace: 'billing' })).allowed).toBe(false);
    expect(authorizer.authorize(sa, ask('list', 'pods', { namespace: '' })).allowed).toBe(false);
    expect(authorizer.authorize(sa, { kind: 'url', verb: 'get', path: '/metrics' }).allowed).toBe(false);
  });

  it('[RB3] names the bindings whose role is missing', () => {
    const policy = readPolicy([
      bind('lost', 'gone', 'ops', 'ctl'),
      rbacObject('ClusterRoleBinding', 'odd', undefined, {
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [{ kind: 'ServiceAccount', name: 'ctl', namespace: 'ops' }],
      }),
    ]);
    const decision = createAuthorizer(policy).authorize(sa, ask('get', 'pods'));
    expect(decision.allowed ? [] : decision.dangling.map(({ role }) => `${role.kind} ${role.name}`)).toEqual([
      'ClusterRole gone',
      'Role r',
    ]);
  });

  it('[RB4] [RB5] matches subjects by name, group and ServiceAccount', () => {
    const subjects = (list: readonly unknown[], kind: 'RoleBinding' | 'ClusterRoleBinding') =>
      createAuthorizer(
        readPolicy([
          clusterRole('r', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
          rbacObject(kind, 'b', kind === 'RoleBinding' ? 'ops' : undefined, {
            roleRef: { kind: 'ClusterRole', name: 'r' },
            subjects: list,
          }),
        ]),
      ).authorize(sa, ask('get', 'pods', { namespace: 'ops' })).allowed;
    expect(subjects([{ kind: 'User', name: '*' }], 'ClusterRoleBinding')).toBe(false);
    expect(subjects([{ kind: 'User', name: 'system:serviceaccount:ops:ctl' }], 'ClusterRoleBinding')).toBe(
      true,
    );
    expect(subjects([{ kind: 'Group', name: 'system:serviceaccounts:ops' }], 'ClusterRoleBinding')).toBe(
      true,
    );
    expect(subjects([{ kind: 'ServiceAccount', name: 'ctl' }], 'RoleBinding')).toBe(true);
    expect(subjects([{ kind: 'ServiceAccount', name: 'ctl' }], 'ClusterRoleBinding')).toBe(false);
    expect(subjects([{ kind: 'Robot', name: 'ctl' }], 'ClusterRoleBinding')).toBe(false);
    expect(subjects([], 'ClusterRoleBinding')).toBe(false);
  });

  it('[RB6] [RB7] matches resources and subresources', () => {
    const status = ask('update', 'databases', { subresource: 'status' });
    const plain = ask('update', 'databases');
    expect(ruleAllows(rule({ resources: ['*'] }), status)).toBe(true);
    expect(ruleAllows(rule({ resources: ['databases'] }), status)).toBe(false);
    expect(ruleAllows(rule({ resources: ['databases/status'] }), plain)).toBe(false);
    expect(ruleAllows(rule({ resources: ['*/status'] }), status)).toBe(true);
    expect(ruleAllows(rule({ resources: ['*/status'] }), plain)).toBe(false);
    expect(ruleAllows(rule({ resources: ['databases/*', '*/*'] }), status)).toBe(false);
    expect(ruleAllows(rule({ resources: ['databases'], apiGroups: ['db.example.com'] }), plain)).toBe(false);
  });

  it('[RB8] resourceNames need a name, which a list has from metadata.name only', () => {
    const named = rule({ resources: ['leases'], resourceNames: ['leader'] });
    expect(ruleAllows(named, ask('update', 'leases', { name: 'leader' }))).toBe(true);
    expect(ruleAllows(named, ask('update', 'leases', { name: 'other' }))).toBe(false);
    expect(ruleAllows(named, ask('create', 'leases'))).toBe(false);
    const watched = requestName({ verb: 'watch', fieldSelector: 'spec.x=1,metadata.name=leader' });
    expect(ruleAllows(named, ask('watch', 'leases', { name: watched }))).toBe(true);
    expect(requestName({ verb: 'delete', fieldSelector: 'metadata.name=leader' })).toBe('');
    expect(requestName({ verb: 'list', fieldSelector: 'metadata.name!=leader' })).toBe('');
    expect(requestName({ verb: 'get', name: 'x' })).toBe('x');
  });

  it('[RB9] matches URLs', () => {
    const urls = (list: readonly string[], path: string) =>
      ruleAllows(rule({ nonResourceURLs: list }), { kind: 'url', verb: 'get', path });
    expect(urls(['/healthz/*'], '/healthz/etcd')).toBe(true);
    expect(urls(['/healthz/*'], '/healthz')).toBe(false);
    expect(urls(['/logs**'], '/logs/a')).toBe(true);
    expect(urls(['*'], '/metrics')).toBe(true);
    expect(urls(['/metrics'], '/metrics/')).toBe(false);
  });

  it('[RB11] knows the groups of a ServiceAccount from its user name', () => {
    expect(identityOfUser('system:serviceaccount:ops:ctl')).toEqual(sa);
    expect(identityOfUser('alice').serviceAccount).toBeUndefined();
    expect(identityOfUser('system:serviceaccount:ops').serviceAccount).toBeUndefined();
  });

  it('lists every rule that reaches a user, over all namespaces', () => {
    const policy = readPolicy([
      clusterRole('a', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
      role('shop', 'r', [
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      ]),
      bind('b', 'a', 'ops', 'ctl'),
      bind('foreign', 'a', 'ops', 'other'),
      bindIn('shop', 'own', { kind: 'Role', name: 'r' }, 'ops', 'ctl'),
    ]);
    const paths = createAuthorizer(policy).grants(sa);
    expect(paths.map(({ binding, scope, ruleIndex }) => [binding.name, scope, ruleIndex])).toEqual([
      ['b', '', 0],
      ['own', 'shop', 0],
      ['own', 'shop', 1],
    ]);
  });
});
