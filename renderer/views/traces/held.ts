import { useRef } from 'react';

export interface Held<Row> {
  readonly rows: readonly Row[];
  /** Rows that came since, above what is on screen. */
  readonly fresh: number;
}

/**
 * While `held`, the rows that were there when the reading began stay where they are; each goes on telling what is known of
 * it now. One that a revision took away stays as it was last seen, so that nothing moves under the eye.
 */
export function useHeld<Row extends { readonly id: string | number }>(
  newestFirst: readonly Row[],
  held: boolean,
): Held<Row> {
  const kept = useRef<readonly Row[] | undefined>(undefined);
  if (!held) {
    kept.current = undefined;
    return { rows: newestFirst, fresh: 0 };
  }
  kept.current ??= newestFirst;
  return holdRows(kept.current, newestFirst);
}

/** `kept` as it is known now; what stands above the first of it and is new counts as fresh. */
export function holdRows<Row extends { readonly id: string | number }>(
  kept: readonly Row[],
  newestFirst: readonly Row[],
): Held<Row> {
  if (kept === newestFirst) return { rows: kept, fresh: 0 };
  const now = new Map(newestFirst.map((row) => [row.id, row]));
  const known = new Set(kept.map(({ id }) => id));
  const first = newestFirst.findIndex(({ id }) => known.has(id));
  return {
    rows: kept.map((row) => now.get(row.id) ?? row),
    fresh: first < 0 ? newestFirst.length : first,
  };
}
