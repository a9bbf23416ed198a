/** What a run did, in time order. Pure. */
import type {
  Span,
  TraceEvent,
  TraceLine,
  TraceRead,
  TraceWrite,
  Within,
} from '../../../shared/model/trace.ts';

export type SpanStep = { readonly id: string; readonly at: Within } & (
  | { readonly kind: 'read'; readonly read: TraceRead }
  | { readonly kind: 'write'; readonly write: TraceWrite }
  | { readonly kind: 'event'; readonly event: TraceEvent }
  | { readonly kind: 'line'; readonly line: TraceLine }
  | { readonly kind: 'end' }
);

/** Of one moment: what was read comes before what was written, and the end after all. */
const rank: Readonly<Record<SpanStep['kind'], number>> = { read: 0, write: 1, event: 2, line: 3, end: 4 };

/**
 * Reads, writes, Events and lines by the earliest they can have been, and the end of the run last: a line written as it
 * ended stands before it, and what came later than the end still stands above it, since it belongs to the run.
 */
export function spanSteps(span: Span): readonly SpanStep[] {
  const steps: SpanStep[] = [
    ...span.readList.map((read) => ({ kind: 'read' as const, id: `read ${read.seq}`, at: read.at, read })),
    ...span.writeList.map((write) => ({
      kind: 'write' as const,
      id: `write ${write.seq}`,
      at: write.at,
      write,
    })),
    ...span.eventList.map((event) => ({
      kind: 'event' as const,
      id: `event ${event.seq}`,
      at: event.at,
      event,
    })),
    ...span.lineList.map((line) => ({ kind: 'line' as const, id: `line ${line.seq}`, at: line.at, line })),
  ];
  const [first, last] = [span.lineList[0], span.lineList.at(-1)];
  // Known to the second only: the first line was written as the run began, a last one that tells of its error as it ended.
  const place = ({ at, ...step }: SpanStep) => {
    if (step.kind !== 'line') return middle(at);
    if (step.line === last && last.level === 'error') return at.hi;
    return step.line === first ? at.lo : middle(at);
  };
  steps.sort((a, b) => place(a) - place(b) || rank[a.kind] - rank[b.kind]);
  return span.end === undefined ? steps : [...steps, { kind: 'end', id: 'end', at: span.end }];
}

function middle({ lo, hi }: Within): number {
  return (lo + hi) / 2;
}

/**
 * Records that a run rests on, each once: what was refused first, then the lines that tell of its error, or else of its
 * start and end, Events, what it wrote, what woke it.
 */
export interface SpanRecord {
  readonly seq: number;
  readonly kind: 'write' | 'line' | 'trigger' | 'event';
  readonly step: TraceWrite | TraceLine | Span['triggerList'][number] | TraceEvent;
}

export function spanRecords(span: Span): readonly SpanRecord[] {
  const records: SpanRecord[] = [
    ...span.writeList
      .filter(({ outcome }) => outcome === 'refused' || outcome === 'conflict' || outcome === 'failed')
      .map((step) => ({ seq: step.seq, kind: 'write' as const, step })),
    ...tellingLines(span.lineList).map((step) => ({ seq: step.seq, kind: 'line' as const, step })),
    ...span.eventList.map((step) => ({ seq: step.seq, kind: 'event' as const, step })),
    ...span.writeList
      .filter(({ outcome }) => outcome === 'stored' || outcome === 'noChange')
      .map((step) => ({ seq: step.seq, kind: 'write' as const, step })),
    ...span.triggerList.flatMap((step) =>
      step.seq === undefined || step.type === 'unseen'
        ? []
        : [{ seq: step.seq, kind: 'trigger' as const, step }],
    ),
  ];
  const seen = new Set<number>();
  return records.filter(({ seq }) => !seen.has(seq) && seen.add(seq));
}

function tellingLines(lines: readonly TraceLine[]): readonly TraceLine[] {
  const errors = lines.filter(({ level }) => level === 'error');
  if (errors.length > 0) return errors;
  return [lines[0], lines.at(-1)].filter((line) => line !== undefined);
}
