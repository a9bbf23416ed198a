import { expect, it } from 'vitest';
import { grantYaml, pluralKind } from './plural.ts';

it('pluralKind follows English and leaves Chinese alone', () => {
  expect(
    ['Pod', 'NetworkPolicy', 'Ingress', 'Endpoints', 'Gateway'].map((kind) => pluralKind(kind, 'en')),
  ).toEqual(['Pods', 'NetworkPolicies', 'Ingresses', 'Endpoints', 'Gateways']);
  expect(pluralKind('Pod', 'zh-CN')).toBe('Pod');
});

it('grantYaml folds verbs of one resource into one rule', () => {
  const missing = [
    { verb: 'list', group: '', resource: 'pods' },
    { verb: 'watch', group: '', resource: 'pods' },
    { verb: 'list', group: 'apps', resource: 'deployments' },
  ];
  expect(grantYaml(missing)).toBe(
    '- apiGroups: [""]\n  resources: [pods]\n  verbs: [list, watch]\n- apiGroups: [apps]\n  resources: [deployments]\n  verbs: [list]\n',
  );
});
