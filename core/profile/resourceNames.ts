/** Names of resources as people and rules write them, resolved against what the cluster serves. */
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';

/**
 * The resource that `name` means: `databases.db.example.com`, `databases.v1.db.example.com`, `databases`, or a kind
 * (`Database`, `Database.db.example.com`). Undefined when nothing is served under it, or more than one group would fit.
 */
export function resolveResource(name: string, resources: readonly ApiResource[]): ApiResource | undefined {
  const exact = resources.find((resource) => resourceName(resource) === name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  const fits = resources.filter((resource) => {
    const { group, version, kind } = resource;
    const plural = resource.resource;
    const names = [plural, kind.toLowerCase()].flatMap((word) =>
      group === '' ? [word, `${word}.${version}`] : [word, `${word}.${group}`, `${word}.${version}.${group}`],
    );
    return names.includes(lower);
  });
  const [first] = fits;
  if (first === undefined) return undefined;
  return fits.every((fit) => fit.group === first.group && fit.resource === first.resource)
    ? first
    : undefined;
}

/** `resource.group` of a kind; undefined when it is not served. */
export function resourceOfKind(
  group: string,
  kind: string,
  resources: readonly ApiResource[],
): ApiResource | undefined {
  return resources.find((resource) => resource.group === group && resource.kind === kind);
}

/** `databases.db.example.com` → plural and group. */
export function splitResourceName(name: string): { readonly resource: string; readonly group: string } {
  const dot = name.indexOf('.');
  return dot < 0
    ? { resource: name, group: '' }
    : { resource: name.slice(0, dot), group: name.slice(dot + 1) };
}

/** Groups that the API server itself serves: their kinds are nobody's custom resources. */
const builtInGroups: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'extensions',
  'policy',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

export function isBuiltInGroup(group: string): boolean {
  return builtInGroups.has(group);
}
