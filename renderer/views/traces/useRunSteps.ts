import type { SpanRow } from '../../../shared/model/trace.ts';
import { useViewAction } from '../../state/viewActions.tsx';
import { nextWhere } from '../events/heldRows.ts';
import { isFailure } from './spanWords.ts';

/**
 * E and U: to the next run that failed or wrote, with Shift to the one before. `rows` newest first, so that "next" is later
 * in time; nothing chosen: from the newest back.
 */
export function useRunSteps(
  rows: readonly SpanRow[],
  selected: string | undefined,
  go: (row: SpanRow, index: number) => void,
): void {
  useViewAction('error.next', stepTo(rows, selected, -1, failed, go));
  useViewAction('error.previous', stepTo(rows, selected, 1, failed, go));
  useViewAction('write.next', stepTo(rows, selected, -1, wrote, go));
  useViewAction('write.previous', stepTo(rows, selected, 1, wrote, go));
}

/** undefined: no run is wanted. With nothing chosen both ways lead to the newest: it is where one looks first. */
function stepTo(
  rows: readonly SpanRow[],
  selected: string | undefined,
  step: 1 | -1,
  wanted: (row: SpanRow) => boolean,
  go: (row: SpanRow, index: number) => void,
): (() => void) | undefined {
  if (!rows.some(wanted)) return undefined;
  return () => {
    const index = runTo(rows, selected, step, wanted);
    const row = index === undefined ? undefined : rows[index];
    if (row !== undefined && index !== undefined) go(row, index);
  };
}

/** The index of the run that a step leads to. */
export function runTo(
  rows: readonly SpanRow[],
  selected: string | undefined,
  step: 1 | -1,
  wanted: (row: SpanRow) => boolean,
): number | undefined {
  const at = rows.findIndex(({ id }) => id === selected);
  return nextWhere(rows, at, at < 0 ? 1 : step, wanted);
}

function failed(row: SpanRow): boolean {
  return isFailure(row.result);
}

function wrote(row: SpanRow): boolean {
  return row.writes + row.notStored > 0;
}
