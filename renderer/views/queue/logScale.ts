/** The logarithmic axis of delays: 5 ms … 1000 s, wider when the limiter goes further. */
export interface LogScale {
  readonly minMs: number;
  readonly maxMs: number;
  /** Percent of the width, 0 … 100, clamped. */
  x(ms: number): number;
}

export function createLogScale(stepsMs: readonly number[]): LogScale {
  const positive = stepsMs.filter((ms) => ms > 0);
  const minMs = Math.min(5, ...positive);
  const maxMs = Math.max(1_000_000, ...positive);
  const span = Math.log(maxMs / minMs);
  return {
    minMs,
    maxMs,
    x(ms) {
      if (ms <= minMs) return 0;
      return Math.min(100, (Math.log(ms / minMs) / span) * 100);
    },
  };
}

/** Steps that get a label: every third and the last, at least `minGap` percent apart. The last one always stays. */
export function labelledSteps(
  stepsMs: readonly number[],
  scale: LogScale,
  minGap: number,
): readonly number[] {
  const unique = [...new Set(stepsMs)].sort((a, b) => a - b);
  const last = unique.at(-1);
  if (last === undefined) return [];
  const kept: number[] = [];
  unique.forEach((step, index) => {
    if (index % 3 !== 0 || step === last) return;
    const before = kept.at(-1);
    if (before !== undefined && scale.x(step) - scale.x(before) < minGap) return;
    if (scale.x(last) - scale.x(step) < minGap) return;
    kept.push(step);
  });
  return [...kept, last];
}
