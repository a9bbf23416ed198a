/**
 * ReportedMetrics: scrapes of the operator under debug, for its history charts and for the comparison with the model. No
 * derivation reads them: what the model states must be its own.
 */

import { modelCheck, type ReportedCounts } from '../metrics/modelCheck.ts';
import { createMetricsHistory } from '../metrics/series.ts';
import type { MetricsFact } from '../session/facts.ts';
import type { SessionLog } from '../session/record.ts';
import { operatorMetrics } from '../source/metrics/controllerMetrics.ts';
import type { Shadows } from './shadows.ts';
import type { TraceMetrics } from './tracesPort.ts';

export interface ReportedMetricsDeps {
  readonly log: Pick<SessionLog, 'payload'>;
  readonly shadows: Pick<Shadows, 'runCounts'>;
  /** What lies later may not have reached us yet, ms. */
  readonly settledUntil: () => number;
  /** When the first object came, ms. */
  readonly watchedSince: () => number | undefined;
}

export interface ReportedMetrics extends TraceMetrics {
  apply(fact: MetricsFact): void;
}

/** Kept for each process; beyond it every other one of the older half goes. */
const mostScrapes = 1_000;

interface Scrape {
  readonly at: ReportedCounts['at'];
  readonly processStartedAt: number | undefined;
  readonly controllers: ReadonlyMap<string, ReportedCounts['metrics']>;
}

export function createReportedMetrics(deps: ReportedMetricsDeps): ReportedMetrics {
  const history = createMetricsHistory();
  const bySource = new Map<string, Scrape[]>();

  function scrapesOf(controller: string): readonly ReportedCounts[] {
    const ofSources = [...bySource.values()].map((scrapes) =>
      scrapes.flatMap(({ at, processStartedAt, controllers }) => {
        const metrics = controllers.get(controller);
        return metrics === undefined ? [] : [{ at, processStartedAt, metrics }];
      }),
    );
    // Of several replicas only the leader works; the others report the same families and stand still.
    const work = (scrapes: readonly ReportedCounts[]) => scrapes.at(-1)?.metrics.adds ?? 0;
    return ofSources.reduce((best, one) => (work(one) > work(best) || best.length === 0 ? one : best), []);
  }

  return {
    apply(fact) {
      const text = deps.log.payload(fact.seq);
      if (text === undefined) return;
      const source: string = fact.source;
      history.apply(text, fact.at.hi, source);
      const { controllers, processStartedAt } = operatorMetrics(text);
      const scrapes = bySource.get(source) ?? [];
      bySource.set(source, scrapes);
      scrapes.push({
        at: fact.at,
        processStartedAt,
        // Buckets are the history's matter.
        controllers: new Map(controllers.map(({ reconcileTime: _, ...rest }) => [rest.controller, rest])),
      });
      if (scrapes.length > mostScrapes)
        bySource.set(
          source,
          scrapes.filter((_, index) => index % 2 === 0 || index > mostScrapes / 2),
        );
    },
    series: (controller, slotMs) => history.series(controller, slotMs),
    modelCheck: (controller) =>
      modelCheck({
        controller,
        scrapes: scrapesOf(controller),
        model: deps.shadows.runCounts(controller),
        settledUntil: deps.settledUntil(),
        watchedSince: deps.watchedSince(),
      }),
  };
}
