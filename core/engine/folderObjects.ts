/**
 * The objects of a case folder as records of the watches a live session would have: what was there when the files begin,
 * each event of watch.jsonl, and the list of cluster.yaml as far as it says more than the events do.
 */
import { groupOf, objectKey, resourceVersion } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { ObjectOp, RecordInput } from '../session/record.ts';
import type { InitialEnd, PlacedObject, WatchLine } from '../source/caseFolder/caseFiles.ts';
import { newestTime } from '../source/caseFolder/newestTime.ts';
import { type Digest, filterSecrets } from '../source/secretFilter.ts';
import { sourceOf } from '../source/watch/resourceWatch.ts';

export interface FolderObjects {
  /** What was there when the files begin, and had changed since no more. */
  readonly first: readonly RecordInput[];
  /** Events, in the order of the file. */
  readonly events: readonly RecordInput[];
  /** The list of cluster.yaml: what the events did not tell. */
  readonly last: readonly RecordInput[];
  /** Resources that anything was seen of. */
  readonly seen: readonly ApiResource[];
}

export interface FolderObjectsInput {
  readonly listed: readonly PlacedObject[];
  readonly events: readonly WatchLine[];
  readonly initialEnds: readonly InitialEnd[];
  /** When the files begin and the moment of judgement, ms. */
  readonly from: number;
  readonly asOf: number;
  readonly resourceOf: (object: KubeObject) => ApiResource | undefined;
  readonly digest: Digest;
}

/** A creation that is older than this when its ADDED comes was no news, ms: time stamps have whole seconds. */
const oldAfterMs = 2000;

interface Known {
  readonly object: KubeObject;
  readonly at: number;
  readonly deleted: boolean;
}

export function folderObjects(input: FolderObjectsInput): FolderObjects {
  const { from, asOf } = input;
  const known = new Map<string, Known>();
  const seen = new Map<string, ApiResource>();
  const ends = new Map(input.initialEnds.map((end) => [`${groupOf(end.apiVersion)}/${end.kind}`, end.line]));
  const first: RecordInput[] = [];
  const events: RecordInput[] = [];
  const last: RecordInput[] = [];

  function record(
    object: KubeObject,
    op: ObjectOp,
    at: { readonly lo: number; readonly hi: number },
    initial: boolean,
  ): RecordInput | undefined {
    const resource = input.resourceOf(object);
    if (resource === undefined) return undefined;
    const source = sourceOf(resource);
    seen.set(source, resource);
    const filtered = filterSecrets(JSON.stringify(object), object, input.digest);
    const { namespace = '', name, uid = '', resourceVersion: version = '' } = object.metadata;
    return {
      kind: 'object',
      source,
      at,
      receivedAt: at.hi,
      object: objectKey({ group: resource.group, kind: object.kind, namespace, name }),
      uid,
      resourceVersion: resourceVersion(version),
      op,
      metadataOnly: object.kind === 'Secret',
      initial,
      payload: filtered.raw,
    };
  }

  function put(
    list: RecordInput[],
    object: KubeObject,
    op: ObjectOp,
    at: { readonly lo: number; readonly hi: number },
    initial: boolean,
  ): void {
    const made = record(object, op, at, initial);
    if (made !== undefined) list.push(made);
    known.set(identityOf(object), { object, at: at.hi, deleted: op === 'deleted' });
  }

  const watched = new Set(input.events.map(({ object }) => identityOf(object)));
  const changedLater: KubeObject[] = [];
  for (const { object } of input.listed) {
    // Without a time it shows no change either.
    const isUnchanged = (newestTime([object], []) ?? from) <= from;
    if (isUnchanged && !watched.has(identityOf(object)))
      put(first, object, 'listed', { lo: from, hi: from }, true);
    else changedLater.push(object);
  }

  let now = from;
  for (const event of input.events) {
    now = Math.max(now, event.at ?? now);
    const { object } = event;
    const before = known.get(identityOf(object));
    const isThere = before !== undefined && !before.deleted;
    const end = ends.get(`${groupOf(object.apiVersion)}/${object.kind}`);
    const isInitial =
      event.type === 'ADDED' &&
      (end !== undefined ? event.line < end : !isThere && isOld(object, now, ends.size > 0));
    put(events, object, opOf(event, isThere, isInitial), { lo: now, hi: now }, isInitial);
  }

  for (const object of changedLater) {
    const before = known.get(identityOf(object));
    if (before === undefined || before.deleted) {
      put(last, object, 'listed', { lo: asOf, hi: asOf }, true);
      continue;
    }
    const isSame = before.object.metadata.resourceVersion === object.metadata.resourceVersion;
    if (isSame && JSON.stringify(before.object) === JSON.stringify(object)) continue;
    // The same version, whole: events may be cut to what changed.
    if (isSame) put(last, object, 'listed', { lo: asOf, hi: asOf }, true);
    else put(last, object, 'relisted', { lo: Math.min(before.at, asOf), hi: asOf }, false);
  }
  return { first, events, last, seen: [...seen.values()] };
}

function opOf(event: WatchLine, isThere: boolean, isInitial: boolean): ObjectOp {
  switch (event.type) {
    case 'ADDED':
      if (isInitial) return 'listed';
      return isThere ? 'relisted' : 'added';
    case 'MODIFIED':
      return 'modified';
    case 'DELETED':
      return 'deleted';
  }
}

/** In a file without bookmarks: it had been there for a while when the stream began. */
function isOld(object: KubeObject, at: number, hasBookmarks: boolean): boolean {
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  return !hasBookmarks && !Number.isNaN(created) && at - created > oldAfterMs;
}

function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${groupOf(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
