import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { FeedSink } from '../engine/host.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { fetchMetrics, isThisMachine, metricsUrl, scrapeMetrics } from './metricsScrape.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<URL> {
  const server: Server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
}
const answer =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

async function codeOf(url: URL, timeoutMs = 2000): Promise<string> {
  const result = await fetchMetrics(url, timeoutMs);
  return result.ok ? `ok ${result.value.length}` : result.error.code;
}

test('[FEED20] each failure is a code and a sentence; nothing is followed', async () => {
  expect(await codeOf(await serve(answer(200, 'up 1\n')))).toBe('ok 5');
  expect(await codeOf(await serve(answer(403, 'no')))).toBe('metrics-forbidden');
  expect(await codeOf(await serve(answer(302, '', { location: '/elsewhere' })))).toBe('metrics-redirect');
  expect(await codeOf(await serve(answer(404, '')))).toBe('metrics-path');
  expect(await codeOf(await serve(answer(500, '')))).toBe('metrics-status');
  expect(await codeOf(await serve(answer(200, '<html>hello</html>')))).toBe('metrics-unreadable');
  const cutOff: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('up 1\n', () => response.destroy());
  };
  expect(await codeOf(await serve(cutOff))).toBe('metrics-unreadable');
  expect(await codeOf(await serve(() => undefined), 50)).toBe('metrics-timeout');
});

test('[FEED20] nothing there, and something else there', async () => {
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await codeOf(new URL(`http://127.0.0.1:${port}/metrics`))).toBe('metrics-refused');
  const plain = await serve(answer(200, 'up 1\n'));
  expect(await codeOf(new URL(plain.href.replace('http:', 'https:')))).toBe('metrics-protocol');
});

test('[FEED21] what is accepted as a URL', () => {
  const href = (text: string) => {
    const url = metricsUrl(text);
    return url.ok ? url.value.href : url.error.code;
  };
  expect(href('127.0.0.1:8080')).toBe('http://127.0.0.1:8080/metrics');
  expect(href('localhost:8080/m')).toBe('http://localhost:8080/m');
  expect(href('https://metrics.example.com/x?y=1#z')).toBe('https://metrics.example.com/x?y=1');
  expect(href('file:///etc/passwd')).toBe('metrics-url');
  expect(href('http://user:pass@127.0.0.1/metrics')).toBe('metrics-url');
  expect(href('http://')).toBe('metrics-url');
  expect(['localhost', '127.0.0.1', '[::1]', 'example.com', '127.example.com'].map(isThisMachine)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('[FEED22] a scrape every five seconds; failure is a state told once, and live again when it answers', async () => {
  let status = 200;
  let calls = 0;
  const url = await serve((_request, response) => {
    calls++;
    response.writeHead(status).end(`calls ${calls}\n`);
  });
  const clock = new FakeClock(50_000);
  const lines: string[] = [];
  const states: string[] = [];
  const sink: FeedSink = {
    lines: (batch) => lines.push(...batch.map((line) => `${line.receivedAt} ${line.text.trim()}`)),
    gap: () => undefined,
    state: (state, _detail, problem) => states.push(problem?.code ?? state),
  };
  const scraper = scrapeMetrics(url.href, sink, { clock });
  await until(() => lines.length === 1);
  await until(() => clock.pendingTimers === 1);
  status = 403;
  clock.advanceSync(5_000);
  await until(() => states.length === 3 && clock.pendingTimers === 1);
  clock.advanceSync(5_000);
  await until(() => calls === 3 && clock.pendingTimers === 1);
  status = 200;
  clock.advanceSync(4_999);
  expect(calls).toBe(3);
  clock.advanceSync(1);
  await until(() => lines.length === 2);
  expect(lines).toEqual(['50000 calls 1', '65000 calls 4']);
  expect(states).toEqual(['waiting', 'live', 'metrics-forbidden', 'live']);
  scraper.dispose();
  await until(() => true);
  expect(clock.pendingTimers).toBeLessThanOrEqual(1);
  clock.advanceSync(60_000);
  expect(calls).toBe(4);
});

async function until(holds: () => boolean): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!holds());
}

test('[FEED20] what is wrong with an address is said without its login and query', () => {
  for (const address of ['http://u:hunter2@[bad/metrics?token=hunter2', 'ftp://host/?token=hunter2']) {
    const refused = metricsUrl(address);
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  }
});
