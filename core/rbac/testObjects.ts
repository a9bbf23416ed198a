/** RBAC objects for tests, as the API server would list them. */
import type { KubeObject, ObjectMeta } from '../../shared/model/kube.ts';

export interface WireRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export function rbacObject(
  kind: string,
  name: string,
  namespace: string | undefined,
  body: Readonly<Record<string, unknown>>,
  metadata: Partial<ObjectMeta> = {},
): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
    ...body,
  };
}

export function clusterRole(
  name: string,
  rules: readonly WireRule[],
  metadata: Partial<ObjectMeta> = {},
  more: Readonly<Record<string, unknown>> = {},
): KubeObject {
  return rbacObject('ClusterRole', name, undefined, { rules, ...more }, metadata);
}

export function role(namespace: string, name: string, rules: readonly WireRule[]): KubeObject {
  return rbacObject('Role', name, namespace, { rules });
}

/** A ClusterRoleBinding of one ServiceAccount. */
export function bind(name: string, clusterRoleName: string, namespace: string, account: string): KubeObject {
  return rbacObject('ClusterRoleBinding', name, undefined, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRoleName },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
}

/** A RoleBinding in `inNamespace` of one ServiceAccount. */
export function bindIn(
  inNamespace: string,
  name: string,
  roleRef: { readonly kind: string; readonly name: string },
  namespace: string,
  account: string,
): KubeObject {
  return rbacObject('RoleBinding', name, inNamespace, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
}
