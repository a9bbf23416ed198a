/**
 * VersionFold: the versions of one object as the causes and the condition tracks read them. Each version is compared with
 * the one before it once; what is kept is small. Pure: the caller hands in heads and parsed payloads in order of arrival.
 */
import { asRecord, asText } from '../../shared/base/json.ts';
import type { Writer } from '../../shared/contract/views/objects.ts';
import type { Condition, KubeObject } from '../../shared/model/kube.ts';
import { compareVersions } from '../objects/diff.ts';
import type { ObjectOp, RecordHead, TimeInterval } from '../session/record.ts';

export interface VersionNote {
  readonly seq: number;
  readonly at: TimeInterval;
  readonly op: ObjectOp;
  readonly initial: boolean;
  readonly resourceVersion: string;
  readonly uid: string;
  readonly generation: number | undefined;
  readonly observedGeneration: number | undefined;
  /** Undefined where only metadata was seen. */
  readonly conditions: readonly Condition[] | undefined;
  readonly deletionTimestamp: string | undefined;
  readonly finalizers: readonly string[];
  /** Managers whose entry moved in this version; empty for the first one seen. */
  readonly writers: readonly Writer[];
  /** Leaves that changed, bookkeeping left out, at most `leavesKept`. */
  readonly changed: readonly { readonly path: string; readonly old?: string; readonly new?: string }[];
  readonly afterGap: boolean;
}

const leavesKept = 12;
/** Newest versions kept of one object; the session has them all. */
const versionsKept = 2000;

export interface VersionFold {
  add(head: RecordHead, object: KubeObject | undefined): void;
  /** Oldest first. */
  notes(): readonly VersionNote[];
}

export function createVersionFold(): VersionFold {
  let notes: VersionNote[] = [];
  let older: { readonly object: KubeObject; readonly metadataOnly: boolean } | undefined;
  return {
    add(head, object) {
      const last = notes.at(-1);
      const gone = head.op === 'deleted' || head.op === 'vanished';
      if (
        last !== undefined &&
        !gone &&
        last.resourceVersion === head.resourceVersion &&
        last.uid === head.uid
      ) {
        // The same version again (relist, upgrade to full): the fuller copy stands for it.
        if (last.conditions === undefined && object !== undefined && !head.metadataOnly) {
          notes[notes.length - 1] = { ...last, ...contentOf(object), conditions: conditionsOf(object) };
          older = { object, metadataOnly: false };
        }
        return;
      }
      const comparable = older !== undefined && older.metadataOnly === head.metadataOnly;
      const step =
        comparable && object !== undefined && !gone
          ? compareVersions(older?.object, object, head.op ?? 'listed')
          : undefined;
      notes.push({
        seq: head.seq,
        at: head.at,
        op: head.op ?? 'listed',
        initial: head.initial,
        resourceVersion: head.resourceVersion ?? '',
        uid: head.uid ?? '',
        ...contentOf(object),
        conditions: object === undefined || head.metadataOnly ? undefined : conditionsOf(object),
        deletionTimestamp: object?.metadata.deletionTimestamp,
        finalizers: object?.metadata.finalizers ?? [],
        writers: step?.writers ?? [],
        changed: (step?.rows ?? [])
          .filter((row) => !row.bookkeeping)
          .slice(0, leavesKept)
          .map(({ path, old, new: now }) => ({
            path,
            ...(old === undefined ? {} : { old }),
            ...(now === undefined ? {} : { new: now }),
          })),
        afterGap: head.op === 'relisted' || head.op === 'vanished',
      });
      if (notes.length > versionsKept * 1.2) notes = notes.slice(-versionsKept);
      if (gone) older = undefined;
      else if (object !== undefined) older = { object, metadataOnly: head.metadataOnly };
    },
    notes: () => notes,
  };
}

function contentOf(object: KubeObject | undefined): Pick<VersionNote, 'generation' | 'observedGeneration'> {
  const observed = asRecord(object?.status)?.observedGeneration;
  return {
    generation: object?.metadata.generation,
    observedGeneration: typeof observed === 'number' ? observed : undefined,
  };
}

/** `status.conditions` as Kubernetes has them; what is no condition is left out. */
export function conditionsOf(object: KubeObject): readonly Condition[] {
  const list = asRecord(object.status)?.conditions;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const one = asRecord(item);
    if (typeof one?.type !== 'string') return [];
    const status = one.status === 'True' || one.status === 'False' ? one.status : 'Unknown';
    return [
      {
        type: one.type,
        status,
        reason: asText(one.reason),
        message: asText(one.message),
        lastTransitionTime: asText(one.lastTransitionTime),
        ...(typeof one.observedGeneration === 'number' ? { observedGeneration: one.observedGeneration } : {}),
      },
    ];
  });
}

/** The status was written in this version: a writer of the subresource moved, or a leaf below `status` did. */
export function wroteStatus(note: VersionNote): boolean {
  return (
    note.writers.some(({ subresource }) => subresource === 'status') ||
    note.changed.some(({ path }) => path.startsWith('status'))
  );
}

/** Who wrote the status in this version, as far as managedFields say. */
export function statusWriter(note: VersionNote): Writer | undefined {
  return (
    note.writers.find(({ subresource }) => subresource === 'status') ??
    (note.changed.some(({ path }) => path.startsWith('status')) ? note.writers[0] : undefined)
  );
}

/** The spec, or what else raises the generation, was changed in this version. */
export function changedSpec(note: VersionNote, before: VersionNote | undefined): boolean {
  if (note.generation !== undefined && before?.generation !== undefined)
    return note.generation > before.generation;
  return note.changed.some(({ path }) => path.startsWith('spec'));
}
