/**
 * Our model against what the operator's metrics report of the same stretch of time, within one life of its process. The
 * reported figures are withheld from the model: this is the only place where the two meet. Pure. Spec: docs/spec/metrics.md [MC5]–[MC7]
 */
import type { ModelCheck } from '../../shared/contract/views/traces.ts';
import type { CountInterval, CountsBetween } from '../queue/runCounts.ts';
import type { TimeInterval } from '../session/record.ts';
import type { ControllerMetrics } from '../source/metrics/controllerMetrics.ts';
import { counterSeries } from '../source/metrics/counters.ts';

/** What one scrape says of the controller. */
export interface ReportedCounts {
  /** When it was taken: our receipt, or as exactly as a file's name tells, ms. */
  readonly at: TimeInterval;
  readonly processStartedAt: number | undefined;
  readonly metrics: ControllerMetrics;
}

/** The model's side: a ShadowQueue's `runCounts`. */
export interface ModelCounts {
  /** Counts can be asked for from here on, ms. */
  readonly since: number;
  /** When the operator started, where the model was there or heard of it. */
  readonly processStartedAt: number | undefined;
  /** The log tells every run, those before we watched too. */
  readonly tellsAll: boolean;
  between(from: TimeInterval, to: TimeInterval): CountsBetween;
}

export interface ModelCheckInput {
  readonly controller: string;
  /** Of one process, in any order. */
  readonly scrapes: readonly ReportedCounts[];
  readonly model: ModelCounts | undefined;
  /** What lies later may still come, ms: the last scrape before it ends the stretch. */
  readonly settledUntil: number;
  /** Since when events are seen, ms; without it: always. */
  readonly watchedSince?: number | undefined;
}

/** What two sources say of one moment may be this much apart. */
const JITTER_MS = 2_000;
/** A process registers its metrics and its controllers start within this long, ms. */
const STARTING_MS = 600_000;

/**
 * From the start of the process, where both sides know it, else from the first scrape that the model covers, to the last
 * settled one. Without a stretch there are no rows, and `reason` says why: no-metrics, no-model, no-queue-metrics (the
 * operator reports none of these families for the controller), too-few-scrapes.
 */
export function modelCheck({
  controller,
  scrapes,
  model,
  settledUntil,
  watchedSince = Number.NEGATIVE_INFINITY,
}: ModelCheckInput): ModelCheck {
  const none = (reason: string): ModelCheck => ({ controller, rows: [], reason });
  if (scrapes.length === 0) return none('no-metrics');
  if (model === undefined) return none('no-model');
  const settled = scrapes.filter(({ at }) => at.hi <= settledUntil).sort((a, b) => a.at.lo - b.at.lo);
  const counted = settled.filter(({ metrics }) => lifeCounter(metrics) !== undefined);
  if (counted.length === 0) return none(settled.length === 0 ? 'too-few-scrapes' : 'no-queue-metrics');
  const { lives } = counterSeries(
    counted.map(({ at, processStartedAt, metrics }) => ({
      at: at.lo,
      processStartedAt,
      value: lifeCounter(metrics),
    })),
  );
  const life = lives.at(-1);
  const ofLife = counted.filter(({ at }) => life !== undefined && at.lo >= life.from);
  const last = ofLife.at(-1);
  if (life === undefined || last === undefined) return none('too-few-scrapes');

  // What woke keys before we watched is known from a log that tells every run alone.
  const since = model.tellsAll ? model.since : Math.max(model.since, watchedSince);
  const isWhole = fromStart(model, life.startedAt) && since <= (model.processStartedAt ?? since) + JITTER_MS;
  const first = isWhole ? undefined : ofLife.find(({ at }) => at.lo >= since);
  if (!isWhole && (first === undefined || first.at.lo >= last.at.lo)) return none('too-few-scrapes');
  // Everything the model knows of this life: what was added before its first line as well.
  const from = first?.at ?? { lo: Number.NEGATIVE_INFINITY, hi: Number.NEGATIVE_INFINITY };
  const counts = model.between(from, last.at);
  return {
    controller,
    from: first?.at.lo ?? model.processStartedAt ?? model.since,
    to: last.at.hi,
    rows: rowNames.map((name) => row(name, counts, grown(reading[name], first?.metrics, last.metrics), last)),
  };
}

function fromStart(model: ModelCounts, startedAt: number | undefined): boolean {
  const { processStartedAt } = model;
  if (processStartedAt === undefined || startedAt === undefined) return false;
  return processStartedAt >= startedAt - JITTER_MS && processStartedAt - startedAt < STARTING_MS;
}

type Row = ModelCheck['rows'][number];

const rowNames: readonly Row['name'][] = [
  'adds',
  'retries',
  'depth',
  'success',
  'error',
  'requeue',
  'requeue-after',
];

const reading: Readonly<Record<Row['name'], (metrics: ControllerMetrics) => number | undefined>> = {
  adds: (metrics) => metrics.adds,
  retries: (metrics) => metrics.retries,
  depth: () => undefined,
  success: (metrics) => metrics.reconciles.success,
  error: (metrics) => metrics.reconciles.error,
  requeue: (metrics) => metrics.reconciles.requeue,
  'requeue-after': (metrics) => metrics.reconciles.requeue_after,
};

function row(
  name: Row['name'],
  counts: CountsBetween,
  growth: number | undefined,
  last: ReportedCounts,
): Row {
  const { lo, hi, doubts }: CountInterval = counts[name === 'requeue-after' ? 'requeueAfter' : name];
  const reported = name === 'depth' ? depthOf(last.metrics) : growth;
  return {
    name,
    model: { lo, hi },
    ...(reported === undefined ? {} : { reported, inside: reported >= lo && reported <= hi }),
    ...(Object.keys(doubts).length === 0 ? {} : { doubts }),
  };
}

function grown(
  of: (metrics: ControllerMetrics) => number | undefined,
  first: ControllerMetrics | undefined,
  last: ControllerMetrics,
): number | undefined {
  const value = of(last);
  if (value === undefined || first === undefined) return value;
  const before = of(first);
  return before === undefined ? undefined : value - before;
}

/** A priority queue has no sample of its depth before its first item. */
function depthOf(metrics: ControllerMetrics): number | undefined {
  return metrics.depth ?? (metrics.queueKind === 'priority' ? 0 : undefined);
}

/** The counter by which lives are told apart: any that grows with the controller's work. */
function lifeCounter(metrics: ControllerMetrics): number | undefined {
  if (metrics.adds !== undefined) return metrics.adds;
  const results = Object.values(metrics.reconciles);
  return results.length === 0 ? undefined : results.reduce((sum, value) => sum + value, 0);
}
