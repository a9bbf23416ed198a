/** Which run a record stands in, and which one it woke: the way from a line of Events, Why or a log to its reconcile. */
import type { RecordRuns } from '../../shared/contract/views/traces.ts';
import type { Span } from '../../shared/model/trace.ts';
import { rowOf } from './traceRows.ts';

/** Spans looked at, newest first: what is older is not on any list that leads here. */
const most = 20_000;

/** `newestFirst` as the book gives them. Never throws; a record of no run gives its seq alone. */
export function recordRuns(newestFirst: readonly Span[], seq: number): RecordRuns {
  let within: Span | undefined;
  let woke: Span | undefined;
  for (const span of newestFirst.slice(0, most)) {
    if (within === undefined && stands(span, seq)) within = span;
    // The earliest run that it woke: later ones were woken again.
    if (span.triggerList.some((trigger) => trigger.seq === seq)) woke = span;
  }
  return {
    seq,
    ...(within === undefined ? {} : { within: rowOf(within) }),
    ...(woke === undefined ? {} : { woke: rowOf(woke) }),
  };
}

function stands(span: Span, seq: number): boolean {
  return [span.writeList, span.eventList, span.lineList, span.readList].some((list) =>
    list.some((item) => item.seq === seq),
  );
}
