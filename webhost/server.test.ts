import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FakeClock } from '../core/testing/fakeClock.ts';
import { type EngineApi, engineApi } from '../shared/contract/api.ts';
import { createClient } from '../shared/contract/client.ts';
import type { Handlers } from '../shared/contract/serve.ts';
import { engineProtocols, zSessionAnswer } from '../shared/contract/webSession.ts';
import { createWebSocketTransport } from '../shared/contract/webSocketTransport.ts';
import { startWebHost, type WebHost, type WebHostOptions } from './server.ts';
import { HEARTBEAT_MS } from './wsHost.ts';

const info = { version: '1.2.3', platform: 'test', now: 5, node: 'v0' };
const disposed: string[] = [];
/** As much of an engine as these tests ask for; the rest is answered `unknown-name`. */
const engineHandlers = {
  methods: { 'app.info': () => info },
  values: {
    session: () => ({ dispose: () => void disposed.push('session') }),
  },
  tables: {},
} as unknown as Handlers<EngineApi>;

let distDir: string;
const hosts: WebHost[] = [];
const logged: string[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loopscope-webhost-'));
  distDir = join(folder, 'dist');
  await mkdir(join(distDir, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'outside');
  await writeFile(join(distDir, 'index.html'), '<!doctype html><title>Loopscope</title>');
  await writeFile(join(distDir, 'assets/app-Dk3_x9Qa.js'), 'export {};');
  await writeFile(join(distDir, 'icon.svg'), '<svg/>');
});
afterAll(() => rm(join(distDir, '..'), { recursive: true, force: true }));
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  logged.length = 0;
  disposed.length = 0;
});

