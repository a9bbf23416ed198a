/**
 * How well retries were predicted, worked out from the session's records alone: the followed line of a failure against
 * the last prediction that was stored before it. Nothing of the product's own marking is used.
 */
import type { SessionLog } from '../../core/session/record.ts';
import type { Prediction, PredictionOutcome } from '../../shared/model/queue.ts';

export interface Retry {
  readonly key: string;
  /** Failures of the key before this one that the session has. */
  readonly ordinal: number;
  /** Receipt of the followed line, ms. */
  readonly loggedAt: number;
  readonly lineSeq: number;
  /** Of the last record before the line; undefined: none was made since the line before it. */
  readonly prediction: (Prediction & { readonly seq: number }) | undefined;
  /** loggedAt − predictedAt, ms. */
  readonly errorMs: number;
  readonly delayMs: number;
}

interface ErrorLine {
  readonly msg?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * Every failure line of a key that had one before, in order. `followedFrom`: lines received earlier, or that stood in
 * the file before it was followed, count as failures but are no retries to be judged.
 */
export function retriesOf(log: SessionLog, followedFrom = 0): readonly Retry[] {
  const retries: Retry[] = [];
  const seen = new Map<string, { failures: number; seq: number }>();
  const newest = new Map<string, Prediction & { readonly seq: number }>();
  for (const head of log.heads({ kinds: ['log', 'prediction'] })) {
    const payload = log.payload(head.seq) ?? '';
    if (head.kind === 'prediction') {
      const prediction = JSON.parse(payload) as Prediction;
      newest.set(prediction.key, { ...prediction, seq: head.seq });
      continue;
    }
    const line = payload.startsWith('{') ? (JSON.parse(payload) as ErrorLine) : {};
    if (line.msg !== 'Reconciler error') continue;
    const key = `${line.namespace}/${line.name}`;
    const before = seen.get(key);
    seen.set(key, { failures: (before?.failures ?? 0) + 1, seq: head.seq });
    const wasThere = head.at.lo < head.receivedAt - 1;
    if (before === undefined || wasThere || head.receivedAt < followedFrom) continue;
    const last = newest.get(key);
    const prediction =
      last !== undefined && last.seq > before.seq && last.madeAt < head.receivedAt ? last : undefined;
    retries.push({
      key,
      ordinal: before.failures,
      loggedAt: head.receivedAt,
      lineSeq: head.seq,
      prediction,
      errorMs: prediction === undefined ? Number.POSITIVE_INFINITY : head.receivedAt - prediction.predictedAt,
      delayMs: prediction?.delayMs ?? Number.NaN,
    });
  }
  return retries;
}

export function outcomesOf(
  log: SessionLog,
): ReadonlyMap<string, PredictionOutcome & { readonly seq: number }> {
  const outcomes = new Map<string, PredictionOutcome & { readonly seq: number }>();
  for (const head of log.heads({ kinds: ['outcome'] })) {
    const outcome = JSON.parse(log.payload(head.seq) ?? '') as PredictionOutcome;
    outcomes.set(outcome.predictionId, { ...outcome, seq: head.seq });
  }
  return outcomes;
}

export interface Distribution {
  readonly n: number;
  readonly keys: number;
  /** |error|, ms. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Retries inside 5 % of their delay + 50 ms, as a share of all. */
  readonly within: number;
}

export function distributionOf(retries: readonly Retry[]): Distribution {
  const errors = retries.map(({ errorMs }) => Math.abs(errorMs)).sort((a, b) => a - b);
  const at = (share: number) => errors[Math.max(0, Math.ceil(errors.length * share) - 1)] ?? Number.NaN;
  return {
    n: retries.length,
    keys: new Set(retries.map(({ key }) => key)).size,
    p50: at(0.5),
    p95: at(0.95),
    max: at(1),
    within: retries.filter(isWithin).length / retries.length,
  };
}

/** The bar: 5 % of the delay + 50 ms. */
export function isWithin({ errorMs, delayMs }: Retry): boolean {
  return Math.abs(errorMs) <= 0.05 * delayMs + 50;
}

export function describeErrors(what: string, { n, keys, p50, p95, max, within }: Distribution): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return `retry errors, ${what}: n ${n} on ${keys} keys, p50 ${ms(p50)}, p95 ${ms(p95)}, max ${ms(max)}, within the bar ${(within * 100).toFixed(1)} %`;
}
