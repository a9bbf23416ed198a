import type { Brand } from '../base/brand.ts';

/** Opaque; equality only. Ordering lives in compareResourceVersion() alone. */
export type ResourceVersion = Brand<string, 'ResourceVersion'>;

/** `group/kind/namespace/name`, empty group for core, empty namespace for cluster scope. UID is not identity. */
export type ObjectKey = Brand<string, 'ObjectKey'>;

/** The key a controller reconciles: `namespace/name`, or `name` for cluster-scoped kinds. */
export type ReconcileKey = Brand<string, 'ReconcileKey'>;

/** uuid of one reconcile, as controller-runtime logs it. */
export type ReconcileId = Brand<string, 'ReconcileId'>;

/** Number of a record in its session: arrival order, from 1, without holes. */
export type RecordSeq = Brand<number, 'RecordSeq'>;

/** One feed: `watch:<group>/<version>/<resource>[@namespace]`, `log:<n>`, `metrics:<n>`, `audit:<n>`, `self`. */
export type SourceId = Brand<string, 'SourceId'>;

/** `resource.group` (core: `resource`): the name of a resource across versions, as kubectl prints it. */
export type GroupResource = Brand<string, 'GroupResource'>;

export interface ObjectKeyParts {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function objectKey(parts: ObjectKeyParts): ObjectKey {
  return `${parts.group}/${parts.kind}/${parts.namespace}/${parts.name}` as ObjectKey;
}

export function parseObjectKey(key: ObjectKey): ObjectKeyParts {
  const groupEnd = key.indexOf('/');
  const kindEnd = groupEnd < 0 ? -1 : key.indexOf('/', groupEnd + 1);
  const namespaceEnd = kindEnd < 0 ? -1 : key.indexOf('/', kindEnd + 1);
  if (namespaceEnd < 0) {
    const [group = '', kind = '', namespace = ''] = key.split('/');
    return { group, kind, namespace, name: '' };
  }
  return {
    group: key.slice(0, groupEnd),
    kind: key.slice(groupEnd + 1, kindEnd),
    namespace: key.slice(kindEnd + 1, namespaceEnd),
    name: key.slice(namespaceEnd + 1),
  };
}

export function reconcileKey(namespace: string, name: string): ReconcileKey {
  return (namespace === '' ? name : `${namespace}/${name}`) as ReconcileKey;
}

export function groupResource(group: string, resource: string): GroupResource {
  return (group === '' ? resource : `${resource}.${group}`) as GroupResource;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

export function recordSeq(value: number): RecordSeq {
  return value as RecordSeq;
}

export function sourceId(value: string): SourceId {
  return value as SourceId;
}

export function resourceVersion(value: string): ResourceVersion {
  return value as ResourceVersion;
}

/**
 * Orders two versions of one etcd. Numeric strings compare as numbers of any length; anything else (aggregated or old
 * servers) has no order and gives undefined. The only place that looks inside a resourceVersion.
 */
export function compareResourceVersion(a: ResourceVersion, b: ResourceVersion): number | undefined {
  if (a === b) return 0;
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
