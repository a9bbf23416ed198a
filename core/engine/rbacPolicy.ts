import { type RbacPolicy, readPolicy } from '../rbac/policy.ts';
import type { ClusterModel } from './clusterModel.ts';

const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** All RBAC objects of the cluster as it is now. Parsed objects are remembered by identity, so this is cheap. */
export function rbacPolicy(model: ClusterModel): RbacPolicy {
  return readPolicy(kinds.flatMap((kind) => model.ofKind(`rbac.authorization.k8s.io/${kind}`)));
}
