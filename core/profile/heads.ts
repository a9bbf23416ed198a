/**
 * What the objects of a cluster say about who controls whom, gathered in one pass over their heads: controller
 * references, status writers, finalizers. No payload is read.
 */
import type { Writer } from '../../shared/contract/views/objects.ts';
import { groupOf } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';

/** An object as far as inference reads it. `writers`: its managedFields entries. Session facts fit as they are. */
export interface ObjectHead {
  readonly seq?: number;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly meta: ObjectMeta;
  readonly writers: readonly Writer[];
}

export interface ChildKind {
  readonly group: string;
  readonly kind: string;
  readonly count: number;
  /** Who wrote the children outside their status, most often first. */
  readonly managers: readonly string[];
  readonly because: readonly number[];
}

export interface KindEvidence {
  readonly objects: number;
  readonly statusManagers: readonly string[];
  readonly finalizers: readonly string[];
  /** Kinds of objects whose controller reference names an object of this kind. */
  readonly children: readonly ChildKind[];
  readonly because: readonly number[];
}

export interface HeadEvidence {
  of(group: string, kind: string): KindEvidence;
}

interface Tally {
  objects: number;
  readonly status: Map<string, number>;
  readonly finalizers: Set<string>;
  readonly children: Map<
    string,
    { group: string; kind: string; count: number; managers: Map<string, number>; because: number[] }
  >;
  readonly because: number[];
}

/** Records named as evidence, at most. */
const fewRecords = 3;

export function gatherHeads(heads: Iterable<ObjectHead>): HeadEvidence {
  const tallies = new Map<string, Tally>();
  const tallyOf = (group: string, kind: string): Tally => {
    const id = `${group}/${kind}`;
    let tally = tallies.get(id);
    if (tally === undefined) {
      tally = { objects: 0, status: new Map(), finalizers: new Set(), children: new Map(), because: [] };
      tallies.set(id, tally);
    }
    return tally;
  };
  for (const head of heads) {
    const own = tallyOf(head.group, head.kind);
    own.objects++;
    for (const writer of head.writers) {
      if (writer.subresource !== 'status') continue;
      count(own.status, writer.manager);
      note(own.because, head.seq);
    }
    for (const finalizer of head.meta.finalizers ?? []) own.finalizers.add(finalizer);
    const owner = head.meta.ownerReferences?.find((reference) => reference.controller === true);
    if (owner === undefined) continue;
    const children = tallyOf(groupOf(owner.apiVersion), owner.kind).children;
    const id = `${head.group}/${head.kind}`;
    let child = children.get(id);
    if (child === undefined) {
      child = { group: head.group, kind: head.kind, count: 0, managers: new Map(), because: [] };
      children.set(id, child);
    }
    child.count++;
    note(child.because, head.seq);
    for (const writer of head.writers) {
      if (writer.subresource === undefined) count(child.managers, writer.manager);
    }
  }
  return {
    of(group, kind) {
      const tally = tallies.get(`${group}/${kind}`);
      if (tally === undefined)
        return { objects: 0, statusManagers: [], finalizers: [], children: [], because: [] };
      return {
        objects: tally.objects,
        statusManagers: byCount(tally.status),
        finalizers: [...tally.finalizers],
        children: [...tally.children.values()].map((child) => ({
          ...child,
          managers: byCount(child.managers),
        })),
        because: tally.because,
      };
    },
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function note(because: number[], seq: number | undefined): void {
  if (seq !== undefined && because.length < fewRecords) because.push(seq);
}

function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
}
