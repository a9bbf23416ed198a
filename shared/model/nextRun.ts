import type { NextRun } from './trace.ts';

/**
 * How far the run that followed was off what was predicted, ms; negative: earlier. Against the nearest bound of what is known
 * of its start: 0 where the prediction lies inside. undefined: one of the two is not known.
 */
export function missedBy(next: NextRun): number | undefined {
  const { predicted, observed, observedWithin } = next;
  if (predicted === undefined || observed === undefined) return undefined;
  const { lo, hi } = observedWithin ?? { lo: observed, hi: observed };
  return predicted < lo ? lo - predicted : predicted > hi ? hi - predicted : 0;
}
