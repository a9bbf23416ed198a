/** Builders for spans of the invented incident: what a row says follows from the lists of the span, as in the engine. */
import type { Basis } from '../../../shared/model/basis.ts';
import type { Span, SpanRow, TraceLine, TraceWrite, Trigger, Within } from '../../../shared/model/trace.ts';
import { moment } from './time.ts';

export const watch: Basis = { kind: 'observed', from: 'watch' };
export const audit: Basis = { kind: 'observed', from: 'audit' };
export const log: Basis = { kind: 'reported', from: 'log' };

export function rule(by: string, ...because: number[]): Basis {
  return { kind: 'inferred', by, because };
}

export function exact(ms: number): Within {
  return { lo: ms, hi: ms };
}

/** Records as the pictures number them: the first refusal is 160,418, the seventeenth 171,902. */
export function recordAt(time: number): number {
  return Math.round(184_213 - (moment - time) / 13.45);
}

export interface Draft {
  readonly key: string;
  readonly start: number;
  /** Absent: it still runs. */
  readonly durationMs?: number;
  readonly result?: Span['result'];
  readonly failures?: number;
  readonly waitMs?: number;
  readonly triggers: readonly Trigger[];
  readonly writes?: readonly TraceWrite[];
  readonly lines?: readonly TraceLine[];
  readonly more?: Partial<Span>;
}

/** A reconcileID that looks like one and is always the same for a run. */
function reconcileId(key: string, start: number): string {
  let state = start % 2_147_483_647;
  for (const char of key) state = (state * 31 + char.charCodeAt(0)) % 2_147_483_647;
  const hex = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(16).padStart(8, '0').slice(-8);
  };
  const all = `${hex()}${hex()}${hex()}${hex()}`;
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-9${all.slice(17, 20)}-${all.slice(20, 32)}`;
}

export function spanFrom(draft: Draft): Span {
  const { key, start, durationMs, triggers } = draft;
  const writes = draft.writes ?? [];
  const lines = draft.lines ?? [];
  const more = draft.more ?? {};
  const stored = writes.filter((write) => write.outcome === 'stored' && write.resourceVersion !== undefined);
  const logged = draft.result === 'error' || draft.result === 'terminal' || draft.result === 'panic';
  const id = logged || draft.result === undefined ? reconcileId(key, start) : undefined;
  const first = triggers.find((trigger) => !trigger.collapsed) ?? triggers[0];
  return {
    id: id ?? `database ${key} ${recordAt(start)}`,
    controller: 'database',
    key,
    object: `db.example.com/Database/${key}`,
    start: exact(start),
    ...(durationMs === undefined
      ? {}
      : { end: exact(start + durationMs), durationMs: exact(durationMs), endBasis: logged ? log : audit }),
    ...(draft.result === undefined ? {} : { result: draft.result, resultBasis: logged ? log : audit }),
    ...(id === undefined ? {} : { reconcileId: id }),
    failures: draft.failures ?? 0,
    ...(draft.waitMs === undefined ? {} : { waitMs: exact(draft.waitMs) }),
    triggers: triggers.length,
    ...(first === undefined
      ? {}
      : {
          trigger: {
            type: first.type,
            text: first.text,
            basis: first.basis,
            ...(first.subject === undefined ? {} : { subject: first.subject }),
          },
        }),
    ...(triggers.some((trigger) => trigger.writer?.own === true) ? { selfWoken: true } : {}),
    writes: writes.filter(({ outcome }) => outcome === 'stored').length,
    notStored: writes.filter(({ outcome }) => outcome !== 'stored' && outcome !== 'noChange').length,
    reads: more.readList?.length ?? 0,
    events: more.eventList?.length ?? 0,
    lines: lines.length,
    versions: stored.map(({ object = '', resourceVersion = '' }) => ({ object, resourceVersion })),
    basis: logged ? log : audit,
    provisional: start > moment - 2000,
    revision: 0,
    startBasis: logged ? rule('trace/start', recordAt(start)) : audit,
    triggerList: triggers,
    readList: [],
    readsObservable: true,
    cache: [],
    writeList: writes,
    eventList: [],
    lineList: lines,
    life: 1,
    leader: 'database-operator-7c9d8b6f5-x2kqp',
    notes: [],
    ...more,
  };
}

/** The parts of a span that its list has not. */
export function rowOf(span: Span): SpanRow {
  const {
    startBasis,
    endBasis,
    resultBasis,
    triggerList,
    readList,
    readsObservable,
    cache,
    writeList,
    eventList,
    lineList,
    next,
    life,
    leader,
    notes,
    ...row
  } = span;
  return row;
}

export function trigger(
  at: number,
  type: Trigger['type'],
  subject: string,
  text: string,
  more: Partial<Trigger> = {},
): Trigger {
  return {
    at: exact(at),
    type,
    seq: recordAt(at),
    ...(subject === '' ? {} : { subject }),
    text,
    collapsed: false,
    basis: watch,
    ...more,
  };
}

export function write(
  at: number,
  subject: string,
  verb: TraceWrite['verb'],
  outcome: TraceWrite['outcome'],
  more: Partial<TraceWrite> = {},
): TraceWrite {
  return {
    at: exact(at),
    seq: recordAt(at),
    subject,
    verb,
    subresource: '',
    outcome,
    manager: 'database-operator',
    fields: [],
    changes: 0,
    basis: audit,
    ...more,
  };
}
