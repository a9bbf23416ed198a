import { z } from 'zod';
import { zBasis } from '../../model/basis.ts';
import { zObjectRef, zWriter } from './objects.ts';
import { zHealth } from './operators.ts';

/** A condition's value over [from, to) in ms; `to` absent: it still is. */
export const zConditionSpan = z.object({
  from: z.number(),
  to: z.number().optional(),
  status: z.string(),
  reason: z.string(),
  message: z.string(),
  /** RFC 3339, whole seconds, as the object has it. */
  lastTransitionTime: z.string().optional(),
  /** The version it was first seen in. */
  seq: z.number().int(),
  /** It began before it was first seen: only lastTransitionTime tells when. */
  openStart: z.boolean(),
  /** A gap lies inside: steps may be lost. */
  gap: z.boolean(),
  writer: zWriter.optional(),
  basis: zBasis,
});
export type ConditionSpan = Readonly<z.infer<typeof zConditionSpan>>;

/** A write of the object's status, seen or refused. */
export const zStatusWrite = z.object({
  at: z.number(),
  refused: z.boolean(),
  /** The record it is known by. */
  seq: z.number().int().optional(),
  manager: z.string().optional(),
  basis: zBasis,
});
export type StatusWrite = Readonly<z.infer<typeof zStatusWrite>>;

/** The conditions of one object over time. Empty tracks: it has none, or only its metadata is watched (`detail`). */
export const zConditionsView = z.object({
  object: zObjectRef,
  /** False: no such object was seen. */
  known: z.boolean(),
  detail: z.enum(['full', 'metadata']),
  upgrading: z.boolean(),
  /** When the first version was seen, ms; absent when none was. */
  from: z.number().optional(),
  tracks: z
    .array(
      z.object({
        type: z.string(),
        polarity: z.enum(['positive', 'negative', 'neutral']),
        spans: z.array(zConditionSpan).readonly(),
        /** How often status changed while watched. */
        changes: z.number().int(),
        /** How long other objects of the kind took from not True to True, median and longest ms; absent: none was seen. */
        usualMs: z.number().optional(),
        longestMs: z.number().optional(),
        /** How many times others did. */
        others: z.number().int(),
      }),
    )
    .readonly(),
  /** Of which generation the status spoke. */
  generations: z
    .array(
      z.object({
        from: z.number(),
        to: z.number().optional(),
        generation: z.number().int(),
        observed: z.number().int(),
        seq: z.number().int(),
      }),
    )
    .readonly(),
  /** Since the first refused status write after the last accepted one, what is stored cannot be updated. */
  held: z.object({ from: z.number(), refusals: z.number().int(), basis: zBasis }).optional(),
  /** Newest last, the newest 400; `writesTotal` counts all. */
  writes: z.array(zStatusWrite).readonly(),
  writesTotal: z.number().int(),
  /** Stretches in which changes of this kind were not seen. */
  gaps: z.array(z.object({ from: z.number(), to: z.number().optional() })).readonly(),
});
export type ConditionsView = Readonly<z.infer<typeof zConditionsView>>;
export type ConditionTrack = ConditionsView['tracks'][number];

/**
 * A node of the owner graph. `exists` false: an owner reference points to what is not there (a ghost). `level`: 0 is the
 * object itself, −1 its owners, 1 what it owns, and so on.
 */
export const zOwnerNode = z.object({
  object: zObjectRef,
  level: z.number().int(),
  exists: z.boolean(),
  /** Its kind may not be read, or was not listed: whether it exists is not known. */
  readable: z.boolean(),
  health: zHealth,
  text: z.string(),
  /** ms: deletionTimestamp. */
  deletingSince: z.number().optional(),
  finalizers: z.array(z.string()).readonly(),
  /** The newest version seen. */
  seq: z.number().int().optional(),
});
export type OwnerNode = Readonly<z.infer<typeof zOwnerNode>>;

/**
 * A finalizer that a deletion waits for (or would wait for), who is known to remove it, and whether that one runs.
 * `index`: its place in metadata.finalizers, for a patch.
 */
export const zDeletionHold = z.object({
  finalizer: z.string(),
  index: z.number().int(),
  /** Manager that wrote the list of finalizers, from managedFields. */
  setBy: z.string().optional(),
  /** Id and name of the operator that handles it, or the name of the part of Kubernetes that does. */
  handler: z
    .object({ id: z.string().optional(), name: z.string(), workload: z.string().optional() })
    .optional(),
  handlerState: z.enum(['running', 'notRunning', 'unknown']),
  /** What its workload says: `scaled to 0`, `0 of 1 ready`. */
  handlerDetail: z.string(),
  basis: zBasis,
});
export type DeletionHold = Readonly<z.infer<typeof zDeletionHold>>;

/** An owner reference that the garbage collector reads otherwise than meant. */
export const zOwnerProblem = z.object({
  problem: z.enum(['otherNamespace', 'otherUid', 'missing']),
  dependent: z.string(),
  owner: z.string(),
});
export type OwnerProblem = Readonly<z.infer<typeof zOwnerProblem>>;

export const zOwnershipView = z.object({
  object: zObjectRef,
  /** False: no such object was seen. */
  known: z.boolean(),
  /** The object was seen to go, ms. */
  goneAt: z.number().optional(),
  /** Plural resource with its group, for kubectl; absent when discovery does not tell. */
  resource: z.string().optional(),
  nodes: z.array(zOwnerNode).readonly(),
  edges: z
    .array(
      z.object({
        owner: z.string(),
        dependent: z.string(),
        controller: z.boolean(),
        blockOwnerDeletion: z.boolean(),
        /** The uid the dependent names is not the one of the object that is there. */
        broken: z.boolean(),
      }),
    )
    .readonly(),
  /** Owned objects left out of the graph, by kind: there are more than it shows. */
  folded: z.array(z.object({ kind: z.string(), count: z.number().int() })).readonly(),
  /** ms: deletionTimestamp. */
  deletingSince: z.number().optional(),
  propagation: z.enum(['background', 'foreground', 'orphan']).optional(),
  holds: z.array(zDeletionHold).readonly(),
  problems: z.array(zOwnerProblem).readonly(),
  /** Kinds that may not be read: owners and owned objects of them would not be seen. */
  unreadable: z.array(z.string()).readonly(),
});
export type OwnershipView = Readonly<z.infer<typeof zOwnershipView>>;
