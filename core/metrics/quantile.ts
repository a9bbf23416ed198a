/**
 * A quantile of a histogram as Prometheus computes it: linear inside the bucket the rank falls into, the highest finite
 * bound when it falls into +Inf. Source: prometheus promql/quantile.go, bucketQuantile.
 */

/**
 * `buckets`: how many observations fell under each upper bound and above the one before it (not cumulative; fractions
 * allowed), bounds in any order, +Inf among them. Undefined without an observation or without a finite bound; in the unit
 * of the bounds.
 */
export function histogramQuantile(q: number, buckets: ReadonlyMap<number, number>): number | undefined {
  const sorted = [...buckets].sort((a, b) => a[0] - b[0]);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const finite = sorted.filter(([bound]) => Number.isFinite(bound));
  if (!(total > 0) || finite.length === 0) return undefined;
  const rank = q * total;
  let below = 0;
  let lower = 0;
  for (const [bound, count] of sorted) {
    if (below + count >= rank && count > 0) {
      if (!Number.isFinite(bound)) return lower;
      return lower + (bound - lower) * ((rank - below) / count);
    }
    below += count;
    if (Number.isFinite(bound)) lower = bound;
  }
  return lower;
}
