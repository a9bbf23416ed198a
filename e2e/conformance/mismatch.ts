/** One point where the product and the recorded Go run differ. `op` is the index in the script's `ops`, if it has any. */
export interface Mismatch {
  readonly id: string;
  readonly op?: number;
  /** What was compared, for example `out` or `timeline`. */
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** A file of kinds/: replays one parsed line; an empty answer means that it passed. Throws when the line is malformed. */
export interface KindModule {
  replay(line: unknown): readonly Mismatch[] | Promise<readonly Mismatch[]>;
}

/**
 * The value in a form that compares by text: keys sorted, bigint and every `…Ns` number as decimal text, zero values
 * left out (the vectors omit them: false, 0, "", nil, empty). `keep` names keys whose zero value is a statement of its
 * own (a priority of 0 is not "no priority").
 */
export function normalise(value: unknown, keep: ReadonlySet<string> = new Set()): unknown {
  return walk(value, '', keep);
}

/** Adds a mismatch to `into` unless both values are equal after `normalise`. */
export function compare(
  into: Mismatch[],
  at: { readonly id: string; readonly op?: number; readonly what: string },
  expected: unknown,
  got: unknown,
  keep?: ReadonlySet<string>,
): void {
  const left = normalise(expected, keep);
  const right = normalise(got, keep);
  if (JSON.stringify(left) !== JSON.stringify(right)) into.push({ ...at, expected: left, got: right });
}

function walk(value: unknown, key: string, keep: ReadonlySet<string>): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && key.endsWith('Ns')) return BigInt(value).toString();
  if (Array.isArray(value)) return value.map((item) => walk(item, key, keep));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const walked = walk(item, name, keep);
    if (keep.has(name) ? walked !== undefined && walked !== null : !isZero(walked))
      entries.push([name, walked]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries);
}

function isZero(value: unknown): boolean {
  if (
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    value === '0'
  )
    return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** int64 nanoseconds of a vector: a JSON number, a decimal string, or missing (0). */
export function ns(value: number | string | undefined): bigint {
  return value === undefined ? 0n : BigInt(value);
}
