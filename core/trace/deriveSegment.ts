/** One stretch of a key's evidence to runs, given what the stretch before left behind. Spec: docs/spec/traces.md */
import type { SpanResult, Within } from '../../shared/model/trace.ts';
import { fillRuns } from './inferredRuns.ts';
import { knownRuns, tighten } from './knownRuns.ts';
import { placeWrites } from './placing.ts';
import { bounds, clip, type Item, type KeyContext, type Run } from './shapes.ts';
import type {
  EventEvidence,
  LineEvidence,
  PredictionEvidence,
  ReadEvidence,
  WokenEvidence,
  WriteEvidence,
} from './traceTypes.ts';
import { explainRuns } from './triggers.ts';
import type { Carry } from './wakers.ts';
import { type OrderedWrite, orderWrites } from './writeOrder.ts';

export interface Derived {
  readonly runs: readonly Run[];
  readonly carry: Carry;
  /** When the watermark passes this, more can be said with the same evidence. */
  readonly dueAt: number;
  /** Times from a write to its event, of writes that only one run can have made, ms. */
  readonly lags: readonly number[];
}

/** `items` in order. `last`: nothing of the key comes after them. */
export function deriveSegment(
  items: readonly Item[],
  carry: Carry,
  context: KeyContext,
  last: boolean,
): Derived {
  const parts = split(items);
  const previous = carry.last?.reconcileId;
  const lines =
    previous === undefined ? parts.line : parts.line.filter((item) => item.piece.reconcileId !== previous);
  const told = knownRuns(lines, context);
  const writes = orderWrites(parts.write, parts.event);
  const lags = lagsOf(writes, told.runs);
  const first = told.runs[0];
  if (first !== undefined && carry.last !== undefined) clip(first.start, carry.last.end.lo, Infinity);
  const places = placeWrites(writes, told.runs, parts.woken, context);
  const runs = fillRuns(
    told.runs,
    writes,
    places,
    told.loose,
    orphanEvents(parts.event, told.runs),
    parts.woken,
    context,
  );
  tighten(runs);
  placeReads(parts.read, runs);
  const explained = explainRuns(runs, parts.woken, carry, context, last);
  placeEvents(parts.event, explained.runs);
  placePredictions(parts.prediction, explained.runs);
  return {
    runs: explained.runs,
    carry: explained.carry,
    dueAt: Math.min(explained.dueAt, undecided(writes, parts.woken, context)),
    lags,
  };
}

interface Parts {
  readonly line: Item<LineEvidence>[];
  readonly write: Item<WriteEvidence>[];
  readonly woken: Item<WokenEvidence>[];
  readonly read: Item<ReadEvidence>[];
  readonly event: Item<EventEvidence>[];
  readonly prediction: Item<PredictionEvidence>[];
}

function split(items: readonly Item[]): Parts {
  const parts: Parts = { line: [], write: [], woken: [], read: [], event: [], prediction: [] };
  for (const item of items) (parts[item.piece.evidence] as unknown as Item[]).push(item);
  return parts;
}

/** The cost of a write that woke nothing is not known before the watermark passed it, see placing. */
function undecided(
  writes: readonly OrderedWrite[],
  woken: readonly Item<WokenEvidence>[],
  context: KeyContext,
): number {
  if (!context.facts.tellsRuns || woken.length === 0) return Infinity;
  let due = Infinity;
  for (const write of writes) {
    const at = write.hi + bounds.sameRun;
    if (at >= context.watermark) due = Math.min(due, at);
  }
  return due;
}

/**
 * [TR13] How long after its run's end a write was heard of at the latest, where one short run alone can have made it: a run
 * goes on until the server has answered, so that this is close to the delay. Independent of the median itself.
 */
function lagsOf(writes: readonly OrderedWrite[], runs: readonly Run[]): readonly number[] {
  const out: number[] = [];
  let k = 0;
  for (const write of writes) {
    if (!write.byReceipt) continue;
    while (k + 1 < runs.length && (runs[k + 1]?.start.lo ?? Infinity) <= write.hi) k += 1;
    const run = runs[k];
    const before = runs[k - 1];
    if (run === undefined || run.startKnown !== 'line' || run.endKnown !== 'line') continue;
    const { start, end } = run;
    if (end.hi - start.lo > 100 || start.hi - start.lo > 2 || write.hi < start.lo || write.hi > end.hi + 200)
      continue;
    if (before !== undefined && before.end.hi > start.lo - 300) continue;
    out.push(Math.max(0, write.hi - end.hi));
  }
  return out;
}

