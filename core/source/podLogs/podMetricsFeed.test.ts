import { expect, test } from 'vitest';
import { ok } from '../../../shared/base/result.ts';
import { createLateTransport } from '../../engine/lateTransport.ts';
import { FakeClock } from '../../testing/fakeClock.ts';
import { checkAllowed, NotAllowed } from '../allowList.ts';
import type { KubeTransport } from '../transport.ts';
import { parseTarget, scrapePodMetrics, targetText } from './podMetricsFeed.ts';

const target = { namespace: 'ops', pod: 'p-0', port: 8080, scheme: 'http' } as const;
const metrics = 'controller_runtime_active_workers{controller="database"} 1\n';

/** Answers in turn, then the last one for ever; behind the same allow-list as a real one. */
function pods(...answers: { status: number; body: string }[]) {
  const allowed = new Set<string>();
  const asked: string[] = [];
  const transport: KubeTransport = {
    async request(request) {
      checkAllowed(request, { metricsProxies: allowed });
      asked.push(request.path);
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: '' };
      return ok({
        status: answer.status,
        header: () => undefined,
        text: async () => answer.body,
        lines: () => {
          throw new Error('read as text');
        },
        dispose: () => undefined,
      });
    },
    allowPodMetrics(one) {
      allowed.add(one);
      return { dispose: () => allowed.delete(one) };
    },
    onRequest: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  };
  return { transport, allowed, asked };
}

function scrape(transport: KubeTransport, clock: FakeClock) {
  const told: string[] = [];
  const texts: string[] = [];
  const running = scrapePodMetrics(
    target,
    {
      lines: (lines) => texts.push(...lines.map((line) => line.text)),
      gap: (text) => told.push(text),
      state: (state, detail, problem) =>
        told.push(`${state}: ${detail}${problem === undefined ? '' : ` (${problem.message})`}`),
    },
    { transport, clock },
  );
  return { told, texts, dispose: () => running.dispose() };
}

test('[SRC30] every 5 s, by that pod, port and path; the opt-in is given back at the end', async () => {
  const clock = new FakeClock(0);
  const { transport, allowed, asked } = pods({ status: 200, body: metrics });
  const feed = scrape(transport, clock);
  await clock.advance(12_000);
  expect(asked).toEqual(Array(3).fill('/api/v1/namespaces/ops/pods/p-0:8080/proxy/metrics'));
  expect(feed.texts).toEqual([metrics, metrics, metrics]);
  expect(feed.told).toEqual([
    'waiting: asking port 8080 of ops/p-0',
    'live: port 8080, through the API server’s proxy, as you allowed',
  ]);
  expect([...allowed]).toEqual(['ops/p-0:8080']);
  feed.dispose();
  expect(allowed.size).toBe(0);
  expect(clock.pendingTimers).toBe(0);
  expect(() => checkAllowed({ method: 'GET', path: asked[0] ?? '' }, { metricsProxies: allowed })).toThrow(
    NotAllowed,
  );
});

test('[SRC31] refusals of the API server, of the pod, and what is no metrics', async () => {
  const clock = new FakeClock(0);
  const status = (code: number, reason: string) => ({
    status: code,
    body: JSON.stringify({ kind: 'Status', code, reason, message: `said ${reason}` }),
  });
  const { transport, asked } = pods(
    status(403, 'Forbidden'),
    { status: 401, body: 'Unauthorized' },
    { status: 200, body: '<html>' },
    status(503, 'ServiceUnavailable'),
    status(404, 'NotFound'),
  );
  const feed = scrape(transport, clock);
  await clock.advance(60_000);
  expect(feed.texts).toEqual([]);
  expect(feed.told.map((one) => one.slice(0, 60))).toEqual([
    'waiting: asking port 8080 of ops/p-0',
    'failed: may not be read (You may not read the metrics of pod',
    'failed: asks for a token (The metrics of ops/p-0 ask for a t',
    'failed: no metrics (Port 8080 of ops/p-0 answers, but not wi',
    'failed: answers 503 (The metrics of ops/p-0 cannot be read (',
    'ended: the pod ops/p-0 is gone',
  ]);
  expect(feed.told[1]).toContain('"pods/proxy"');
  expect(asked).toHaveLength(5);
});

test('[SRC32] a transport without the opt-in reads none', async () => {
  const clock = new FakeClock(0);
  const { allowPodMetrics: _none, ...transport } = pods({ status: 200, body: metrics }).transport;
  const feed = scrape(transport, clock);
  await clock.advance(60_000);
  expect(feed.told).toEqual(['failed: not allowed (This connection reads no metrics of pods.)']);
});

test('[SRC33] what was allowed holds for the transport that comes in its place, until it is given back', () => {
  const late = createLateTransport();
  const given = late.allowPodMetrics?.('ops/p-0:8080');
  const first = pods({ status: 200, body: metrics });
  late.use(first.transport);
  expect([...first.allowed]).toEqual(['ops/p-0:8080']);
  const second = pods({ status: 200, body: metrics });
  late.use(second.transport);
  expect([...second.allowed]).toEqual(['ops/p-0:8080']);
  given?.dispose();
  expect(second.allowed.size).toBe(0);
  const third = pods({ status: 200, body: metrics });
  late.use(third.transport);
  expect(third.allowed.size).toBe(0);
});

test('[SRC34] a target and its text', () => {
  const secure = { ...target, scheme: 'https', port: 8443 } as const;
  expect(targetText(secure)).toBe('ops/https:p-0:8443');
  expect(parseTarget(targetText(secure))).toEqual(secure);
  expect(parseTarget('ops/p-0:8080')).toEqual(target);
  for (const other of ['ops/p-0', 'ops/p-0:http', 'ops/ftp:p:1', '../p:80', 'ops/p-0:8080/x'])
    expect(parseTarget(other), other).toBeUndefined();
});
