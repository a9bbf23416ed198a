/** `loopscope trace` for people: a line a run, oldest first. What stands in one run in full is traceDetail.ts. */
import { missedBy } from '../shared/model/nextRun.ts';
import type { NextRun, Span } from '../shared/model/trace.ts';
import {
  basisLegend,
  basisMark,
  type Column,
  clockText,
  durationText,
  durationWithin,
  momentText,
  tableLines,
} from './columns.ts';
import { clean } from './output.ts';
import { inOrder } from './traceJson.ts';

export interface TraceTextOptions {
  /** Characters of the terminal; undefined: nothing is cut. */
  readonly width: number | undefined;
  /** More than one controller is shown. */
  readonly controllers: boolean;
}

/** A table and a line of totals; ends with a newline. */
export function traceText(spans: readonly Span[], options: TraceTextOptions): string {
  const ordered = inOrder(spans);
  if (ordered.length === 0) return `${totalsText(ordered)}\n`;
  const columns: readonly Column[] = [
    { title: 'START (UTC)' },
    ...(options.controllers ? [{ title: 'CONTROLLER', least: 10 }] : []),
    { title: 'KEY', least: 11 },
    { title: 'WOKEN BY', least: 14 },
    { title: 'WAIT', right: true, drop: 3 },
    { title: 'TOOK', right: true },
    { title: 'RESULT' },
    { title: 'WRITES', least: 8 },
    { title: 'NEXT', least: 12, drop: 1 },
    { title: '' },
    { title: 'ERROR', least: 12, drop: 2 },
  ];
  const rows = ordered.map((span) => [
    momentText(span.start),
    ...(options.controllers ? [span.controller] : []),
    span.key,
    wokenText(span),
    durationWithin(span.waitMs),
    span.end === undefined ? 'running' : durationWithin(span.durationMs),
    span.result ?? (span.end === undefined ? 'running' : 'unknown'),
    writesText(span),
    nextText(span.next),
    basisMark(span.basis),
    span.error ?? '',
  ]);
  return `${[...tableLines(columns, rows, options.width), '', totalsText(ordered), basisLegend].join('\n')}\n`;
}

function wokenText({ trigger, triggers }: Span): string {
  if (trigger === undefined) return '–';
  const more = triggers > 1 ? ` +${triggers - 1}` : '';
  const { writer } = trigger;
  const own =
    writer?.own !== true ? '' : writer.subresource === 'status' ? ' (own status write)' : ' (own write)';
  return `${basisMark(trigger.basis)} ${trigger.text}${own}${more}`;
}

/** `2`, `2 +1 Event`, `1, 3 not stored`. */
function writesText({ writes, notStored, events }: Span): string {
  const parts = [
    `${writes}`,
    ...(notStored > 0 ? [`${notStored} not stored`] : []),
    ...(events > 0 ? [events === 1 ? '1 Event' : `${events} Events`] : []),
  ];
  return writes === 0 && parts.length === 1 ? '–' : parts.join(', ');
}

/** When it ran next, and how far from what was predicted. */
export function nextText(next: NextRun | undefined): string {
  if (next === undefined) return '–';
  const { predicted, observed, by } = next;
  if (observed === undefined) return predicted === undefined ? '–' : `due ${clockText(predicted)}`;
  const at = next.observedWithin === undefined ? clockText(observed) : momentText(next.observedWithin);
  if (by === 'event') return `${at} by an event`;
  if (by === 'restart') return `${at} after a restart`;
  const late = missedBy(next);
  if (late === undefined) return at;
  return late === 0 ? `${at} as predicted` : `${at} (${late < 0 ? '−' : '+'}${durationText(Math.abs(late))})`;
}

/** How many runs of how many keys, and how they ended. */
export function totalsText(spans: readonly Span[]): string {
  const [first] = spans;
  if (first === undefined) return 'No reconcile was seen.';
  const keys = new Set(spans.map(({ controller, key }) => `${controller} ${key}`)).size;
  const results = new Map<string, number>();
  for (const { result, end } of spans) {
    const name = result ?? (end === undefined ? 'running' : 'unknown');
    results.set(name, (results.get(name) ?? 0) + 1);
  }
  const counts = [...results].map(([name, count]) => `${count} ${name}`).join(', ');
  const writes = spans.reduce((sum, span) => sum + span.writes, 0);
  const day = new Date(first.start.lo).toISOString().slice(0, 10);
  const runs = spans.length === 1 ? '1 run' : `${spans.length} runs`;
  return clean(
    `${runs} of ${keys === 1 ? '1 key' : `${keys} keys`} from ${day} ${clockText(first.start.lo)}: ${counts}; ${writes === 1 ? '1 write' : `${writes} writes`}.`,
  );
}
