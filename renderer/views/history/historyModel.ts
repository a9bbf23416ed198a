/** What the history charts draw: the span of time, its slots, one row for each, and the sentence about them. Pure. */
import type {
  ControllerHistory,
  HistoryPoint,
  HistorySeries,
} from '../../../shared/contract/views/traces.ts';

export type RangeName = '5m' | '1h' | 'all';
export interface Span {
  readonly from: number;
  readonly to: number;
}
/** A named range moves with the moment; a selected one stands. */
export type HistoryRange = RangeName | Span;

const rangeMs: Readonly<Record<RangeName, number>> = {
  '5m': 300_000,
  '1h': 3_600_000,
  all: Number.POSITIVE_INFINITY,
};

/** What is on screen, from the beginning of the recording to the moment at most; at least two slots wide. */
export function spanOf(range: HistoryRange, history: ControllerHistory, now: number): Span {
  const to = Math.max(history.to, now);
  const least = 2 * history.slotMs;
  if (typeof range !== 'string') {
    const from = Math.max(history.from, Math.min(range.from, to - least));
    return { from, to: Math.min(to, Math.max(range.to, from + least)) };
  }
  return { from: Math.min(to - least, Math.max(history.from, to - rangeMs[range])), to };
}

/** `span` wider or narrower by `factor` around `at`; `spanOf` keeps it inside what is known. */
export function zoomed(span: Span, factor: number, at: number): Span {
  return { from: at - (at - span.from) * factor, to: at + (span.to - at) * factor };
}

/** One slot with what each side says of it. */
export interface HistoryRow {
  /** Start of the slot. */
  readonly at: number;
  readonly metrics: HistoryPoint | undefined;
  readonly spans: HistoryPoint | undefined;
}

export interface HistoryRows {
  readonly slotMs: number;
  /** Every slot of the span, ascending; those that nothing is known of too, so that lines break there. */
  readonly rows: readonly HistoryRow[];
}

/** More slots than these say nothing more on a screen. */
const mostSlots = 360;

/** Rows of the slots inside `span`, put together in larger slots where they are too many. */
export function rowsOf(history: ControllerHistory, span: Span): HistoryRows {
  const slots = Math.ceil((span.to - span.from) / history.slotMs);
  const factor = Math.max(1, Math.ceil(slots / mostSlots));
  const slotMs = history.slotMs * factor;
  const metrics = slotted(seriesOf(history, 'metrics'), slotMs, factor);
  const spans = slotted(seriesOf(history, 'spans'), slotMs, factor);
  const rows: HistoryRow[] = [];
  for (let at = Math.floor(span.from / slotMs) * slotMs; at < span.to; at += slotMs)
    rows.push({ at, metrics: metrics.get(at), spans: spans.get(at) });
  return { slotMs, rows };
}

export function seriesOf(history: ControllerHistory, from: HistorySeries['from']): HistorySeries | undefined {
  return history.series.find((series) => series.from === from);
}

function slotted(
  series: HistorySeries | undefined,
  slotMs: number,
  factor: number,
): ReadonlyMap<number, HistoryPoint> {
  const groups = new Map<number, HistoryPoint[]>();
  for (const point of series?.points ?? []) {
    const at = Math.floor(point.at / slotMs) * slotMs;
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [point]);
    else group.push(point);
  }
  const slots = new Map<number, HistoryPoint>();
  for (const [at, group] of groups) {
    const [only] = group;
    slots.set(at, factor === 1 && only !== undefined ? only : together(at, group));
  }
  return slots;
}

/**
 * Several slots as one: counts are added; of latency and depth the highest is kept, as no quantile of a whole follows from
 * those of its parts, and a peak must not vanish by looking from afar.
 */
function together(at: number, points: readonly HistoryPoint[]): HistoryPoint {
  const runs = sum(points, ({ runs }) => runs);
  const errors = sum(points, ({ errors }) => errors);
  const writes = sum(points, ({ writes }) => writes);
  const p50Ms = highest(points, (point) => point.p50Ms);
  const p99Ms = highest(points, (point) => point.p99Ms);
  const depth = highest(points, (point) => point.depth);
  return {
    at,
    ...(runs === undefined ? {} : { runs }),
    ...(errors === undefined ? {} : { errors }),
    ...(writes === undefined ? {} : { writes }),
    ...(p50Ms === undefined ? {} : { p50Ms }),
    ...(p99Ms === undefined ? {} : { p99Ms }),
    ...(depth === undefined ? {} : { depth }),
  };
}

type Of = (point: HistoryPoint) => number | undefined;

