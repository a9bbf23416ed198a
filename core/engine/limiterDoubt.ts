/** LimiterDoubt: whether what came of the predictions of a controller still allows to believe its limiter. */
import type { PredictionRow, QueueView } from '../../shared/contract/api.ts';

export type Doubt = NonNullable<QueueView['doubt']>;

/** The last predictions that count, and from how many on they do. */
const judged = 10;
const fewest = 4;

/**
 * How many of the last ten judged predictions missed, when half or more did; undefined while the limiter may be right, or
 * too little is known. Predictions made before `since` (ms) speak of another limiter.
 */
export function missedPredictions(
  rows: readonly PredictionRow[],
  since: number,
): Pick<Doubt, 'missed' | 'of'> | undefined {
  const outcomes = rows
    .flatMap(({ prediction, outcome }) =>
      prediction.madeAt >= since && (outcome?.kind === 'hit' || outcome?.kind === 'missed') ? [outcome] : [],
    )
    .sort((a, b) => b.at - a.at)
    .slice(0, judged);
  const missed = outcomes.filter((outcome) => outcome.kind === 'missed').length;
  return outcomes.length >= fewest && missed * 2 >= outcomes.length
    ? { missed, of: outcomes.length }
    : undefined;
}
