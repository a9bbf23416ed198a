/** The sentence that closes an RBAC finding: who grants it now, in which version, and who wrote that version. */
import type { ManagedFieldsEntry } from '../../../shared/model/kube.ts';
import type { Identity } from '../../../shared/model/profile.ts';
import type { FindingContext } from '../findingInput.ts';

export interface GrantedTarget {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name?: string;
}

/**
 * `ClusterRole x now grants update on databases/status (rv 482044, changed by kubectl-patch)`; undefined when nothing
 * grants it. The role's version and writer are those of the object as it is now.
 */
export function grantedBecause(
  { authorizer, policy }: FindingContext,
  identity: Identity,
  target: GrantedTarget,
): string | undefined {
  const { verb, apiGroup, resource, subresource, namespace, name = '' } = target;
  const request = { kind: 'resource', verb, apiGroup, resource, subresource, namespace, name } as const;
  const decision = authorizer.authorize(identity, request);
  if (!decision.allowed) return undefined;
  const { role } = decision.path;
  const roles = role.kind === 'Role' ? policy.roles : policy.clusterRoles;
  const object = roles.find(({ ref }) => ref.name === role.name && ref.namespace === role.namespace);
  const version = object?.metadata.resourceVersion;
  const writer = lastWriter(object?.metadata.managedFields ?? []);
  const details = [
    version === undefined ? undefined : `rv ${version}`,
    writer === undefined ? undefined : `changed by ${writer}`,
  ].filter((one) => one !== undefined);
  const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return `${role.kind} ${role.name} now grants ${verb} on ${subresource === '' ? resource : `${resource}/${subresource}`}${suffix}`;
}

/** The manager of the newest managedFields entry: the last request that changed something. */
function lastWriter(entries: readonly ManagedFieldsEntry[]): string | undefined {
  let newest: ManagedFieldsEntry | undefined;
  for (const entry of entries)
    if (newest === undefined || (entry.time ?? '') >= (newest.time ?? '')) newest = entry;
  return newest?.manager;
}
