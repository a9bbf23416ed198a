/** Why a request is refused: what reaches the identity, the rule that comes nearest, and the names no rule has. */
import type { GrantPath, RbacStep } from '../../shared/model/rbac.ts';
import { combinedResource } from './access.ts';
import { type ReachingBinding, resourceMatches } from './authorizer.ts';

/** What is missing: verbs on a resource in a scope (empty = the whole cluster). */
export interface MissingAccess {
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly verbs: readonly string[];
  readonly scope: string;
}

export interface NearestRule {
  readonly path: GrantPath;
  readonly lacks: Extract<RbacStep, { kind: 'nearest' }>['lacks'];
}

/** The rule that lacks one thing only, most telling first; undefined when none is of that resource. */
export function nearestRule(grants: readonly GrantPath[], missing: MissingAccess): NearestRule | undefined {
  let best: (NearestRule & { readonly score: number }) | undefined;
  for (const path of grants) {
    const rated = rate(path, missing);
    if (rated !== undefined && (best === undefined || rated.score > best.score)) best = { path, ...rated };
  }
  return best === undefined ? undefined : { path: best.path, lacks: best.lacks };
}

function rate(
  { rule, scope }: GrantPath,
  missing: MissingAccess,
): { readonly lacks: NearestRule['lacks']; readonly score: number } | undefined {
  const group = rule.apiGroups.includes(missing.apiGroup) || rule.apiGroups.includes('*');
  const exact = resourceMatches(rule, missing.resource, missing.subresource);
  const verb = missing.verbs.some((one) => rule.verbs.includes(one)) || rule.verbs.includes('*');
  const inScope = scope === '' || scope === missing.scope;
  if (exact && group) {
    if (verb && inScope) return { lacks: 'resourceName', score: 6 };
    if (inScope) return { lacks: 'verb', score: 5 };
    if (verb) return { lacks: 'scope', score: 4 };
  }
  const parent = missing.subresource !== '' && rule.resources.includes(missing.resource);
  if (parent && group && inScope) return { lacks: 'subresource', score: verb ? 3.5 : 3 };
  if (exact && verb && inScope && !group) return { lacks: 'apiGroup', score: 2 };
  if (parent && group) return { lacks: 'scope', score: verb ? 1.5 : 1 };
  return undefined;
}

/** The steps of "Why it is refused", in reading order. */
export function explainRefusal(
  missing: MissingAccess,
  grants: readonly GrantPath[],
  bindings: readonly ReachingBinding[],
  nearest: NearestRule | undefined,
): readonly RbacStep[] {
  const steps: RbacStep[] = [
    {
      kind: 'reach',
      rules: grants.length,
      clusterRoleBindings: bindings.filter(({ binding }) => binding.ref.kind === 'ClusterRoleBinding').length,
      roleBindings: bindings.filter(({ binding }) => binding.ref.kind === 'RoleBinding').length,
    },
  ];
  for (const { binding, role, roleRef } of bindings)
    if (role === undefined) steps.push({ kind: 'missingRole', binding: binding.ref, role: roleRef });
  if (nearest !== undefined) {
    const { rule } = nearest.path;
    const near = (one: string) =>
      one === '*' || one.split('/')[0] === missing.resource || one.startsWith('*/');
    const wanted = missing.verbs.filter((verb) => rule.verbs.includes(verb) || rule.verbs.includes('*'));
    steps.push({
      kind: 'nearest',
      path: nearest.path,
      resource: rule.resources.find(near) ?? rule.resources[0] ?? '',
      verbs: wanted.length > 0 ? wanted : rule.verbs,
      lacks: nearest.lacks,
    });
  }
  const named = grants.some(
    ({ rule }) =>
      (rule.apiGroups.includes(missing.apiGroup) || rule.apiGroups.includes('*')) &&
      resourceMatches(rule, missing.resource, missing.subresource),
  );
  if (!named) {
    const sub = missing.subresource;
    const resources = [combinedResource(missing), ...(sub === '' ? [] : [`*/${sub}`]), '*'];
    steps.push({ kind: 'noRule', resources, apiGroup: missing.apiGroup, verbs: missing.verbs });
  }
  return steps;
}
