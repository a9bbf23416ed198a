import { useRef } from 'react';

/**
 * The rows on screen: the newest ones, or, while `held`, those that were there when the reading began, so that nothing
 * moves under the eye. `fresh` counts what came since.
 */
export function useHeldRows<Row extends { readonly seq: number }>(
  newestFirst: readonly Row[],
  held: boolean,
): { readonly rows: readonly Row[]; readonly fresh: number } {
  const kept = useRef<readonly Row[] | undefined>(undefined);
  if (!held) kept.current = undefined;
  else kept.current ??= newestFirst;
  const rows = kept.current ?? newestFirst;
  return { rows, fresh: kept.current === undefined ? 0 : countNewer(newestFirst, kept.current[0]?.seq) };
}

/** How many of rows in falling order of seq are newer than `seq`; all of them when there was none. */
export function countNewer(
  newestFirst: readonly { readonly seq: number }[],
  seq: number | undefined,
): number {
  if (seq === undefined) return newestFirst.length;
  const at = newestFirst.findIndex((row) => row.seq <= seq);
  return at < 0 ? newestFirst.length : at;
}

/** The nearest index from `at` in direction `step` that is wanted; from the edge when nothing is chosen. */
export function nextWhere<Row>(
  rows: readonly Row[],
  at: number,
  step: 1 | -1,
  wanted: (row: Row) => boolean,
): number | undefined {
  const start = at >= 0 ? at + step : step === 1 ? 0 : rows.length - 1;
  for (let index = start; index >= 0 && index < rows.length; index += step) {
    if (wanted(rows[index] as Row)) return index;
  }
  return undefined;
}
