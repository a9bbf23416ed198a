import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { KubeRequest } from '../source/transport.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { type Answer, startTestServer, type TestServer } from './kubeTestServer.ts';
import { createKubeTransport, type KubeTransportOptions } from './kubeTransport.ts';
import { systemClock } from './systemClock.ts';

const open: (Disposable | TestServer)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await ('close' in one ? one.close() : one.dispose());
});

async function serve(answer: Answer): Promise<TestServer> {
  const server = await startTestServer(answer);
  open.push(server);
  return server;
}

function connect(url: URL | string, options: Partial<KubeTransportOptions> = {}) {
  const credentials = {
    current: () => Promise.resolve({ ok: true as const, value: { headers: {} } }),
    refused: () => false,
    dispose() {},
  };
  const transport = createKubeTransport(
    { server: new URL(url), credentials },
    { clock: systemClock, version: '1.2.3', ...options },
  );
  open.push(transport);
  const get = (path = '/version', more: Partial<KubeRequest> = {}) =>
    transport.request({ method: 'GET', path, ...more });
  return { get };
}

test.each(['Upgrade: x\r\nConnection: Upgrade\r\n', ''])(
  '[TR12] an answer that switches protocols fails at once (%j)',
  async (headers) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ dispose: () => void server.close() });
    const { get } = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await get()).toMatchObject({
      ok: false,
      error: { code: 'unreachable', message: expect.stringContaining('(101)') },
    });
  },
);

test('[TR24] a body that trickles is given up after its time, with the clock of the test', async () => {
  const clock = new FakeClock();
  const server = await serve((_, response) => void response.writeHead(200).write('{'));
  const { get } = connect(server.url, { clock, idleMs: 1e9 });
  const answer = await get('/version', { bodyTimeoutMs: 15_000 });
  const reading = answer.ok ? answer.value.text() : Promise.resolve('');
  const failed = expect(reading).rejects.toMatchObject({
    detail: { code: 'timeout', message: expect.stringContaining('did not finish within 15 s') },
  });
  await clock.advance(15_000);
  await failed;
  expect(clock.pendingTimers).toBe(0);
});

test('[TR24] a body or a line beyond its bound ends that request, what came before is read', async () => {
  const server = await serve((_, response) => void response.end(`ok\n${'x'.repeat(2000)}\nlast\n`));
  const limits = { bodyLimits: { textBytes: 1000, lineBytes: 1999 } };
  const { get } = connect(server.url, limits);
  const whole = await get();
  if (!whole.ok) throw new Error(whole.error.message);
  await expect(whole.value.text()).rejects.toMatchObject({ detail: { code: 'too-large' } });
  const watch = await get('/api/v1/pods?watch=1');
  const lines: string[] = [];
  const reading = (async () => {
    if (watch.ok) for await (const line of watch.value.lines()) lines.push(line);
  })();
  await expect(reading).rejects.toMatchObject({ detail: { code: 'too-large' } });
  expect(lines).toEqual(['ok']);
  const wide = connect(server.url, { bodyLimits: { lineBytes: 2000 } });
  const other = await wide.get('/api/v1/pods?watch=1');
  if (other.ok) for await (const line of other.value.lines()) lines.push(line.slice(0, 4));
  expect(lines).toEqual(['ok', 'ok', 'xxxx', 'last']);
});
