/** What the benches say of their rounds. Medians only: on a busy machine a mean tells of the machine. Pure. */

/** The middle value; of an even number the mean of the two in the middle. NaN for none. Does not change `values`. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The smallest value that at least `share` (0 to 1) of them do not exceed; NaN for none. Does not change `values`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How a ratio stands to its bar. The bars are those of the design: at most so much of the peer or the floor. */
export interface Verdict {
  readonly ratio: number;
  readonly bar: number;
  readonly met: boolean;
}

/**
 * Median of `own` over median of `peer`, of the same rounds. Throws when the rounds differ in number: then the two were
 * not measured in turn, and a ratio would compare two states of the machine.
 */
export function verdict(own: readonly number[], peer: readonly number[], bar: number): Verdict {
  if (own.length !== peer.length || own.length === 0) {
    throw new Error(`${own.length} rounds against ${peer.length}: a ratio needs the same rounds of both`);
  }
  const ratio = median(own) / median(peer);
  return { ratio, bar, met: ratio <= bar };
}

/** `0.42 × (bar 0.6, met)`. */
export function verdictText({ ratio, bar, met }: Verdict): string {
  return `${ratio.toFixed(2)} × (bar ${bar}, ${met ? 'met' : 'MISSED'})`;
}

/** `[410 395 402]`, rounded to `digits`. */
export function rawValues(values: readonly number[], digits = 0): string {
  return `[${values.map((value) => value.toFixed(digits)).join(' ')}]`;
}
