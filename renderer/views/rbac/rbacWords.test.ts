import { expect, it } from 'vitest';
import { closedFindings, findingsView } from '../../testing/incident/findings.ts';
import { rbacView } from '../../testing/incident/rbac.ts';
import {
  closedGap,
  emptyWord,
  identityName,
  isEveryones,
  resourceOf,
  rowOfFinding,
  shortGroup,
  shortRole,
  tellsAttempts,
  verbColumns,
  worstGap,
} from './rbacWords.ts';

const lens = rbacView.lens;
if (lens === undefined) throw new Error('the incident has a lens');

it('names resources, identity and columns', () => {
  expect(resourceOf({ resource: 'databases', subresource: 'status' })).toBe('databases/status');
  expect(identityName(lens)).toBe('database-operator');
  expect(identityName({ ...lens, identity: { user: 'jane', groups: [] } })).toBe('jane');
  expect(verbColumns(lens.rows)).toEqual(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']);
  const [first] = lens.rows;
  if (first === undefined) throw new Error('no rows');
  expect(verbColumns([{ ...first, cells: { bind: 'grantedUsed', approve: 'refused' } }]).slice(7)).toEqual([
    'approve',
    'bind',
  ]);
});

it('takes the gap with most refusals for the headline', () => {
  expect(worstGap(lens.rows)?.id).toBe('databases/status.db.example.com@');
  expect(worstGap(lens.rows.filter((row) => row.gap === undefined))).toBeUndefined();
});

it('shortens long API groups and keeps events apart from core', () => {
  expect(
    ['coordination.k8s.io', 'rbac.authorization.k8s.io', 'events.k8s.io', 'apps', ''].map(shortGroup),
  ).toEqual(['coordination', 'rbac', 'events.k8s.io', 'apps', '']);
});

it('leaves the operator out of the names of its own roles', () => {
  expect(shortRole('database-operator-manager', 'database-operator')).toBe('manager');
  expect(shortRole('metrics-auth', 'database-operator')).toBe('metrics-auth');
});

it('knows what every identity is granted, until it is used or granted by another role as well', () => {
  const [path] = lens.rows.flatMap((row) => row.grants);
  if (path === undefined) throw new Error('the incident has a grant');
  const name = 'system:discovery';
  const discovery = {
    ...path,
    role: { kind: 'ClusterRole', namespace: '', name },
    binding: { kind: 'ClusterRoleBinding', namespace: '', name },
  } as const;
  expect(isEveryones({ group: 'unused', grants: [discovery] })).toBe(true);
  expect(isEveryones({ group: 'used', grants: [discovery] })).toBe(false);
  expect(isEveryones({ group: 'unused', grants: [discovery, path] })).toBe(false);
  expect(isEveryones({ group: 'unused', grants: [] })).toBe(false);
  const bound = { ...discovery, binding: { ...discovery.binding, name: 'mine' } };
  expect(isEveryones({ group: 'unused', grants: [bound] })).toBe(false);
});

it('says that every grant was used only where grants were judged and there are some', () => {
  expect(emptyWord({ unreadable: [], rules: 4 })).toBe('rbac.unused.none');
  expect(emptyWord({ unreadable: ['roles.rbac.authorization.k8s.io'], rules: 4 })).toBe(
    'rbac.unused.unreadable',
  );
  expect(emptyWord({ unreadable: [], rules: 0 })).toBe('rbac.unused.noRows');
});

it('takes logs and audit files as what tells of attempts, metrics not', () => {
  expect(tellsAttempts([])).toBe(false);
  expect(tellsAttempts([{ kind: 'metrics' }])).toBe(false);
  for (const kind of ['log', 'audit', 'stdin', 'child'] as const)
    expect(tellsAttempts([{ kind: 'metrics' }, { kind }])).toBe(true);
});

it('finds the missing status grant that was closed, unless it is open again or another identity’s', () => {
  const { findings } = closedFindings;
  const closed = closedGap(lens, findings);
  expect(closed?.rule).toBe('rbac/missing-status-subresource');
  expect(closed?.closedAt).toBeDefined();
  expect(closedGap(lens, findingsView.findings)).toBeUndefined();
  expect(closedGap(lens, [...findingsView.findings, ...findings])).toBeUndefined();
  expect(closedGap({ identity: { user: 'jane', groups: [] } }, findings)).toBeUndefined();
});

it('takes the one closed last', () => {
  const [first] = closedFindings.findings;
  if (first === undefined) throw new Error('the incident has a closed finding');
  const later = { ...first, id: `${first.id}2`, closedAt: '2999-01-01T00:00:00Z' };
  expect(closedGap(lens, [first, later])?.id).toBe(later.id);
});

it('knows the row of a finding by the resource at the end of its id', () => {
  const row = rowOfFinding(
    { id: 'rbac/missing-status-subresource:User/-/x:databases.db.example.com' },
    lens.rows,
  );
  expect(row).toMatchObject({ resource: 'databases', subresource: 'status' });
  expect(rowOfFinding({ id: 'rule:User/-/x:widgets.db.example.com' }, lens.rows)).toBeUndefined();
});
