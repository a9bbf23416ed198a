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
 * Newest first. A version stands under a run only when the run names it; all others stand where they happened. Refused
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
  const written = new Map<string, RunRow[]>();
  const lines: { readonly at: number; readonly rows: readonly RunRow[] }[] = [];
  for (const row of rows) {
    const run = row.kind === 'version' ? writers.get(row.version.resourceVersion) : undefined;
    if (run === undefined || row.kind !== 'version') {
      lines.push({ at: row.kind === 'version' ? row.version.at.hi : row.stretch.to, rows: [row] });
      continue;
    }
    const under = written.get(run.id) ?? [];
    under.push({ ...row, run });
    written.set(run.id, under);
  }
  for (const { run, at } of orderRuns(runs, (one) => firstWrite(written.get(one.id)))) {
    const head: RunRow = { kind: 'run', id: run.id, run };
    lines.push({ at, rows: [head, ...(written.get(run.id) ?? [])] });
  }
  // What woke a run at its very moment stands below it, as the older of the two.
  lines.sort((a, b) => b.at - a.at || rankOf(b) - rankOf(a));
  return lines.flatMap((line) => line.rows);
}

/**
 * The run that is chosen until the user chooses: the newest line where it is a run that failed, or where nothing but runs
 * is known. Else the newest version tells more.
 */
export function runChosenFirst(rows: readonly RunRow[], versions: number): string | undefined {
  const [newest] = rows;
  if (newest?.kind !== 'run') return undefined;
  return versions === 0 || isFailure(newest.run.result) ? newest.id : undefined;
}

/** When the first version under a run was seen; the lines under it are newest first. */
function firstWrite(lines: readonly RunRow[] | undefined): number | undefined {
  const first = lines?.at(-1);
  return first?.kind === 'version' ? first.version.at.hi : undefined;
}

function rankOf(line: { readonly rows: readonly RunRow[] }): number {
  return line.rows[0]?.kind === 'run' ? 1 : 0;
}

function tells(run: SpanRow, write: StatusWrite): boolean {
  const end = run.end?.hi ?? Number.POSITIVE_INFINITY;
  // Without audit the run tells of it by its error.
  if (run.notStored === 0 && !isFailure(run.result)) return false;
  return write.at >= run.start.lo - nearMs && write.at <= end + nearMs;
}
