import { z } from 'zod';
import { zBasis } from './basis.ts';

export const zSeverity = z.enum(['error', 'warning', 'info']);
export type Severity = z.infer<typeof zSeverity>;

/** Where a finding can be checked: a line of a file, or a record of the session (`seq`). Times RFC 3339. */
export const zEvidence = z.object({
  text: z.string(),
  basis: zBasis,
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
  seq: z.number().int().optional(),
  at: z.string().optional(),
});
export type Evidence = Readonly<z.infer<typeof zEvidence>>;

/** What the user may apply. Loopscope never writes. `patch` is YAML, `marker` a kubebuilder line. */
export const zFix = z.object({
  text: z.string(),
  patch: z.string().optional(),
  marker: z.string().optional(),
});
export type Fix = Readonly<z.infer<typeof zFix>>;

/** One cause, one finding. `id` = rule + subject (+ discriminator) and is stable while the cause lasts. */
export const zFinding = z.object({
  id: z.string(),
  rule: z.string(),
  severity: zSeverity,
  /** `Kind/namespace/name`, `-` for the namespace of a cluster-scoped object. */
  subject: z.string(),
  title: z.string(),
  why: z.string(),
  basis: zBasis,
  fix: zFix,
  evidence: z.array(zEvidence).readonly(),
  /** RFC 3339; `closedAt` is set when the cause is gone. */
  openedAt: z.string(),
  closedAt: z.string().optional(),
  closedBecause: z.string().optional(),
});
export type Finding = Readonly<z.infer<typeof zFinding>>;

/** A rule that could not be judged, and what would allow it. 403 is not "absent". */
export const zNotEvaluated = z.object({
  rule: z.string(),
  reason: z.string(),
  permission: z.string().optional(),
});
export type NotEvaluated = Readonly<z.infer<typeof zNotEvaluated>>;