/** [TR16] By time: inside a run, else before the first sign of one whose start is not told. */
function placeReads(reads: readonly Item<ReadEvidence>[], runs: readonly Run[]): void {
  for (const item of reads) {
    const run = nearest(
      item,
      runs,
      (candidate) => distance(item, candidate, bounds.sameRun, 0),
      bounds.sameRun,
    );
    if (run === undefined) continue;
    run.reads.push(item);
    if (run.startKnown !== 'line') clip(run.start, -Infinity, item.hi);
    if (run.endKnown !== 'line') clip(run.end, Math.min(item.lo, run.end.hi), Infinity);
  }
}

function placeEvents(events: readonly Item<EventEvidence>[], runs: readonly Run[]): void {
  const placed = new Set(runs.flatMap((run) => run.events));
  for (const item of events) {
    if (placed.has(item)) continue;
    const run = nearest(
      item,
      runs,
      (one) => distance(item, one, bounds.sameRun, bounds.eventLag),
      bounds.eventLag,
    );
    if (run !== undefined) sender(item, run, runs).events.push(item);
  }
}

/**
 * Of runs that end and start within the resolution of the log, an Event of that moment is of the first: a run reads and
 * writes before it has something to tell.
 */
function sender(item: Item, last: Run, runs: readonly Run[]): Run {
  let run = last;
  for (let index = runs.indexOf(last) - 1; index >= 0; index -= 1) {
    const before = runs[index];
    if (before === undefined || !isUnsure(run.start, item) || !isUnsure(before.end, item)) break;
    run = before;
  }
  return run;
}

/** Whether a piece lies where a time may be; of stamps with fractions of a second alone. One of whole ms was cut to them. */
function isUnsure({ lo, hi }: Within, item: Item): boolean {
  return lo <= item.hi && item.lo < (Number.isInteger(hi) ? hi + 1 : hi) && hi - lo <= fineMs;
}

const fineMs = 10;

/** Events that no told run can have sent. */
function orphanEvents(
  events: readonly Item<EventEvidence>[],
  runs: readonly Run[],
): readonly Item<EventEvidence>[] {
  return events.filter(
    (item) =>
      !runs.some((run) => mayHaveSent(run, item)) &&
      nearest(item, runs, (run) => distance(item, run, 0, bounds.eventLag), bounds.eventLag) === undefined,
  );
}

/** Inside what is known of its times; a run whose start nobody tells may have begun a little before its first line. */
function mayHaveSent(run: Run, item: Item): boolean {
  const first = run.lines[0]?.lo ?? run.start.hi;
  const from = Math.max(run.start.lo, first - bounds.sameRun);
  return from <= item.hi && item.lo <= Math.max(run.start.hi, run.end.lo);
}

/** How far a piece lies from a run, ms; up to `before` ahead of its first sign or `after` past its end it may be its own. */
function distance(item: Item, run: Run, before: number, after: number): number {
  const start = run.startKnown === 'line' ? run.start.lo : run.start.hi;
  const end = run.endKnown === 'line' ? run.end.hi : Math.max(run.end.lo, start);
  if (item.hi < start) return run.startKnown === 'line' ? Infinity : before > 0 ? start - item.hi : Infinity;
  if (item.lo <= end) return 0;
  return after > 0 || run.endKnown !== 'line' ? item.lo - end : Infinity;
}

/** The last of the nearest ones. Runs in order, so that looking stops early. */
function nearest(
  item: Item,
  runs: readonly Run[],
  away: (run: Run) => number,
  most: number,
): Run | undefined {
  let best: Run | undefined;
  let bestAway = most;
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined) continue;
    const far = away(run);
    if (far < bestAway || (best === undefined && far <= bestAway)) {
      best = run;
      bestAway = far;
    }
    if (run.end.lo < item.lo - most - 10_000) break;
  }
  return best;
}

/** [TR23] By the record that caused it, else the last run that was over when it was made. */
function placePredictions(predictions: readonly Item<PredictionEvidence>[], runs: readonly Run[]): void {
  for (const item of predictions) {
    const { becauseSeq } = item.piece;
    const byLine =
      becauseSeq === undefined
        ? undefined
        : runs.find((run) => run.lines.some((line) => line.piece.seq === becauseSeq));
    const run =
      byLine ?? runs.findLast((candidate) => candidate.end.lo <= item.hi && mayWait(candidate.result));
    if (run !== undefined && (run.prediction === undefined || byLine !== undefined)) run.prediction = item;
  }
}

function mayWait(result: SpanResult | undefined): boolean {
  return result !== 'success' && result !== 'terminal';
}
