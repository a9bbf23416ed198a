import { expect, test } from 'vitest';
import { localOperator } from '../core/profile/localOperator.ts';
import type { OperatorProfile } from '../shared/model/profile.ts';
import { operatorFor, wantedIdentity } from './identity.ts';

const nothing = { profilePath: undefined, serviceAccount: undefined, kinds: [], problems: [] };
const manifest = {
  ...nothing,
  serviceAccount: { namespace: 'ops', name: 'dbop', from: 'config/manager.yaml' },
};

test('a ServiceAccount is who it says; a person stands for the account of the manifests', () => {
  expect(wantedIdentity('system:serviceaccount:ops:other', manifest).users).toEqual([
    'system:serviceaccount:ops:other',
    'system:serviceaccount:ops:dbop',
  ]);
  expect(wantedIdentity('admin@example.com', manifest).users).toEqual([
    'system:serviceaccount:ops:dbop',
    'admin@example.com',
  ]);
  expect(wantedIdentity('admin@example.com', nothing).users).toEqual(['admin@example.com']);
  expect(wantedIdentity(undefined, { ...nothing, kinds: ['database.db.example.com'] })).toEqual({
    users: [],
    kinds: ['database.db.example.com'],
  });
});

test('the operator the cluster shows for the first of the users that has one', () => {
  const shown = (user: string): OperatorProfile => ({
    ...localOperator(user, []),
    id: `Deployment/ops/${user}`,
    workload: { value: `Deployment/ops/${user}`, basis: { kind: 'observed', from: 'watch' }, why: '' },
  });
  const wanted = { users: ['a', 'b'], kinds: [] };
  expect(operatorFor(wanted, [shown('b'), shown('a')])?.id).toBe('Deployment/ops/a');
  expect(operatorFor(wanted, [localOperator('a', []), shown('b')])?.id).toBe('Deployment/ops/b');
  expect(operatorFor(wanted, [localOperator('a', [])])).toBeUndefined();
});
