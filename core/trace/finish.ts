/** From a run in the making to the span that is shown: bounds closed, each part with its basis. Spec: docs/spec/traces.md */
import type { Basis } from '../../shared/model/basis.ts';
import { type ObjectKey, objectKey } from '../../shared/model/ids.ts';
import type {
  NextRun,
  Span,
  TraceEvent,
  TraceLine,
  TraceRead,
  TraceWrite,
  Trigger,
  TriggerType,
  Within,
} from '../../shared/model/trace.ts';
import { bounds, type KeyContext, midOf, type PlacedWrite, type Run, type RunTrigger } from './shapes.ts';

/** Of the run that followed. */
export interface NextHead {
  readonly id: string;
  readonly start: Within;
  readonly life: number;
  readonly trigger: TriggerType | undefined;
}

const mostLines = 500;
const mostVersions = 8;
const mostBecause = 8;
const log: Basis = { kind: 'reported', from: 'log' };

export function headOf(run: Run): NextHead {
  return {
    id: run.id,
    start: { lo: run.start.lo, hi: run.start.hi },
    life: run.life,
    trigger: run.triggers[0]?.type,
  };
}

/** The span of a run whose triggers are known. `next`: the run of the key after it, if there is one. */
export function finishRun(run: Run, next: NextHead | undefined, context: KeyContext): Span {
  const notes = [...run.notes];
  const end = endOf(run, next, context, notes);
  const doubt = run.lines.find(({ piece }) => piece.doubt !== undefined)?.piece.doubt;
  if (doubt !== undefined) notes.push(doubt);
  if (run.startKnown !== 'line' && run.known === 'line') notes.push('Its start was not logged.');
  for (const gap of context.gaps)
    if (gap.lo <= (end?.hi ?? run.start.hi) && gap.hi >= run.start.lo && notes.length < 8)
      notes.push(gap.text);
  const writeList = run.writes.map((write) => writeOf(write, run, end, context));
  const readList = run.reads.map((item): TraceRead => {
    return {
      at: within(item),
      seq: item.piece.seq,
      ...item.piece.read,
      basis: { kind: 'observed', from: 'audit' },
    };
  });
  const eventList = run.events.map((item): TraceEvent => {
    return {
      at: within(item),
      seq: item.piece.seq,
      ...item.piece.event,
      basis: { kind: 'observed', from: 'watch' },
    };
  });
  const triggerList = run.triggers.map((trigger, index) => triggerOf(trigger, index > 0));
  const first = triggerList[0];
  const versions = writeList
    .flatMap(({ object, resourceVersion, outcome }) =>
      outcome === 'stored' && object !== undefined && resourceVersion !== undefined
        ? [{ object, resourceVersion }]
        : [],
    )
    .slice(0, mostVersions);
  const result = end === undefined ? undefined : (run.result ?? 'unknown');
  const inferred: Basis = { kind: 'inferred', by: ruleOf(run), because: run.because.slice(0, mostBecause) };
  const nextRun = nextOf(run, next, context);
  return {
    id: run.id,
    controller: context.controller,
    key: context.key,
    object: objectOf(context),
    start: { lo: run.start.lo, hi: run.start.hi },
    ...(end === undefined ? {} : { end }),
    ...(result === undefined ? {} : { result }),
    ...(run.error === undefined ? {} : { error: firstLine(run.error) }),
    ...(run.reconcileId === undefined ? {} : { reconcileId: run.reconcileId }),
    failures: run.failures,
    ...(run.waitMs === undefined ? {} : { waitMs: run.waitMs }),
    ...(end === undefined
      ? {}
      : {
          durationMs: {
            lo: Math.max(0, end.lo - run.start.hi),
            hi: Math.max(0, end.hi - run.start.lo) + unsureOf(run),
          },
        }),
    triggers: triggerList.length,
    ...(first === undefined
      ? {}
      : {
          trigger: {
            type: first.type,
            text: first.text,
            ...(first.subject === undefined ? {} : { subject: first.subject }),
            ...(first.writer === undefined ? {} : { writer: first.writer }),
            basis: first.basis,
          },
        }),
    writes: writeList.filter((write) => write.outcome === 'stored').length,
    notStored: writeList.filter((write) => write.outcome !== 'stored').length,
    reads: readList.length,
    events: eventList.length,
    lines: run.lines.length,
    ...(versions.length === 0 ? {} : { versions }),
    basis: run.lines.length > 0 ? log : inferred,
    provisional: settledAt(run, end) > context.watermark,
    revision: 0,
    startBasis: run.startKnown === 'line' ? log : { ...inferred, by: 'start' },
    ...(end === undefined
      ? {}
      : { endBasis: run.endKnown === 'line' ? log : ({ ...inferred, by: 'end' } as const) }),
    ...(result === undefined
      ? {}
      : { resultBasis: run.endKnown === 'line' ? log : ({ ...inferred, by: 'result' } as const) }),
    triggerList,
    readList,
    readsObservable: context.readsObservable,
    cache: [],
    writeList,
    eventList,
    lineList: run.lines.slice(0, mostLines).map(({ lo, hi, piece }): TraceLine => {
      const { seq, level, text } = piece;
      return { at: { lo, hi }, seq, ...(level === undefined ? {} : { level }), text };
    }),
    ...(nextRun === undefined ? {} : { next: nextRun }),
    life: run.life,
    ...(run.leader === undefined ? {} : { leader: run.leader }),
    notes,
  };
}

