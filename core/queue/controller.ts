import { assertNever } from '../../shared/base/assert.ts';
import { formatDuration } from './duration.ts';
import type { AddOpts, QueueKind, ReconcileQueue } from './reconcileQueue.ts';

/**
 * What one reconcile means for the queue, the counters and the log. Mirrors controller-runtime v0.25
 * pkg/internal/controller/controller.go, reconcileHandler. Pure: effects are values. Spec: docs/spec/controller.md
 */

/** How Reconcile failed. terminal: errors.Is(err, reconcile.TerminalError(nil)), wrapped ones too. `message` as err.Error(). */
export type ReconcileFailure =
  | { readonly kind: 'error' | 'terminal'; readonly message: string }
  | { readonly kind: 'panic'; readonly value: string };

/** What Reconcile did and returned. A panic loses the Result. */
export interface ReconcileOutcome {
  readonly durationNs: bigint;
  readonly failure?: ReconcileFailure;
  readonly requeue?: boolean;
  readonly requeueAfterNs?: bigint;
  /** Result.Priority; undefined keeps the priority the key was handed out with. */
  readonly priority?: number;
}

/** The label `result` of controller_runtime_reconcile_total. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** One call of the controller to its queue, in the words of the priority queue. */
export type QueueCall =
  | { readonly method: 'Forget' }
  | { readonly method: 'AddWithOpts'; readonly opts: AddOpts }
  | { readonly method: 'Done' };

/** Counters that a reconcile adds one to, by the name of the metric without its labels. */
export type ReconcileCounter =
  | 'controller_runtime_terminal_reconcile_errors_total'
  | 'controller_runtime_reconcile_errors_total'
  | 'controller_runtime_reconcile_panics_total'
  | 'controller_runtime_reconcile_timeouts_total';

/** A log line at V(level), or at error level. */
export interface LogRecord {
  readonly level: number | 'error';
  readonly message: string;
  /** The error's text; null for an error line that carries none. */
  readonly error?: string | null;
  readonly fields?: Readonly<Record<string, string | number>>;
}

export interface ReconcileEffects {
  readonly result: ReconcileResult;
  /** In order; Done is the last, after the counters. */
  readonly calls: readonly QueueCall[];
  readonly counters: readonly ReconcileCounter[];
  readonly logs: readonly LogRecord[];
  /** An unrecovered panic ends the process; nothing after it counts. */
  readonly processDies: boolean;
}

export interface ControllerOptions {
  /** 0: none. */
  readonly reconciliationTimeoutNs?: bigint;
  /** Default true. */
  readonly recoverPanic?: boolean;
}

const BOTH_RETURNED =
  'Warning: Reconciler returned both a result with either RequeueAfter or Requeue set and a non-nil error. RequeueAfter and Requeue will always be ignored if the error is non-nil. For more details, see: https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/reconcile#Reconciler';

/** [CT1]–[CT9] Effects of one reconcile that was handed out with `priority`. */
export function reconcileEffects(
  outcome: ReconcileOutcome,
  priority: number,
  options: ControllerOptions = {},
): ReconcileEffects {
  const counters: ReconcileCounter[] = [];
  const logs: LogRecord[] = [{ level: 5, message: 'Reconciling' }];
  const failure = outcome.failure;
  if (failure?.kind === 'panic') return panicEffects(failure.value, priority, options, logs);

  const timeoutNs = options.reconciliationTimeoutNs ?? 0n;
  if (timeoutNs > 0n && outcome.durationNs >= timeoutNs)
    counters.push('controller_runtime_reconcile_timeouts_total');
  const kept = outcome.priority ?? priority;
  if (failure !== undefined) {
    const warned = (outcome.requeueAfterNs ?? 0n) > 0n || outcome.requeue === true;
    if (warned) logs.push({ level: 0, message: BOTH_RETURNED });
    return errorEffects(failure.message, failure.kind === 'terminal', kept, counters, logs);
  }
  return resultEffects(outcome, kept, counters, logs);
}

