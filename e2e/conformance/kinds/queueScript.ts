import { createRateLimiter, type RateLimiter } from '../../../core/queue/rateLimiter.ts';
import { createReconcileQueue, type ReconcileQueue, type Taken } from '../../../core/queue/reconcileQueue.ts';
import { limiterSpec, type VectorLimiter } from '../limiterSpec.ts';
import { compare, type Mismatch, ns } from '../mismatch.ts';

interface Script {
  readonly id: string;
  readonly queue: 'client-go' | 'priority';
  readonly clock: 'fake-step' | 'virtual';
  readonly limiter: VectorLimiter;
  readonly ops: readonly Step[];
}

interface Step {
  readonly op: string;
  readonly item?: string;
  readonly items?: readonly string[];
  readonly delayNs?: number | string;
  readonly priority?: number;
  readonly rateLimited?: boolean;
  readonly out: object;
}

/** What happened during one op; emptied before the next. */
interface Heard {
  readonly got: Taken<string>[];
  readonly whenNs: bigint[];
  readonly latencyNs: bigint[];
  readonly workNs: bigint[];
}

/** A priority of 0 is a statement: the field is there whenever the queue has priorities. */
const KEEP = new Set(['priority']);

/** workqueue-fakeclock, workqueue-virtual, priorityqueue: operations on one queue and its settled state after each. */
export function replay(line: unknown): readonly Mismatch[] {
  const script = line as Script;
  const heard: Heard = { got: [], whenNs: [], latencyNs: [], workNs: [] };
  const queue = createReconcileQueue<string>({
    kind: script.queue === 'priority' ? 'priority' : 'classic',
    limiter: listening(createRateLimiter<string>(limiterSpec(script.limiter)), heard.whenNs),
    onDuration: (what, durationNs) => (what === 'queue' ? heard.latencyNs : heard.workNs).push(durationNs),
  });
  const mismatches: Mismatch[] = [];
  for (const [op, step] of script.ops.entries()) {
    apply(queue, script.clock, step, (taken) => heard.got.push(taken));
    compare(mismatches, { id: script.id, op, what: step.op }, step.out, settled(queue, step, heard), KEEP);
    for (const list of Object.values(heard)) list.length = 0;
  }
  return mismatches;
}

function apply(
  queue: ReconcileQueue<string>,
  clock: Script['clock'],
  step: Step,
  take: (taken: Taken<string>) => void,
): void {
  const item = step.item ?? '';
  const delayNs = ns(step.delayNs);
  const priority = step.priority === undefined ? {} : { priority: step.priority };
  const ops: Readonly<Record<string, () => void>> = {
    add: () => queue.add(item),
    addAfter: () => queue.addAfter(item, delayNs),
    addRateLimited: () => queue.addRateLimited(item),
    addWithOpts: () =>
      queue.addWithOpts(
        { afterNs: delayNs, rateLimited: step.rateLimited ?? false, ...priority },
        step.items ?? [],
      ),
    get: () => queue.get(take),
    done: () => queue.done(item),
    forget: () => queue.forget(item),
    numRequeues: () => {},
    step: () =>
      clock === 'virtual' ? queue.advanceTo(queue.nowNs + delayNs) : queue.jumpTo(queue.nowNs + delayNs),
    shutDown: () => queue.shutDown(),
    shutDownWithDrain: () => queue.shutDownWithDrain(),
  };
  const run = ops[step.op];
  if (run === undefined) throw new Error(`unknown op ${JSON.stringify(step.op)}`);
  run();
}

function settled(queue: ReconcileQueue<string>, step: Step, heard: Heard): object {
  const counts = ['addRateLimited', 'forget', 'numRequeues'].includes(step.op);
  return {
    nowNs: queue.nowNs,
    len: queue.len(),
    depth: queue.metrics.depth,
    adds: queue.metrics.adds,
    retries: queue.metrics.retries,
    blockedGets: queue.blockedGets,
    got: heard.got
      .map((taken) => describe(taken, queue.kind === 'priority'))
      .sort((a, b) => (a.item < b.item ? -1 : 1)),
    whenNs: heard.whenNs.map(String),
    numRequeues: counts ? queue.numRequeues(step.item ?? '') : undefined,
    latencyNs: sorted(heard.latencyNs),
    workNs: sorted(heard.workNs),
    shuttingDown: queue.shuttingDown,
    drain: queue.drain === 'none' ? undefined : queue.drain,
  };
}

function describe(
  taken: Taken<string>,
  hasPriority: boolean,
): { item: string; priority?: number; shutdown?: boolean } {
  if (taken.kind === 'shutdown') return { item: '', ...(hasPriority ? { priority: 0 } : {}), shutdown: true };
  return { item: taken.key, ...(hasPriority ? { priority: taken.priority } : {}) };
}

/** JSON numbers, as the vectors have them in arrays. */
function sorted(values: readonly bigint[]): number[] {
  return values.map(Number).sort((a, b) => a - b);
}

function listening(inner: RateLimiter<string>, whenNs: bigint[]): RateLimiter<string> {
  return {
    when(key, nowNs) {
      const delay = inner.when(key, nowNs);
      whenNs.push(delay);
      return delay;
    },
    forget: (key) => inner.forget(key),
    numRequeues: (key) => inner.numRequeues(key),
    peek: (key, nowNs) => inner.peek(key, nowNs),
    setFailures: (key, failures) => inner.setFailures(key, failures),
  };
}
