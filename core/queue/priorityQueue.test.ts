import { expect, test } from 'vitest';
import { DEFAULT_PRIORITY } from './rateLimiter.ts';
import { createReconcileQueue, type ReconcileQueue } from './reconcileQueue.ts';
import { pick, seededRandom } from './testRandom.ts';

const MS = 1_000_000n;

function setUp(): ReconcileQueue<string> {
  return createReconcileQueue<string>({ kind: 'priority', limiter: DEFAULT_PRIORITY });
}

function keys(queue: ReconcileQueue<string>): string[] {
  return queue.ready().map(({ key }) => key);
}

function take(queue: ReconcileQueue<string>): string | undefined {
  const taken = queue.tryGet();
  return taken?.kind === 'item' ? taken.key : undefined;
}

test('[PQ1] all keys of one call are in before the first is handed out', () => {
  const queue = setUp();
  const lens: number[] = [];
  queue.get(() => lens.push(queue.len()));
  queue.addWithOpts({}, ['a', 'b', 'c']);
  expect(lens).toEqual([2]);
});

test('[PQ2] with a rate limit and a delay the smaller counts; the limiter is asked either way', () => {
  const queue = setUp();
  queue.addWithOpts({ rateLimited: true, afterNs: 1_000n * MS }, ['a']);
  queue.addWithOpts({ rateLimited: true, afterNs: MS }, ['b']);
  queue.addWithOpts({ rateLimited: true }, ['c']);
  const readyAt = Object.fromEntries(queue.waiting().map((item) => [item.key, item.readyAtNs]));
  expect(readyAt).toEqual({ a: 5n * MS, b: MS, c: 5n * MS });
  expect(['a', 'b', 'c'].map((key) => queue.numRequeues(key))).toEqual([1, 1, 1]);
});

test('[PQ3] only a delay above zero counts a retry; an add counts when the key becomes ready', () => {
  const queue = setUp();
  queue.addAfter('a', 0n);
  queue.addAfter('b', -1n);
  queue.addAfter('c', MS);
  expect([queue.metrics.retries, queue.metrics.adds]).toEqual([1, 2]);
  queue.advanceTo(MS);
  expect(queue.metrics.adds).toBe(3);
});

test('[PQ4] an add cancels the delay; a delay on a ready key is lost but counted', () => {
  const queue = setUp();
  queue.addAfter('a', 100n);
  queue.add('a');
  expect(queue.waiting()).toEqual([]);
  queue.addAfter('a', 100n);
  expect([queue.waiting().length, queue.metrics.retries, queue.metrics.adds]).toEqual([0, 2, 1]);
});

test('[PQ5] a raise goes to the tail of the new level; a lower priority changes nothing', () => {
  const queue = setUp();
  queue.addWithOpts({ priority: -100 }, ['a', 'b']);
  queue.addWithOpts({}, ['c']);
  queue.addWithOpts({}, ['a']);
  queue.addWithOpts({ priority: -100 }, ['c']);
  expect(keys(queue)).toEqual(['c', 'a', 'b']);
});

test('[PQ6] [PQ12] a raise moves depth between labels; the 26th priority goes to the placeholder', () => {
  const queue = setUp();
  queue.addWithOpts({ priority: -100 }, ['a']);
  queue.addWithOpts({ priority: 3 }, ['a']);
  expect(Object.fromEntries(queue.metrics.depthByLabel())).toEqual({ '-100': 0, '3': 1 });
  for (let priority = 100; priority < 124; priority += 1) queue.addWithOpts({ priority }, [`k${priority}`]);
  expect(queue.metrics.depthByLabel().get('exceeded_cardinality_limit')).toBe(1);
  expect(queue.metrics.depth).toBe(25);
});

test('[PQ7] keys run in the order in which they became ready, not in which they were added', () => {
  const queue = setUp();
  queue.addAfter('late', 20n);
  queue.addAfter('early', 10n);
  queue.advanceTo(15n);
  queue.add('between');
  queue.advanceTo(20n);
  expect(keys(queue)).toEqual(['early', 'between', 'late']);
});

test('[PQ8] [PQ9] [PQ10] a locked key is skipped, counted by Len, and forgotten its priority', () => {
  const queue = setUp();
  queue.addWithOpts({ priority: 7 }, ['a']);
  expect(take(queue)).toBe('a');
  queue.add('a');
  queue.addWithOpts({ priority: -100 }, ['b']);
  expect(queue.ready()).toEqual([
    { key: 'a', priority: 0, locked: true },
    { key: 'b', priority: -100, locked: false },
  ]);
  expect(queue.len()).toBe(2);
  expect(take(queue)).toBe('b');
  queue.done('a');
  expect(take(queue)).toBe('a');
});

test('[PQ11] after shutdown nothing is handed out, the limiter is not asked, and a second one panics', () => {
  const queue = setUp();
  queue.add('a');
  queue.shutDown();
  queue.addRateLimited('b');
  expect(queue.tryGet()).toEqual({ kind: 'shutdown' });
  expect([queue.len(), queue.numRequeues('b')]).toEqual([1, 0]);
  expect(() => queue.shutDownWithDrain()).toThrow('twice');
});

test('takeKey takes a ready, a waiting and an unknown key, and leaves a running one', () => {
  const queue = setUp();
  queue.addWithOpts({ priority: -100 }, ['ready']);
  queue.addWithOpts({ afterNs: MS, priority: 2 }, ['waiting']);
  expect([
    queue.takeKey('ready', false),
    queue.takeKey('waiting', true),
    queue.takeKey('new', false),
  ]).toEqual([-100, 2, 0]);
  expect(queue.takeKey('new', false)).toBeUndefined();
  expect([queue.metrics.depth, queue.metrics.adds]).toEqual([0, 3]);
  queue.advanceTo(2n * MS);
  expect(queue.len()).toBe(0);
});

test.each([21, 22, 23, 24])(
  'seeded walk %i: the order is priority, then time of becoming ready; no key twice',
  (seed) => {
    const random = seededRandom(seed);
    const queue = setUp();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const running = new Set<string>();
    for (let step = 0; step < 3_000; step += 1) {
      const key = pick(random, names);
      const what = random();
      if (what < 0.3) queue.addWithOpts({ priority: pick(random, [-100, 0, 10]) }, [key]);
      else if (what < 0.5)
        queue.addWithOpts({ afterNs: BigInt(Math.floor(random() * 40)), priority: pick(random, [-100, 0]) }, [
          key,
        ]);
      else if (what < 0.75) {
        const free = queue.ready().filter(({ locked }) => !locked);
        const taken = take(queue);
        expect(taken).toBe(free[0]?.key);
        if (taken !== undefined) running.add(taken);
      } else if (what < 0.9) {
        const done = [...running][0];
        if (done !== undefined) {
          queue.done(done);
          running.delete(done);
        }
      } else queue.advanceTo(queue.nowNs + BigInt(Math.floor(random() * 20)));

      const ready = queue.ready();
      const all = [...ready, ...queue.waiting()].map((item) => item.key);
      expect(new Set(all).size).toBe(all.length);
      expect(ready.map(({ priority }) => priority)).toEqual(
        ready.map(({ priority }) => priority).toSorted((a, b) => b - a),
      );
      expect(queue.waiting().every(({ readyAtNs }) => readyAtNs > queue.nowNs)).toBe(true);
      expect(queue.metrics.depth).toBe(ready.length);
      expect(new Set(queue.processing())).toEqual(running);
    }
  },
);
