/**
 * The operators of a case folder, inferred as for a live cluster, so that both judge alike. What discovery would say is
 * read off the objects that are there.
 */
import { groupOf } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { OperatorProfile } from '../../../shared/model/profile.ts';
import type { ApiResource } from '../../../shared/model/resource.ts';
import { inferOperators } from '../../profile/infer.ts';
import { withAggregatedRules } from '../../rbac/aggregation.ts';
import { createAuthorizer } from '../../rbac/authorizer.ts';
import type { RbacPolicy } from '../../rbac/policy.ts';
import { guessPlural } from './servedKinds.ts';

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Never throws on what readObject() lets through. Without a single binding, grants are unknown rather than none. */
export function caseOperators(
  objects: readonly KubeObject[],
  policy: RbacPolicy,
): readonly OperatorProfile[] {
  const ofKind = (group: string, kind: string) =>
    objects.filter((object) => object.kind === kind && groupOf(object.apiVersion) === group);
  const authorizer = createAuthorizer(withAggregatedRules(policy));
  const bound = ofKind('rbac.authorization.k8s.io', 'ClusterRoleBinding').length > 0;
  const known = bound || ofKind('rbac.authorization.k8s.io', 'RoleBinding').length > 0;
  return inferOperators({
    workloads: objects.filter(
      ({ apiVersion, kind }) => groupOf(apiVersion) === 'apps' && workloads.has(kind),
    ),
    crds: ofKind('apiextensions.k8s.io', 'CustomResourceDefinition'),
    leases: ofKind('coordination.k8s.io', 'Lease'),
    heads: objects.map((object) => ({
      group: groupOf(object.apiVersion),
      kind: object.kind,
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name,
      meta: object.metadata,
      writers: object.metadata.managedFields ?? [],
    })),
    resources: servedBy(objects),
    grantsOf: (identity) => (known ? authorizer.grants(identity) : undefined),
  });
}

/** One resource for each kind that is there. Custom kinds come from their CRDs, which infer reads itself. */
function servedBy(objects: readonly KubeObject[]): readonly ApiResource[] {
  const found = new Map<string, ApiResource>();
  for (const { apiVersion, kind, metadata } of objects) {
    const group = groupOf(apiVersion);
    const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
    const resource = { group, version, kind, resource: guessPlural(kind), verbs: [], subresources: [] };
    found.set(`${group}/${kind}`, { ...resource, namespaced: (metadata.namespace ?? '') !== '' });
  }
  return [...found.values()];
}