/** [CT10] Lines around the workers' life. Source: Controller.Start. */
export function startLogs(workers: number): readonly LogRecord[] {
  return [
    { level: 0, message: 'Starting Controller' },
    { level: 0, message: 'Starting workers', fields: { 'worker count': workers } },
  ];
}

export function stopLogs(): readonly LogRecord[] {
  return [
    { level: 0, message: 'Shutdown signal received, waiting for all workers to finish' },
    { level: 0, message: 'All workers finished' },
  ];
}

/** Performs the calls on `queue`. */
export function performCalls<K>(queue: ReconcileQueue<K>, key: K, calls: readonly QueueCall[]): void {
  for (const call of calls) {
    switch (call.method) {
      case 'Forget':
        queue.forget(key);
        break;
      case 'AddWithOpts':
        queue.addWithOpts(call.opts, [key]);
        break;
      case 'Done':
        queue.done(key);
        break;
      default:
        assertNever(call);
    }
  }
}

/** [CT11] The method that an add becomes on this kind of queue. Source: priorityQueueWrapper.AddWithOpts. */
export function addMethod(
  kind: QueueKind,
  opts: AddOpts,
): 'AddWithOpts' | 'AddRateLimited' | 'AddAfter' | 'Add' {
  if (kind === 'priority') return 'AddWithOpts';
  if (opts.rateLimited) return 'AddRateLimited';
  return (opts.afterNs ?? 0n) > 0n ? 'AddAfter' : 'Add';
}

function panicEffects(
  value: string,
  priority: number,
  options: ControllerOptions,
  logs: LogRecord[],
): ReconcileEffects {
  const counters: ReconcileCounter[] = ['controller_runtime_reconcile_panics_total'];
  if (options.recoverPanic === false) {
    logs.push({ level: 0, message: `Observed a panic in reconciler: ${value}` });
    return { result: 'error', calls: [], counters, logs, processDies: true };
  }
  logs.push({ level: 'error', message: 'Observed a panic', error: null, fields: { panic: value } });
  return errorEffects(`panic: ${value} [recovered]`, false, priority, counters, logs);
}

/** [CT2] [CT3] No Forget, for a terminal error neither: earlier failures count when the key returns. */
function errorEffects(
  message: string,
  terminal: boolean,
  priority: number,
  counters: ReconcileCounter[],
  logs: LogRecord[],
): ReconcileEffects {
  if (terminal) counters.push('controller_runtime_terminal_reconcile_errors_total');
  counters.push('controller_runtime_reconcile_errors_total');
  logs.push({ level: 'error', message: 'Reconciler error', error: message });
  const again: readonly QueueCall[] = terminal
    ? []
    : [{ method: 'AddWithOpts', opts: { rateLimited: true, priority } }];
  return { result: 'error', calls: [...again, { method: 'Done' }], counters, logs, processDies: false };
}

/** [CT4] [CT5] [CT6] */
function resultEffects(
  outcome: ReconcileOutcome,
  priority: number,
  counters: readonly ReconcileCounter[],
  logs: LogRecord[],
): ReconcileEffects {
  const afterNs = outcome.requeueAfterNs ?? 0n;
  const rest = { counters, logs, processDies: false };
  if (afterNs > 0n) {
    logs.push({ level: 5, message: `Reconcile done, requeueing after ${formatDuration(afterNs)}` });
    const add: QueueCall = { method: 'AddWithOpts', opts: { afterNs, priority } };
    return { result: 'requeue_after', calls: [{ method: 'Forget' }, add, { method: 'Done' }], ...rest };
  }
  if (outcome.requeue) {
    logs.push({ level: 5, message: 'Reconcile done, requeueing' });
    const add: QueueCall = { method: 'AddWithOpts', opts: { rateLimited: true, priority } };
    return { result: 'requeue', calls: [add, { method: 'Done' }], ...rest };
  }
  logs.push({ level: 5, message: 'Reconcile successful' });
  return { result: 'success', calls: [{ method: 'Forget' }, { method: 'Done' }], ...rest };
}
