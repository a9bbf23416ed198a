import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FakeClock } from '../core/testing/fakeClock.ts';
import type { EngineApi } from '../shared/contract/api.ts';
import type { Handlers } from '../shared/contract/serve.ts';
import { DROP_SECRET_HEADER, dropPathFor, zDropAnswer } from '../shared/contract/webSession.ts';
import { startWebHost, type WebHost } from './server.ts';

const LIMIT = 64 * 1024;
let folder = '';
let host: WebHost | undefined;
const logged: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-drops-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  logged.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(): Promise<{ readonly secret: string; readonly origin: string }> {
  const started = await startWebHost({
    engineHandlers: { methods: {}, values: {}, tables: {} } as unknown as Handlers<EngineApi>,
    distDir: folder,
    port: 0,
    clock: new FakeClock(),
    log: (line) => logged.push(line),
    drops: { limitBytes: LIMIT, parent: folder },
  });
  if (!started.ok) throw new Error(started.error.message);
  host = started.value;
  const origin = `http://127.0.0.1:${host.port}`;
  const { secret } = (await (
    await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token: host.token }),
    })
  ).json()) as { secret: string };
  return { secret, origin };
}

interface Drop {
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** As raw as node:http allows. Sends without a length, so that the host has to count. */
function drop(origin: string, { name = 'a.loopscope', headers = {}, body = 'x' }: Drop) {
  return new Promise<{ readonly status: number; readonly answer: unknown }>((resolve, reject) => {
    const sent = request(
      `${origin}${dropPathFor(name)}`,
      { method: 'POST', headers: { origin, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const json = response.headers['content-type'] === 'application/json';
          resolve({
            status: response.statusCode ?? 0,
            answer: json ? zDropAnswer.parse(JSON.parse(text)) : text,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.write(body);
    sent.end();
  });
}

const kept = () => readdirSync(folder).filter((name) => name.startsWith('loopscope-dropped-'));

async function dropped(origin: string, secret: string, given: Drop): Promise<string> {
  const { answer } = await drop(origin, { ...given, headers: { [DROP_SECRET_HEADER]: secret } });
  if (!(answer as { ok: boolean }).ok) throw new Error(JSON.stringify(answer));
  return (answer as { path: string }).path;
}

describe('a file that is dropped', () => {
  test('[DR1] is kept under its name for the user alone, byte for byte, and is gone when the host ends', async () => {
    const { origin, secret } = await start();
    const bytes = Uint8Array.from({ length: LIMIT }, (_, index) => (index * 7) % 251);
    const path = await dropped(origin, secret, { name: 'Störung 1 重试.loopscope', body: bytes });
    expect(path.endsWith('Störung 1 重试.loopscope')).toBe(true);
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(kept()).toHaveLength(1);
    await host?.close();
    expect(kept()).toEqual([]);
  });

  test('[DR1] two of one name are two files', async () => {
    const { origin, secret } = await start();
    const one = await dropped(origin, secret, { body: 'one' });
    const two = await dropped(origin, secret, { body: 'two' });
    expect([readFileSync(one, 'utf8'), readFileSync(two, 'utf8')]).toEqual(['one', 'two']);
  });

  test('[DR1] what a killed host left is deleted with the next drop; that of a running one is not', async () => {
    const dead = join(folder, 'loopscope-dropped-999999999-abc');
    const alive = join(folder, `loopscope-dropped-${process.ppid}-abc`);
    for (const left of [dead, alive]) mkdirSync(join(left, '1'), { recursive: true });
    const { origin, secret } = await start();
    await dropped(origin, secret, {});
    expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
    rmSync(alive, { recursive: true });
  });

  test('[DR2] that is too large is refused with a sentence, whether it says its length or not; nothing is left', async () => {
    const { origin, secret } = await start();
    const headers = { [DROP_SECRET_HEADER]: secret };
    for (const length of [undefined, String(LIMIT * 40)]) {
      const refused = await drop(origin, {
        body: new Uint8Array(LIMIT * 40),
        headers: { ...headers, ...(length === undefined ? {} : { 'content-length': length }) },
      });
      expect(refused).toMatchObject({ status: 413, answer: { ok: false, code: 'too-large' } });
      expect((refused.answer as { message: string }).message).toContain('larger than 64 KB');
    }
    expect(kept().flatMap((name) => readdirSync(join(folder, name)))).toEqual([]);
    // The same window goes on.
    await dropped(origin, secret, { body: new Uint8Array(LIMIT) });
  });

  test.each([
    ['a.exe', 'unknown-kind'],
    ['loopscope', 'unknown-kind'],
    ['', 'bad-name'],
    ['.loopscope', 'bad-name'],
    ['../up.loopscope', 'bad-name'],
    ['a/b.loopscope', 'bad-name'],
    ['a\\b.loopscope', 'bad-name'],
    ['a\u0000.loopscope', 'bad-name'],
    [`${'a'.repeat(300)}.loopscope`, 'bad-name'],
    [`${'文'.repeat(90)}.loopscope`, 'bad-name'],
  ])('[DR3] called %j is %s', async (name, code) => {
    const { origin, secret } = await start();
    const { answer } = await drop(origin, { name, headers: { [DROP_SECRET_HEADER]: secret } });
    expect(answer).toMatchObject({ ok: false, code });
    expect(kept()).toEqual([]);
  });

  test('[DR3] may be a log, an audit log or a profile', async () => {
    const { origin, secret } = await start();
    for (const name of ['operator.LOG', 'audit.jsonl', 'loopscope.yaml'])
      expect(await dropped(origin, secret, { name })).toContain(name);
  });

  test('[DR4] needs the secret of a window', async () => {
    const { origin, secret } = await start();
    for (const headers of [{}, { [DROP_SECRET_HEADER]: '' }, { [DROP_SECRET_HEADER]: `${secret}x` }]) {
      expect(await drop(origin, { headers })).toMatchObject({
        status: 401,
        answer: { code: 'unknown-secret' },
      });
    }
    expect(kept()).toEqual([]);
    expect(logged.join('\n')).not.toContain(secret);
  });

  test.each([
    ['another Host', { host: 'evil.example' }],
    ['another Origin', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ])('[DR4] of %s is refused, with the right secret too', async (_who, planted) => {
    const { origin, secret } = await start();
    const { status } = await drop(origin, { headers: { [DROP_SECRET_HEADER]: secret, ...planted } });
    expect(status).toBe(403);
    expect(kept()).toEqual([]);
  });

  test('[DR4] is only taken by POST', async () => {
    const { origin, secret } = await start();
    const answer = await fetch(`${origin}/drop?name=a.loopscope`, {
      headers: { [DROP_SECRET_HEADER]: secret },
    });
    expect(answer.status).toBe(405);
  });

  test('[DR5] half of one is not kept: neither when its connection breaks nor when the host ends', async () => {
    const { origin, secret } = await start();
    const begin = () => {
      const sent = request(`${origin}${dropPathFor('a.loopscope')}`, {
        method: 'POST',
        headers: { origin, [DROP_SECRET_HEADER]: secret, 'content-length': 1000 },
      });
      sent.on('error', () => undefined);
      sent.write('half');
      return sent;
    };
    const files = () => kept().flatMap((name) => readdirSync(join(folder, name)));
    const until = async (count: number) => {
      while (files().length !== count) await new Promise((resolve) => setImmediate(resolve));
    };
    const broken = begin();
    await until(1);
    broken.destroy();
    await until(0);
    begin();
    await until(1);
    await host?.close();
    expect(kept()).toEqual([]);
  });
});
