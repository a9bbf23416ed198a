import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Disposable } from '../../shared/base/disposable.ts';
import { NotAllowed } from '../source/allowList.ts';
import { type KubeRequest, type RequestTrace, TransportFailure } from '../source/transport.ts';
import { FakeClock, settlePromises } from '../testing/fakeClock.ts';
import { type Answer, startTestServer, type TestServer, testPem } from './kubeTestServer.ts';
import {
  createKubeTransport,
  type KubeConnection,
  type KubeCredentials,
  type KubeTransportOptions,
} from './kubeTransport.ts';
import { systemClock } from './systemClock.ts';

const open: (Disposable | TestServer)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await ('close' in one ? one.close() : one.dispose());
});

const anonymous: KubeCredentials = {
  current: () => Promise.resolve({ ok: true, value: { headers: {} } }),
  refused: () => false,
  dispose() {},
};

async function serve(answer: Answer, cert?: string): Promise<TestServer> {
  const server = await startTestServer(answer, cert);
  open.push(server);
  return server;
}

function connect(
  url: URL | string,
  connection: Partial<KubeConnection> = {},
  options: Partial<KubeTransportOptions> = {},
) {
  const transport = createKubeTransport(
    { server: new URL(url), credentials: anonymous, ...connection },
    { clock: systemClock, version: '1.2.3', ...options },
  );
  open.push(transport);
  const get = (path = '/version', more: Partial<KubeRequest> = {}) =>
    transport.request({ method: 'GET', path, ...more });
  return { transport, get };
}

