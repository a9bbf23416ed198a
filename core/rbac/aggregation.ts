/**
 * Aggregated ClusterRoles: their rules are the union of what their selectors find, written by a controller.
 * Mirrors kubernetes pkg/controller/clusterroleaggregation. Spec: docs/spec/rbac.md
 */
import type { PolicyRule } from '../../shared/model/rbac.ts';
import { compileLabelSelector } from '../informer/predicates/labelSelector.ts';
import { type RbacPolicy, type Role, sameRule } from './policy.ts';

/**
 * The rules the controller would write, by ClusterRole name, once it has settled (roles may aggregate aggregated ones).
 * A role with a selector that does not compile keeps its stored rules and is not in the answer.
 */
export function aggregateClusterRoles(
  clusterRoles: readonly Role[],
): ReadonlyMap<string, readonly PolicyRule[]> {
  const written = new Map<string, readonly PolicyRule[]>();
  const sorted = [...clusterRoles].sort((a, b) =>
    a.ref.name < b.ref.name ? -1 : a.ref.name > b.ref.name ? 1 : 0,
  );
  const aggregated = sorted.flatMap((role) => {
    const sources = sourcesOf(role, sorted);
    return sources === undefined ? [] : [{ role, sources }];
  });
  const rulesOf = (role: Role) => written.get(role.ref.name) ?? role.rules;

  // Each pass carries rules one link of a chain further; more passes than links change nothing.
  for (let pass = 0; pass <= aggregated.length; pass++) {
    let changed = false;
    for (const { role, sources } of aggregated) {
      const rules: PolicyRule[] = [];
      for (const source of sources)
        for (const rule of rulesOf(source)) if (!rules.some((one) => sameRule(one, rule))) rules.push(rule);
      const before = rulesOf(role);
      if (before.length !== rules.length || rules.some((rule, i) => !sameRule(rule, before[i] ?? rule)))
        changed = true;
      written.set(role.ref.name, rules);
    }
    if (!changed) break;
  }
  return written;
}

/** The ClusterRoles that `role` draws its rules from, in the controller's order; undefined when it is not aggregated. */
export function sourcesOf(role: Role, clusterRoles: readonly Role[]): readonly Role[] | undefined {
  if (role.aggregation === undefined) return undefined;
  const sources: Role[] = [];
  for (const selector of role.aggregation) {
    const matcher = compileLabelSelector(selector);
    if (!matcher.ok) return undefined;
    for (const candidate of clusterRoles)
      if (candidate.ref.name !== role.ref.name && matcher.value(candidate.metadata.labels))
        sources.push(candidate);
  }
  return sources;
}

/**
 * The policy with what aggregation adds: stored rules stay (they are what the API server asks now), rules that the
 * controller is about to write, or that a trimmed snapshot left out, are appended.
 */
export function withAggregatedRules(policy: RbacPolicy): RbacPolicy {
  if (!policy.clusterRoles.some((role) => role.aggregation !== undefined)) return policy;
  const written = aggregateClusterRoles(policy.clusterRoles);
  const clusterRoles = policy.clusterRoles.map((role) => {
    const extra = (written.get(role.ref.name) ?? []).filter(
      (rule) => !role.rules.some((stored) => sameRule(stored, rule)),
    );
    return extra.length === 0 ? role : { ...role, rules: [...role.rules, ...extra] };
  });
  return { ...policy, clusterRoles };
}
