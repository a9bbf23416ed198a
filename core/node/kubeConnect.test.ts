import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect as tcpConnect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { KubeTransport } from '../source/transport.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { type CreateTransportOptions, createTransport } from './kubeConnect.ts';
import { flattenContext } from './kubeconfigFlatten.ts';
import { loadKubeconfig } from './kubeconfigLoad.ts';
import { proxyFor } from './kubeProxy.ts';
import { startTestServer, type TestServer, testPem } from './kubeTestServer.ts';
import { systemClock } from './systemClock.ts';

/** In every secret place; no message may ever hold it. */
const canary = 'canary0123456789canary0123456789';

let dir = '';
let server: TestServer;
const open: (Disposable | TestServer)[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopscope-connect-'));
  server = await startTestServer((request, response) => {
    const good = request.headers.authorization;
    response
      .writeHead(good === undefined || good.includes('refused') ? 401 : 200)
      .end(JSON.stringify(request.headers));
  }, 'server');
  open.push(server);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await ('close' in one ? one.close() : one.dispose());
  rmSync(dir, { recursive: true, force: true });
});

function script(name: string, body: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Ended, or waiting for whoever adopted it to notice. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

function context(user: Record<string, unknown>, cluster: Record<string, unknown> = {}) {
  const config = {
    'current-context': 'x',
    clusters: [
      {
        name: 'x',
        cluster: {
          server: server.url.href,
          'certificate-authority-data': Buffer.from(testPem('ca.pem')).toString('base64'),
          ...cluster,
        },
      },
    ],
    users: [{ name: 'x', user }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
  };
  const flag = join(dir, 'config');
  writeFileSync(flag, JSON.stringify(config));
  const loaded = loadKubeconfig({ flag, home: dir });
  if (!loaded.ok) throw new Error(loaded.error.message);
  const flat = flattenContext(loaded.value);
  if (!flat.ok) throw new Error(flat.error.message);
  return flat.value;
}

function options(more: Partial<CreateTransportOptions> = {}): CreateTransportOptions {
  return { clock: systemClock, version: '0', env: { PATH: process.env.PATH }, consent: 'once', ...more };
}

function transportOf(
  flat: ReturnType<typeof context>,
  more: Partial<CreateTransportOptions> = {},
): KubeTransport {
  const made = createTransport(flat, options(more));
  if (!made.ok) throw new Error(made.error.message);
  open.push(made.value);
  return made.value;
}

async function ask(transport: KubeTransport) {
  const answer = await transport.request({ method: 'GET', path: '/version' });
  if (!answer.ok) {
    expect(JSON.stringify(answer.error)).not.toContain('canary');
    return answer.error;
  }
  return JSON.parse(await answer.value.text()) as IncomingMessage['headers'];
}

const exec = (command: string, more: Record<string, unknown> = {}) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command, ...more },
});

function credential(status: string): string {
  return `printf %s '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}'`;
}

describe('static credentials', () => {
  test('[KC20] token, basic, and impersonation with every field', async () => {
    expect(await ask(transportOf(context({ token: 'abc' })))).toMatchObject({ authorization: 'Bearer abc' });
    const basic = transportOf(context({ username: 'ann', password: 'p:w' }));
    expect(await ask(basic)).toMatchObject({
      authorization: `Basic ${Buffer.from('ann:p:w').toString('base64')}`,
    });
    const as = context({
      token: 'abc',
      as: 'eve',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'example.com/Scope%': ['x', 'y'] },
    });
    expect(await ask(transportOf(as))).toMatchObject({
      'impersonate-user': 'eve',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-example.com%2fscope%25': 'x, y',
    });
  });

  test('[KC21] a token file is read again: after ten seconds, and at once when refused', async () => {
    const path = join(dir, 'token');
    writeFileSync(path, 'first\n');
    const clock = new FakeClock();
    const transport = transportOf(context({ token: 'ignored', tokenFile: path }), { clock });
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer first' });
    writeFileSync(path, 'second');
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer first' });
    clock.advanceSync(10_000);
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer second' });
    writeFileSync(path, 'refused');
    clock.advanceSync(10_000);
    expect(await ask(transport)).toMatchObject({ code: 'unauthorized' });
    writeFileSync(path, 'third');
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer third' });
    rmSync(path);
    clock.advanceSync(10_000);
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer third' });
    const none = transportOf(context({ tokenFile: path }));
    expect(await ask(none)).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(path) });
  });

  test('[KC22] over plain http no credentials are sent', async () => {
    const plain = await startTestServer(
      (request, response) => void response.end(JSON.stringify(request.headers)),
    );
    open.push(plain);
    const transport = transportOf(context({ token: canary }, { server: plain.url.href }));
    expect(await ask(transport)).not.toHaveProperty('authorization');
  });

  test('[KC24] credentials that cannot be sent: a sentence without them', async () => {
    const bad = Buffer.from('canary').toString('base64');
    for (const user of [
      { token: 'canary\r\nX-Evil: 1' },
      { token: 'canary-ключ' },
      { 'client-certificate-data': bad, 'client-key-data': bad },
    ]) {
      const error = await ask(transportOf(context(user)));
      expect(error).toMatchObject({ message: expect.stringMatching(/of this context (hold|is malformed)/) });
      expect(JSON.stringify(error)).not.toContain('canary');
    }
    expect(server.requests).toHaveLength(0);
  });

  test('[KC23] a certificate file that is not there: its path in a sentence', () => {
    const missing = join(dir, 'none.pem');
    const made = createTransport(
      context({ 'client-certificate': missing, 'client-key': missing }),
      options(),
    );
    expect(made).toEqual({
      ok: false,
      error: { code: 'tls', message: `The client certificate ${missing} of this context cannot be read.` },
    });
  });
});

