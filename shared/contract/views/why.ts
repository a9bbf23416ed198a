import { z } from 'zod';
import { zBasis } from '../../model/basis.ts';
import { zEvidence, zFix } from '../../model/finding.ts';
import { zObjectRef } from './objects.ts';
import { zHealth } from './operators.ts';

/**
 * A sentence that the window has in both languages: `id` names its template, `params` fill it. Times are ms since the
 * epoch and end in `At`, spans in `Ms`: the window formats them.
 */
export const zSentence = z.object({
  id: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Sentence = Readonly<z.infer<typeof zSentence>>;

/** One step of the causal chain, cause first. `root`: the one tinted card. */
export const zWhyStep = z.object({
  id: z.string(),
  root: z.boolean(),
  /** Absent: now, it is what stands. */
  at: z.number().optional(),
  title: zSentence,
  detail: zSentence.optional(),
  basis: zBasis,
  /** Chips: records and lines it can be checked against. */
  evidence: z.array(zEvidence).readonly(),
});
export type WhyStep = Readonly<z.infer<typeof zWhyStep>>;

/** When the key runs next, and what follows if nothing changes. */
export const zWhyNext = z.object({
  controller: z.string(),
  state: z.enum(['idle', 'ready', 'running', 'waiting']),
  text: zSentence,
  runsAt: z.number().optional(),
  since: z.number().optional(),
  delayMs: z.number().optional(),
  /** False: the count or the limiter behind it is a guess. */
  certain: z.boolean(),
  basis: zBasis,
  /** Later attempts by the limiter, soonest first. */
  later: z
    .array(z.object({ at: z.number(), attempt: z.number().int(), delayMs: z.number(), atCap: z.boolean() }))
    .readonly(),
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
  health: zHealth,
  healthText: zSentence.optional(),
  healthSince: z.number().optional(),
  generation: z.number().int().optional(),
  observedGeneration: z.number().int().optional(),
  verdict: zSentence,
  basis: zBasis.optional(),
  chain: z.array(zWhyStep).readonly(),
  fix: zFix.optional(),
  /** The finding it tells of, for the link. */
  finding: z.string().optional(),
  next: zWhyNext.optional(),
  checks: z.array(zWhyCheck).readonly(),
});
export type WhyView = Readonly<z.infer<typeof zWhyView>>;
