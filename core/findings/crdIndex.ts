/** CustomResourceDefinitions by resource and by kind, cut to what rules ask. */
import type { KubeObject } from '../../shared/model/kube.ts';
import type { CrdIndex, CrdInfo } from './findingInput.ts';

export function createCrdIndex(crds: readonly KubeObject[]): CrdIndex {
  const all = crds.flatMap((crd) => readCrd(crd) ?? []);
  const byResource = new Map(all.map((crd) => [`${crd.plural}.${crd.group}`, crd]));
  const byKind = new Map(all.map((crd) => [`${crd.group}/${crd.kind}`, crd]));
  return {
    all,
    byResource: (group, plural) => byResource.get(`${plural}.${group}`),
    byKind: (group, kind) => byKind.get(`${group}/${kind}`),
  };
}

function readCrd(crd: KubeObject): CrdInfo | undefined {
  const spec = asRecord(crd.spec);
  const names = asRecord(spec?.names);
  const { group, scope } = spec ?? {};
  const { kind, plural } = names ?? {};
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return undefined;
  const versions = Array.isArray(spec?.versions) ? spec.versions.map(asRecord) : [];
  const servesStatus =
    versions.some(
      (version) => version?.served === true && asRecord(version.subresources)?.status !== undefined,
    ) ||
    // v1beta1 had the subresources once for all versions.
    asRecord(spec?.subresources)?.status !== undefined;
  return { group, kind, plural, namespaced: scope !== 'Cluster', servesStatus };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

const builtInGroups = new Set([
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
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Groups the API server itself serves: their status belongs to Kubernetes' own controllers. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}
