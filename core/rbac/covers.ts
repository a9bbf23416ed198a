/**
 * Does one set of rules include another? The API server's escalation check asks this before it lets anyone create a role.
 * Mirrors k8s.io/component-helpers auth/rbac/validation/policy_comparator.go. Spec: docs/spec/rbac.md
 */
import type { PolicyRule } from '../../shared/model/rbac.ts';

export interface Coverage {
  readonly covered: boolean;
  /** What the owner does not hold, one group, resource, verb and name (or URL and verb) each. */
  readonly missing: readonly PolicyRule[];
}

/** Splits the servant's rules into single tuples; each must be held by ONE owner rule. */
export function covers(owner: readonly PolicyRule[], servant: readonly PolicyRule[]): Coverage {
  const missing = servant
    .flatMap(breakdownRule)
    .filter((subrule) => !owner.some((rule) => ruleCovers(rule, subrule)));
  return { covered: missing.length === 0, missing };
}

/** Every single tuple of a rule, in Go's order. */
export function breakdownRule(rule: PolicyRule): readonly PolicyRule[] {
  const tuples: PolicyRule[] = [];
  for (const group of rule.apiGroups)
    for (const resource of rule.resources)
      for (const verb of rule.verbs)
        if (rule.resourceNames.length === 0) tuples.push(tuple(verb, group, resource));
        else for (const name of rule.resourceNames) tuples.push(tuple(verb, group, resource, name));
  for (const url of rule.nonResourceURLs)
    for (const verb of rule.verbs) tuples.push({ ...empty, verbs: [verb], nonResourceURLs: [url] });
  return tuples;
}

const empty: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

function tuple(verb: string, group: string, resource: string, name?: string): PolicyRule {
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [resource],
    resourceNames: name === undefined ? [] : [name],
    nonResourceURLs: [],
  };
}

function ruleCovers(owner: PolicyRule, sub: PolicyRule): boolean {
  const names =
    owner.resourceNames.length === 0 ||
    (sub.resourceNames.length > 0 && hasAll(owner.resourceNames, sub.resourceNames));
  return (
    names &&
    (owner.verbs.includes('*') || hasAll(owner.verbs, sub.verbs)) &&
    (owner.apiGroups.includes('*') || hasAll(owner.apiGroups, sub.apiGroups)) &&
    resourcesCover(owner.resources, sub.resources) &&
    sub.nonResourceURLs.every((path) => owner.nonResourceURLs.some((url) => urlCovers(url, path)))
  );
}

function resourcesCover(owner: readonly string[], sub: readonly string[]): boolean {
  if (owner.includes('*')) return true;
  return sub.every((resource) => {
    if (owner.includes(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && owner.includes(`*/${resource.slice(slash + 1)}`);
  });
}

function urlCovers(owner: string, path: string): boolean {
  return owner === path || (owner.endsWith('*') && path.startsWith(owner.replace(/\*+$/, '')));
}

function hasAll(set: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((value) => set.includes(value));
}
