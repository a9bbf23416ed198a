/**
 * Runs that the log itself tells: every reconcileID is one, and so is every end of a run that bears none. Spec:
 * docs/spec/traces.md [TR2]–[TR5]
 */
import {
  bounds,
  clip,
  compareLines,
  type Item,
  inferredId,
  type KeyContext,
  newRun,
  type Run,
} from './shapes.ts';
import type { LineEvidence } from './traceTypes.ts';

export interface KnownRuns {
  /** In the order in which they were. */
  readonly runs: Run[];
  /** Lines without a reconcileID that no told run can hold. */
  readonly loose: readonly Item<LineEvidence>[];
}

/** `lines` of one key in any order. */
export function knownRuns(lines: readonly Item<LineEvidence>[], context: KeyContext): KnownRuns {
  const byId = new Map<string, Run>();
  const runs: Run[] = [];
  const anonymous: Item<LineEvidence>[] = [];
  /** Lines without an id since the last end of a run without one. */
  const since: Item<LineEvidence>[] = [];
  let open: Run | undefined;
  for (const item of lines.toSorted(compareLines)) {
    const { reconcileId, says, seq } = item.piece;
    if (reconcileId !== undefined) {
      let run = byId.get(reconcileId);
      if (run === undefined) {
        run = newRun('line', reconcileId, []);
        run.reconcileId = reconcileId;
        byId.set(reconcileId, run);
        runs.push(run);
      }
      take(run, item);
    } else if (says === 'started') {
      open = newRun('line', inferredId(context, seq), []);
      runs.push(open);
      take(open, item);
    } else if (says === 'ended') {
      const run = open ?? newRun('line', inferredId(context, seq), []);
      if (open === undefined) {
        runs.push(run);
        for (const own of endingWith(item, since)) take(run, own);
      }
      take(run, item);
      open = undefined;
      anonymous.push(...since.splice(0));
    } else if (open !== undefined) take(open, item);
    else since.push(item);
  }
  anonymous.push(...since);
  for (const run of runs) bound(run);
  runs.sort(compareRuns);
  tighten(runs);
  return { runs, loose: anonymous.filter((item) => !heldByRun(item, runs)) };
}

/** [TR4] The last of `lines`, taken out of them: those that lead up to the end of a run whose start nobody told. */
function endingWith(end: Item<LineEvidence>, lines: Item<LineEvidence>[]): readonly Item<LineEvidence>[] {
  let from = lines.length;
  let next = end;
  for (let line = lines[from - 1]; line !== undefined; line = lines[from - 1]) {
    if (line.piece.source !== end.piece.source || next.lo - line.hi > bounds.sameRun) break;
    from -= 1;
    next = line;
  }
  return lines.splice(from);
}

function take(run: Run, item: Item<LineEvidence>): void {
  run.lines.push(item);
  if (run.because.length < 8) run.because.push(item.piece.seq);
  const { says, result, error, afterMs } = item.piece;
  if (says === 'started') run.startLine ??= item;
  if (says !== 'ended') return;
  // A recovered panic is told twice: as itself, then as the error it became; lines come in order.
  run.endLine = item;
  if (run.result !== 'panic' && result !== undefined) run.result = result;
  run.error = error ?? run.error;
  run.afterMs = afterMs ?? run.afterMs;
}

function bound(run: Run): void {
  const first = run.lines[0];
  const last = run.lines[run.lines.length - 1];
  if (first === undefined || last === undefined) return;
  let { lo, hi } = first;
  for (const line of run.lines) {
    hi = Math.min(hi, line.hi);
    lo = Math.min(lo, line.lo);
  }
  if (run.startLine !== undefined) {
    run.start = { lo: run.startLine.lo, hi: run.startLine.hi };
    run.startKnown = 'line';
  } else run.start = { lo: -Infinity, hi };
  const latest = Math.max(...run.lines.slice(-64).map((line) => line.lo));
  if (run.endLine !== undefined) {
    run.end = { lo: Math.max(run.endLine.lo, run.start.lo), hi: run.endLine.hi };
    run.endKnown = 'line';
    if (run.end.hi < run.end.lo) run.end.hi = run.end.lo;
  } else run.end = { lo: latest, hi: Infinity };
}

/** Runs of one key never overlap: by their first line; a source of whole seconds is ordered by its lines. */
export function compareRuns(a: Run, b: Run): number {
  const left = a.lines[0];
  const right = b.lines[0];
  if (left !== undefined && right !== undefined) return compareLines(left, right);
  return a.start.hi - b.start.hi || (a.id < b.id ? -1 : 1);
}

/** [TR5] One after the other: each ends before the next one starts. */
export function tighten(runs: readonly Run[]): void {
  for (let index = 1; index < runs.length; index += 1) {
    const before = runs[index - 1];
    const run = runs[index];
    if (before === undefined || run === undefined) continue;
    clip(run.start, Math.max(before.start.lo, before.end.lo), Infinity);
    clip(run.end, run.start.lo, Infinity);
  }
  for (let index = runs.length - 2; index >= 0; index -= 1) {
    const run = runs[index];
    const next = runs[index + 1];
    if (run === undefined || next === undefined) continue;
    clip(run.end, -Infinity, Math.max(next.start.hi, run.end.lo));
    clip(run.start, -Infinity, run.end.hi);
  }
}

/** [TR4] A line without an id belongs to the run that was going on: after its first line, before its end. */
function heldByRun(item: Item<LineEvidence>, runs: readonly Run[]): boolean {
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    const first = run?.lines[0];
    if (run === undefined || first === undefined) continue;
    if (compareLines(first, item) > 0) continue;
    if (run.endLine !== undefined && compareLines(run.endLine, item) < 0) return false;
    const last = run.lines[run.lines.length - 1] ?? first;
    if (run.endLine === undefined && item.lo - last.hi > bounds.sameRun) return false;
    run.lines.push(item);
    run.lines.sort(compareLines);
    if (run.endLine === undefined) run.end.lo = Math.max(run.end.lo, Math.min(item.lo, run.end.hi));
    return true;
  }
  return false;
}
