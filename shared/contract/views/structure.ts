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

/** The conditions of one object over time. Empty tracks: it has none, or only its metadata is watched (`detail`). */
export const zConditionsView = z.object({
  object: zObjectRef,
  detail: z.enum(['full', 'metadata']),
  tracks: z
    .array(
      z.object({
        type: z.string(),
        polarity: z.enum(['positive', 'negative', 'neutral']),
        spans: z.array(zConditionSpan).readonly(),
        /** How often status changed while watched. */
        changes: z.number().int(),
        /** How long other objects of the kind took from not True to True, median ms; absent: none was seen. */
        usualMs: z.number().optional(),
      }),
    )
    .readonly(),
});
export type ConditionsView = Readonly<z.infer<typeof zConditionsView>>;

/** A node of the owner graph. `exists` false: an owner reference points to what is not there (a ghost). */
export const zOwnerNode = z.object({
  object: zObjectRef,
  role: z.enum(['owner', 'self', 'owned', 'holder']),
  exists: z.boolean(),
  health: zHealth,
  text: z.string(),
  deletingSince: z.number().optional(),
  finalizers: z.array(z.string()).readonly(),
});
export type OwnerNode = Readonly<z.infer<typeof zOwnerNode>>;

/** What a deletion waits for: a finalizer, who should remove it, and whether that one runs. */
export const zDeletionHold = z.object({
  finalizer: z.string(),
  /** Operator that is known to handle it, when one is. */
  handler: z.string().optional(),
  handlerState: z.enum(['running', 'notRunning', 'unknown']),
  basis: zBasis,
});
export type DeletionHold = Readonly<z.infer<typeof zDeletionHold>>;

export const zOwnershipView = z.object({
  object: zObjectRef,
  nodes: z.array(zOwnerNode).readonly(),
  edges: z
    .array(
      z.object({
        owner: z.string(),
        dependent: z.string(),
        controller: z.boolean(),
        blockOwnerDeletion: z.boolean(),
      }),
    )
    .readonly(),
  /** Owned objects left out, by kind: more than the graph shows. */
  folded: z.array(z.object({ kind: z.string(), count: z.number().int() })).readonly(),
  deletingSince: z.number().optional(),
  holds: z.array(zDeletionHold).readonly(),
  /** Kinds that may not be read: owned objects of them would not be seen. */
  unreadable: z.array(z.string()).readonly(),
});
export type OwnershipView = Readonly<z.infer<typeof zOwnershipView>>;
