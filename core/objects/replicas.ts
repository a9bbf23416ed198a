import { asRecord } from '../../shared/base/json.ts';
import type { KubeObject } from '../../shared/model/kube.ts';

/** Kinds whose replicas Kubernetes counts itself, by group and kind. */
const counted: ReadonlySet<string> = new Set([
  'apps/StatefulSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/DaemonSet',
  '/ReplicationController',
]);

export function countsReplicas(group: string, kind: string): boolean {
  return counted.has(`${group}/${kind}`);
}

/** Ready and wanted of a workload; undefined for every other kind. Absent counts are Kubernetes' defaults. */
export function replicasOf(object: KubeObject): readonly [ready: number, wanted: number] | undefined {
  const [spec, status] = [asRecord(object.spec), asRecord(object.status)];
  const number = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);
  switch (object.kind) {
    case 'StatefulSet':
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
      return [number(status?.readyReplicas, 0), number(spec?.replicas, 1)];
    case 'DaemonSet':
      return [number(status?.numberReady, 0), number(status?.desiredNumberScheduled, 0)];
    default:
      return undefined;
  }
}
