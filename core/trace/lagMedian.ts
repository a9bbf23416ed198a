/** Median time from a write to its watch event here, in coarse steps so that it seldom moves. Spec: docs/spec/traces.md [TR13] */

/** Upper ends of the steps, ms, and what a median inside counts as. */
const buckets: readonly (readonly [below: number, ms: number])[] = [
  [1.5, 1],
  [3.5, 2.5],
  [7, 5],
  [14, 10],
  [30, 20],
  [70, 50],
  [150, 100],
  [400, 250],
  [Infinity, 1_000],
];
const leastSamples = 8;
const unknownMs = 1;

export class LagMedian {
  private readonly counts = new Array<number>(buckets.length).fill(0);
  private total = 0;

  /** Takes samples away and others in. */
  replace(old: readonly number[], now: readonly number[]): void {
    for (const ms of old) this.count(ms, -1);
    for (const ms of now) this.count(ms, 1);
  }

  /** The step that the median lies in. */
  get bucketMs(): number {
    if (this.total < leastSamples) return unknownMs;
    let sum = 0;
    for (const [index, count] of this.counts.entries()) {
      sum += count;
      if (sum * 2 >= this.total) return buckets[index]?.[1] ?? unknownMs;
    }
    return unknownMs;
  }

  private count(ms: number, by: 1 | -1): void {
    const index = buckets.findIndex(([below]) => ms < below);
    this.counts[index] = (this.counts[index] ?? 0) + by;
    this.total += by;
  }
}
