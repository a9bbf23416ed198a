import {
  addMethod,
  type ControllerOptions,
  type QueueCall,
  type ReconcileEffects,
  type ReconcileOutcome,
  reconcileEffects,
} from './controller.ts';
import { ControllerMetrics } from './controllerMetrics.ts';
import { Heap, type HeapItem } from './heap.ts';
import type { AddOpts, ReconcileQueue, Taken } from './reconcileQueue.ts';

/** Start or end of a reconcile. `attempt` counts the runs of the key from 0. */
export type TimelineEntry<K> =
  | {
      readonly ev: 'start';
      readonly atNs: bigint;
      readonly key: K;
      readonly attempt: number;
      readonly priority: number;
    }
  | {
      readonly ev: 'end';
      readonly atNs: bigint;
      readonly key: K;
      readonly attempt: number;
      readonly outcome: ReconcileOutcome;
      readonly effects: ReconcileEffects;
    };

/** A call to the queue, under the name it has on that kind of queue. */
export interface RecordedCall<K> {
  readonly atNs: bigint;
  readonly method: 'AddWithOpts' | 'AddRateLimited' | 'AddAfter' | 'Add' | 'Forget' | 'Done';
  readonly key: K;
  readonly opts?: AddOpts;
}

export interface ControllerSimOptions<K> extends ControllerOptions {
  readonly queue: ReconcileQueue<K>;
  readonly workers: number;
  /** What run number `attempt` of `key` does. Called at its start. */
  readonly reconcile: (key: K, attempt: number, atNs: bigint) => ReconcileOutcome;
  readonly onTimeline?: (entry: TimelineEntry<K>) => void;
  readonly onCall?: (call: RecordedCall<K>) => void;
}

interface Run<K> extends HeapItem {
  readonly key: K;
  readonly attempt: number;
  readonly priority: number;
  readonly startedNs: bigint;
  readonly endsNs: bigint;
  readonly order: number;
  readonly outcome: ReconcileOutcome;
}

/**
 * ControllerSim: a whole controller on virtual time: queue, workers, results. Mirrors controller-runtime v0.25
 * pkg/internal/controller/controller.go (processNextWorkItem). At one instant: keys come due, then reconciles end in the
 * order of their start, then what the owner adds. Spec: docs/spec/controller.md [CT12]–[CT15].
 */
export class ControllerSim<K> {
  readonly queue: ReconcileQueue<K>;
  readonly metrics: ControllerMetrics;
  private readonly options: ControllerSimOptions<K>;
  private readonly running = new Heap<Run<K>>((a, b) =>
    a.endsNs === b.endsNs ? a.order < b.order : a.endsNs < b.endsNs,
  );
  private readonly attempts = new Map<K, number>();
  private order = 0;

  constructor(options: ControllerSimOptions<K>) {
    this.options = options;
    this.queue = options.queue;
    this.metrics = new ControllerMetrics(options.workers);
  }

  /** Adds `keys` in one call, as an event handler does. */
  add(opts: AddOpts, keys: readonly K[]): void {
    const method = addMethod(this.queue.kind, opts);
    for (const key of keys) this.options.onCall?.({ atNs: this.queue.nowNs, method, key, opts });
    this.queue.addWithOpts(opts, keys);
  }

  /** Starts all workers now: each takes a key or waits for one. */
  startWorkers(): void {
    for (let worker = 0; worker < this.options.workers; worker += 1)
      this.queue.get((taken) => this.start(taken));
  }

  /** Runs everything that happens up to and including `nowNs`. */
  advanceTo(nowNs: bigint): void {
    for (let next = this.nextNs(); next !== undefined && next <= nowNs; next = this.nextNs()) {
      this.queue.advanceTo(next);
      for (
        let run = this.running.peek();
        run !== undefined && run.endsNs <= next;
        run = this.running.peek()
      ) {
        this.running.pop();
        this.end(run);
      }
    }
    this.queue.advanceTo(nowNs);
  }

  /** When something happens by itself next; undefined when nothing does. */
  nextNs(): bigint | undefined {
    const deadline = this.queue.nextDeadlineNs();
    const end = this.running.peek()?.endsNs;
    if (deadline === undefined || end === undefined) return deadline ?? end;
    if (deadline < end) return deadline;
    return end;
  }

  private start(taken: Taken<K>): void {
    if (taken.kind === 'shutdown') return;
    const { key, priority } = taken;
    const nowNs = this.queue.nowNs;
    const attempt = this.attempts.get(key) ?? 0;
    this.attempts.set(key, attempt + 1);
    this.metrics.activeWorkers += 1;
    this.options.onTimeline?.({ ev: 'start', atNs: nowNs, key, attempt, priority });
    const outcome = this.options.reconcile(key, attempt, nowNs);
    this.order += 1;
    const endsNs = nowNs + outcome.durationNs;
    this.running.push({
      key,
      attempt,
      priority,
      startedNs: nowNs,
      endsNs,
      order: this.order,
      outcome,
      index: -1,
    });
  }

  /** [CT12] Requeue calls first, then the counters, Done last; then the worker asks for the next key. */
  private end(run: Run<K>): void {
    const effects = reconcileEffects(run.outcome, run.priority, this.options);
    for (const call of effects.calls) {
      if (call.method !== 'Done') this.call(run.key, call);
    }
    this.metrics.reconciled(effects, this.queue.nowNs - run.startedNs);
    this.metrics.activeWorkers -= 1;
    const { key, attempt, outcome } = run;
    this.options.onTimeline?.({ ev: 'end', atNs: this.queue.nowNs, key, attempt, outcome, effects });
    if (effects.processDies) return;
    this.call(run.key, { method: 'Done' });
    this.queue.get((taken) => this.start(taken));
  }

  private call(key: K, call: QueueCall): void {
    const atNs = this.queue.nowNs;
    if (call.method === 'AddWithOpts') {
      this.add(call.opts, [key]);
      return;
    }
    this.options.onCall?.({ atNs, method: call.method, key });
    if (call.method === 'Forget') this.queue.forget(key);
    else this.queue.done(key);
  }
}
