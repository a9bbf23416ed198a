/**
 * Who wrote what, as managedFields tell it. An entry is (manager, operation, apiVersion, subresource); its `time` has
 * whole seconds and is the last request of that entry that took or kept a field it changed. A request that only removes
 * fields leaves no trace but smaller sets, a DELETE none at all.
 * Source: kubernetes staging apimachinery util/managedfields. Spec: docs/spec/objects.md
 */

import type { ObjectOp, Writer } from '../../shared/contract/views/objects.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { type Change, changesBetween } from './changes.ts';
import { type FieldNode, fieldNode, hasGained, ownedPaths, ownsPath } from './fieldSet.ts';
import { isFields, type Side, type Step } from './path.ts';

/** One entry, decoded; `id` is the same for the same writer in another version. */
export interface ManagedEntry {
  readonly id: string;
  readonly writer: Writer;
  readonly fields: FieldNode;
  readonly raw: string;
}

/** Entries the server makes for bookkeeping; nobody writes under these names. */
const serverMade: ReadonlySet<string> = new Set(['ancient-changes', 'before-first-apply']);

/** The entries of an object; empty where it has none (old server, stripped). Malformed entries are left out. */
export function managedEntries(object: KubeObject | undefined): readonly ManagedEntry[] {
  const list: unknown = object?.metadata?.managedFields;
  if (!Array.isArray(list)) return [];
  const entries: ManagedEntry[] = [];
  for (const entry of list as readonly unknown[]) {
    if (!isFields(entry) || typeof entry.manager !== 'string') continue;
    const operation = entry.operation === 'Apply' ? 'Apply' : 'Update';
    const subresource = textOf(entry.subresource);
    const time = textOf(entry.time);
    entries.push({
      id: [entry.manager, operation, textOf(entry.apiVersion) ?? '', subresource ?? ''].join('\n'),
      writer: {
        manager: entry.manager,
        operation,
        ...(subresource === undefined ? {} : { subresource }),
        ...(time === undefined ? {} : { time }),
      },
      fields: fieldNode(entry.fieldsV1),
      raw: JSON.stringify(entry.fieldsV1 ?? null),
    });
  }
  return entries;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Entries that own a place, newest write first. */
export function entriesOwning(
  entries: readonly ManagedEntry[],
  steps: readonly Step[],
  side: Side,
): ManagedEntry[] {
  return entries.filter((entry) => ownsPath(entry.fields, steps, side)).sort(newestFirst);
}

function newestFirst(a: ManagedEntry, b: ManagedEntry): number {
  return (b.writer.time ?? '').localeCompare(a.writer.time ?? '');
}

/**
 * Which manager owns which field: every owned leaf with its owners (more than one where appliers agree), by path.
 * Paths are named as in the diff.
 */
export function ownersOf(
  object: KubeObject,
): { readonly path: string; readonly owners: readonly Writer[] }[] {
  const owners = new Map<string, Writer[]>();
  for (const entry of [...managedEntries(object)].sort(newestFirst)) {
    for (const path of ownedPaths(entry.fields, object)) {
      const list = owners.get(path);
      if (list === undefined) owners.set(path, [entry.writer]);
      else list.push(entry.writer);
    }
  }
  return [...owners]
    .map(([path, list]) => ({ path, owners: list }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/**
 * Who made `newer` out of `older`, most certain first: an entry that is new, has another time, has gained a field, or
 * owns a value that changed (which settles two writes within one second). Without `older`: the newest entries. Empty
 * when managedFields do not say: no entries, a deletion, a write that only removed fields.
 * `op`: a DELETED or vanished object names no writer, nobody signs a deletion.
 */
export function writersOf(
  older: KubeObject | undefined,
  newer: KubeObject,
  op?: ObjectOp,
): readonly Writer[] {
  return writersFrom(older, newer, () => changesBetween(older, newer), op);
}

/** The same with changes that are already known. */
export function writersFrom(
  older: KubeObject | undefined,
  newer: KubeObject,
  changes: () => readonly Change[],
  op?: ObjectOp,
): readonly Writer[] {
  if (op === 'deleted' || op === 'vanished') return [];
  const entries = managedEntries(newer).filter((entry) => !serverMade.has(entry.writer.manager));
  if (entries.length === 0) return [];
  if (older === undefined || isAnotherObject(older, newer)) return newestWriters(entries);
  const before = new Map(managedEntries(older).map((entry) => [entry.id, entry]));
  const values = changes().filter((change) => !change.bookkeeping && change.sign !== '-');
  const scored: { readonly entry: ManagedEntry; readonly score: number }[] = [];
  for (const entry of entries) {
    const was = before.get(entry.id);
    const moved = was === undefined || was.writer.time !== entry.writer.time;
    const gained = was === undefined || (was.raw !== entry.raw && hasGained(was.fields, entry.fields));
    const owned = values.filter((change) => ownsPath(entry.fields, change.steps, 'newer')).length;
    if (moved || gained || owned > 0)
      scored.push({ entry, score: owned * 4 + (gained ? 2 : 0) + (moved ? 1 : 0) });
  }
  return scored
    .sort(
      (a, b) =>
        Number(b.score > 1) - Number(a.score > 1) ||
        Number(b.entry.writer.subresource !== undefined) - Number(a.entry.writer.subresource !== undefined) ||
        b.score - a.score ||
        newestFirst(a.entry, b.entry) ||
        a.entry.writer.manager.localeCompare(b.entry.writer.manager),
    )
    .map(({ entry }) => entry.writer);
}

/** A delete and a create in between: what the former object's managers did is not this one's history. */
function isAnotherObject(older: KubeObject, newer: KubeObject): boolean {
  const [was, is] = [older.metadata?.uid, newer.metadata?.uid];
  return was !== undefined && is !== undefined && was !== is;
}

function newestWriters(entries: readonly ManagedEntry[]): readonly Writer[] {
  const newest = [...entries].sort(newestFirst);
  const time = newest[0]?.writer.time;
  return newest.filter((entry) => entry.writer.time === time).map((entry) => entry.writer);
}