describe('requests', () => {
  test('[TR10] headers: who we are, what we accept, no Upgrade; impersonation as given; the path prefix is kept', async () => {
    const server = await serve((request, response) => {
      response.end(JSON.stringify({ path: request.url, headers: request.headers }));
    });
    const { get } = connect(`${server.url}k8s/clusters/c-1/`, {
      impersonate: {
        'Impersonate-User': 'ann',
        'Impersonate-Group': ['a', 'b'],
        'Impersonate-Extra-X': ['1', '2'],
      },
    });
    const answer = await get('/api/v1/pods?limit=5', { accept: 'application/json;as=Table' });
    if (!answer.ok) throw new Error(answer.error.message);
    const seen = JSON.parse(await answer.value.text());
    expect(seen.path).toBe('/k8s/clusters/c-1/api/v1/pods?limit=5');
    expect(seen.headers).toEqual({
      accept: 'application/json;as=Table',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      host: server.url.host,
      'impersonate-extra-x': '1, 2',
      'impersonate-group': 'a, b',
      'impersonate-user': 'ann',
      'user-agent': 'loopscope/1.2.3',
    });
    expect(server.requests[0]?.rawHeaders.filter((one) => one === 'Impersonate-Group')).toHaveLength(2);
  });

  test('[TR9] the metrics of a pod: refused, allowed for one target, refused again', async () => {
    const server = await serve((_, response) => void response.end('up 1\n'));
    const { get, transport } = connect(server.url);
    const path = '/api/v1/namespaces/ops/pods/p:8080/proxy/metrics';
    await expect(get(path)).rejects.toThrow(NotAllowed);
    const once = transport.allowPodMetrics?.('ops/p:8080');
    const twice = transport.allowPodMetrics?.('ops/p:8080');
    const answer = await get(path);
    expect(answer.ok && (await answer.value.text())).toBe('up 1\n');
    await expect(get(path.replace('8080', '8081'))).rejects.toThrow(NotAllowed);
    once?.dispose();
    expect((await get(path)).ok).toBe(true);
    twice?.dispose();
    await expect(get(path)).rejects.toThrow(NotAllowed);
    expect(server.requests).toHaveLength(2);
    expect(() => transport.allowPodMetrics?.('ops/p:8080/x')).toThrow(NotAllowed);
  });

  test('[TR26] a body that ends inside a line says so', async () => {
    const server = await serve((_, response) => void response.end('whole\npart'));
    const { get } = connect(server.url);
    const answer = await get();
    if (!answer.ok) throw new Error(answer.error.message);
    const seen: [string, boolean | undefined][] = [];
    for await (const line of answer.value.lines()) seen.push([line, answer.value.endedInLine]);
    expect(seen).toEqual([
      ['whole', false],
      ['part', true],
    ]);
  });

  test('[TR11] what the allow-list refuses throws before a byte leaves', async () => {
    const server = await serve((_, response) => void response.end());
    const { transport, get } = connect(server.url);
    await expect(get('/api/v1/namespaces/a/pods/p/exec')).rejects.toThrow(NotAllowed);
    await expect(transport.request({ method: 'POST', path: '/api/v1/pods', body: '{}' })).rejects.toThrow(
      NotAllowed,
    );
    await expect(get('/api/v1/secrets')).rejects.toThrow(NotAllowed);
    await settlePromises();
    expect([server.requests.length, await server.connections()]).toEqual([0, 0]);
  });

  test('[TR12] a redirect is not followed and its query not shown', async () => {
    const target = await serve((_, response) => void response.end('reached'));
    const server = await serve((_, response) => {
      response.writeHead(302, { location: `${target.url}login?token=canary` }).end();
    });
    const answer = await connect(server.url).get();
    expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(JSON.stringify(answer)).toContain(`redirects to ${target.url.origin},`);
    expect(JSON.stringify(answer)).not.toContain('canary');
    expect(target.requests).toHaveLength(0);
  });

  test('[TR13] POST of a review carries its JSON', async () => {
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (text) => {
        body += String(text);
      });
      request.on('end', () => response.writeHead(201).end(`${request.headers['content-type']} ${body}`));
    });
    const answer = await connect(server.url).transport.request({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: '{"x":"é"}',
    });
    expect(answer.ok && (await answer.value.text())).toBe('application/json {"x":"é"}');
  });

  test('[TR14] every request is told: path, status, time, stream; a failure with its code', async () => {
    const server = await serve((_, response) => void response.writeHead(403).end());
    const { transport, get } = connect(server.url);
    const traces: RequestTrace[] = [];
    transport.onRequest((trace) => traces.push(trace));
    await get('/api/v1/pods?watch=1');
    await server.close();
    await get('/livez');
    expect(traces).toEqual([
      {
        at: expect.any(Number),
        method: 'GET',
        path: '/api/v1/pods?watch=1',
        status: 403,
        ms: expect.any(Number),
        stream: true,
      },
      {
        at: expect.any(Number),
        method: 'GET',
        path: '/livez',
        status: undefined,
        ms: expect.any(Number),
        stream: false,
        error: 'refused',
      },
    ]);
  });

  test('[TR15] more than a hundred watches stay open at once, and a request still gets through', async () => {
    const server = await serve((request, response) => {
      if (request.url?.includes('watch')) response.writeHead(200).write('{}\n');
      else response.end('ok');
    });
    const { get } = connect(server.url);
    const watches = await Promise.all(Array.from({ length: 120 }, () => get('/api/v1/pods?watch=1')));
    expect(watches.every((watch) => watch.ok)).toBe(true);
    const answer = await get();
    expect(answer.ok && (await answer.value.text())).toBe('ok');
  });

  test('[TR16] a kept-alive connection the server closed meanwhile: asked once more, unseen', async () => {
    let count = 0;
    const server = await serve((request, response) => {
      count++;
      // The second request finds its connection gone, as with a server that restarts.
      if (count === 2) request.socket.destroy();
      else response.end(String(count));
    });
    const { get } = connect(server.url);
    const first = await get();
    expect(first.ok && (await first.value.text())).toBe('1');
    await new Promise((resolve) => setImmediate(resolve));
    const second = await get();
    expect(second.ok && (await second.value.text())).toBe('3');
  });
});

describe('401', () => {
  function scripted(tokens: string[]): { credentials: KubeCredentials; asked: string[] } {
    const asked: string[] = [];
    let at = 0;
    return {
      asked,
      credentials: {
        current: () => {
          asked.push(tokens[at] ?? '');
          return Promise.resolve({ ok: true, value: { headers: { authorization: `Bearer ${tokens[at]}` } } });
        },
        refused: () => ++at < tokens.length,
        dispose() {},
      },
    };
  }

  test('[TR17] refused credentials are renewed once, where they can be', async () => {
    const server = await serve((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer good' ? 200 : 401).end('body');
    });
    const renewed = scripted(['old', 'good']);
    const answer = await connect(server.url, { credentials: renewed.credentials }).get();
    expect(answer.ok && answer.value.status).toBe(200);
    const still = scripted(['canary-1', 'canary-2', 'good']);
    const refused = await connect(server.url, { credentials: still.credentials }).get();
    expect(refused).toEqual({
      ok: false,
      error: {
        code: 'unauthorized',
        message: `${server.url.host} does not accept the credentials of this context (401): log in again, or renew the token or certificate of its user.`,
      },
    });
    expect(still.asked).toEqual(['canary-1', 'canary-2']);
  });
});

