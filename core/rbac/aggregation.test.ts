import { describe, expect, it } from 'vitest';
import { aggregateClusterRoles, withAggregatedRules } from './aggregation.ts';
import { readPolicy } from './policy.ts';
import { clusterRole, type WireRule } from './testObjects.ts';

const read: WireRule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const write: WireRule = { apiGroups: [''], resources: ['pods'], verbs: ['update'] };
const other: WireRule = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] };

function aggregate(label: string) {
  return { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] } };
}

describe('aggregated ClusterRoles', () => {
  it('[RB12] takes the rules of what its selectors find, by name, each once, and not its own', () => {
    const { clusterRoles } = readPolicy([
      clusterRole('all', [other], { labels: { a: 'true' } }, aggregate('a')),
      clusterRole('z', [read, write], { labels: { a: 'true' } }),
      clusterRole('m', [write], { labels: { a: 'true' } }),
      clusterRole('no', [other], { labels: { a: 'false' } }),
    ]);
    const rules = aggregateClusterRoles(clusterRoles).get('all') ?? [];
    expect(rules.map(({ verbs }) => verbs)).toEqual([['update'], ['get']]);
  });

  it('[RB13] settles chains whatever the order of names', () => {
    const { clusterRoles } = readPolicy([
      clusterRole('a-top', [], {}, aggregate('top')),
      clusterRole('b-middle', [], { labels: { top: 'true' } }, aggregate('middle')),
      clusterRole('c-low', [], { labels: { middle: 'true' } }, aggregate('low')),
      clusterRole('d-base', [read], { labels: { low: 'true' } }),
    ]);
    expect(aggregateClusterRoles(clusterRoles).get('a-top')).toHaveLength(1);
  });

  it('ends when two roles aggregate each other', () => {
    const { clusterRoles } = readPolicy([
      clusterRole('a', [read], { labels: { y: 'true' } }, aggregate('x')),
      clusterRole('b', [write], { labels: { x: 'true' } }, aggregate('y')),
    ]);
    expect([...aggregateClusterRoles(clusterRoles).keys()]).toEqual(['a', 'b']);
  });

  it('keeps stored rules and adds what the controller is about to write', () => {
    const policy = withAggregatedRules(
      readPolicy([
        clusterRole('all', [other], {}, aggregate('a')),
        clusterRole('base', [read], { labels: { a: 'true' } }),
      ]),
    );
    expect(policy.clusterRoles[0]?.rules.map(({ resources }) => resources[0])).toEqual([
      'deployments',
      'pods',
    ]);
  });

  it('leaves out a role whose selector does not compile', () => {
    const broken = {
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Odd' }] }] },
    };
    const { clusterRoles } = readPolicy([clusterRole('all', [other], {}, broken)]);
    expect(aggregateClusterRoles(clusterRoles).has('all')).toBe(false);
  });

  it('[RB13] empties a role whose aggregation rule has no selectors', () => {
    const { clusterRoles } = readPolicy([clusterRole('all', [other], {}, { aggregationRule: {} })]);
    expect(aggregateClusterRoles(clusterRoles).get('all')).toEqual([]);
  });
});
