/** What a workload says of the operator inside it: its identity, its names, its image. */

import type { KubeObject } from '../../shared/model/kube.ts';
import { isFields } from '../objects/path.ts';

export interface Workload {
  readonly object: KubeObject;
  /** `Deployment/ns/name`. */
  readonly id: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly serviceAccount: string;
  readonly image: string | undefined;
  /** Names it goes by, most telling first: workload, ServiceAccount, image, command, containers. */
  readonly names: readonly string[];
  /** Name of its ClusterServiceVersion, when OLM installed it. */
  readonly installedBy: string | undefined;
}

/** Undefined for what is no Deployment, StatefulSet or DaemonSet with a pod template. */
export function readWorkload(object: KubeObject): Workload | undefined {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind)) return undefined;
  const spec = isFields(object.spec) ? object.spec : undefined;
  const template = isFields(spec?.template) ? spec.template : undefined;
  const pod = isFields(template?.spec) ? template.spec : undefined;
  if (pod === undefined) return undefined;
  const containers = (Array.isArray(pod.containers) ? (pod.containers as readonly unknown[]) : []).filter(
    isFields,
  );
  const serviceAccount = text(pod.serviceAccountName) ?? text(pod.serviceAccount) ?? 'default';
  const { name, namespace = '' } = object.metadata;
  const image = containers.map((container) => text(container.image)).find((one) => one !== undefined);
  const commands = containers.flatMap((container) => {
    const [first] = Array.isArray(container.command) ? (container.command as readonly unknown[]) : [];
    return typeof first === 'string' ? [baseName(first)] : [];
  });
  const names = [
    name,
    ...(serviceAccount === 'default' ? [] : [serviceAccount]),
    ...(image === undefined ? [] : [imageName(image)]),
    ...commands,
    ...containers.flatMap((container) => text(container.name) ?? []),
  ];
  return {
    object,
    id: `${object.kind}/${namespace}/${name}`,
    kind: object.kind,
    namespace,
    name,
    serviceAccount,
    image,
    names: [...new Set(names)],
    installedBy: object.metadata.ownerReferences?.find((owner) => owner.kind === 'ClusterServiceVersion')
      ?.name,
  };
}

/** `registry/a/b:tag@digest` → `b`. */
export function imageName(image: string): string {
  const [withoutDigest = ''] = image.split('@');
  const last = withoutDigest.slice(withoutDigest.lastIndexOf('/') + 1);
  return last.split(':')[0] ?? last;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Words that half of all operators are named by. */
const genericNames: ReadonlySet<string> = new Set([
  'manager',
  'controller',
  'operator',
  'main',
  'app',
  'server',
  'default',
]);

/**
 * Could this field manager be the operator's? `own`: the same name, or one begins with the other. `generic`: the same name,
 * but one that half of all operators write under (`manager`). Undefined: no.
 */
export function managerFit(workload: Workload, manager: string): 'own' | 'generic' | undefined {
  if (manager.startsWith('kubectl') || manager === '') return undefined;
  if (genericNames.has(manager)) return workload.names.includes(manager) ? 'generic' : undefined;
  const fits = workload.names.some(
    (name) =>
      manager === name ||
      (!genericNames.has(name) && (name.startsWith(`${manager}-`) || manager.startsWith(`${name}-`))),
  );
  return fits ? 'own' : undefined;
}

/** Is one of its names made of this word (a kind, or the first label of an API group)? Short words say nothing. */
export function isNamedAfter(workload: Workload, word: string): boolean {
  const plain = word.toLowerCase().replaceAll('-', '');
  if (plain.length < 4 || genericNames.has(plain)) return false;
  return workload.names.some((name) => name.toLowerCase().replaceAll('-', '').includes(plain));
}

/** Does this holder name a pod of the workload? `<pod>_<uuid>` as controller-runtime has it, or `<pod>-…`. */
export function holdsLease(workload: Workload, holder: string): boolean {
  const pod = { Deployment: '[a-z0-9]{1,10}-[a-z0-9]{5}', StatefulSet: '\\d+', DaemonSet: '[a-z0-9]{5}' }[
    workload.kind
  ];
  const escaped = workload.name.replace(/[.]/g, '\\.');
  return pod !== undefined && new RegExp(`^${escaped}-${pod}(?![a-z0-9])`).test(holder);
}