describe('bodies', () => {
  test('[TR20] lines come out whole, across chunks and characters, the last one without newline too', async () => {
    const bytes = Buffer.from('{"a":"é€😀"}\n\nsecond\nlast');
    const server = await serve(async (_, response) => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const answer = await connect(server.url).get();
    const lines: string[] = [];
    if (answer.ok) for await (const line of answer.value.lines()) lines.push(line);
    expect(lines).toEqual(['{"a":"é€😀"}', '', 'second', 'last']);
  });

  test('[TR21] gzip: asked for when told to, read whole and line by line as it comes', async () => {
    let finish = () => {};
    const server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      if (!request.url?.includes('watch')) {
        response.end(gzipSync('whole'));
        return;
      }
      const zip = createGzip();
      zip.pipe(response);
      zip.write('one\n');
      zip.flush(constants.Z_SYNC_FLUSH);
      finish = () => zip.end('two\n');
    });
    const { get } = connect(server.url, {}, { compress: true });
    const whole = await get();
    expect(whole.ok && (await whole.value.text())).toBe('whole');
    const watch = await get('/api/v1/pods?watch=true');
    if (!watch.ok) throw new Error(watch.error.message);
    const lines = watch.value.lines()[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'one' });
    finish();
    expect(await lines.next()).toEqual({ done: false, value: 'two' });
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  test('[TR21] gzip in members, one a flush, as a streamed list comes', async () => {
    const server = await serve(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      for (const line of ['one\n', 'two\nth', 'ree\n']) {
        const member = gzipSync(line);
        response.write(member.subarray(0, 7));
        await new Promise((resolve) => setImmediate(resolve));
        response.write(member.subarray(7));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const watch = await connect(server.url, {}, { compress: true }).get('/api/v1/pods?watch=1');
    if (!watch.ok) throw new Error(watch.error.message);
    const lines = watch.value.lines()[Symbol.asyncIterator]();
    for (const value of ['one', 'two', 'three']) expect(await lines.next()).toEqual({ done: false, value });
    await lines.return?.();
  });

  test('[TR22] a body that is cut is a failure, by line and whole, never a short answer', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"first":1}\n', () => response.destroy());
    });
    const { get } = connect(server.url);
    const whole = await get();
    const error = whole.ok ? await whole.value.text().catch((failure: unknown) => failure) : whole.error;
    expect(error).toBeInstanceOf(TransportFailure);
    expect(error).toMatchObject({ detail: { code: 'reset' } });
    const watch = await get('/api/v1/pods?watch=1');
    const lines: string[] = [];
    await expect(async () => {
      if (watch.ok) for await (const line of watch.value.lines()) lines.push(line);
    }).rejects.toThrow(TransportFailure);
    expect(lines).toEqual(['{"first":1}']);
  });

  test('[TR23] leaving the loop, aborting and dispose each close the connection', async () => {
    const server = await serve((_, response) => void response.writeHead(200).write('{}\n'));
    const { transport, get } = connect(server.url);
    const gone = async (count: number) => {
      while ((await server.connections()) !== count) await new Promise((resolve) => setImmediate(resolve));
    };
    const left = await get('/api/v1/pods?watch=1');
    if (left.ok) for await (const _ of left.value.lines()) break;
    await gone(0);
    const abort = new AbortController();
    const aborted = await get('/api/v1/pods?watch=1', { signal: abort.signal });
    const reading = (async () => {
      if (aborted.ok) for await (const _ of aborted.value.lines()) abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ detail: { code: 'cancelled' } });
    await gone(0);
    const kept = await get('/api/v1/pods?watch=1');
    const rest = (async () => {
      if (kept.ok) for await (const _ of kept.value.lines()) transport.dispose();
    })();
    await expect(rest).rejects.toMatchObject({ detail: { code: 'cancelled' } });
    await gone(0);
    expect(await get()).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('[TR30] failures in words', () => {
  test.each([
    ['othername', 'ca.pem', /is valid for other names \(elsewhere\.test\).*tls-server-name/],
    ['expired', 'ca.pem', /has expired: renew it/],
    ['server', 'stranger.pem', /is not trusted: no authority that this context trusts/],
    ['stranger', 'ca.pem', /is not trusted/],
  ])('certificate %s against %s', async (cert, ca, message) => {
    const server = await serve((_, response) => void response.end(), cert);
    const answer = await connect(server.url, { ca: testPem(ca) }).get();
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'tls', message: expect.stringMatching(message) },
    });
    expect(server.requests).toHaveLength(0);
  });

  test('tls-server-name, insecure-skip-tls-verify and client certificates do what they say', async () => {
    const server = await serve((request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody');
    }, 'server');
    const other = await serve((_, response) => void response.end('ok'), 'othername');
    const text = async (answer: Awaited<ReturnType<ReturnType<typeof connect>['get']>>) =>
      answer.ok ? answer.value.text() : answer.error.message;
    const ca = testPem('ca.pem');
    expect(await text(await connect(server.url, { ca }).get())).toBe('nobody');
    const credentials: KubeCredentials = {
      ...anonymous,
      current: () =>
        Promise.resolve({
          ok: true,
          value: { headers: {}, cert: testPem('client.pem'), key: testPem('client.key') },
        }),
    };
    expect(await text(await connect(server.url, { ca, credentials }).get())).toBe('tester');
    expect(await text(await connect(other.url, { ca, serverName: 'elsewhere.test' }).get())).toBe('ok');
    const byName = new URL(`https://localhost:${server.url.port}`);
    expect(await text(await connect(byName, { ca, serverName: '127.0.0.1' }).get())).toBe('nobody');
    expect(await text(await connect(byName, { ca, serverName: '127.0.0.2' }).get())).toContain(
      'valid for other names',
    );
    expect(await text(await connect(other.url, { skipVerify: true }).get())).toBe('ok');
  });

  test('nobody listens, https to an http port, http to an https port, a name that does not exist', async () => {
    const plain = await serve((_, response) => void response.end());
    const secure = await serve((_, response) => void response.end(), 'server');
    const closed = await startTestServer((_, response) => void response.end());
    await closed.close();
    const error = async (url: string) => {
      const answer = await connect(url).get();
      return answer.ok ? answer.value.status : answer.error;
    };
    expect(await error(closed.url.href)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('Nothing listens at'),
    });
    expect(await error(`https://${plain.url.host}`)).toMatchObject({
      code: 'tls',
      message: expect.stringContaining('does not speak TLS'),
    });
    expect(await error(`http://${secure.url.host}`)).toMatchObject({
      code: 'reset',
      message: expect.stringContaining('may expect https'),
    });
    const go = await serve((request, response) => {
      const body = request.url === '/version' ? 'Client sent an HTTP request to an HTTPS server.\n' : 'other';
      response.writeHead(400).end(body);
    });
    expect(await error(go.url.href)).toMatchObject({
      code: 'tls',
      message: expect.stringContaining('speaks https only'),
    });
    const other = await connect(go.url).get('/livez');
    expect(other.ok && [other.value.status, await other.value.text()]).toEqual([400, 'other']);
    expect(await error('https://no-such-host.invalid')).toMatchObject({
      code: 'dns',
      message: expect.stringContaining('cannot be resolved'),
    });
  });

  test('a server that takes the connection and says nothing: the time-out says how long', async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push({ dispose: () => void silent.close() });
    const clock = new FakeClock();
    const { transport, get } = connect(
      `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      {},
      { clock },
    );
    const answer = get('/version', { timeoutMs: 5000 });
    await settlePromises();
    await clock.advance(5000);
    expect(await answer).toMatchObject({
      ok: false,
      error: { code: 'timeout', message: expect.stringMatching(/did not answer within 5 s/) },
    });
    transport.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('[TR40] a connection that fell silent', () => {
  /** Watches stay open and silent; `/livez` answers while `alive`. */
  async function silentServer(clock: FakeClock) {
    const state = { alive: true };
    let probes = 0;
    const server = await serve((request, response) => {
      if (request.url === '/livez') {
        probes++;
        if (state.alive) response.writeHead(403).end('no');
      } else response.writeHead(200).write('{}\n');
    });
    const { transport, get } = connect(server.url, {}, { clock, idleMs: 15_000, probeTimeoutMs: 10_000 });
    const watch = await get('/api/v1/pods?watch=1');
    if (!watch.ok) throw new Error(watch.error.message);
    const lines = watch.value.lines()[Symbol.asyncIterator]();
    await lines.next();
    const until = async (wanted: number) => {
      while (probes < wanted) await new Promise((resolve) => setImmediate(resolve));
      // The answer is on its way: let it arrive before time moves on.
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    };
    return { state, transport, next: lines.next(), until };
  }

  test('is probed; an answer of any status keeps it; without one it is cut, in words', async () => {
    const clock = new FakeClock();
    const { state, next, until, transport } = await silentServer(clock);
    const settled = next.then(
      () => 'ended',
      (failure: unknown) => failure,
    );
    await clock.advance(15_000);
    await until(1);
    state.alive = false;
    await clock.advance(15_000);
    await until(2);
    await clock.advance(9000);
    expect(await Promise.race([settled, Promise.resolve('open')])).toBe('open');
    await clock.advance(1000);
    expect(await settled).toMatchObject({
      detail: {
        code: 'timeout',
        message: expect.stringMatching(/^The connection went silent\. .* did not answer within 10 s\.$/),
      },
    });
    transport.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});