function sum(points: readonly HistoryPoint[], of: Of): number | undefined {
  const known = points.map(of).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function highest(points: readonly HistoryPoint[], of: Of): number | undefined {
  const known = points.map(of).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** What the sentence above the charts says, of the side that counted more slots; metrics when they counted as many. */
export interface HistorySummary {
  readonly from: HistorySeries['from'];
  readonly runs: number;
  readonly errors: number;
  /** 0 … 1; undefined without a run. */
  readonly share: number | undefined;
  readonly p99Ms: number | undefined;
  readonly depth: number | undefined;
}

export function summaryOf({ rows }: HistoryRows): HistorySummary | undefined {
  const metrics = rows.flatMap((row) => (row.metrics?.runs === undefined ? [] : [row.metrics]));
  const spans = rows.flatMap((row) => (row.spans?.runs === undefined ? [] : [row.spans]));
  if (metrics.length + spans.length === 0) return undefined;
  const from = metrics.length >= spans.length * 0.9 && metrics.length > 0 ? 'metrics' : 'spans';
  const points = from === 'metrics' ? metrics : spans;
  const runs = sum(points, (point) => point.runs) ?? 0;
  const errors = sum(points, (point) => point.errors) ?? 0;
  return {
    from,
    runs: Math.round(runs),
    errors: Math.round(errors),
    share: runs === 0 ? undefined : errors / runs,
    p99Ms: highest(points, (point) => point.p99Ms),
    depth: highest(points, (point) => point.depth),
  };
}

/** Reconciles a minute. */
export function perMinute(count: number | undefined, slotMs: number): number | undefined {
  return count === undefined ? undefined : (count * 60_000) / slotMs;
}

/** Percent; undefined where no run ended. */
export function errorShare(point: HistoryPoint | undefined): number | undefined {
  if (point?.errors === undefined || point.runs === undefined || point.runs === 0) return undefined;
  return (100 * point.errors) / point.runs;
}

/** 1-2-5 steps: the smallest round number that is at least `value`, and never below `least`. */
export function niceAbove(value: number, least: number): number {
  const top = Math.max(value, least);
  const power = 10 ** Math.floor(Math.log10(top));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= top * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** The same for whole things: its half is a whole number too. */
export function evenAbove(value: number, least: number): number {
  const top = Math.max(value, least);
  return top <= 10 ? 2 * Math.ceil(top / 2) : niceAbove(top, least);
}

/** Decades that enclose the values, for a logarithmic axis; at least two. */
export function decadesOf(values: readonly number[]): readonly number[] {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 100)));
  const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(...positive, 1))));
  return Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
}

const tickSteps: readonly number[] = [1, 2, 5, 10, 15, 30]
  .map((s) => s * 1000)
  .concat([1, 2, 5, 10, 15, 30].map((m) => m * 60_000))
  .concat([1, 2, 3, 6, 12, 24].map((h) => h * 3_600_000));

/** Round local times for labels at least `every` pixels apart on an axis `width` wide. */
export function timeTicks(span: Span, width: number, every = 88): readonly number[] {
  const length = span.to - span.from;
  const least = (length * every) / Math.max(every, width);
  const step = tickSteps.find((ms) => ms >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const offset = new Date(span.from).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil((span.from - offset) / step) * step + offset; at <= span.to; at += step)
    ticks.push(at);
  return ticks;
}

type Mark = ControllerHistory['marks'][number];

/** Texts of gaps that are told with the first of them. */
const gapTexts = 3;

/**
 * Marks in order of time; gaps that overlap are one, from the first to the last of them: a lost connection blinds every watch,
 * and twenty signs in a row would say that it happened twenty times. A gap that is open lasts until `end`.
 */
export function mergedMarks(marks: readonly Mark[], end: number): readonly Mark[] {
  const sorted = [...marks].sort((a, b) => a.at - b.at);
  const out: Mark[] = sorted.filter(({ kind }) => kind !== 'gap');
  let open: { readonly first: Mark; to: number; readonly texts: string[] } | undefined;
  const close = () => {
    if (open === undefined) return;
    const more = open.texts.length - gapTexts;
    const text = open.texts.slice(0, gapTexts).join('; ') + (more > 0 ? `; +${more}` : '');
    out.push({ ...open.first, to: open.to, text });
  };
  for (const mark of sorted) {
    if (mark.kind !== 'gap') continue;
    const to = mark.to ?? Math.max(mark.at, end);
    if (open !== undefined && mark.at <= open.to) {
      open.to = Math.max(open.to, to);
      open.texts.push(mark.text);
    } else {
      close();
      open = { first: mark, to, texts: [mark.text] };
    }
  }
  close();
  return out.sort((a, b) => a.at - b.at);
}
