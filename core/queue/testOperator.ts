import type { LimiterFile } from '../../shared/model/limiter.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { Prediction, PredictionOutcome } from '../../shared/model/queue.ts';
import type { ReconcileOutcome } from './controller.ts';
import { ControllerSim } from './controllerSim.ts';
import { msFromNs, nsFromMs } from './duration.ts';
import { limiterSpecFromFile } from './limiterSpec.ts';
import { createReconcileQueue, type QueueKind } from './reconcileQueue.ts';
import { ShadowQueue } from './shadowQueue.ts';
import type { QueueOp, ReconcileEnded } from './shadowTypes.ts';

/** 2026-09-21: simulated times are wall times, as in life. */
export const T0 = 1_790_000_000_000;

/** What reaches the shadow, and when. */
export type Received = { readonly precisionMs?: number } & (
  | { readonly what: 'event'; readonly at: number; readonly key: string }
  | { readonly what: 'start'; readonly at: number; readonly key: string }
  | {
      readonly what: 'end';
      readonly at: number;
      readonly key: string;
      readonly result: ReconcileEnded['result'];
      readonly afterMs?: number;
    }
);

export interface OperatorScript {
  readonly kind: QueueKind;
  readonly limiter: LimiterFile;
  readonly workers: number;
  readonly keys: readonly string[];
  readonly lengthMs: number;
  readonly random: () => number;
  readonly reconcile: (key: string, attempt: number, atMs: number) => ReconcileOutcome;
  /** Events after the start, ms from the start. `seen`: reaches us; `wakes`: reaches the operator's queue. */
  readonly events?: readonly {
    readonly at: number;
    readonly key: string;
    readonly seen: boolean;
    readonly wakes: boolean;
  }[];
  /** Which lines the log has. */
  readonly lines: 'errors' | 'all';
  /** Largest delay from the operator to us, of a line and of an event. Order within the log is kept. */
  readonly lagMs: number;
}

/** Runs the exact controller on virtual time and answers what a log tail and a watch would have received, in order. */
export function runOperator(script: OperatorScript): readonly Received[] {
  const spec = limiterSpecFromFile(script.limiter, script.kind);
  if (!spec.ok) throw new Error(spec.error);
  const lines: Received[] = [];
  let lastLine = 0;
  const line = (received: Received) => {
    lastLine = Math.max(lastLine, received.at + script.random() * script.lagMs);
    lines.push({ ...received, at: lastLine });
  };
  const sim = new ControllerSim<string>({
    queue: createReconcileQueue<string>({ kind: script.kind, limiter: spec.value, startNs: nsFromMs(T0) }),
    workers: script.workers,
    reconcile: (key, attempt, atNs) => script.reconcile(key, attempt, msFromNs(atNs)),
    onTimeline: (entry) => {
      const at = msFromNs(entry.atNs);
      const { key } = entry;
      if (entry.ev === 'start') {
        if (script.lines === 'all') line({ what: 'start', at, key });
        return;
      }
      const result = resultOf(entry.outcome);
      const after = entry.outcome.requeueAfterNs;
      const rest = after === undefined ? {} : { afterMs: msFromNs(after) };
      if (script.lines === 'all' || result === 'error') line({ what: 'end', at, key, result, ...rest });
    },
  });
  sim.add(script.kind === 'priority' ? { priority: -100 } : {}, script.keys);
  sim.startWorkers();
  const events: Received[] = [];
  for (const event of (script.events ?? []).toSorted((a, b) => a.at - b.at)) {
    const at = T0 + event.at;
    sim.advanceTo(nsFromMs(at));
    if (event.wakes) sim.add({}, [event.key]);
    if (event.seen) events.push({ what: 'event', at: at + script.random() * script.lagMs, key: event.key });
  }
  sim.advanceTo(nsFromMs(T0 + script.lengthMs));
  return [...lines, ...events].sort((a, b) => a.at - b.at);
}

export interface Watched {
  readonly shadow: ShadowQueue;
  readonly predictions: Prediction[];
  readonly outcomes: PredictionOutcome[];
  readonly ops: QueueOp[];
}

/**
 * Lets a shadow watch what was received. `from`: attached that many ms after the operator's start (0: from the start).
 * `readLate`: how many ms after its receipt the next fact is read, while the queue's time goes on.
 */
export function watchOperator(
  script: OperatorScript,
  received: readonly Received[],
  from = 0,
  readLate: () => number = () => 0,
): Watched {
  const watched = {
    predictions: [] as Prediction[],
    outcomes: [] as PredictionOutcome[],
    ops: [] as QueueOp[],
  };
  const shadow = new ShadowQueue({
    profile: profileOf(script),
    at: T0 + from,
    evidence: script.lines,
    onPrediction: (prediction) => watched.predictions.push(prediction),
    onOutcome: (outcome) => watched.outcomes.push(outcome),
    onOp: (op) => watched.ops.push(op),
  });
  if (from === 0) {
    shadow.processStarted({ at: T0, initialKeys: script.keys });
    shadow.workersStarted({ at: T0 });
  }
  const basis = { kind: 'reported', from: 'log' } as const;
  for (const [seq, fact] of received.entries()) {
    if (fact.at < T0 + from) continue;
    const { at, key } = fact;
    const { precisionMs = 0 } = fact;
    shadow.advanceTo(at + readLate());
    if (fact.what === 'event')
      shadow.enqueue({ key, at, cause: { subject: undefined, text: 'Database MODIFIED', kind: 'event' } });
    else if (fact.what === 'start') shadow.reconcileStarted({ key, at, seq, basis, precisionMs });
    else
      shadow.reconcileEnded({
        key,
        at,
        seq,
        basis,
        precisionMs,
        result: fact.result,
        ...(fact.afterMs === undefined ? {} : { afterMs: fact.afterMs }),
      });
  }
  shadow.advanceTo(T0 + script.lengthMs + 5_000);
  return { shadow, ...watched };
}

export function profileOf(script: Pick<OperatorScript, 'kind' | 'limiter' | 'workers'>): ControllerProfile {
  const known = <T>(value: T) => ({ value, basis: { kind: 'observed', from: 'file' } as const, why: 'test' });
  return {
    name: 'database',
    for: known('databases.db.example.com'),
    owns: known([]),
    watches: known([]),
    predicates: known([]),
    queue: known(script.kind),
    limiter: known(script.limiter),
    maxConcurrentReconciles: known(script.workers),
  };
}

function resultOf(outcome: ReconcileOutcome): ReconcileEnded['result'] {
  if (outcome.failure !== undefined) return outcome.failure.kind === 'terminal' ? 'terminal' : 'error';
  if ((outcome.requeueAfterNs ?? 0n) > 0n) return 'requeueAfter';
  return outcome.requeue ? 'requeue' : 'success';
}
