/** RFC 3339 times of mixed resolution: in one second, the time with decimals says more than the whole second. */

/** The earliest time; undefined when there is none. */
export function earliest(times: readonly (string | undefined)[]): string | undefined {
  return pick(times, (a, b) => rank(a, b, -1));
}

/** The latest time; undefined when there is none. */
export function latest(times: readonly (string | undefined)[]): string | undefined {
  return pick(times, (a, b) => rank(a, b, 1));
}

/** Newest first; nothing without a time before something with one. */
export function newestFirst(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return -rank(a, b, 1);
}

function pick(
  times: readonly (string | undefined)[],
  better: (a: string, b: string) => number,
): string | undefined {
  let best: string | undefined;
  for (const time of times)
    if (time !== undefined && (best === undefined || better(time, best) > 0)) best = time;
  return best;
}

/** Positive when `a` is further in `direction` than `b`. */
function rank(a: string, b: string, direction: 1 | -1): number {
  const [left, right] = [Date.parse(a), Date.parse(b)];
  const seconds = Math.floor(left / 1000) - Math.floor(right / 1000);
  if (seconds !== 0) return seconds * direction;
  const precise = Number(a.includes('.')) - Number(b.includes('.'));
  return precise !== 0 ? precise : (left - right) * direction;
}
