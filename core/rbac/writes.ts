/**
 * Writes that managedFields show: which of an operator's managers moved between two versions of an object. The verb is
 * concluded (an Update entry may stem from update or patch), so the basis is inferred.
 */
import { reconcileKey } from '../../shared/model/ids.ts';
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

/** How the version that shows the entry came: a watch told of the creation, it is the first one we have, or a later one. */
export type FirstSight = 'created' | 'first' | 'later';

/**
 * The verb behind a moved entry, undefined where it may be either: `time` has whole seconds, so an operator that adds
 * its finalizer within the second of creation looks like the creator. After a version before, or later than the creation,
 * it is an update; the only manager of a first version as old as the object is its creator. An Apply is a patch.
 */
export function verbOfWriter(
  writer: WriterHead,
  all: readonly WriterHead[],
  createdAt: string | undefined,
  sight: FirstSight,
): 'create' | 'update' | 'patch' | undefined {
  if (writer.operation === 'Apply') return 'patch';
  if ((writer.subresource ?? '') !== '' || sight === 'later') return 'update';
  // Another manager's entry moves its time with each write: a younger one may be the creator's as well.
  const alone = all.every((one) => (one.subresource ?? '') !== '' || one.manager === writer.manager);
  if (sight === 'created') return alone ? 'create' : undefined;
  if (writer.time === undefined || createdAt === undefined) return undefined;
  if (writer.time !== createdAt) return 'update';
  return alone ? 'create' : undefined;
}

/** The right such an entry shows in use. */
export function accessFromWriter(
  user: string,
  resource: Pick<ApiResource, 'group' | 'resource'>,
  object: { readonly namespace: string; readonly name: string },
  writer: WriterHead,
  verb: string,
  seq: number,
): Access {
  const subresource = writer.subresource ?? '';
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
      text: `managedFields: ${writer.manager} wrote ${target} of ${reconcileKey(object.namespace, object.name)}`,
      basis: { kind: 'inferred', by: 'rbac/managed-fields', because: [seq] },
      ...(writer.time === undefined ? {} : { at: writer.time }),
      seq,
    },
  };
}
