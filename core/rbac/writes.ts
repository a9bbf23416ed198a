/**
 * Writes that managedFields show: which of an operator's managers moved between two versions of an object. The verb is
 * concluded (an Update entry may stem from update or patch), so the basis is inferred.
 */
import type { ApiResource } from '../../shared/model/resource.ts';
import type { Access } from './access.ts';

/** One managedFields entry without its fields. */
export interface WriterHead {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, whole seconds: the entry's last request that changed something. */
  readonly time?: string | undefined;
}

/** Entries of `managers` that are new, or whose time moved, since `before`; all of them when nothing came before. */
export function movedWriters(
  before: readonly WriterHead[],
  now: readonly WriterHead[],
  managers: readonly string[],
): readonly WriterHead[] {
  return now.filter(
    (entry) =>
      managers.includes(entry.manager) &&
      !before.some(
        (old) =>
          old.manager === entry.manager &&
          old.operation === entry.operation &&
          (old.subresource ?? '') === (entry.subresource ?? '') &&
          old.time === entry.time,
      ),
  );
}

/** The right such an entry shows in use. `createdAt`: the object's creationTimestamp. */
export function accessFromWriter(
  user: string,
  resource: Pick<ApiResource, 'group' | 'resource'>,
  object: { readonly namespace: string; readonly name: string; readonly createdAt?: string | undefined },
  writer: WriterHead,
  seq: number,
): Access {
  const subresource = writer.subresource ?? '';
  const created = subresource === '' && writer.time !== undefined && writer.time === object.createdAt;
  const verb = writer.operation === 'Apply' ? 'patch' : created ? 'create' : 'update';
  const target = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  return {
    user,
    outcome: 'allowed',
    verb,
    apiGroup: resource.group,
    resource: resource.resource,
    subresource,
    namespace: object.namespace,
    name: object.name,
    evidence: {
      text: `managedFields: ${writer.manager} wrote ${target} of ${[object.namespace, object.name].filter(Boolean).join('/')}`,
      basis: { kind: 'inferred', by: 'rbac/managed-fields', because: [seq] },
      ...(writer.time === undefined ? {} : { at: writer.time }),
      seq,
    },
  };
}
