import { expect, test } from 'vitest';
import { QueueMetrics } from './queueMetrics.ts';
import type { Taken } from './reconcileQueue.ts';
import { pick, seededRandom } from './testRandom.ts';
import { WorkQueue } from './workQueue.ts';

function setUp() {
  const metrics = new QueueMetrics<string>({ nowNs: 0n });
  return { queue: new WorkQueue<string>(metrics), metrics };
}

function keyOf(taken: Taken<string> | undefined): string | undefined {
  return taken?.kind === 'item' ? taken.key : undefined;
}

test('[WQ1] [WQ2] several adds of one key are one unit of work and keep its place', () => {
  const { queue, metrics } = setUp();
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  expect(queue.ready().map(({ key }) => key)).toEqual(['a', 'b']);
  expect(metrics.adds).toBe(2);
});

test('[WQ3] [WQ5] add while processing reruns once, behind what was queued meanwhile', () => {
  const { queue } = setUp();
  queue.add('a');
  queue.tryGet();
  queue.add('a');
  queue.add('a');
  queue.add('b');
  expect(queue.len()).toBe(1);
  queue.done('a');
  expect([keyOf(queue.tryGet()), keyOf(queue.tryGet()), queue.tryGet()]).toEqual(['b', 'a', undefined]);
});

test('[WQ4] blocked Gets are served in the order in which they came, one per key', () => {
  const { queue } = setUp();
  const got: string[] = [];
  queue.get((taken) => got.push(`first ${keyOf(taken)}`));
  queue.get((taken) => got.push(`second ${keyOf(taken)}`));
  queue.add('a');
  expect(got).toEqual(['first a']);
  expect(queue.blockedGets).toBe(1);
  queue.add('b');
  expect(got).toEqual(['first a', 'second b']);
});

test('[WQ6] [WQ7] shutdown drains what is queued, drops adds and releases who waits', () => {
  const { queue } = setUp();
  queue.add('a');
  queue.shutDown();
  queue.add('b');
  expect(keyOf(queue.tryGet())).toBe('a');
  expect(queue.tryGet()).toEqual({ kind: 'shutdown' });

  const waiting = setUp().queue;
  const got: unknown[] = [];
  waiting.get((taken) => got.push(taken));
  waiting.shutDown();
  expect(got).toEqual([{ kind: 'shutdown' }]);
});

test('[WQ8] a drain returns when nothing is in processing, whatever is queued', () => {
  const { queue } = setUp();
  queue.add('a');
  queue.add('b');
  queue.tryGet();
  queue.shutDownWithDrain();
  expect(queue.drain).toBe('waiting');
  queue.done('a');
  expect(queue.drain).toBe('returned');
  expect(queue.len()).toBe(1);
});

test('[WQ9] a key that runs and was added again counts in depth and not in Len', () => {
  const { queue, metrics } = setUp();
  queue.add('a');
  queue.tryGet();
  queue.add('a');
  expect([queue.len(), metrics.depth]).toEqual([0, 1]);
  expect(queue.ready()).toEqual([{ key: 'a', priority: 0, locked: true }]);
});

test('[WQ10] Done without Get queues the key twice; Done of an unknown key does nothing', () => {
  const { queue } = setUp();
  queue.done('unknown');
  queue.add('a');
  queue.done('a');
  expect(queue.len()).toBe(2);
});

test('takeKey hands out of order and counts an add that was not seen', () => {
  const { queue, metrics } = setUp();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  expect(queue.takeKey('b')).toBe(true);
  expect(queue.takeKey('z')).toBe(false);
  expect(queue.ready().map(({ key }) => key)).toEqual(['a', 'c']);
  expect(queue.processing()).toEqual(['b', 'z']);
  expect([metrics.adds, metrics.depth]).toEqual([4, 2]);
});

test.each([1, 2, 3, 4, 5])(
  'invariants hold on seeded walk %i: queued = dirty without processing, one worker a key',
  (seed) => {
    const random = seededRandom(seed);
    const { queue, metrics } = setUp();
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    const running: string[] = [];
    const owed = new Set<string>();
    let runs = 0;
    for (let step = 0; step < 3_000; step += 1) {
      const key = pick(random, keys);
      const what = random();
      if (what < 0.45) {
        queue.add(key);
        owed.add(key);
      } else if (what < 0.75) {
        const taken = keyOf(queue.tryGet());
        if (taken === undefined) expect([...owed].every((one) => running.includes(one))).toBe(true);
        else {
          expect(running).not.toContain(taken);
          running.push(taken);
          owed.delete(taken);
          runs += 1;
        }
      } else if (running.length > 0)
        queue.done(running.splice(Math.floor(random() * running.length), 1)[0] ?? '');
      const queued = queue
        .ready()
        .filter(({ locked }) => !locked)
        .map((item) => item.key);
      expect(new Set(queued).size).toBe(queued.length);
      expect(queued.toSorted()).toEqual([...owed].filter((one) => !running.includes(one)).toSorted());
      expect(metrics.depth).toBe(owed.size);
    }
    expect(runs).toBeGreaterThan(300);
    expect(metrics.adds).toBe(runs + owed.size);
  },
);
