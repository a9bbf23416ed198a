import type { ReconcileEffects, ReconcileResult } from './controller.ts';
import { DurationSum, type QueueMetrics } from './queueMetrics.ts';

/** A histogram as count and sum, in seconds. */
export interface HistogramValue {
  readonly count: number;
  readonly sum: number;
}

/**
 * What a controller and its queue report on /metrics, by name, without the labels `name` and `controller`.
 * Source: controller-runtime pkg/internal/controller/metrics.
 */
export class ControllerMetrics {
  activeWorkers = 0;
  private readonly workers: number;
  private readonly results = new Map<ReconcileResult, number>();
  private readonly counters = new Map<string, number>();
  private readonly reconcileTime = new DurationSum();

  constructor(workers: number) {
    this.workers = workers;
  }

  reconciled(effects: ReconcileEffects, durationNs: bigint): void {
    this.results.set(effects.result, (this.results.get(effects.result) ?? 0) + 1);
    for (const counter of effects.counters) this.counters.set(counter, (this.counters.get(counter) ?? 0) + 1);
    this.reconcileTime.observe(durationNs);
  }

  result(result: ReconcileResult): number {
    return this.results.get(result) ?? 0;
  }

  /** All values that are not zero. `queue` adds the workqueue_* family. */
  values(queue: QueueMetrics<unknown>): Readonly<Record<string, number | HistogramValue>> {
    const values: Record<string, number | HistogramValue> = {
      controller_runtime_max_concurrent_reconciles: this.workers,
      controller_runtime_active_workers: this.activeWorkers,
      controller_runtime_reconcile_time_seconds: histogram(this.reconcileTime),
      workqueue_adds_total: queue.adds,
      workqueue_retries_total: queue.retries,
      workqueue_queue_duration_seconds: histogram(queue.queueDuration),
      workqueue_work_duration_seconds: histogram(queue.workDuration),
    };
    for (const [name, value] of this.counters) values[name] = value;
    for (const [result, value] of this.results)
      values[`controller_runtime_reconcile_total{result="${result}"}`] = value;
    for (const [label, depth] of queue.depthByLabel()) values[`workqueue_depth{priority="${label}"}`] = depth;
    return Object.fromEntries(
      Object.entries(values).filter(([, value]) =>
        typeof value === 'number' ? value !== 0 : value.count !== 0,
      ),
    );
  }
}

/** The sum from whole ns, so that it does not depend on the order of the observations. */
function histogram(durations: DurationSum): HistogramValue {
  return { count: durations.count, sum: Number(durations.totalNs) / 1e9 };
}
