import { expect, test } from 'vitest';
import {
  addMethod,
  performCalls,
  type QueueCall,
  type ReconcileOutcome,
  reconcileEffects,
} from './controller.ts';
import { ControllerSim, type TimelineEntry } from './controllerSim.ts';
import { DEFAULT_PRIORITY } from './rateLimiter.ts';
import { createReconcileQueue } from './reconcileQueue.ts';
import { pick, seededRandom } from './testRandom.ts';

const MS = 1_000_000n;
const took = { durationNs: 2n * MS };

function methods(calls: readonly QueueCall[]): string[] {
  return calls.map((call) =>
    call.method === 'AddWithOpts' ? JSON.stringify(call.opts, bigintText) : call.method,
  );
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('[CT1] [CT2] an error requeues with the limiter and the priority it had, and forgets nothing', () => {
  const effects = reconcileEffects({ ...took, failure: { kind: 'error', message: 'boom' } }, -100);
  expect(methods(effects.calls)).toEqual(['{"rateLimited":true,"priority":-100}', 'Done']);
  expect(effects.counters).toEqual(['controller_runtime_reconcile_errors_total']);
  expect(effects.logs.at(-1)).toEqual({ level: 'error', message: 'Reconciler error', error: 'boom' });
  const own = reconcileEffects({ ...took, priority: 5, failure: { kind: 'error', message: 'boom' } }, -100);
  expect(methods(own.calls)).toEqual(['{"rateLimited":true,"priority":5}', 'Done']);
});

test('[CT3] a terminal error is not requeued and not forgotten', () => {
  const effects = reconcileEffects(
    { ...took, failure: { kind: 'terminal', message: 'terminal error: boom' } },
    0,
  );
  expect(methods(effects.calls)).toEqual(['Done']);
  expect(effects.counters).toContain('controller_runtime_terminal_reconcile_errors_total');
});

test.each<[string, Omit<ReconcileOutcome, 'durationNs'>, string, string[]]>([
  [
    '[CT4] RequeueAfter before Requeue',
    { requeueAfterNs: 3n, requeue: true },
    'requeue_after',
    ['Forget', '{"afterNs":"3","priority":0}', 'Done'],
  ],
  [
    '[CT5] Requeue without Forget',
    { requeue: true },
    'requeue',
    ['{"rateLimited":true,"priority":0}', 'Done'],
  ],
  ['[CT6] success forgets', {}, 'success', ['Forget', 'Done']],
  ['[CT6] a negative RequeueAfter is none', { requeueAfterNs: -3n }, 'success', ['Forget', 'Done']],
])('%s', (_title, outcome, result, calls) => {
  const effects = reconcileEffects({ ...took, ...outcome }, 0);
  expect([effects.result, methods(effects.calls)]).toEqual([result, calls]);
});

test('[CT7] an error with RequeueAfter warns and ignores it', () => {
  const effects = reconcileEffects(
    { ...took, requeueAfterNs: 9n, failure: { kind: 'error', message: 'boom' } },
    0,
  );
  expect(effects.logs.map(({ message }) => message.slice(0, 20))).toEqual([
    'Reconciling',
    'Warning: Reconciler ',
    'Reconciler error',
  ]);
  expect(methods(effects.calls)).toEqual(['{"rateLimited":true,"priority":0}', 'Done']);
});

test('[CT8] a panic loses the result and the timeout; unrecovered it ends the process', () => {
  const panicked: ReconcileOutcome = { ...took, priority: 9, failure: { kind: 'panic', value: 'boom' } };
  const effects = reconcileEffects(panicked, 1, { reconciliationTimeoutNs: 1n });
  expect(methods(effects.calls)).toEqual(['{"rateLimited":true,"priority":1}', 'Done']);
  expect(effects.counters).toEqual([
    'controller_runtime_reconcile_panics_total',
    'controller_runtime_reconcile_errors_total',
  ]);
  expect(effects.logs.at(-1)?.error).toBe('panic: boom [recovered]');
  expect(reconcileEffects(panicked, 1, { recoverPanic: false })).toMatchObject({
    calls: [],
    processDies: true,
  });
});

test('[CT9] a timeout is counted and the result used', () => {
  const effects = reconcileEffects(took, 0, { reconciliationTimeoutNs: MS });
  expect([effects.counters, effects.result]).toEqual([
    ['controller_runtime_reconcile_timeouts_total'],
    'success',
  ]);
  expect(reconcileEffects(took, 0, { reconciliationTimeoutNs: 3n * MS }).counters).toEqual([]);
});

test('[CT11] adds take the method of the queue kind', () => {
  const opts = [{ rateLimited: true, afterNs: 5n }, { afterNs: 5n }, { afterNs: -5n }];
  expect(opts.map((one) => addMethod('classic', one))).toEqual(['AddRateLimited', 'AddAfter', 'Add']);
  expect(opts.map((one) => addMethod('priority', one))).toEqual([
    'AddWithOpts',
    'AddWithOpts',
    'AddWithOpts',
  ]);
});

test('[CT12] the requeue comes before Done, so the key is locked until then', () => {
  const queue = createReconcileQueue<string>({ kind: 'priority', limiter: DEFAULT_PRIORITY });
  queue.add('a');
  queue.tryGet();
  queue.addWithOpts({}, ['a']);
  performCalls(queue, 'a', [{ method: 'Forget' }, { method: 'AddWithOpts', opts: { afterNs: 9n } }]);
  expect(queue.ready()).toEqual([{ key: 'a', priority: 0, locked: true }]);
  performCalls(queue, 'a', [{ method: 'Done' }]);
  expect(queue.isDue('a')).toBe(true);
});

test.each(['priority', 'classic'] as const)(
  '[CT14] on a %s queue the whole initial list is queued before the first run',
  (kind) => {
    const started: string[] = [];
    const queue = createReconcileQueue<string>({ kind, limiter: DEFAULT_PRIORITY });
    const sim = new ControllerSim<string>({
      queue,
      workers: 2,
      reconcile: (key) => {
        started.push(key);
        return took;
      },
    });
    sim.add({}, ['a', 'b', 'c']);
    expect(started).toEqual([]);
    sim.startWorkers();
    expect(started).toEqual(['a', 'b']);
    sim.advanceTo(2n * MS);
    expect(started).toEqual(['a', 'b', 'c']);
  },
);

test.each([31, 32, 33, 34])(
  '[CT13] seeded walk %i: no more workers than allowed, one per key, every run ends',
  (seed) => {
    const random = seededRandom(seed);
    const kind = seed % 2 === 0 ? 'priority' : 'classic';
    const workers = 1 + (seed % 3);
    const running = new Set<string>();
    const queue = createReconcileQueue<string>({ kind, limiter: DEFAULT_PRIORITY });
    const entries: TimelineEntry<string>[] = [];
    const sim = new ControllerSim<string>({
      queue,
      workers,
      reconcile: () => randomOutcome(random),
      onTimeline: (entry) => {
        entries.push(entry);
        if (entry.ev === 'end') expect(running.delete(entry.key)).toBe(true);
        else {
          expect(running.has(entry.key)).toBe(false);
          running.add(entry.key);
        }
        expect(running.size).toBeLessThanOrEqual(workers);
      },
    });
    sim.startWorkers();
    for (let step = 0; step < 400; step += 1) {
      sim.add({ priority: pick(random, [-100, 0]) }, [pick(random, ['a', 'b', 'c', 'd', 'e'])]);
      sim.advanceTo(queue.nowNs + BigInt(Math.floor(random() * 8e6)));
      const free = queue.ready().filter(({ locked }) => !locked);
      expect(free.length > 0 && running.size < workers).toBe(false);
    }
    expect(entries.length).toBeGreaterThan(300);
    const values = sim.metrics.values(queue.metrics);
    const runs = entries.filter(({ ev }) => ev === 'end').length;
    expect(values.controller_runtime_reconcile_time_seconds).toMatchObject({ count: runs });
    const results = (['success', 'error', 'requeue', 'requeue_after'] as const).map((result) =>
      sim.metrics.result(result),
    );
    expect(results.reduce((sum, one) => sum + one, 0)).toBe(runs);
  },
);

function randomOutcome(random: () => number): ReconcileOutcome {
  const durationNs = BigInt(1 + Math.floor(random() * 5e6));
  const what = random();
  if (what < 0.3) return { durationNs, failure: { kind: 'error', message: 'boom' } };
  if (what < 0.4) return { durationNs, requeueAfterNs: BigInt(Math.floor(random() * 2e7)) };
  if (what < 0.5) return { durationNs, requeue: true };
  return { durationNs };
}
