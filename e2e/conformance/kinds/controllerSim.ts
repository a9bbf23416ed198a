import { ControllerSim } from '../../../core/queue/controllerSim.ts';
import { DEFAULT_CONTROLLER, DEFAULT_PRIORITY } from '../../../core/queue/rateLimiter.ts';
import { type AddOpts, createReconcileQueue } from '../../../core/queue/reconcileQueue.ts';
import { limiterSpec, type VectorLimiter } from '../limiterSpec.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';
import { describeCall, outcomeOf, type VectorOutcome } from './controllerResult.ts';

interface VectorAdd {
  readonly atNs?: number | string;
  readonly items: readonly string[];
  readonly priority?: number;
  readonly afterNs?: number | string;
  readonly rateLimited?: boolean;
}

interface Script {
  readonly id: string;
  readonly queue: 'priority' | 'legacy';
  readonly workers: number;
  readonly limiter?: VectorLimiter;
  readonly beforeWorkers: readonly VectorAdd[] | null;
  readonly adds: readonly VectorAdd[] | null;
  readonly outcomes: Readonly<Record<string, readonly VectorOutcome[]>>;
  readonly horizonNs: number | string;
  readonly timeline: readonly object[];
  readonly lenSamples: readonly object[];
  readonly calls: readonly object[];
  readonly numRequeuesAtHorizon: Readonly<Record<string, number>>;
  readonly metrics: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly tNs: string;
  readonly item: string;
}

const KEEP = new Set(['priority', 'attempt', 'tNs', 'sum']);

/** controller-sim: a whole controller with workers on virtual time. */
export function replay(line: unknown): readonly Mismatch[] {
  const script = line as Script;
  const legacy = script.queue === 'legacy';
  const byDefault = legacy ? DEFAULT_CONTROLLER : DEFAULT_PRIORITY;
  const queue = createReconcileQueue<string>({
    kind: legacy ? 'classic' : 'priority',
    limiter: script.limiter === undefined ? byDefault : limiterSpec(script.limiter),
  });
  const timeline: (Entry & { readonly ev: 'start' | 'end'; readonly attempt: number })[] = [];
  const calls: Entry[] = [];
  const lenSamples: object[] = [];
  const sim = new ControllerSim<string>({
    queue,
    workers: script.workers,
    reconcile: (key, attempt) => {
      const outcomes = script.outcomes[key] ?? [];
      const vector = outcomes[Math.min(attempt, outcomes.length - 1)];
      if (vector === undefined) throw new Error(`no outcome for ${key}`);
      return outcomeOf(vector);
    },
    onCall: (call) => calls.push(describeCall(call)),
    onTimeline: ({ ev, atNs, key, attempt, ...rest }) => {
      const priority = ev === 'start' && !legacy && 'priority' in rest ? { priority: rest.priority } : {};
      timeline.push({ tNs: String(atNs), ev, item: key, attempt, ...priority });
    },
  });
  for (const add of script.beforeWorkers ?? []) sim.add(optsOf(add, legacy), add.items);
  sim.startWorkers();
  sim.advanceTo(0n);
  lenSamples.push({ tNs: '0', len: queue.len() });
  for (const add of script.adds ?? []) {
    sim.advanceTo(ns(add.atNs));
    sim.add(optsOf(add, legacy), add.items);
    sim.advanceTo(ns(add.atNs));
    lenSamples.push({ tNs: String(ns(add.atNs)), len: queue.len() });
  }
  sim.advanceTo(ns(script.horizonNs));
  lenSamples.push({ tNs: String(ns(script.horizonNs)), len: queue.len() });

  const id = script.id;
  const mismatches: Mismatch[] = [];
  const requeues = Object.fromEntries(
    Object.keys(script.outcomes).map((key) => [key, queue.numRequeues(key)]),
  );
  const order = (entry: { readonly ev: 'start' | 'end' }) => (entry.ev === 'end' ? 0 : 1);
  timeline.sort((a, b) => byTime(a, b) || order(a) - order(b) || byItem(a, b));
  calls.sort((a, b) => byTime(a, b) || byItem(a, b));
  compare(mismatches, { id, what: 'timeline' }, script.timeline, timeline, KEEP);
  compare(mismatches, { id, what: 'calls' }, script.calls, calls, KEEP);
  compare(mismatches, { id, what: 'lenSamples' }, script.lenSamples, lenSamples, KEEP);
  compare(mismatches, { id, what: 'numRequeuesAtHorizon' }, script.numRequeuesAtHorizon, requeues);
  compare(
    mismatches,
    { id, what: 'metrics' },
    script.metrics,
    recorded(script.metrics, sim.metrics.values(queue.metrics)),
    KEEP,
  );
  return mismatches;
}

function optsOf(add: VectorAdd, legacy: boolean): AddOpts {
  return {
    ...(add.afterNs === undefined ? {} : { afterNs: ns(add.afterNs) }),
    ...(add.rateLimited ? { rateLimited: true } : {}),
    ...(add.priority === undefined || legacy ? {} : { priority: add.priority }),
  };
}

/** The generator leaves the sum of reconcile_time_seconds out of these scripts (it comes from a real clock there). */
function recorded(
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
): object {
  return Object.fromEntries(
    Object.entries(got).map(([name, value]) => {
      const wanted = expected[name];
      const countOnly = typeof wanted === 'object' && wanted !== null && !('sum' in wanted);
      const count = typeof value === 'object' && value !== null && 'count' in value ? value.count : undefined;
      return [name, countOnly ? { count } : value];
    }),
  );
}

function byTime(a: Entry, b: Entry): number {
  const difference = BigInt(a.tNs) - BigInt(b.tNs);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function byItem(a: Entry, b: Entry): number {
  return a.item < b.item ? -1 : a.item > b.item ? 1 : 0;
}
