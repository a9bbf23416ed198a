/**
 * What the cluster of a case folder serves, as far as its files tell: what every API server has, what the folder's CRDs
 * define, and the kinds of the objects that are there.
 */
import { asRecord } from '../../../shared/base/json.ts';
import { groupOf } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import type { ApiResource } from '../../../shared/model/resource.ts';

export interface ServedKinds {
  readonly served: readonly ApiResource[];
  /** Group versions whose objects a folder leaves out as a whole: nothing may be concluded from their absence. */
  readonly undiscovered: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';
const extensions = 'apiextensions.k8s.io';

/**
 * `objects`: every one that any file holds. Without a single binding the rights of a ServiceAccount are unknown rather than
 * none, and without a single CRD nothing is known of what is installed.
 */
export function servedKinds(objects: readonly KubeObject[]): ServedKinds {
  const found = new Map<string, ApiResource>();
  const kinds = new Set<string>();
  function add(resource: ApiResource): void {
    const { group, version, kind } = resource;
    const id = `${group}/${version}/${kind}`;
    if (!found.has(id)) found.set(id, resource);
    kinds.add(`${group}/${kind}`);
  }
  const hasBindings = objects.some(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding');
  const crds = objects.filter(
    ({ apiVersion, kind }) => kind === 'CustomResourceDefinition' && groupOf(apiVersion) === extensions,
  );
  const left = [...(hasBindings ? [] : [`${rbac}/v1`]), ...(crds.length > 0 ? [] : [`${extensions}/v1`])];
  for (const crd of crds) for (const resource of resourcesOf(crd)) add(resource);
  for (const resource of builtIn) if (!left.includes(`${resource.group}/${resource.version}`)) add(resource);
  for (const { apiVersion, kind, metadata } of objects) {
    const group = groupOf(apiVersion);
    if (kinds.has(`${group}/${kind}`)) continue;
    add({
      group,
      version: apiVersion.slice(group === '' ? 0 : group.length + 1),
      kind,
      resource: guessPlural(kind),
      namespaced: (metadata.namespace ?? '') !== '',
      verbs,
      subresources: [],
    });
  }
  return { served: [...found.values()], undiscovered: left };
}

const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** The served versions of a CRD, its storage version first. */
function resourcesOf(crd: KubeObject): readonly ApiResource[] {
  const spec = asRecord(crd.spec);
  const names = asRecord(spec?.names);
  const { group, scope } = spec ?? {};
  const { kind, plural } = names ?? {};
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return [];
  const versions = (Array.isArray(spec?.versions) ? spec.versions : [])
    .map(asRecord)
    .filter((version) => version !== undefined && version.served !== false);
  versions.sort((a, b) => Number(b?.storage === true) - Number(a?.storage === true));
  return versions.flatMap((version) =>
    typeof version?.name !== 'string'
      ? []
      : [
          {
            group,
            version: version.name,
            kind,
            resource: plural,
            namespaced: scope !== 'Cluster',
            verbs,
            subresources: Object.entries(asRecord(version.subresources) ?? {}).flatMap(([name, value]) =>
              asRecord(value) === undefined ? [] : [name],
            ),
          },
        ],
  );
}

/** Source: apimachinery pkg/api/meta UnsafeGuessKindToResource. */
export function guessPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (word.endsWith('endpoints')) return word;
  if (word.endsWith('s')) return `${word}es`;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** Kinds that operators write; `*`: of the whole cluster, `+`: with a status subresource. */
const kindsOfServer: Readonly<Record<string, string>> = {
  v1: 'ConfigMap Endpoints Event Namespace*+ Node*+ PersistentVolume*+ PersistentVolumeClaim+ Pod+ Secret Service+ ServiceAccount',
  'apps/v1': 'ControllerRevision DaemonSet+ Deployment+ ReplicaSet+ StatefulSet+',
  'batch/v1': 'CronJob+ Job+',
  'autoscaling/v2': 'HorizontalPodAutoscaler+',
  'policy/v1': 'PodDisruptionBudget+',
  'networking.k8s.io/v1': 'Ingress+ IngressClass* NetworkPolicy',
  'coordination.k8s.io/v1': 'Lease',
  'discovery.k8s.io/v1': 'EndpointSlice',
  'events.k8s.io/v1': 'Event',
  'storage.k8s.io/v1': 'StorageClass*',
  'scheduling.k8s.io/v1': 'PriorityClass*',
  'apiregistration.k8s.io/v1': 'APIService*+',
  [`${extensions}/v1`]: 'CustomResourceDefinition*+',
  'admissionregistration.k8s.io/v1': 'MutatingWebhookConfiguration* ValidatingWebhookConfiguration*',
  [`${rbac}/v1`]: 'ClusterRole* ClusterRoleBinding* Role RoleBinding',
};

const builtIn: readonly ApiResource[] = Object.entries(kindsOfServer).flatMap(([apiVersion, list]) =>
  list.split(' ').map((word) => {
    const kind = word.replace(/[*+]/g, '');
    const group = groupOf(apiVersion);
    return {
      group,
      version: apiVersion.slice(group === '' ? 0 : group.length + 1),
      kind,
      resource: guessPlural(kind),
      namespaced: !word.includes('*'),
      verbs,
      subresources: word.includes('+') ? ['status'] : [],
    };
  }),
);
