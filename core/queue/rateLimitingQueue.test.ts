import { expect, test } from 'vitest';
import { DEFAULT_PRIORITY } from './rateLimiter.ts';
import { createReconcileQueue, type ReconcileQueue } from './reconcileQueue.ts';

const MS = 1_000_000n;

function setUp(): ReconcileQueue<string> {
  return createReconcileQueue<string>({ kind: 'classic', limiter: DEFAULT_PRIORITY });
}

test('[RQ1] the limiter counts even when the queue is shutting down', () => {
  const queue = setUp();
  queue.shutDown();
  queue.addRateLimited('a');
  expect([queue.numRequeues('a'), queue.metrics.retries]).toEqual([1, 0]);
});

test('[RQ2] Forget leaves the waiting entry; Done does not forget', () => {
  const queue = setUp();
  queue.addRateLimited('a');
  queue.forget('a');
  expect([queue.numRequeues('a'), queue.readyAtNs('a')]).toEqual([0, 5n * MS]);
  queue.addRateLimited('b');
  queue.done('b');
  expect(queue.numRequeues('b')).toBe(1);
});

test('[RQ3] AddWithOpts: the limiter wins over After, and priorities are dropped', () => {
  const queue = setUp();
  queue.addWithOpts({ rateLimited: true, afterNs: MS, priority: 9 }, ['limited']);
  queue.addWithOpts({ afterNs: MS }, ['after']);
  queue.addWithOpts({ priority: 9 }, ['now']);
  expect(queue.waiting().map(({ key, readyAtNs }) => [key, readyAtNs])).toEqual([
    ['after', MS],
    ['limited', 5n * MS],
  ]);
  expect(queue.ready()).toEqual([{ key: 'now', priority: 0, locked: false }]);
});

test('takeKey: a timer takes the waiting entry, an unseen add leaves it', () => {
  const queue = setUp();
  queue.addAfter('a', 10n * MS);
  expect(queue.takeKey('a', false)).toBe(0);
  queue.done('a');
  expect(queue.readyAtNs('a')).toBe(10n * MS);
  expect(queue.takeKey('a', true)).toBe(0);
  expect(queue.readyAtNs('a')).toBeUndefined();
  expect(queue.takeKey('a', true)).toBeUndefined();
  expect(queue.metrics.depth).toBe(0);
});
