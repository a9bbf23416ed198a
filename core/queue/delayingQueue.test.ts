import { expect, test } from 'vitest';
import { DelayingQueue } from './delayingQueue.ts';
import { QueueMetrics } from './queueMetrics.ts';
import { pick, seededRandom } from './testRandom.ts';

function setUp() {
  const time = { nowNs: 0n };
  const metrics = new QueueMetrics<string>(time);
  return { queue: new DelayingQueue<string>(time, metrics), metrics, time };
}

function keys(queue: DelayingQueue<string>): string[] {
  return queue.work.ready().map(({ key }) => key);
}

test('[DQ1] a delay of zero or less adds at once and still counts a retry', () => {
  const { queue, metrics } = setUp();
  queue.addAfter('a', 0n);
  queue.addAfter('b', -5n);
  expect(keys(queue)).toEqual(['a', 'b']);
  expect(metrics.retries).toBe(2);
  queue.shutDown();
  queue.addAfter('c', 0n);
  expect(metrics.retries).toBe(2);
});

test('[DQ2] a key comes due at its own instant, not before', () => {
  const { queue } = setUp();
  queue.addAfter('a', 100n);
  expect(queue.nextDeadlineNs()).toBe(100n);
  queue.advanceTo(99n);
  expect(keys(queue)).toEqual([]);
  queue.advanceTo(100n);
  expect(keys(queue)).toEqual(['a']);
  expect(queue.nextDeadlineNs()).toBeUndefined();
});

test('[DQ3] of two delays the earlier counts, and there is one entry', () => {
  const { queue } = setUp();
  queue.addAfter('a', 100n);
  queue.addAfter('a', 300n);
  queue.addAfter('a', 40n);
  expect(queue.waiting()).toEqual([{ key: 'a', priority: 0, readyAtNs: 40n }]);
});

test('[DQ4] [DQ6] a plain add does not cancel the entry: the key runs twice', () => {
  const { queue } = setUp();
  queue.addAfter('a', 100n);
  queue.work.add('a');
  queue.work.tryGet();
  queue.work.done('a');
  expect(keys(queue)).toEqual([]);
  queue.advanceTo(100n);
  expect(keys(queue)).toEqual(['a']);
});

test('[DQ5] equal times leave in the order of Go heaps, not of insertion', () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) queue.addAfter(key, 1_000n);
  queue.advanceTo(1_000n);
  expect(keys(queue)).toEqual(['a', 'f', 'e', 'd', 'c', 'b']);
});

test('[DQ7] a jump adds at its end what a flowing clock adds on the way', () => {
  const flowing = setUp();
  const jumping = setUp();
  for (const { queue } of [flowing, jumping])
    for (const [key, at] of [
      ['a', 30n],
      ['b', 10n],
    ] as const)
      queue.addAfter(key, at);
  flowing.queue.advanceTo(50n);
  jumping.queue.jumpTo(50n);
  expect(keys(flowing.queue)).toEqual(keys(jumping.queue));
  expect([flowing.metrics.addedAt('b'), jumping.metrics.addedAt('b')]).toEqual([10n, 50n]);
});

test('[DQ8] what waits at shutdown is lost', () => {
  const { queue } = setUp();
  queue.addAfter('a', 10n);
  queue.shutDown();
  queue.advanceTo(20n);
  expect(queue.work.tryGet()).toEqual({ kind: 'shutdown' });
});

test.each([11, 12, 13])('seeded walk %i: every key leaves at the earliest time it was given', (seed) => {
  const random = seededRandom(seed);
  const { queue, time } = setUp();
  const due = new Map<string, bigint>();
  for (let step = 0; step < 2_000; step += 1) {
    const key = pick(random, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    if (random() < 0.6) {
      const delay = BigInt(1 + Math.floor(random() * 50));
      queue.addAfter(key, delay);
      const known = due.get(key);
      if (known === undefined || known > time.nowNs + delay) due.set(key, time.nowNs + delay);
    } else {
      queue.advanceTo(time.nowNs + BigInt(Math.floor(random() * 20)));
      const gone = [...due].filter(([, at]) => at <= time.nowNs).map(([one]) => one);
      for (const one of gone) due.delete(one);
      expect(keys(queue).toSorted()).toEqual(gone.toSorted());
      for (const one of keys(queue)) {
        expect(queue.work.tryGet()).toMatchObject({ key: one });
        queue.work.done(one);
      }
    }
    expect(new Map(queue.waiting().map((item) => [item.key, item.readyAtNs]))).toEqual(
      new Map([...due].toSorted((a, b) => Number(a[1] - b[1]))),
    );
  }
});
