/** Quantiles of a Prometheus histogram, between two scrapes of one life. Pure. Spec: docs/spec/metrics.md */
import type { DurationBuckets } from './controllerMetrics.ts';

/**
 * The `q`-quantile (0 to 1), in seconds, of what was observed between `before` and `after`; without `before` since the start
 * of the process. Undefined where nothing was observed, there are no buckets, or the two are not of one life. What lies in the
 * last, unbounded bucket is told as the bound below it: at least that.
 * Source: prometheus promql/quantile.go, BucketQuantile: linear within a bucket, the first one from 0.
 */
export function histogramQuantile(
  q: number,
  after: DurationBuckets,
  before?: DurationBuckets,
): number | undefined {
  const earlier = new Map(before?.buckets ?? []);
  const buckets = after.buckets.map(([bound, count]) => [bound, count - (earlier.get(bound) ?? 0)] as const);
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total <= 0 || buckets.some(([, count]) => count < 0)) return undefined;
  const rank = q * total;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of buckets) {
    if (count >= rank && count > below)
      return Number.isFinite(bound) ? lower + (bound - lower) * ((rank - below) / (count - below)) : lower;
    if (Number.isFinite(bound)) lower = bound;
    below = count;
  }
  return lower;
}
