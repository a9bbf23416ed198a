/**
 * Runs that no line tells: as few as the writes and loose lines of a key force. Spec: docs/spec/traces.md [TR8], [TR9]
 */
import { inRun, type Place } from './placing.ts';
import {
  bounds,
  type Item,
  inferredId,
  type KeyContext,
  namesOfWoken,
  namesOfWrite,
  newRun,
  type Run,
} from './shapes.ts';
import type { EventEvidence, LineEvidence, WokenEvidence } from './traceTypes.ts';
import type { OrderedWrite } from './writeOrder.ts';

interface Sign {
  /** Place between told runs, see placing. */
  readonly place: Place;
  readonly at: number;
  readonly lo: number;
  readonly hi: number;
  readonly write: OrderedWrite | undefined;
  readonly line: Item<LineEvidence> | undefined;
  readonly event: Item<EventEvidence> | undefined;
}

/**
 * Puts each write into the run of its place and makes runs for those between runs; gives all runs in order. Loose lines that
 * fit no run of the log make one like a write does, unless the log tells every run. `events`: those that no told run can have sent.
 */
export function fillRuns(
  told: readonly Run[],
  writes: readonly OrderedWrite[],
  places: readonly Place[],
  loose: readonly Item<LineEvidence>[],
  events: readonly Item<EventEvidence>[],
  woken: readonly Item<WokenEvidence>[],
  context: KeyContext,
): Run[] {
  const signs: Sign[] = [];
  for (const [index, write] of writes.entries()) {
    const place = places[index] ?? 0;
    const k = inRun(place);
    const run = k === undefined ? undefined : told[k];
    if (run !== undefined) put(run, write, context);
    else
      signs.push({
        place,
        at: write.byReceipt ? write.hi - context.lagMs : write.lo,
        lo: write.lo,
        hi: write.hi,
        write,
        line: undefined,
        event: undefined,
      });
  }
  if (!context.facts.tellsRuns) for (const line of loose) signs.push({ ...signOf(line, told), line });
  for (const event of events) signs.push({ ...signOf(event, told), event });
  signs.sort((a, b) => a.place - b.place || a.at - b.at || seqOf(a) - seqOf(b));

  const out: Run[] = [];
  let next = 0;
  for (let k = 0; k <= told.length; k += 1) {
    const here: Sign[] = [];
    for (let sign = signs[next]; sign !== undefined && sign.place <= 2 * k; sign = signs[next]) {
      here.push(sign);
      next += 1;
    }
    out.push(...clusters(here, woken, context));
    const run = told[k];
    if (run !== undefined) out.push(run);
  }
  return out;
}

function signOf(item: Item, told: readonly Run[]): Sign {
  const { lo, hi } = item;
  return { place: placeOf(item, told), at: lo, lo, hi, write: undefined, line: undefined, event: undefined };
}

function placeOf(line: Item, told: readonly Run[]): Place {
  let place = 0;
  for (const [k, run] of told.entries()) {
    const first = run.lines[0];
    if (
      first !== undefined &&
      (first.lo < line.lo || (first.lo === line.lo && first.piece.seq < line.piece.seq))
    )
      place = 2 * k + 2;
    else break;
  }
  return place;
}

function clusters(
  signs: readonly Sign[],
  woken: readonly Item<WokenEvidence>[],
  context: KeyContext,
): readonly Run[] {
  const runs: Run[] = [];
  let last: Sign | undefined;
  for (const sign of signs) {
    let run = runs[runs.length - 1];
    if (
      run === undefined ||
      last === undefined ||
      apart(last, sign, woken, context) ||
      tellsAnew(run, sign, woken)
    ) {
      run = newRun(knownBy(sign), inferredId(context, seqOf(sign)), []);
      run.start.hi = sign.hi;
      run.end.lo = sign.at;
      runs.push(run);
    }
    if (sign.write !== undefined) put(run, sign.write, context);
    if (sign.line !== undefined) {
      run.lines.push(sign.line);
      if (run.because.length < 8) run.because.push(sign.line.piece.seq);
      run.start.hi = Math.min(run.start.hi, sign.hi);
      run.end.lo = Math.max(run.end.lo, sign.lo);
    }
    if (sign.event !== undefined) {
      run.events.push(sign.event);
      if (run.because.length < 8) run.because.push(sign.event.piece.seq);
    }
    last = sign;
  }
  return runs;
}

/** [TR9] Two runs only where something woke another in between, or nothing goes on for so long. */
function apart(a: Sign, b: Sign, woken: readonly Item<WokenEvidence>[], context: KeyContext): boolean {
  const gap = b.at - a.at;
  if (gap > bounds.twoRuns) return true;
  if (context.lives.lifeAt(a.at) !== context.lives.lifeAt(b.at)) return true;
  if (gap <= bounds.sameRun) return false;
  return woken.some((item) => item.hi >= a.at && item.lo <= b.hi);
}

/**
 * [TR9] The same status once more, after what was written of it came back and put the key into the queue: a loop, as a run tells
 * the status of its object once, when the rest is done.
 */
function tellsAnew(run: Run, sign: Sign, woken: readonly Item<WokenEvidence>[]): boolean {
  const piece = sign.write?.item.piece;
  if (sign.write === undefined || piece?.write.subresource !== 'status' || piece.write.outcome !== 'stored')
    return false;
  const told = run.writes.filter(
    ({ item: { piece: other } }) =>
      other.write.subresource === 'status' &&
      other.write.outcome === 'stored' &&
      other.write.object === piece.write.object,
  );
  const before = told[told.length - 1];
  if (before === undefined) return false;
  if (told.length >= bounds.mostTold) return true;
  const names = namesOfWrite(before.item.piece);
  const until = sign.write.hi;
  return woken.some(
    (item) => item.hi <= until && namesOfWoken(item.piece).some((name) => names.includes(name)),
  );
}

function knownBy(sign: Sign): Run['known'] {
  return sign.write !== undefined ? 'write' : sign.line !== undefined ? 'line' : 'event';
}

function seqOf(sign: Sign): number {
  return sign.write?.item.piece.seq ?? sign.line?.piece.seq ?? sign.event?.piece.seq ?? 0;
}

/** Writes come in order. A write bounds the run that made it. */
function put(run: Run, write: OrderedWrite, context: KeyContext): void {
  const { piece } = write.item;
  run.writes.push({ item: write.item, also: write.also, why: whyHere(run, piece.write.subject, piece.by) });
  if (run.known !== 'line' && run.because.length < 8) run.because.push(piece.seq);
  if (run.startKnown !== 'line') run.start.hi = Math.max(run.start.lo, Math.min(run.start.hi, write.hi));
  if (run.endKnown !== 'line') {
    const at = write.byReceipt ? write.hi - context.lagMs : write.lo;
    run.end.lo = Math.min(run.end.hi, Math.max(run.end.lo, at));
  }
}

function whyHere(run: Run, subject: string, by: string): string {
  const bare = subject.slice(subject.lastIndexOf('/') + 1);
  const named = run.lines.some(
    (line) => line.piece.names.includes(subject) || line.piece.names.includes(bare),
  );
  if (by === 'reconcileID') return 'reconcileID';
  return named ? `${by}, line` : `${by}, time`;
}
