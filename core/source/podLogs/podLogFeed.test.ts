import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../testing/fakeClock.ts';
import { followPodLog, type PodLogFeed, type PodNow } from './podLogFeed.ts';
import { ScriptedKubelet } from './scriptedKubelet.ts';
import type { StampedLine } from './stampedLine.ts';

const start = Date.parse('2026-05-01T08:00:00Z');

/** A stamped line `offset` ms after the start, nanoseconds and all. */
function at(offset: number, text: string, nanos = '000000'): string {
  return `${new Date(start + offset).toISOString().slice(0, 23)}${nanos}Z ${text}`;
}

describe('a pod log', () => {
  let kubelet: ScriptedKubelet;
  let clock: FakeClock;
  let feed: PodLogFeed;
  let lines: { text: string; at: number | undefined; backlog: boolean; receivedAt: number }[];
  let gaps: string[];
  let states: string[];
  let pod: { over: boolean; restarts: number; startedAt: number | undefined };

  beforeEach(() => {
    kubelet = new ScriptedKubelet();
    clock = new FakeClock(start);
    lines = [];
    gaps = [];
    states = [];
    pod = { over: false, restarts: 0, startedAt: undefined };
  });
  afterEach(() => feed.dispose());

  function follow(before: readonly StampedLine[] = [], now: () => PodNow | undefined = () => pod): void {
    feed = followPodLog(
      {
        transport: kubelet,
        clock,
        random: () => 0.5,
        target: { namespace: 'ops', pod: 'p', container: 'manager' },
        now,
        before,
      },
      {
        lines: (batch) => {
          for (const { text, at: stated, backlog, receivedAt } of batch)
            lines.push({ text, at: stated, backlog, receivedAt });
        },
        gap: (text, to, _restart, from) => gaps.push(`${(from ?? to) - start}..${to - start} ${text}`),
        state: (state, detail, problem) =>
          states.push(`${state}: ${detail}${problem === undefined ? '' : ` (${problem.message})`}`),
      },
    );
  }
  const texts = () => lines.map((line) => line.text);

  test('[SRC1] what stood there is backlog, what comes then is live; the runtime’s time is exact', async () => {
    kubelet.start();
    kubelet.write(at(0, 'one', '000001'), at(0, 'two', '000001'));
    await clock.advance(100);
    follow();
    await clock.advance(5);
    kubelet.write(at(105, 'three', '250500'));
    await clock.advance(5);
    expect(lines).toEqual([
      { text: 'one', at: start + 0.000001, backlog: true, receivedAt: start + 100 },
      { text: 'two', at: start + 0.000001, backlog: true, receivedAt: start + 100 },
      { text: 'three', at: start + 105.2505, backlog: false, receivedAt: start + 105 },
    ]);
    expect(kubelet.requests).toEqual([
      '/api/v1/namespaces/ops/pods/p/log?container=manager&timestamps=true',
      '/api/v1/namespaces/ops/pods/p/log?container=manager&timestamps=true&follow=true&sinceTime=2026-05-01T08%3A00%3A00Z',
    ]);
    expect(gaps).toEqual([]);
    expect(states).toEqual(['waiting: asking for the log of ops/p', 'live: container manager']);
  });

  test('[SRC10] a connection that breaks: the same second comes again, and nothing twice or lost', async () => {
    kubelet.start();
    kubelet.write(at(0, 'same'), at(0, 'same'), at(300, 'a'));
    follow();
    await clock.advance(10);
    kubelet.cut('reset');
    await clock.advance(1);
    // Twice the same line at the same instant, as before, and a third that is new.
    kubelet.write(at(300, 'a'), at(400, 'b'));
    await clock.advance(1000);
    kubelet.write(at(1500, 'c'));
    await clock.advance(10);
    expect(texts()).toEqual(['same', 'same', 'a', 'a', 'b', 'c']);
    expect(lines.map((line) => line.backlog)).toEqual([true, true, true, true, true, false]);
    expect(gaps).toEqual([]);
  });

  test('[SRC12] an answer that ends inside a line is read again from that line on', async () => {
    kubelet.start();
    follow();
    await clock.advance(10);
    kubelet.cut({ inLine: at(20, 'half of a li') });
    kubelet.write(at(20, 'half of a line'), at(30, 'next'));
    await clock.advance(1000);
    expect(texts()).toEqual(['half of a line', 'next']);
    // Even inside the time stamp.
    kubelet.cut({ inLine: '2026-05-01T08:0' });
    kubelet.write(at(40, 'more'));
    await clock.advance(1000);
    expect(texts()).toEqual(['half of a line', 'next', 'more']);
    expect(gaps).toEqual([]);
  });

  test('[SRC13] a last line that never got its newline is given when nothing more can come', async () => {
    kubelet.start();
    follow();
    await clock.advance(10);
    kubelet.cut({ inLine: at(20, 'panic: last words') });
    pod.over = true;
    kubelet.refusals.push({ status: 404, body: '' });
    await clock.advance(1000);
    expect(texts()).toEqual(['panic: last words']);
    expect(states.at(-1)).toBe('ended: the pod ops/p is gone');
  });

  test('[SRC15] a node’s clock that is set back', async () => {
    kubelet.start();
    kubelet.write(at(60_000, 'before'), at(61_000, 'last before'));
    follow();
    await clock.advance(10);
    kubelet.write(at(2000, 'after the step'));
    await clock.advance(10);
    kubelet.cut('reset');
    kubelet.write(at(2500, 'more'));
    await clock.advance(1000);
    expect(texts()).toEqual(['before', 'last before', 'after the step', 'more']);
  });

  test('[SRC20] a restart while nobody was reading: the rest of the instance before, then the new one', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a1'));
    follow();
    await clock.advance(10);
    kubelet.cut('reset');
    kubelet.write(at(100, 'a2: panic'));
    kubelet.exit();
    kubelet.start();
    kubelet.write(at(900, 'b1'));
    pod.restarts = 1;
    await clock.advance(1000);
    kubelet.write(at(2000, 'b2'));
    await clock.advance(10);
    expect(texts()).toEqual(['a1', 'a2: panic', 'b1', 'b2']);
    expect(gaps).toEqual([]);
    expect(states.at(-1)).toBe('live: container manager, restarted once');
  });

  test('[SRC21] two restarts meanwhile: what lay between is a gap', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a1'));
    follow();
    await clock.advance(10);
    kubelet.cut('reset');
    for (const name of ['b', 'c']) {
      kubelet.exit();
      kubelet.start();
      kubelet.write(at(name === 'b' ? 300 : 600, `${name}1`));
    }
    await clock.advance(1000);
    expect(texts()).toEqual(['a1', 'b1', 'c1']);
    expect(gaps).toEqual([
      '0..300 lines of ops/p between 08:00:00.000Z and 08:00:00.300Z may be missing: it was started again, and what its node keeps of the instance before begins later',
    ]);
  });

  test('[SRC22] attached after a restart: the instance before comes first, once', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a1'), at(10, 'panic'));
    kubelet.exit();
    kubelet.start();
    kubelet.write(at(5000, 'b1'));
    pod.restarts = 1;
    follow();
    await clock.advance(10);
    expect(texts()).toEqual(['a1', 'panic', 'b1']);
    kubelet.cut('clean');
    await clock.advance(2000);
    expect(texts()).toEqual(['a1', 'panic', 'b1']);
    expect(kubelet.requests.filter((path) => path.includes('previous'))).toHaveLength(1);
  });

  test('[SRC23] an instance that is silent so far does not hide the last words of the one before', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a1'));
    follow();
    await clock.advance(10);
    kubelet.cut('reset');
    kubelet.write(at(100, 'a2'));
    kubelet.exit();
    kubelet.start();
    await clock.advance(1000);
    expect(texts()).toEqual(['a1', 'a2']);
    expect(gaps).toEqual([]);
  });

  test('[SRC24] rotation on the node while nobody was reading is a gap; while we follow it is none', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a'));
    follow();
    await clock.advance(10);
    kubelet.rotate();
    kubelet.write(at(100, 'b'));
    await clock.advance(10);
    expect(gaps).toEqual([]);
    kubelet.cut('reset');
    kubelet.write(at(200, 'lost'));
    kubelet.rotate();
    kubelet.write(at(400, 'c'));
    await clock.advance(1000);
    expect(texts()).toEqual(['a', 'b', 'c']);
    expect(gaps).toEqual([
      '100..400 lines of ops/p between 08:00:00.100Z and 08:00:00.400Z may be missing: its node no longer keeps the line that was read last',
    ]);
  });

  test('[SRC25] a log whose beginning is not on the node any more, and one that begins with its container', async () => {
    kubelet.start();
    kubelet.write(at(3_600_000, 'late'));
    pod.startedAt = start;
    follow();
    await clock.advance(10);
    expect(gaps).toEqual([
      '0..3600000 the log of ops/p begins at 09:00:00.000Z on its node, and its container has run since 08:00:00.000Z: if it wrote anything before, that is not kept there',
    ]);
    feed.dispose();
    gaps = [];
    pod.startedAt = start + 3_599_000;
    follow();
    await clock.advance(10);
    expect(gaps).toEqual([]);
  });

  test('[SRC26] a container that has not started is waited for, with what the kubelet says', async () => {
    follow();
    await clock.advance(10);
    expect(states.at(-1)).toBe(
      'waiting: container "manager" in pod "p" is waiting to start: ContainerCreating',
    );
    kubelet.start();
    kubelet.write(at(0, 'a'));
    // Back-off would take a while; the pod says that it changed.
    feed.poke();
    await clock.advance(1);
    expect(texts()).toEqual(['a']);
  });

  test('[SRC27] refusals say what to do, and are tried again as often as that makes sense', async () => {
    const refuse = (status: number, message: string) =>
      kubelet.refusals.push({ status, body: JSON.stringify({ kind: 'Status', message }) });
    kubelet.start();
    kubelet.write(at(0, 'a'));
    refuse(403, 'pods "p" is forbidden');
    refuse(
      500,
      'Get "https://10.0.0.7:10250/containerLogs/ops/p/manager": dial tcp 10.0.0.7:10250: connect: connection refused',
    );
    refuse(429, 'too many requests');
    follow();
    await clock.advance(29_000);
    expect(kubelet.requests).toHaveLength(1);
    await clock.advance(40_000);
    expect(states).toEqual([
      'waiting: asking for the log of ops/p',
      'failed: may not be read (You may not read the log of pods in the namespace ops: that needs the verb "get" on "pods/log". Ask for a Role with it; reading goes on by itself once it is granted.)',
      'failed: its node cannot be reached (The API server cannot reach the kubelet that keeps the log of ops/p: Get "https://10.0.0.7:10250/containerLogs/ops/p/manager": dial tcp 10.0.0.7:10250: connect: connection refused. It is tried again.)',
      'failed: the API server is busy (The API server is busy (429); the log of ops/p is asked for again.)',
      'live: container manager',
    ]);
    expect(texts()).toEqual(['a']);
  });

  test('[SRC28] the API server goes and comes back; waits double up to 30 s', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a'));
    follow();
    await clock.advance(10);
    kubelet.down = true;
    kubelet.cut('reset');
    const before = kubelet.requests.length;
    await clock.advance(60_000);
    // After 0.5, 1, 2, 4, 8 and 16 s; the next comes 30 s later.
    expect(kubelet.requests.length - before).toBe(6);
    expect(states.at(-1)).toBe('waiting: the cluster cannot be reached (Nothing listens.)');
    kubelet.down = false;
    kubelet.write(at(5000, 'b'));
    await clock.advance(31_000);
    expect(texts()).toEqual(['a', 'b']);
    expect(lines.at(-1)?.backlog).toBe(true);
  });

  test('[SRC29] a pod that ended is read to its end and no further; dispose leaves nothing', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a'));
    follow();
    await clock.advance(10);
    kubelet.write(at(10, 'bye'));
    kubelet.exit();
    pod.over = true;
    await clock.advance(5000);
    expect(texts()).toEqual(['a', 'bye']);
    expect(states.at(-1)).toBe('ended: the pod ops/p has ended');
    const asked = kubelet.requests.length;
    await clock.advance(100_000);
    expect(kubelet.requests).toHaveLength(asked);
    expect(clock.pendingTimers).toBe(0);
    expect(kubelet.following).toBe(0);
  });

  test('[SRC19] a pod that went while it could not be read: its end is a gap', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a'));
    follow();
    await clock.advance(10);
    kubelet.down = true;
    kubelet.cut('reset');
    await clock.advance(5000);
    kubelet.down = false;
    pod.over = true;
    kubelet.refusals.push({ status: 404, body: '' });
    await clock.advance(5000);
    expect(states.at(-1)).toBe('ended: the pod ops/p is gone');
    expect(gaps).toEqual([
      '0..7510 lines of ops/p after 08:00:00.000Z may be missing: it ended while its log could not be read',
    ]);
  });

  test('[SRC18] a node that does not know a pod which exists is asked again; one without a node is waited for', async () => {
    kubelet.refusals.push({ status: 404, body: '' }, { status: 204, body: '' });
    kubelet.start();
    kubelet.write(at(0, 'a'));
    follow();
    await clock.advance(3000);
    expect(states).toEqual([
      'waiting: asking for the log of ops/p',
      'waiting: its node does not know the pod ops/p',
      'waiting: the pod ops/p has no node yet',
      'live: container manager',
    ]);
    expect(texts()).toEqual(['a']);
  });

  test('[SRC16] a session that goes on: lines on record are not told again', async () => {
    kubelet.start();
    kubelet.write(at(0, 'a'), at(100, 'b'), at(200, 'c'));
    follow([
      { ms: start, text: 'a' },
      { ms: start + 100, text: 'b' },
    ]);
    await clock.advance(10);
    expect(texts()).toEqual(['c']);
    expect(gaps).toEqual([]);
  });

  test('[SRC17] words of the kubelet in an answer are a gap, told once', async () => {
    kubelet.start();
    kubelet.write('unable to retrieve container logs for containerd://abc');
    follow(undefined, () => undefined);
    await clock.advance(3000);
    expect(texts()).toEqual([]);
    expect(gaps).toEqual([
      expect.stringContaining('the kubelet says of the log of ops/p: unable to retrieve container logs'),
    ]);
  });

  test('[SRC14] random cuts, restarts, rotations: each line the node kept once, in order, the rest named', async () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = generator(seed);
      kubelet = new ScriptedKubelet();
      clock = new FakeClock(start);
      lines = [];
      gaps = [];
      pod = { over: false, restarts: 0, startedAt: undefined };
      kubelet.start();
      follow();
      await clock.advance(1);
      const all = ['first'];
      kubelet.write(at(0, 'first'));
      await clock.advance(1);
      let written = 0;
      let mayLose = false;
      // Of an instance that nobody has read, only its pod can tell that its log once began earlier (SRC25).
      let isNew = false;
      for (let step = 0; step < 60; step++) {
        const what = random();
        const read = kubelet.following > 0;
        if (read) isNew = false;
        if (what < 0.6) {
          const text = `line ${written++} ${'x'.repeat(Math.floor(random() * 5))}`;
          all.push(text);
          kubelet.write(
            at(Math.floor(clock.monotonic()), text, String(Math.floor(random() * 3)).padStart(6, '0')),
          );
        } else if (what < 0.75) kubelet.cut(random() < 0.5 ? 'reset' : 'clean');
        else if (what < 0.8) kubelet.cut({ inLine: at(Math.floor(clock.monotonic()), 'li') });
        else if (what < 0.86) {
          kubelet.exit();
          kubelet.start();
          pod.restarts++;
          isNew = true;
          if (!read) mayLose = true;
        } else if (what < 0.9 && !isNew) {
          if (!read) mayLose = true;
          kubelet.rotate();
        } else await clock.advance(random() * 3000);
        // No container is started again twice within one request.
        await clock.advance(random() < 0.5 ? random() * 300 : 0);
      }
      pod.over = true;
      feed.poke();
      await clock.advance(100);
      kubelet.cut('clean');
      await clock.advance(60_000);
      feed.dispose();
      const got = texts();
      expect(new Set(got).size, `seed ${seed}: nothing twice`).toBe(got.length);
      expect(got, `seed ${seed}: in order`).toEqual(all.filter((text) => got.includes(text)));
      if (got.length < all.length)
        expect({ seed, mayLose, gaps: gaps.length > 0 }).toEqual({ seed, mayLose: true, gaps: true });
    }
  });
});

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
