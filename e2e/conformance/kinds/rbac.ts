/** Replays rbac vectors against core/rbac: aggregation first, then every access check with its reason. */
import { aggregateClusterRoles } from '../../../core/rbac/aggregation.ts';
import { type AccessRequest, createAuthorizer } from '../../../core/rbac/authorizer.ts';
import { readPolicy, readRule } from '../../../core/rbac/policy.ts';
import type { KubeObject, ObjectMeta } from '../../../shared/model/kube.ts';
import { compare, type Mismatch } from '../mismatch.ts';

interface Stored {
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}
interface Check {
  readonly user: string;
  readonly groups: readonly string[] | null;
  readonly verb: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly allowed?: boolean;
  readonly reason?: string;
}
interface Line {
  readonly id: string;
  readonly roles: readonly Stored[] | null;
  readonly roleBindings: readonly Stored[] | null;
  readonly clusterRoles: readonly Stored[] | null;
  readonly clusterRoleBindings: readonly Stored[] | null;
  readonly aggregatedRules?: Readonly<Record<string, readonly unknown[] | null>>;
  readonly checks: readonly Check[];
}

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const policy = readPolicy([
    ...typed('Role', line.roles),
    ...typed('RoleBinding', line.roleBindings),
    ...typed('ClusterRole', line.clusterRoles),
    ...typed('ClusterRoleBinding', line.clusterRoleBindings),
  ]);
  const mismatches: Mismatch[] = [];
  const written = aggregateClusterRoles(policy.clusterRoles);
  for (const [name, rules] of Object.entries(line.aggregatedRules ?? {}))
    compare(
      mismatches,
      { id: line.id, what: `aggregated ${name}` },
      (rules ?? []).map(readRule),
      written.get(name) ?? [],
    );

  const clusterRoles = policy.clusterRoles.map((role) => ({
    ...role,
    rules: written.get(role.ref.name) ?? role.rules,
  }));
  const authorizer = createAuthorizer({ ...policy, clusterRoles });
  for (const [op, check] of line.checks.entries()) {
    const decision = authorizer.authorize({ user: check.user, groups: check.groups ?? [] }, requestOf(check));
    const got = decision.allowed ? { allowed: true, reason: decision.reason } : { allowed: false };
    const { allowed, reason } = check;
    compare(mismatches, { id: line.id, op, what: 'decision' }, { allowed, reason }, got);
  }
  return mismatches;
}

function requestOf(check: Check): AccessRequest {
  if (check.path !== undefined) return { kind: 'url', verb: check.verb, path: check.path };
  const { verb, apiGroup = '', resource = '', subresource = '', namespace = '', name = '' } = check;
  return { kind: 'resource', verb, apiGroup, resource, subresource, namespace, name };
}

function typed(kind: string, objects: readonly Stored[] | null): KubeObject[] {
  return (objects ?? []).map((object) => ({
    ...object,
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: object.metadata,
  }));
}
