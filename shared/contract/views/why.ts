import { z } from 'zod';
import { zBasis } from '../../model/basis.ts';
import { zPatchLine } from '../../model/rbac.ts';
import { zObjectRef } from './objects.ts';
import { zHealth } from './operators.ts';

/**
 * A sentence that the window has in both languages: `id` names its template, `params` fill it. Which there are, and what
 * the endings of the places mean: shared/model/whySentences.ts.
 */
export const zSentence = z.object({
  id: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string()).readonly()])),
});
export type Sentence = Readonly<z.infer<typeof zSentence>>;

/** Where a chip leads. `line`: a log or audit line, shown on the page itself. */
export const zWhyLink = z.discriminatedUnion('to', [
  z.object({ to: z.literal('version'), key: z.string(), seq: z.number().int() }),
  z.object({ to: z.literal('event'), seq: z.number().int() }),
  z.object({ to: z.literal('rbac'), row: z.string().optional() }),
  z.object({ to: z.literal('finding'), id: z.string() }),
  z.object({ to: z.literal('queue'), controller: z.string(), key: z.string() }),
  z.object({ to: z.literal('ownership') }),
  z.object({ to: z.literal('conditions') }),
  z.object({
    to: z.literal('line'),
    text: z.string(),
    file: z.string().optional(),
    line: z.number().int().optional(),
    seq: z.number().int().optional(),
  }),
]);
export type WhyLink = Readonly<z.infer<typeof zWhyLink>>;

/** One piece of evidence: what it is, a mono word beside it (a version, a record, a time), where it leads. */
export const zWhyChip = z.object({
  icon: z.enum(['diff', 'rbac', 'person', 'refused', 'line', 'object', 'spec', 'queue', 'condition']),
  label: zSentence,
  aside: zSentence.optional(),
  basis: zBasis,
  link: zWhyLink,
});
export type WhyChip = Readonly<z.infer<typeof zWhyChip>>;

/** One step of the causal chain, cause first. `root`: the one tinted card. */
export const zWhyStep = z.object({
  id: z.string(),
  root: z.boolean(),
  glyph: z.enum([
    'rights',
    'refused',
    'failed',
    'degraded',
    'waiting',
    'progressing',
    'ok',
    'deleting',
    'unknown',
  ]),
  /** Absent: now, it is what stands. */
  at: z.number().optional(),
  /** `at` is known to the ms; a log of whole seconds is not. */
  precise: z.boolean(),
  title: zSentence,
  detail: zSentence.optional(),
  /** What the operator said, word for word. */
  quote: z.string().optional(),
  basis: zBasis,
  chips: z.array(zWhyChip).readonly(),
});
export type WhyStep = Readonly<z.infer<typeof zWhyStep>>;

/** A remark under the verdict. doubt: what the sentence rests on is not certain. */
export const zWhyNote = z.object({
  kind: z.enum(['seen', 'agrees', 'disagrees', 'doubt']),
  text: zSentence,
});
export type WhyNote = Readonly<z.infer<typeof zWhyNote>>;

/** What the user may apply. Loopscope never writes. Each form has its own Copy. */
export const zWhyFix = z.object({
  text: zSentence,
  forms: z
    .array(
      z.object({
        form: z.enum(['role', 'marker', 'command', 'code']),
        /** Said above the lines; absent for the first form, of which `text` speaks. */
        text: zSentence.optional(),
        lines: z.array(zPatchLine).readonly(),
        copy: z.string(),
        /** Something is lost by it: said before it is copied. */
        loses: z.boolean(),
      }),
    )
    .readonly(),
});
export type WhyFix = Readonly<z.infer<typeof zWhyFix>>;

/** When the key runs next, and what follows if nothing changes. */
export const zWhyNext = z.object({
  controller: z.string(),
  key: z.string(),
  state: z.enum(['idle', 'ready', 'running', 'waiting']),
  text: zSentence,
  runsAt: z.number().optional(),
  since: z.number().optional(),
  delayMs: z.number().optional(),
  attempt: z.number().int().optional(),
  /** False: the count or the limiter behind it is a guess. */
  certain: z.boolean(),
  basis: zBasis,
  /** How a later attempt ends while the cause lasts. */
  ends: z.enum(['refused', 'fails', 'runs']),
  /** Later attempts by the limiter, soonest first; `delayMs` is the wait after each. */
  later: z
    .array(z.object({ at: z.number(), attempt: z.number().int(), delayMs: z.number(), atCap: z.boolean() }))
    .readonly(),
  /** How earlier predictions for this key came out. */
  matched: zSentence.optional(),
});
export type WhyNext = Readonly<z.infer<typeof zWhyNext>>;

/** What was looked at besides and found in order, or could not be looked at. */
export const zWhyCheck = z.object({
  id: z.string(),
  state: z.enum(['ok', 'problem', 'notEvaluated']),
  title: zSentence,
  detail: zSentence.optional(),
});
export type WhyCheck = Readonly<z.infer<typeof zWhyCheck>>;

/** The landing page of one object: the causal sentence, what it rests on, what to do, what comes next. */
export const zWhyView = z.object({
  object: zObjectRef,
  /** False: no such object was seen. */
  known: z.boolean(),
  detail: z.enum(['full', 'metadata']),
  /** Set while a metadata-only kind is being upgraded to full. */
  upgrading: z.boolean(),
  /** Its kind may not be listed: the permission that would allow it. */
  forbidden: z.string().optional(),
  health: zHealth,
  healthText: zSentence.optional(),
  healthSince: z.number().optional(),
  generation: z.number().int().optional(),
  observedGeneration: z.number().int().optional(),
  /** Which cause of docs/spec/why.md it is; absent: none is known. */
  cause: z.string().optional(),
  question: zSentence,
  verdict: zSentence,
  basis: zBasis.optional(),
  notes: z.array(zWhyNote).readonly(),
  chain: z.array(zWhyStep).readonly(),
  /** What would help to know more. */
  helps: z.array(zSentence).readonly(),
  fix: zWhyFix.optional(),
  /** The finding it tells of, for the link. */
  finding: z.string().optional(),
  /** The moment of the cause, for the amber rule of the bands. */
  mark: z.object({ at: z.number(), text: zSentence }).optional(),
  next: zWhyNext.optional(),
  /** What wakes the key once the cause is gone. */
  wakes: z.array(zSentence).readonly(),
  checks: z.array(zWhyCheck).readonly(),
});
export type WhyView = Readonly<z.infer<typeof zWhyView>>;
