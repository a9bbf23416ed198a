import { z } from 'zod';

export const zObjectRef = z.object({
  key: z.string(),
  group: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});
export type ObjectRefView = Readonly<z.infer<typeof zObjectRef>>;

export const zWriter = z.object({
  manager: z.string(),
  operation: z.enum(['Apply', 'Update']),
  subresource: z.string().optional(),
  /** RFC 3339, whole seconds, as managedFields has it. */
  time: z.string().optional(),
});
export type Writer = Readonly<z.infer<typeof zWriter>>;

export const zObjectOp = z.enum(['listed', 'added', 'modified', 'deleted', 'relisted', 'vanished']);
export type ObjectOp = z.infer<typeof zObjectOp>;

/** A line of the Events view: a change of an object, or a gap. `at` ms of our clock; `seq` names the record. */
export const zEventRow = z.object({
  seq: z.number().int(),
  at: z.number(),
  type: z.enum(['object', 'gap', 'event']),
  op: zObjectOp.optional(),
  object: zObjectRef.optional(),
  /** What a Kubernetes Event regards; `object` is the Event itself. */
  about: zObjectRef.optional(),
  resourceVersion: z.string().optional(),
  generation: z.number().int().optional(),
  writer: zWriter.optional(),
  /** First changed paths, or the reason and message of a Kubernetes Event, or the gap in words. */
  summary: z.string(),
  warning: z.boolean(),
  metadataOnly: z.boolean(),
});
export type EventRow = Readonly<z.infer<typeof zEventRow>>;

/** `text`: the filter grammar of shared/model/filter.ts over the fields of eventFilter.ts. */
export const zEventFilter = z.object({
  text: z.string(),
  /** Reflectors' initial lists are hidden unless asked for. */
  initial: z.boolean(),
  limit: z.number().int().min(1).max(5000),
});
export type EventFilter = Readonly<z.infer<typeof zEventFilter>>;

export const zObjectVersion = z.object({
  seq: z.number().int(),
  /** Interval in ms: a version found by a relist happened somewhere inside it. */
  at: z.object({ lo: z.number(), hi: z.number() }),
  op: zObjectOp,
  resourceVersion: z.string(),
  uid: z.string(),
  generation: z.number().int().optional(),
  /** Managers whose entry moved in this version, most specific first; empty when managedFields do not say. */
  writers: z.array(zWriter).readonly(),
  changes: z.number().int(),
  summary: z.string(),
  metadataOnly: z.boolean(),
  /** A gap lies between the version before and this one: steps in between are lost. */
  afterGap: z.boolean(),
});
export type ObjectVersion = Readonly<z.infer<typeof zObjectVersion>>;

export const zObjectHistory = z.object({
  object: zObjectRef,
  versions: z.array(zObjectVersion).readonly(),
  detail: z.enum(['full', 'metadata']),
  /** Set while a metadata-only kind is being upgraded to full. */
  upgrading: z.boolean(),
});
export type ObjectHistory = Readonly<z.infer<typeof zObjectHistory>>;

export const zDiffRow = z.object({
  path: z.string(),
  sign: z.enum(['+', '-', '~']),
  old: z.string().optional(),
  new: z.string().optional(),
  owner: zWriter.optional(),
  /** The manager that owned the field before, when ownership moved. */
  takenFrom: z.string().optional(),
  /** managedFields, resourceVersion and other bookkeeping: folded by default. */
  bookkeeping: z.boolean(),
});
export type DiffRow = Readonly<z.infer<typeof zDiffRow>>;

export const zObjectDiff = z.object({
  from: z.number().int().optional(),
  to: z.number().int(),
  rows: z.array(zDiffRow).readonly(),
  note: z.string().optional(),
});
export type ObjectDiff = Readonly<z.infer<typeof zObjectDiff>>;

/** Who owns which field of one version, from managedFields. */
export const zFieldOwner = z.object({ path: z.string(), owners: z.array(zWriter).readonly() });

export const zObjectDocument = z.object({
  seq: z.number().int(),
  yaml: z.string(),
  owners: z.array(zFieldOwner).readonly(),
  metadataOnly: z.boolean(),
});
export type ObjectDocument = Readonly<z.infer<typeof zObjectDocument>>;

/** Search over every object held, for the palette: best matches first. */
export const zObjectHit = z.object({ object: zObjectRef, versions: z.number().int(), deleted: z.boolean() });
export type ObjectHit = Readonly<z.infer<typeof zObjectHit>>;
