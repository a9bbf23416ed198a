/** The lines of the Timeline of a key: its runs in time order, under each the versions that it wrote. Pure. */
import type { ObjectVersion } from '../../../shared/contract/views/objects.ts';
import type { StatusWrite } from '../../../shared/contract/views/structure.ts';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { orderRuns } from '../traces/runOrder.ts';
import { isFailure } from '../traces/spanWords.ts';
import { type TimelineRow, timelineRows } from './timelineRows.ts';

export type RunRow =
  | (Extract<TimelineRow, { kind: 'version' }> & {
      /** The run it stands under. */
      readonly run?: SpanRow;
    })
  | Extract<TimelineRow, { kind: 'refused' }>
  | { readonly kind: 'run'; readonly id: string; readonly run: SpanRow };

/** Within this of a run, a refused write is one that the run already tells of: the two came from different clocks. */
const nearMs = 1000;

/**
 * Newest first, versions strictly by time. A run stands above the last version that it names as its own; those are marked
 * with it, and whatever another wrote in between stays in between. One that the first list found stands at the time of the list. Refused
 * writes that a run tells of have no line of their own. Without runs these are the lines of timelineRows.
 */
export function timelineRuns(
  object: string,
  versions: readonly ObjectVersion[],
  writes: readonly StatusWrite[],
  total: number,
  runs: readonly SpanRow[],
): readonly RunRow[] {
  if (runs.length === 0) return timelineRows(versions, writes, total);
  const untold = writes.filter((write) => !write.refused || !runs.some((run) => tells(run, write)));
  const rows = timelineRows(versions, untold, total - (writes.length - untold.length));
  const writers = new Map<string, SpanRow>();
  for (const run of runs) {
    for (const version of run.versions ?? []) {
      if (version.object === object) writers.set(version.resourceVersion, run);
    }
  }
  const written = new Map<string, number[]>();
  const lines: { readonly at: number; readonly row: RunRow }[] = rows.map((row) => {
    if (row.kind === 'refused') return { at: row.stretch.to, row };
    const { version } = row;
    // What a list found was written before: that moment is none of the run.
    const run = version.op === 'listed' ? undefined : writers.get(version.resourceVersion);
    if (run === undefined) return { at: version.at.hi, row };
    written.set(run.id, [...(written.get(run.id) ?? []), version.at.hi]);
    return { at: version.at.hi, row: { ...row, run } };
  });
  const firstWrite = ({ id }: SpanRow) => smallest(written.get(id));
  for (const { run, at } of orderRuns(runs, firstWrite)) {
    // A run stands above the last of what it wrote; time alone orders the rest, whoever wrote in between.
    const last = Math.max(at, ...(written.get(run.id) ?? []));
    lines.push({ at: last, row: { kind: 'run', id: run.id, run } });
  }
  // What woke a run at its very moment stands below it, as the older of the two.
  lines.sort((a, b) => b.at - a.at || rankOf(b.row) - rankOf(a.row));
  return lines.map(({ row }) => row);
}

/**
 * The run that is chosen until the user chooses: the newest line where it is a run that failed, or where nothing but runs
 * is known. Else the newest version tells more.
 */
export function runChosenFirst(rows: readonly RunRow[], versions: number): string | undefined {
  // What the first list found is no change.
  const newest = rows.find((row) => row.kind !== 'version' || row.version.op !== 'listed');
  if (newest?.kind !== 'run') return undefined;
  return versions === 0 || isFailure(newest.run.result) ? newest.id : undefined;
}

function rankOf(row: RunRow): number {
  return row.kind === 'run' ? 1 : 0;
}

function smallest(times: readonly number[] | undefined): number | undefined {
  return times === undefined ? undefined : Math.min(...times);
}

function tells(run: SpanRow, write: StatusWrite): boolean {
  const end = run.end?.hi ?? Number.POSITIVE_INFINITY;
  // Without audit the run tells of it by its error.
  if (run.notStored === 0 && !isFailure(run.result)) return false;
  return write.at >= run.start.lo - nearMs && write.at <= end + nearMs;
}
