import type { ConditionSpan } from '../../../shared/contract/views/structure.ts';

/** A status change is written in the second it happens; clocks and a slow write may put this much between, ms. */
const toleranceMs = 30_000;

/**
 * lastTransitionTime lies after the moment the value was first seen: the operator moves it without a change of status.
 * Nothing is said of a span with a gap in it, where a change and its way back may be lost.
 */
export function transitionMoved(span: ConditionSpan): boolean {
  const stated = Date.parse(span.lastTransitionTime ?? '');
  return !span.gap && !Number.isNaN(stated) && stated > span.from + toleranceMs;
}