async function start(options: Partial<WebHostOptions> = {}): Promise<WebHost> {
  const started = await startWebHost({
    engineHandlers,
    distDir,
    port: 0,
    clock: new FakeClock(),
    log: (line) => logged.push(line),
    ...options,
  });
  if (!started.ok) throw new Error(started.error.message);
  hosts.push(started.value);
  return started.value;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As raw as node:http allows: Host and Origin are what the test says. */
function ask(host: WebHost, { method = 'GET', path = '/', headers = {}, body }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: host.port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function originOf(host: WebHost): string {
  return `http://127.0.0.1:${host.port}`;
}

async function exchange(host: WebHost, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await ask(host, {
    method: 'POST',
    path: '/session',
    headers: { origin: originOf(host), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { ...answer, parsed: zSessionAnswer.safeParse(safeJson(answer.body)).data };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function secretFor(host: WebHost, token = host.token): Promise<string> {
  const { parsed } = await exchange(host, { token });
  if (parsed?.ok !== true) throw new Error('no secret');
  return parsed.secret;
}

interface Dial {
  readonly path?: string;
  readonly protocols?: string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly autoPong?: boolean;
}

/** The open socket, or the HTTP status of the refusal. */
function dial(host: WebHost, { path = '/engine', protocols = [], headers, autoPong = true }: Dial) {
  return new Promise<WebSocket | number>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}${path}`, protocols, {
      headers: { origin: originOf(host), ...headers },
      autoPong,
    });
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

async function openWindow(host: WebHost, secret: string, dialOptions: Dial = {}) {
  const socket = await dial(host, { protocols: engineProtocols(secret), ...dialOptions });
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return { socket, client: createClient(engineApi, createWebSocketTransport(socket)) };
}

describe('tokens and secrets', () => {
  test('[WH2] the printed address carries a token that opens one window, once', async () => {
    const host = await start();
    expect(host.url).toBe(`${originOf(host)}/#token=${host.token}`);
    const first = await exchange(host, { token: host.token });
    expect(first.status).toBe(200);
    const second = await exchange(host, { token: host.token });
    expect([second.status, second.parsed]).toEqual([401, { ok: false, code: 'link-used' }]);
    const { client } = await openWindow(host, first.parsed?.ok === true ? first.parsed.secret : '');
    expect(await client.call('app.info', {})).toEqual(info);
    client.close();
  });

  test('[WH2] a token that was never given out is link-unknown', async () => {
    const host = await start();
    const { status, parsed } = await exchange(host, { token: 'made-up' });
    expect([status, parsed]).toEqual([401, { ok: false, code: 'link-unknown' }]);
  });

  test('[WH2] a fresh link opens another window beside the first', async () => {
    const host = await start();
    const link = new URL(host.newLink());
    const one = await openWindow(host, await secretFor(host));
    const two = await openWindow(host, await secretFor(host, link.hash.slice('#token='.length)));
    expect(host.windows).toBe(2);
    one.client.close();
    expect(await two.client.call('app.info', {})).toEqual(info);
    two.client.close();
  });

  test('[WH3] the secret of a tab survives a reload, not a restart', async () => {
    const host = await start();
    const secret = await secretFor(host);
    expect((await exchange(host, { secret })).parsed).toEqual({ ok: true, secret });
    const { client } = await openWindow(host, secret);
    client.close();
    (await openWindow(host, secret)).client.close();
    const restarted = await start();
    expect((await exchange(restarted, { secret })).parsed).toEqual({ ok: false, code: 'session-ended' });
  });

  test('[WH3] a window whose socket broke comes back with its secret, beside other tabs and before the break is seen', async () => {
    const host = await start();
    const secret = await secretFor(host);
    const first = await openWindow(host, secret);
    // The other end of a sleeping laptop: its socket still counts as open here.
    const back = await openWindow(host, secret);
    const copied = await openWindow(host, secret);
    expect(host.windows).toBe(3);
    first.socket.terminate();
    expect(await back.client.call('app.info', {})).toEqual(info);
    expect(await copied.client.call('app.info', {})).toEqual(info);
    const again = await openWindow(host, secret);
    expect(await again.client.call('app.info', {})).toEqual(info);
    expect((await exchange(host, { secret })).parsed).toEqual({ ok: true, secret });
    for (const { client } of [back, copied, again]) client.close();
  });

  test('tokens and secrets are never logged', async () => {
    const host = await start();
    const secret = await secretFor(host);
    await exchange(host, { token: host.token }, { origin: 'http://evil.example' });
    await dial(host, { protocols: engineProtocols(`${secret}x`) });
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toMatch(new RegExp(`${host.token}|${secret}`));
  });
});

describe('planted requests', () => {
  test.each([
    ['evil.example', 403],
    ['evil.example:PORT', 403],
    ['localhost:PORT', 403],
    ['127.0.0.1:1', 403],
    ['127.0.0.1', 403],
    ['127.0.0.1:PORT', 200],
  ])('[WH4] Host %s: %i', async (name, status) => {
    const host = await start();
    const headers = { host: name.replace('PORT', String(host.port)) };
    const answer = await ask(host, { headers });
    expect(answer.status).toBe(status);
    expect(answer.body.includes('<title>')).toBe(status === 200);
  });

  test.each([
    ['a page of another site', { origin: 'http://evil.example' }],
    ['another port of loopback', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['localhost', { origin: 'http://localhost:PORT' }],
    ['a cross-site fetch', { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'cross-site' }],
    ['another name', { origin: 'http://127.0.0.1:PORT', host: 'evil.example' }],
  ])('[WH5] %s gets neither a secret nor a socket', async (_who, planted) => {
    const host = await start();
    const headers = Object.fromEntries(
      Object.entries(planted).map(([name, value]) => [name, value.replace('PORT', String(host.port))]),
    );
    const refused = await exchange(host, { token: host.token }, headers);
    expect([refused.status, refused.parsed]).toEqual([403, undefined]);
    const secret = await secretFor(host);
    expect(await dial(host, { protocols: engineProtocols(secret), headers })).toBe(403);
  });

  test('[WH5] a request without Origin gets neither', async () => {
    const host = await start();
    const body = JSON.stringify({ token: host.token });
    const headers = { 'content-type': 'application/json' };
    expect((await ask(host, { method: 'POST', path: '/session', headers, body })).status).toBe(403);
    const secret = await secretFor(host);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-protocol': engineProtocols(secret).join(', '),
    };
    expect((await ask(host, { path: '/engine', headers: upgrade })).status).toBe(403);
  });

  test('[WH5] a form of another page cannot post a token (no JSON content type)', async () => {
    const host = await start();
    const answer = await exchange(host, { token: host.token }, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(400);
    expect((await exchange(host, { token: host.token })).status).toBe(200);
  });

  test('[WH6] path, subprotocol and secret must all be right', async () => {
    const host = await start();
    const secret = await secretFor(host);
    const right = engineProtocols(secret);
    expect(await dial(host, { protocols: right, path: '/other' })).toBe(403);
    expect(await dial(host, { protocols: [] })).toBe(403);
    expect(await dial(host, { protocols: [right[0] ?? ''] })).toBe(403);
    expect(await dial(host, { protocols: [right[1] ?? ''] })).toBe(403);
    expect(await dial(host, { protocols: engineProtocols(host.token) })).toBe(403);
    expect(host.windows).toBe(0);
  });

  test('a body without end is not read to its end', async () => {
    const host = await start();
    const answer = await exchange(host, { token: 'x'.repeat(100_000) }).catch(() => ({ status: 'cut' }));
    expect([400, 'cut']).toContain(answer.status);
    expect((await exchange(host, { token: host.token })).status).toBe(200);
  });
});

describe('files', () => {
  test('[WH7] headers of the page and of a hashed file', async () => {
    const host = await start();
    const page = await ask(host, {});
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${host.port};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const script = await ask(host, { path: '/assets/app-Dk3_x9Qa.js' });
    expect(script.headers['cache-control']).toContain('immutable');
    expect(script.headers['content-type']).toContain('text/javascript');
    expect((await ask(host, { path: '/icon.svg' })).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '//etc/passwd',
    '/nothing',
  ])('[WH8] %s does not exist', async (path) => {
    const host = await start();
    const answer = await ask(host, { path });
    expect([answer.status, answer.body.includes('outside')]).toEqual([404, false]);
  });

  test('only GET and HEAD; HEAD has no body', async () => {
    const host = await start();
    expect((await ask(host, { method: 'PUT' })).status).toBe(405);
    expect((await ask(host, { path: '/session' })).status).toBe(405);
    const head = await ask(host, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });
});

describe('listening', () => {
  test('[WH1] a taken port that was asked for is a problem with a sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const started = await startWebHost({
      engineHandlers,
      distDir,
      port,
      clock: new FakeClock(),
      log: () => {},
    });
    expect(started).toMatchObject({ ok: false, error: { code: 'port-in-use' } });
    await new Promise((resolve) => other.close(resolve));
  });

  test('[WH1] without one, two hosts run at the same time', async () => {
    const startAny = async () => {
      const started = await startWebHost({ engineHandlers, distDir, clock: new FakeClock(), log: () => {} });
      if (!started.ok) throw new Error(started.error.message);
      hosts.push(started.value);
      return started.value.port;
    };
    const ports = [await startAny(), await startAny()];
    expect(new Set(ports).size).toBe(2);
  });

  test('a folder without a built window is a problem with a sentence', async () => {
    const options = { engineHandlers, clock: new FakeClock(), log: () => {}, port: 0 };
    const started = await startWebHost({ ...options, distDir: join(distDir, 'assets') });
    expect(started).toMatchObject({ ok: false, error: { code: 'not-built' } });
  });

  test('[WH9] a window that stops answering pings is dropped, one that answers stays', async () => {
    const clock = new FakeClock();
    const host = await start({ clock });
    const dead = await openWindow(host, await secretFor(host), { autoPong: false });
    const link = new URL(host.newLink());
    const alive = await openWindow(host, await secretFor(host, link.hash.slice('#token='.length)));
    dead.client.value('session', {}, () => {});
    const gone = new Promise((resolve) => dead.socket.once('close', resolve));
    const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
    await clock.advance(HEARTBEAT_MS);
    await pinged;
    await alive.client.call('app.info', {});
    await clock.advance(HEARTBEAT_MS);
    await gone;
    await alive.client.call('app.info', {});
    expect(host.windows).toBe(1);
    expect(disposed).toEqual(['session']);
    alive.client.close();
  });

  test('close ends every window and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const host = await start({ clock });
    const { client } = await openWindow(host, await secretFor(host));
    const reason = new Promise((resolve) => client.onClose(resolve));
    await host.close();
    expect(await reason).toMatchObject({ kind: 'closed' });
    expect(disposed).toEqual([]);
    await clock.advance(1000);
    expect(clock.pendingTimers).toBe(0);
  });
});
