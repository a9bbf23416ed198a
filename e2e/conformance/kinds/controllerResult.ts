import {
  type LogRecord,
  type ReconcileFailure,
  type ReconcileOutcome,
  startLogs,
  stopLogs,
} from '../../../core/queue/controller.ts';
import { ControllerSim, type RecordedCall } from '../../../core/queue/controllerSim.ts';
import { DEFAULT_CONTROLLER, DEFAULT_PRIORITY } from '../../../core/queue/rateLimiter.ts';
import { createReconcileQueue } from '../../../core/queue/reconcileQueue.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

export interface VectorOutcome {
  readonly durationNs?: number | string;
  readonly error?: string;
  readonly requeue?: boolean;
  readonly requeueAfterNs?: number | string;
  readonly priority?: number;
}

interface Script {
  readonly id: string;
  readonly queue: 'priority' | 'legacy';
  readonly initialPriority?: number;
  readonly reconciliationTimeoutNs?: number | string;
  readonly outcome: VectorOutcome;
  readonly calls: readonly object[];
  readonly logs: readonly { readonly msg: string }[];
  readonly metrics: object;
  readonly numRequeuesAfter?: number;
}

const KEY = 'ns1/obj1';
const KEEP = new Set(['priority', 'level', 'error', 'sum']);

/** controller-result: one reconcile of ns1/obj1 from Get to Done. */
export function replay(line: unknown): readonly Mismatch[] {
  const script = line as Script;
  const legacy = script.queue === 'legacy';
  const queue = createReconcileQueue<string>({
    kind: legacy ? 'classic' : 'priority',
    limiter: legacy ? DEFAULT_CONTROLLER : DEFAULT_PRIORITY,
  });
  const calls: object[] = [];
  const logs: LogRecord[] = [];
  let recording = false;
  const outcome = outcomeOf(script.outcome);
  const sim = new ControllerSim<string>({
    queue,
    workers: 1,
    reconciliationTimeoutNs: ns(script.reconciliationTimeoutNs),
    reconcile: () => outcome,
    onCall: (call) => recording && calls.push(describeCall(call)),
    onTimeline: (entry) => {
      if (entry.ev === 'end') logs.push(...entry.effects.logs);
      else {
        const got = { tNs: String(entry.atNs), method: legacy ? 'Get' : 'GetWithPriority', item: entry.key };
        calls.push(legacy ? got : { ...got, priority: entry.priority });
      }
    },
  });
  sim.add(script.initialPriority === undefined ? {} : { priority: script.initialPriority }, [KEY]);
  recording = true;
  sim.startWorkers();
  sim.advanceTo(outcome.durationNs);

  const id = script.id;
  const mismatches: Mismatch[] = [];
  compare(mismatches, { id, what: 'calls' }, script.calls, calls, KEEP);
  compare(mismatches, { id, what: 'metrics' }, script.metrics, sim.metrics.values(queue.metrics), KEEP);
  compare(mismatches, { id, what: 'numRequeuesAfter' }, script.numRequeuesAfter ?? 0, queue.numRequeues(KEY));
  compare(mismatches, { id, what: 'logs' }, script.logs, expectedLogs(script, logs), KEEP);
  return mismatches;
}

export function outcomeOf(vector: VectorOutcome): ReconcileOutcome {
  const failure = failureOf(vector.error);
  return {
    durationNs: ns(vector.durationNs),
    requeue: vector.requeue ?? false,
    requeueAfterNs: ns(vector.requeueAfterNs),
    ...(failure === undefined ? {} : { failure }),
    ...(vector.priority === undefined ? {} : { priority: vector.priority }),
  };
}

export function describeCall(call: RecordedCall<string>): { tNs: string; item: string } {
  const described = { tNs: String(call.atNs), method: call.method, item: call.key };
  const { afterNs, rateLimited, priority } = call.opts ?? {};
  const withOpts = call.method === 'AddWithOpts';
  return {
    ...described,
    ...(withOpts && rateLimited ? { rateLimited } : {}),
    ...(afterNs !== undefined && (withOpts || call.method === 'AddAfter')
      ? { afterNs: String(afterNs) }
      : {}),
    ...(withOpts && priority !== undefined ? { priority } : {}),
  };
}

/** The errors that the generator's reconciler returns. */
function failureOf(error: string | undefined): ReconcileFailure | undefined {
  switch (error) {
    case undefined:
    case '':
      return undefined;
    case 'plain':
      return { kind: 'error', message: 'boom' };
    case 'terminal':
      return { kind: 'terminal', message: 'terminal error: boom' };
    case 'terminalNil':
      return { kind: 'terminal', message: 'nil terminal error' };
    case 'wrappedTerminal':
      return { kind: 'terminal', message: 'outer: terminal error: boom' };
    case 'panic':
      return { kind: 'panic', value: 'boom' };
    default:
      throw new Error(`unknown error kind ${JSON.stringify(error)}`);
  }
}

/** The lines around the workers' life are recorded where the generator kept them: in the first script of a file. */
function expectedLogs(script: Script, reconcile: readonly LogRecord[]): readonly object[] {
  const whole = script.logs.some(({ msg }) => msg === 'Starting Controller');
  const own = reconcile.map((record) => render(record, OBJECT));
  if (!whole) return own;
  return [
    ...startLogs(1).map((record) => render(record, {})),
    ...own,
    ...stopLogs().map((record) => render(record, {})),
  ];
}

/** What a logger of controller.New (no builder) carries for a request. */
const OBJECT = {
  object: { name: 'obj1', namespace: 'ns1' },
  namespace: 'ns1',
  name: 'obj1',
  reconcileID: '<uuid>',
};

function render(record: LogRecord, fields: object): object {
  const stack = record.fields?.panic === undefined ? {} : { stacktrace: '<stacktrace>' };
  return {
    ...(record.level === 'error' ? { error: record.error } : { level: record.level }),
    msg: record.message,
    controller: '<controller>',
    ...fields,
    ...record.fields,
    ...stack,
  };
}
