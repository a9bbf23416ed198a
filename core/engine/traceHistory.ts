/** Rate, errors and latency of a controller over time, counted from its spans, and what happened to its process. */
import type { GapRow } from '../../shared/contract/views/sources.ts';
import type { ControllerHistory, HistoryPoint, HistorySeries } from '../../shared/contract/views/traces.ts';
import type { Basis } from '../../shared/model/basis.ts';
import { recordSeq } from '../../shared/model/ids.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { Span } from '../../shared/model/trace.ts';
import type { Fact } from '../session/facts.ts';
import type { SessionLog } from '../session/record.ts';

export interface HistoryInput {
  readonly profile: OperatorProfile | undefined;
  /** Newest first. */
  readonly spans: readonly Span[];
  /** From the operator's metrics, where somebody reads them. */
  readonly metrics: (slotMs: number) => HistorySeries | undefined;
  readonly gaps: readonly GapRow[];
  readonly log: SessionLog;
}

/** Widths of a slot that read well, ms. */
const widths = [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];
const mostSlots = 240;
const marksShown = 200;

export function spansHistory(controller: string, input: HistoryInput): ControllerHistory {
  const empty = { controller, slotMs: 10_000, from: 0, to: 0, series: [], marks: [] };
  if (input.profile === undefined) return { ...empty, reason: 'choose-operator' };
  if (!input.profile.controllers.some(({ name }) => name === controller))
    return { ...empty, reason: 'no-controller' };
  const mine = input.spans.filter((span) => span.controller === controller);
  const points = input.metrics(widths[0] ?? 10_000)?.points ?? [];
  const starts = [...mine.map(({ start }) => start.lo), ...points.map(({ at }) => at)];
  if (starts.length === 0) return { ...empty, series: [], marks: [], reason: 'no-runs' };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of starts) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  for (const span of mine) last = Math.max(last, span.end?.hi ?? span.start.hi);
  const slotMs = widths.find((width) => (last - first) / width <= mostSlots) ?? widths.at(-1) ?? 3_600_000;
  const from = Math.floor(first / slotMs) * slotMs;
  const to = (Math.floor(last / slotMs) + 1) * slotMs;
  const reported = input.metrics(slotMs);
  const counted: HistorySeries = {
    from: 'spans',
    basis: basisOf(mine),
    points: count(mine, from, to, slotMs),
  };
  return {
    controller,
    slotMs,
    from,
    to,
    series: reported === undefined ? [counted] : [reported, counted],
    marks: marksOf(controller, mine, input, from),
  };
}

/** As well known as the least well known of them. */
function basisOf(spans: readonly Span[]): Basis {
  const inferred = spans.find(({ basis }) => basis.kind === 'inferred');
  return inferred?.basis ?? spans[0]?.basis ?? { kind: 'inferred', by: 'trace', because: [] };
}

function count(spans: readonly Span[], from: number, to: number, slotMs: number): readonly HistoryPoint[] {
  const slots = Array.from({ length: Math.round((to - from) / slotMs) }, () => ({
    runs: 0,
    errors: 0,
    writes: 0,
    durations: [] as number[],
  }));
  const slotAt = (at: number) =>
    slots[Math.min(slots.length - 1, Math.max(0, Math.floor((at - from) / slotMs)))];
  for (const span of spans) {
    for (const { at, outcome } of span.writeList) {
      const slot = outcome === 'stored' ? slotAt(at.hi) : undefined;
      if (slot !== undefined) slot.writes++;
    }
    const slot = span.end === undefined ? undefined : slotAt(span.end.hi);
    if (slot === undefined) continue;
    slot.runs++;
    if (span.result === 'error' || span.result === 'terminal' || span.result === 'panic') slot.errors++;
    const { durationMs } = span;
    // A duration known only to a second would draw a line that nobody measured.
    if (durationMs !== undefined && durationMs.hi - durationMs.lo <= Math.max(10, durationMs.lo))
      slot.durations.push((durationMs.lo + durationMs.hi) / 2);
  }
  return slots.map(({ runs, errors, writes, durations }, index) => {
    durations.sort((a, b) => a - b);
    const point: HistoryPoint = { at: from + index * slotMs, runs, errors, writes };
    return durations.length === 0
      ? point
      : { ...point, p50Ms: quantile(durations, 0.5), p99Ms: quantile(durations, 0.99) };
  });
}

/** `sorted` ascending, not empty. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

function marksOf(
  controller: string,
  spans: readonly Span[],
  { log, gaps }: HistoryInput,
  from: number,
): ControllerHistory['marks'] {
  const marks: ControllerHistory['marks'][number][] = [];
  for (const head of log.heads({ kinds: ['process'], from: recordSeq(1) }))
    for (const fact of (log.facts(head.seq) ?? []) as readonly Fact[])
      if (fact.fact === 'process')
        marks.push({
          at: fact.at.lo,
          kind: fact.event === 'started' ? 'start' : 'exit',
          text: processText(fact.event, fact.exitCode),
        });
  const chronological = [...spans].reverse();
  chronological.forEach((span, index) => {
    const before = chronological[index - 1];
    if (before === undefined) return;
    if (span.life !== before.life)
      marks.push({ at: span.start.lo, kind: 'start', text: `Controller ${controller} ran in a new process` });
    if (span.leader !== undefined && span.leader !== before.leader)
      marks.push({ at: span.start.lo, kind: 'leader', text: `${span.leader} leads` });
  });
  for (const gap of gaps)
    if (gap.why !== 'forbidden')
      marks.push({
        at: gap.from,
        ...(gap.to === undefined ? {} : { to: gap.to }),
        kind: 'gap',
        text: gap.text,
      });
  // What came after the last run is told too: that nothing ran and that nothing was seen are two things.
  return marks
    .filter(({ at, to, kind }) => (to ?? (kind === 'gap' ? Number.POSITIVE_INFINITY : at)) >= from)
    .sort((a, b) => a.at - b.at)
    .slice(-marksShown);
}

function processText(event: 'started' | 'exited', exitCode: number | undefined): string {
  if (event === 'started') return 'The process started';
  return exitCode === undefined ? 'The process ended' : `The process ended with code ${exitCode}`;
}