/** [TR28] Lines that are known by their receipt were written some ms before: two of them are no exact length. */
function unsureOf(run: Run): number {
  return run.startKnown !== 'line' && run.endLine !== undefined && !run.endLine.piece.ownClock
    ? bounds.receiptSlack
    : 0;
}

/** When nothing that is provisional about it is left. */
export function settledAt(run: Pick<Run, 'start'>, end: Within | undefined): number {
  return end === undefined ? Infinity : Math.max(end.hi, run.start.hi);
}

function ruleOf(run: Run): string {
  switch (run.known) {
    case 'write':
      return 'writes';
    case 'line':
      return 'lines';
    case 'event':
      return 'events';
    default:
      return run.known;
  }
}

/** [TR7] */
function endOf(
  run: Run,
  next: NextHead | undefined,
  context: KeyContext,
  notes: string[],
): Within | undefined {
  if (run.endKnown === 'line') return { lo: run.end.lo, hi: Math.max(run.end.lo, run.end.hi) };
  const lo = Math.max(run.end.lo, run.start.lo);
  const death = context.lives.endOf(run.life);
  const limit = Math.max(lo, Math.min(next?.start.hi ?? Infinity, death?.at ?? Infinity));
  if (context.facts.tellsEnds && run.lines.length > 0) {
    if (limit === Infinity) return undefined;
    notes.push(
      death !== undefined && death.at <= (next?.start.hi ?? Infinity)
        ? 'The process ended while it ran.'
        : 'Its end was not logged.',
    );
    return { lo, hi: limit };
  }
  notes.push('Nothing tells when it ended.');
  return { lo, hi: Math.max(lo, Math.min(limit, Math.max(lo, run.start.hi) + bounds.quietEnd)) };
}

function writeOf(placed: PlacedWrite, run: Run, end: Within | undefined, context: KeyContext): TraceWrite {
  const { piece, lo, hi } = placed.item;
  const at = { lo, hi };
  if (!piece.ownClock) {
    // Some ms before our receipt, inside its run.
    at.lo = Math.min(hi, Math.max(run.start.lo, hi - 2 * context.lagMs - bounds.receiptSlack));
    at.hi = Math.max(at.lo, Math.min(hi, end?.hi ?? hi));
  }
  const because = [piece.seq, ...placed.also.map((item) => item.piece.seq), ...run.because.slice(0, 2)];
  const basis: Basis =
    placed.why === 'reconcileID'
      ? piece.basis
      : { kind: 'inferred', by: placed.why, because: [...new Set(because)].slice(0, mostBecause) };
  return { at, seq: piece.seq, ...piece.write, basis };
}

function triggerOf(trigger: RunTrigger, collapsed: boolean): Trigger {
  const seen = trigger.item?.piece.trigger;
  const basis: Basis =
    trigger.item === undefined
      ? { kind: 'inferred', by: trigger.type, because: trigger.because.slice(0, mostBecause) }
      : { kind: 'inferred', by: 'event', because: trigger.because.slice(0, mostBecause) };
  return {
    ...(seen ?? {}),
    at: trigger.at,
    type: trigger.type,
    text: trigger.text,
    ...(trigger.seq === undefined ? {} : { seq: trigger.seq }),
    collapsed,
    basis,
  };
}

/** [TR23] What was predicted stays as it was stored; what came is told beside it. */
function nextOf(run: Run, next: NextHead | undefined, context: KeyContext): NextRun | undefined {
  const prediction = run.prediction?.piece;
  const said =
    prediction === undefined
      ? {}
      : {
          why: prediction.why,
          delayMs: prediction.delayMs,
          predicted: prediction.runsAt,
          predictionId: prediction.predictionId,
        };
  if (next === undefined) return prediction === undefined ? undefined : said;
  return { ...said, ...observedStart(next.start), span: next.id, by: byOf(run, next, context) };
}

/** A start as the run before tells of it. */
export function observedStart(start: Within): Pick<NextRun, 'observed' | 'observedWithin'> {
  const { lo, hi } = start;
  return { observed: midOf(start), ...(hi - lo <= 1 ? {} : { observedWithin: { lo, hi } }) };
}

function byOf(run: Run, next: NextHead, context: KeyContext): NonNullable<NextRun['by']> {
  if (next.life !== run.life && context.lives.endOf(run.life) !== undefined) return 'restart';
  switch (next.trigger) {
    case 'retry':
    case 'requeue':
    case 'requeue-after':
      return 'predicted';
    case undefined:
    case 'unseen':
      return 'unknown';
    default:
      return 'event';
  }
}

function objectOf(context: KeyContext): ObjectKey {
  const kind = context.facts.knobs?.kind ?? { group: '', kind: '' };
  const slash = context.key.indexOf('/');
  return objectKey({
    ...kind,
    namespace: slash < 0 ? '' : context.key.slice(0, slash),
    name: context.key.slice(slash + 1),
  });
}

function within(of: Within): Within {
  return { lo: of.lo, hi: of.hi };
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return (end < 0 ? text : text.slice(0, end)).slice(0, 300);
}