describe('exec plugins', () => {
  test('[KC30] nothing runs before consent; the command is shown; "always" is remembered for it alone', () => {
    const ran = join(dir, 'ran');
    const command = script('login', `touch ${ran}`);
    const flat = context(exec(command, { args: ['--x'], env: [{ name: 'SECRET', value: canary }] }));
    const kept = new Set<string>();
    const consents = { has: (key: string) => kept.has(key), add: (key: string) => void kept.add(key) };
    const asked = createTransport(flat, options({ consent: undefined, consents }));
    expect(asked).toMatchObject({
      ok: false,
      error: {
        code: 'auth-consent',
        exec: { command, args: ['--x'], envNames: ['SECRET'], file: join(dir, 'config'), user: 'x' },
      },
    });
    expect(JSON.stringify(asked)).not.toContain('canary');
    expect(() => readFileSync(ran)).toThrow();
    expect(createTransport(flat, options({ consent: 'once', consents })).ok).toBe(true);
    expect(createTransport(flat, options({ consent: undefined, consents })).ok).toBe(false);
    expect(createTransport(flat, options({ consent: 'always', consents })).ok).toBe(true);
    expect(createTransport(flat, options({ consent: undefined, consents })).ok).toBe(true);
    const other = context(exec(command, { args: ['--y'] }));
    expect(createTransport(other, options({ consent: undefined, consents })).ok).toBe(false);
    expect([...kept].join()).not.toContain('canary');
  });

  test('[KC31] environment, KUBERNETES_EXEC_INFO with the cluster when asked for, and a closed standard input', async () => {
    const command = script(
      'login',
      `[ "$(cat)" = "" ] || exit 9\necho "$KUBERNETES_EXEC_INFO" > ${join(dir, 'info')}\n${credential('{"token":"\'$WHO\'"}')}`,
    );
    const user = exec(command, { provideClusterInfo: true, env: [{ name: 'WHO', value: 'plugin' }] });
    const flat = context(user, {
      'tls-server-name': 'kube.test',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
    });
    expect(await ask(transportOf(flat))).toMatchObject({ authorization: 'Bearer plugin' });
    expect(JSON.parse(readFileSync(join(dir, 'info'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: server.url.href,
          'tls-server-name': 'kube.test',
          'certificate-authority-data': Buffer.from(testPem('ca.pem')).toString('base64'),
          config: { audience: 'a' },
        },
      },
    });
  });

  test('[KC32] one run serves many requests; again when expired, and once when refused', async () => {
    const log = join(dir, 'log');
    const soon = new Date(3_600_000).toISOString();
    const counting = `echo x >> ${log}\nn=$(wc -l < ${log} | tr -d ' ')`;
    const command = script(
      'login',
      `${counting}\n${credential(`{"token":"t'$n'","expirationTimestamp":"${soon}"}`)}`,
    );
    const runs = () => readFileSync(log, 'utf8').trim().split('\n').length;
    const clock = new FakeClock();
    const transport = transportOf(context(exec(command)), { clock });
    const all = await Promise.all([ask(transport), ask(transport), ask(transport)]);
    expect(all.map((headers) => 'authorization' in headers && headers.authorization)).toEqual(
      Array(3).fill('Bearer t1'),
    );
    clock.advanceSync(3_595_000);
    clock.setWall(3_595_000);
    expect(await ask(transport)).toMatchObject({ authorization: 'Bearer t2' });
    expect(runs()).toBe(2);

    rmSync(log);
    const refusing = script(
      'refusing',
      `${counting}\n[ $n = 1 ] && t=fine || t=refused\n${credential('{"token":"\'$t\'"}')}`,
    );
    const first = transportOf(context(exec(refusing)));
    expect(await ask(first)).toMatchObject({ authorization: 'Bearer fine' });
    const stale = script(
      'stale',
      `${counting}\n[ $n = 1 ] && t=refused || t=renewed\n${credential('{"token":"\'$t\'"}')}`,
    );
    rmSync(log);
    const again = transportOf(context(exec(stale)));
    // The plugin ran for this request: running it once more at once would give the same.
    expect(await ask(again)).toMatchObject({ code: 'unauthorized' });
    expect(runs()).toBe(1);
    expect(await ask(again)).toMatchObject({ authorization: 'Bearer renewed' });
  });

  test('[KC33] a client certificate from the plugin is used', async () => {
    const status = JSON.stringify({
      token: 'with-cert',
      clientCertificateData: testPem('client.pem'),
      clientKeyData: testPem('client.key'),
    });
    const command = script('login', credential(status));
    expect(await ask(transportOf(context(exec(command))))).toMatchObject({
      authorization: 'Bearer with-cert',
    });
  });

  test.each([
    [
      'not installed',
      () => '/nowhere/kubectl-login',
      { installHint: 'brew install \u001b[31mlogin' },
      'auth-plugin-missing',
      'is not installed. brew install login',
    ],
    [
      'fails and says why',
      () => script('a', `echo "session expired, token ${canary}" >&2; exit 3`),
      {},
      'auth-plugin-failed',
      'ended with exit code 3: session expired, token …',
    ],
    [
      'fails and quotes its environment',
      () => script('a', 'echo "bad key $K" >&2; exit 1'),
      { env: [{ name: 'K', value: 'canary' }] },
      'auth-plugin-failed',
      'exit code 1: bad key …',
    ],
    [
      'fails and tells short credentials',
      () =>
        script('a', 'echo "Bearer canary, pw=canary \\"api_key\\": \\"canary\\" token expired" >&2; exit 1'),
      {},
      'auth-plugin-failed',
      'exit code 1: Bearer … pw=… "api_key": … token expired',
    ],
    ['fails and says nothing', () => '/bin/false', {}, 'auth-plugin-failed', 'exit code 1 and said nothing'],
    [
      'prints no JSON',
      () => script('a', `echo ${canary}`),
      {},
      'auth-plugin-failed',
      'its output is not JSON',
    ],
    [
      'prints something else',
      () => script('a', `echo '{"kind":"${canary}"}'`),
      {},
      'auth-plugin-failed',
      'no valid ExecCredential',
    ],
    [
      'another version',
      () => script('a', credential('{"token":"t"}').replace('k8s.io/v1', 'k8s.io/v1beta1')),
      {},
      'auth-plugin-failed',
      'another version',
    ],
    [
      'returns nothing',
      () => script('a', credential('{}')),
      {},
      'auth-plugin-failed',
      'neither a token nor a certificate',
    ],
    [
      'half a pair',
      () => script('a', credential(`{"clientKeyData":"${canary}"}`)),
      {},
      'auth-plugin-failed',
      'without certificate',
    ],
    [
      'a bad expiry',
      () => script('a', credential('{"token":"t","expirationTimestamp":"soon"}')),
      {},
      'auth-plugin-failed',
      'is no time',
    ],
    [
      'needs a terminal',
      () => '/bin/true',
      { interactiveMode: 'Always' },
      'auth-plugin-failed',
      'needs a terminal',
    ],
  ])('[KC34] in a sentence without a credential: %s', async (_, command, more, code, message) => {
    const error = await ask(transportOf(context(exec(command(), more))));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String('message' in error && error.message)).not.toContain('\u001b');
  });

  test('[KC35] one that hangs is ended with all it started, and the error says after how long', async () => {
    const pidFile = join(dir, 'pid');
    const command = script('hang', `sleep 600 &\necho $! > ${pidFile}\nwait`);
    const error = await ask(transportOf(context(exec(command)), { execTimeoutMs: 300 }));
    expect(error).toMatchObject({
      code: 'auth-plugin-failed',
      message: expect.stringContaining('did not finish within 0.3 s'),
    });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    while (!hasEnded(pid)) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('exec plugins that will not end', () => {
  test('[KC35] a helper that keeps the output open after the plugin has ended: the same error', async () => {
    const pidFile = join(dir, 'pid');
    const command = script('leave', `sleep 600 &\necho $! > ${pidFile}`);
    const error = await ask(transportOf(context(exec(command)), { execTimeoutMs: 300 }));
    expect(error).toMatchObject({ message: expect.stringContaining('did not finish within 0.3 s') });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    while (!hasEnded(pid)) await new Promise((resolve) => setImmediate(resolve));
  });

  test('[KC34] one that floods its output is stopped after 1 MB', async () => {
    const command = script('flood', "trap '' TERM\nexec yes");
    expect(await ask(transportOf(context(exec(command))))).toMatchObject({
      code: 'auth-plugin-failed',
      message: expect.stringContaining('more than 1 MB'),
    });
  });

  test('[KC34] a command that no system can run', async () => {
    expect(await ask(transportOf(context(exec('a\0b'))))).toMatchObject({
      code: 'auth-plugin-failed',
      message: expect.stringContaining('cannot be run'),
    });
  });
});

describe('proxies', () => {
  test('[KC40] proxy-url: a CONNECT tunnel, TLS inside; credentials for the proxy go to the proxy alone', async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createHttp();
    proxy.on('connect', (request, client) => {
      seen.push(request.url, request.headers['proxy-authorization']);
      const upstream = tcpConnect(Number(server.url.port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    open.push({ dispose: () => void proxy.close() });
    const flat = context({ token: 'abc' }, { 'proxy-url': `http://u:p@127.0.0.1:${port}` });
    const headers = await ask(transportOf(flat));
    expect(headers).toMatchObject({ authorization: 'Bearer abc' });
    expect(headers).not.toHaveProperty('proxy-authorization');
    expect(seen).toEqual([server.url.host, `Basic ${Buffer.from('u:p').toString('base64')}`]);
  });

  test('[KC41] a proxy that refuses or is not there, and kinds we do not speak: an error, never a direct connection', async () => {
    const proxy = await startTestServer((_, response) => void response.end());
    open.push(proxy);
    const at = (url: string) => context({ token: canary }, { 'proxy-url': url });
    expect(await ask(transportOf(at('http://127.0.0.1:1')))).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/The proxy 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/),
    });
    for (const url of ['socks5://127.0.0.1:1', 'gopher://x', 'http://']) {
      expect(createTransport(at(url), options())).toMatchObject({
        ok: false,
        error: { code: 'unreachable', message: expect.stringContaining('proxy-url') },
      });
    }
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    [{ HTTPS_PROXY: 'proxy.test:3128' }, 'https://kube.test', 'http://proxy.test:3128/'],
    [{ https_proxy: 'https://proxy.test' }, 'https://kube.test', 'https://proxy.test/'],
    [{ HTTP_PROXY: 'http://proxy.test' }, 'https://kube.test', undefined],
    [{ HTTPS_PROXY: 'proxy.test' }, 'https://127.0.0.1:6443', undefined],
    [{ HTTPS_PROXY: 'proxy.test' }, 'https://localhost:6443', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: '*' }, 'https://kube.test', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: 'x, kube.test' }, 'https://kube.test', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: '.test' }, 'https://a.kube.test', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: 'test' }, 'https://kube.test', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: '.kube.test' }, 'https://kube.test', 'http://proxy.test/'],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: 'ube.test' }, 'https://kube.test', 'http://proxy.test/'],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: '10.0.0.0/8' }, 'https://10.1.2.3', undefined],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: '10.0.0.0/8' }, 'https://11.1.2.3', 'http://proxy.test/'],
    [
      { HTTPS_PROXY: 'proxy.test', NO_PROXY: 'kube.test:443' },
      'https://kube.test:6443',
      'http://proxy.test/',
    ],
    [{ HTTPS_PROXY: 'proxy.test', NO_PROXY: 'kube.test:6443' }, 'https://kube.test:6443', undefined],
  ])('[KC42] the environment as kubectl reads it: %j %s', (env, url, proxy) => {
    const chosen = proxyFor(new URL(url), undefined, env);
    expect(chosen.ok ? chosen.value?.href : chosen.error).toBe(proxy);
  });
});
