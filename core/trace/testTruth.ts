/** Measures spans against what truly happened: the figures of the bars. */
import type { Span } from '../../shared/model/trace.ts';
import type { TrueRun, World } from './testOperator.ts';
import { T0 } from './testOperator.ts';

export interface Figures {
  readonly writes: number;
  /** In exactly one span of the right run: by reconcileID, else at least half of the true run's time. */
  readonly placed: number;
  /** In exactly one span of the right key. */
  readonly onKey: number;
  readonly spans: number;
  /** Spans that no run of their own stands behind. */
  readonly phantoms: number;
  readonly errors: number;
  readonly errorSpans: number;
  /** True runs, and those that a span tells. */
  readonly runs: number;
  readonly found: number;
}

export function measure(world: World, spans: readonly Span[]): Figures {
  const byVersion = new Map<string, Span[]>();
  for (const span of spans)
    for (const write of span.writeList) {
      const version = write.resourceVersion ?? '';
      byVersion.set(version, [...(byVersion.get(version) ?? []), span]);
    }
  let writes = 0;
  let placed = 0;
  let onKey = 0;
  for (const run of world.runs)
    for (const version of run.versions) {
      writes += 1;
      const [span, second] = byVersion.get(version) ?? [];
      if (span === undefined || second !== undefined || span.key !== run.key) continue;
      onKey += 1;
      if (span.reconcileId === undefined ? halfOf(span, run) : span.reconcileId === run.id) placed += 1;
    }
  const errors = world.runs.filter(isError);
  const ids = new Map(spans.map((span) => [span.id, span]));
  const found = pairs(world.runs, spans);
  return {
    writes,
    placed,
    onKey,
    spans: spans.length,
    phantoms: spans.length - found,
    errors: errors.length,
    errorSpans: errors.filter((run) => ['error', 'panic'].includes(ids.get(run.id)?.result ?? '')).length,
    runs: world.runs.length,
    found,
  };
}

function isError(run: TrueRun): boolean {
  return run.result === 'error' || run.result === 'panic';
}

function halfOf(span: Span, run: TrueRun): boolean {
  const lo = Math.max(span.start.lo, T0 + run.start);
  const hi = Math.min(span.end?.hi ?? Infinity, T0 + run.end);
  return hi - lo >= (run.end - run.start) / 2;
}

/** Most spans that can have a true run each: by reconcileID, the others by time, earliest end first. */
function pairs(runs: readonly TrueRun[], spans: readonly Span[]): number {
  let found = 0;
  const ids = new Set(spans.map((span) => span.reconcileId));
  for (const key of new Set(runs.map((run) => run.key))) {
    const truth = runs.filter((run) => run.key === key);
    found += truth.filter((run) => ids.has(run.id)).length;
    const free = truth.filter((run) => !ids.has(run.id)).sort((a, b) => a.start - b.start);
    const inferred = spans
      .filter((span) => span.key === key && span.reconcileId === undefined)
      .sort((a, b) => (a.end?.hi ?? Infinity) - (b.end?.hi ?? Infinity));
    for (const span of inferred) {
      const slack = 5;
      const at = free.findIndex(
        (run) =>
          T0 + run.end >= span.start.lo - slack && T0 + run.start <= (span.end?.hi ?? Infinity) + slack,
      );
      if (at < 0) continue;
      free.splice(at, 1);
      found += 1;
    }
  }
  return found;
}
