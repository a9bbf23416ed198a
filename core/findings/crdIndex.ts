/** CustomResourceDefinitions by resource and by kind, cut to what rules ask. */
import { asRecord } from '../../shared/base/json.ts';
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
    versions.some((version) => version?.served === true && declaresStatus(version.subresources)) ||
    // v1beta1 had the subresources once for all versions.
    declaresStatus(spec?.subresources);
  return { group, kind, plural, namespaced: scope !== 'Cluster', servesStatus };
}

/** `status: null` declares nothing. */
function declaresStatus(subresources: unknown): boolean {
  return asRecord(asRecord(subresources)?.status) !== undefined;
}
