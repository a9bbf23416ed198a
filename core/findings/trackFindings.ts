/** How findings open and close over time. Pure: the caller keeps the list and records the transitions. */
import type { Finding } from '../../shared/model/finding.ts';
import type { Evaluation } from './findingInput.ts';

export interface TrackedFindings {
  /** Open ones first, in the order judged; closed ones after them, newest first. */
  readonly findings: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

/**
 * Carries `previous` over to what `evaluation` found at `now` (RFC 3339). A finding keeps its opening time while it
 * lasts; one that is gone is closed with the reason the rule gives; one that comes back opens anew. A finding whose rule
 * lacks a permission this time stays open: not seen is not gone.
 */
export function trackFindings(
  previous: readonly Finding[],
  evaluation: Evaluation,
  now: string,
): TrackedFindings {
  const before = new Map(previous.map((finding) => [finding.id, finding]));
  const reasons = new Map(evaluation.resolved.map(({ id, because }) => [id, because]));
  const blocked = new Set(
    evaluation.notEvaluated.flatMap(({ rule, permission }) => (permission === undefined ? [] : [rule])),
  );
  const opened: Finding[] = [];
  const closed: Finding[] = [];
  const open: Finding[] = [];
  const found = new Set<string>();

  for (const finding of evaluation.findings) {
    found.add(finding.id);
    const known = before.get(finding.id);
    if (known !== undefined && known.closedAt === undefined) {
      open.push({ ...finding, openedAt: known.openedAt });
      continue;
    }
    // What closed once and is back opened when it came back, not at its first evidence.
    const fresh = known === undefined ? finding : { ...finding, openedAt: now };
    open.push(fresh);
    opened.push(fresh);
  }

  const past: Finding[] = [];
  for (const finding of previous) {
    if (found.has(finding.id)) continue;
    if (finding.closedAt !== undefined) {
      past.push(finding);
      continue;
    }
    const because = reasons.get(finding.id);
    if (because === undefined && blocked.has(finding.rule)) {
      open.push(finding);
      continue;
    }
    closed.push({ ...finding, closedAt: now, closedBecause: because ?? 'its evidence is no longer there' });
  }
  return { findings: [...open, ...closed, ...past], opened, closed };
}
