import type { PredictionRow } from '../../../shared/contract/api.ts';

export interface PredictionSummary {
  /** Predictions that a run confirmed or refuted. Superseded and unobserved ones are neither. */
  readonly judged: number;
  readonly hit: number;
  readonly missed: number;
  /** |error| in ms among the judged ones, 0 when there is none. */
  readonly largestErrorMs: number;
}

export function summarize(rows: readonly PredictionRow[]): PredictionSummary {
  let hit = 0;
  let missed = 0;
  let largestErrorMs = 0;
  for (const { outcome } of rows) {
    if (outcome === undefined || outcome.kind === 'superseded' || outcome.kind === 'unobserved') continue;
    if (outcome.kind === 'hit') hit += 1;
    else missed += 1;
    largestErrorMs = Math.max(largestErrorMs, Math.abs(outcome.errorMs));
  }
  return { judged: hit + missed, hit, missed, largestErrorMs };
}
