/**
 * What the History view and the inspector show of one object: its versions, the difference of two, one whole document.
 * All of it is read from the session log on demand; nothing is kept.
 */
import { assert } from '../../shared/base/assert.ts';
import { parseJson } from '../../shared/base/json.ts';
import type {
  ObjectDiff,
  ObjectDocument,
  ObjectHistory,
  ObjectRefView,
  ObjectVersion,
} from '../../shared/contract/views/objects.ts';
import { type ObjectKey, parseObjectKey, type RecordSeq, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { compareVersions, diffObjects } from '../objects/diff.ts';
import { ownersOf } from '../objects/managedFields.ts';
import type { RecordHead, SessionLog } from '../session/record.ts';

/** The newest versions are shown; older ones stay in the session. */
const shownVersions = 1000;

export function objectRefView(key: ObjectKey): ObjectRefView {
  return { key, ...parseObjectKey(key) };
}

export function objectHistory(
  log: SessionLog,
  key: ObjectKey,
  detail: { readonly detail: 'full' | 'metadata'; readonly upgrading: boolean },
): ObjectHistory {
  const seqs = log.historyOf(key);
  const versions: ObjectVersion[] = [];
  let older: { object: KubeObject; metadataOnly: boolean } | undefined;
  for (const seq of seqs.slice(-shownVersions)) {
    const head = log.head(seq);
    if (head === undefined || head.kind !== 'object') continue;
    const object = parse(log, seq);
    const previous = versions.at(-1);
    if (previous !== undefined && isSameVersion(previous, head)) {
      // The same version seen again (relist, upgrade to full) is one version; the fuller copy stands for it.
      if (previous.metadataOnly && !head.metadataOnly) {
        versions[versions.length - 1] = { ...previous, seq: head.seq, metadataOnly: false };
        if (object !== undefined) older = { object, metadataOnly: false };
      }
      continue;
    }
    versions.push(versionOf(head, object, older));
    if (object !== undefined) older = { object, metadataOnly: head.metadataOnly };
    if (head.op === 'deleted' || head.op === 'vanished') older = undefined;
  }
  return { object: objectRefView(key), versions: versions.reverse(), ...detail };
}

function isSameVersion(version: ObjectVersion, head: RecordHead): boolean {
  return (
    version.resourceVersion === head.resourceVersion &&
    version.uid === head.uid &&
    head.op !== 'deleted' &&
    head.op !== 'vanished'
  );
}

function versionOf(
  head: RecordHead,
  object: KubeObject | undefined,
  older: { readonly object: KubeObject; readonly metadataOnly: boolean } | undefined,
): ObjectVersion {
  const gone = head.op === 'deleted' || head.op === 'vanished';
  // A metadata-only copy against a full one would show every field as removed.
  const comparable = older !== undefined && older.metadataOnly === head.metadataOnly;
  const op = head.op ?? 'listed';
  const step = object && compareVersions(comparable ? older.object : undefined, object, op);
  // The first version seen has every field "new": that is no change.
  const changed = comparable && !gone ? step : undefined;
  return {
    seq: head.seq,
    at: head.at,
    op,
    resourceVersion: head.resourceVersion ?? '',
    uid: head.uid ?? '',
    ...(object?.metadata.generation === undefined ? {} : { generation: object.metadata.generation }),
    writers: step?.writers ?? [],
    changes: changed?.changes ?? 0,
    summary: changed?.summary ?? '',
    metadataOnly: head.metadataOnly,
    afterGap: head.op === 'relisted' || head.op === 'vanished',
  };
}

/** The difference of two records of one object; `from` absent means the version before `to`. */
export function objectDiff(log: SessionLog, from: RecordSeq | undefined, to: RecordSeq): ObjectDiff {
  const head = log.head(to);
  const newer = parse(log, to);
  if (head?.object === undefined || newer === undefined)
    return { to, rows: [], note: 'This record is not in the session.' };
  const before = from ?? versionBefore(log, head.object, to);
  if (before === undefined) return { to, rows: [], note: 'The first version seen: nothing to compare with.' };
  const older = parse(log, before);
  const olderHead = log.head(before);
  if (older === undefined || olderHead === undefined)
    return { from: before, to, rows: [], note: 'The older record is not in the session.' };
  const mixed = olderHead.metadataOnly !== head.metadataOnly;
  const rows = mixed ? diffObjects(onlyMetadata(older), onlyMetadata(newer)) : diffObjects(older, newer);
  const note = mixed
    ? 'One of the two was seen as metadata only: only metadata is compared.'
    : head.op === 'deleted'
      ? 'The state at deletion.'
      : head.op === 'vanished'
        ? 'Last state known; the final state was not seen.'
        : undefined;
  return { from: before, to, rows, ...(note === undefined ? {} : { note }) };
}

function onlyMetadata(object: KubeObject): KubeObject {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

function versionBefore(log: SessionLog, key: ObjectKey, seq: RecordSeq): RecordSeq | undefined {
  const head = log.head(seq);
  const seqs = log.historyOf(key);
  const index = seqs.indexOf(seq);
  assert(index >= 0, 'an object record is in its own history');
  for (let i = index - 1; i >= 0; i--) {
    const candidate = seqs[i];
    if (candidate === undefined) continue;
    const other = log.head(candidate);
    // The same version listed again is no step.
    if (other?.resourceVersion !== head?.resourceVersion || head?.op === 'deleted') return candidate;
  }
  return undefined;
}

export function objectDocument(
  log: SessionLog,
  seq: RecordSeq,
  toYaml: (value: unknown) => string,
): ObjectDocument | undefined {
  const head = log.head(seq);
  const object = parse(log, seq);
  if (head === undefined || object === undefined) return undefined;
  const { managedFields: _managed, ...metadata } = object.metadata;
  return {
    seq,
    // managedFields are shown as owners, not as YAML noise.
    yaml: toYaml({ ...object, metadata }),
    owners: [...ownersOf(object)],
    metadataOnly: head.metadataOnly,
  };
}

/** The parsed payload of an object record; undefined when it is not there or not JSON. */
export function parse(log: SessionLog, seq: RecordSeq | number): KubeObject | undefined {
  const payload = log.payload(recordSeq(seq));
  return payload === undefined ? undefined : (parseJson(payload) as KubeObject | undefined);
}
