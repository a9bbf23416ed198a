/** The download of Electron's binary against a mirror on loopback that does what mirrors do at their worst. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { electronVersion, type FetchOptions, fetchElectron, findElectron } from './electronBinary.ts';

const version = '45.0.0';
const fileName = `electron-v${version}-linux-x64.zip`;

/** A zip of stored files, as little as the format allows. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, data]);
    const entry = Buffer.alloc(42);
    entry.writeUInt16LE(0x31e, 0);
    common.copy(entry, 2);
    entry.writeUInt32LE((0o100755 << 16) >>> 0, 34);
    entry.writeUInt32LE(offset, 38);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), entry, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end]);
}

const good = zipOf({ electron: '#!/bin/sh\necho ran\n', version, 'resources/x.txt': 'x'.repeat(50_000) });

let folder = '';
let electron = '';
let server: Server;
let asked: string[] = [];
const stopped = new AbortController();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-electron-'));
  electron = join(folder, 'electron');
  mkdirSync(electron);
  writeFileSync(join(electron, 'package.json'), JSON.stringify({ name: 'electron', version }));
  promise(good);
  for (const name of Object.keys(process.env)) if (/electron/i.test(name)) vi.stubEnv(name, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  rmSync(folder, { recursive: true, force: true });
});

/** checksums.json says that this is what comes. */
function promise(zip: Buffer): void {
  const digest = createHash('sha256').update(zip).digest('hex');
  writeFileSync(join(electron, 'checksums.json'), JSON.stringify({ [fileName]: digest }));
}

/** A mirror; it is named the way a user names one. */
async function mirror(answer: (response: ServerResponse) => void): Promise<void> {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

function machine(env: Record<string, string> = {}) {
  return {
    folder: electron,
    env: { electron_config_cache: join(folder, 'cache'), ...env },
    platform: 'linux',
    arch: 'x64',
  } as const;
}

function get(options: Partial<FetchOptions> = {}) {
  return fetchElectron({
    ...machine(),
    stallMs: 20_000,
    signal: stopped.signal,
    onProgress: () => undefined,
    ...options,
  });
}

/** What an install consists of, and nothing half of it. */
function left(): readonly string[] {
  return readdirSync(electron)
    .filter((name) => !['package.json', 'checksums.json'].includes(name))
    .sort();
}

describe('a good mirror', () => {
  test('[EL1] the binary comes to where Electron looks for it, with progress, and is found from then on', async () => {
    await mirror((response) => void response.writeHead(200, { 'content-length': good.length }).end(good));
    expect(findElectron(machine())).toBeUndefined();
    const progress: (readonly [number, number | undefined])[] = [];
    const fetched = await get({ onProgress: (bytes, total) => progress.push([bytes, total]) });
    expect(fetched).toEqual({ ok: true, binary: join(electron, 'dist/electron') });
    expect(asked).toEqual([`/v${version}/${fileName}`]);
    expect(progress.at(-1)).toEqual([good.length, good.length]);
    expect(readFileSync(join(electron, 'path.txt'), 'utf8')).toBe('electron');
    expect(readFileSync(join(electron, 'dist/resources/x.txt'), 'utf8')).toHaveLength(50_000);
    expect(left()).toEqual(['dist', 'path.txt']);
    expect(findElectron(machine())).toBe(join(electron, 'dist/electron'));
  });

  test('[EL1] a second checkout takes it from the cache; a cached one that was spoilt is fetched again', async () => {
    await mirror((response) => void response.writeHead(200).end(good));
    expect((await get()).ok).toBe(true);
    rmSync(join(electron, 'dist'), { recursive: true });
    expect(findElectron(machine())).toBeUndefined();
    expect((await get()).ok).toBe(true);
    expect(asked).toHaveLength(1);
    const cached = readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.zip'),
    );
    writeFileSync(join(folder, 'cache', cached ?? ''), 'spoilt');
    expect((await get()).ok).toBe(true);
    expect(asked).toHaveLength(2);
  });

  test('[EL2] a mirror may be named by npm and may have its own folders', async () => {
    await mirror((response) => void response.writeHead(200).end(good));
    vi.stubEnv('npm_config_electron_mirror', `${process.env.ELECTRON_MIRROR}npm/`);
    vi.stubEnv('ELECTRON_CUSTOM_DIR', '{{ version }}');
    expect((await get()).ok).toBe(true);
    expect(asked).toEqual([`/npm/${version}/${fileName}`]);
  });

  test('[EL1] what a killed start left is removed; what a running one does is not', async () => {
    await mirror((response) => void response.writeHead(200).end(good));
    mkdirSync(join(electron, 'dist.partial-999999999'));
    mkdirSync(join(electron, `dist.partial-${process.ppid}`));
    expect((await get()).ok).toBe(true);
    expect(left()).toEqual(['dist', `dist.partial-${process.ppid}`, 'path.txt']);
  });
});

describe('a mirror that does not deliver', () => {
  test('[EL3] accepts and falls silent: given up after the time without a byte', async () => {
    await mirror(() => undefined);
    const since = performance.now();
    expect(await get({ stallMs: 600 })).toEqual({
      ok: false,
      problem: { code: 'stalled', message: 'no bytes came for 1 s' },
    });
    expect(performance.now() - since).toBeLessThan(2_500);
    expect(left()).toEqual([]);
  });

  test('[EL3] sends some bytes, then silence; each byte that comes counts anew', async () => {
    await mirror((response) => {
      response.writeHead(200, { 'content-length': good.length });
      let at = 0;
      const timer = setInterval(() => {
        if (at < 8_000) response.write(good.subarray(at, at + 1_000));
        at += 1_000;
      }, 100);
      response.on('close', () => clearInterval(timer));
    });
    let bytes = 0;
    const onProgress = (now: number) => {
      bytes = now;
    };
    const fetched = await get({ stallMs: 400, onProgress });
    expect(fetched).toMatchObject({ ok: false, problem: { code: 'stalled' } });
    // 800 ms of bytes: twice the time that silence gets.
    expect(bytes).toBe(8_000);
    expect(left()).toEqual([]);
  });

  test.each([
    [404, 'refused'],
    [403, 'refused'],
    [503, 'cut-off'],
  ])('[EL4] answers %i', async (status, code) => {
    await mirror((response) => void response.writeHead(status).end('no'));
    expect(await get()).toEqual({
      ok: false,
      problem: { code, message: `the server answered ${status}` },
    });
    expect(left()).toEqual([]);
  });

  test('[EL4] ends in the middle', async () => {
    await mirror((response) => {
      response.writeHead(200, { 'content-length': good.length });
      response.write(good.subarray(0, 20_000), () => response.destroy());
    });
    expect(await get()).toMatchObject({ ok: false, problem: { code: 'cut-off' } });
    expect(left()).toEqual([]);
  });

  test('[EL5] sends something else than was promised, and nothing of it is unpacked', async () => {
    await mirror((response) => void response.writeHead(200).end(zipOf({ electron: 'evil', version })));
    expect(await get()).toEqual({
      ok: false,
      problem: { code: 'checksum', message: 'what came has another checksum than Electron names' },
    });
    expect(left()).toEqual([]);
  });

  test.each([
    ['no zip at all', Buffer.from('<html>')],
    ['a zip without Electron', zipOf({ version })],
    ['a zip of another version', zipOf({ electron: 'x', version: '1.0.0' })],
  ])('[EL5] promised and sent is %s', async (_what, zip) => {
    promise(zip);
    await mirror((response) => void response.writeHead(200).end(zip));
    expect((await get()).ok).toBe(false);
    expect(left()).toEqual([]);
    expect(findElectron(machine())).toBeUndefined();
  });

  test('[EL6] is not there: at once', async () => {
    await mirror(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const since = performance.now();
    expect(await get()).toEqual({
      ok: false,
      problem: { code: 'offline', message: 'no connection: ECONNREFUSED' },
    });
    expect(performance.now() - since).toBeLessThan(2_500);
  });
});

test('[EL7] stopped in the middle, nothing is left and what was there stays', async () => {
  mkdirSync(join(electron, 'dist'));
  writeFileSync(join(electron, 'dist/version'), '44.0.0');
  const stop = new AbortController();
  await mirror((response) => {
    response.writeHead(200, { 'content-length': good.length });
    response.write(good.subarray(0, 1_000));
  });
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('electron-download-'));
  const fetched = await get({ signal: stop.signal, onProgress: () => stop.abort() });
  expect(fetched).toMatchObject({ ok: false, problem: { code: 'cancelled' } });
  expect(left()).toEqual(['dist']);
  expect(existsSync(join(folder, 'cache'))).toBe(false);
  expect(
    readdirSync(tmpdir()).filter((name) => name.startsWith('electron-download-') && !before.includes(name)),
  ).toEqual([]);
});

test('[EL8] a folder that cannot be written is a sentence', async () => {
  await mirror((response) => void response.writeHead(200).end(good));
  const env = { electron_config_cache: join(electron, 'package.json', 'below-a-file') };
  expect(await get({ env })).toEqual({
    ok: false,
    problem: { code: 'not-kept', message: 'it cannot be written here: ENOTDIR' },
  });
  expect(left()).toEqual([]);
});

test('[EL9] found only when all of it is there and of the version that the package has', () => {
  const dist = join(electron, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'electron'), '');
  writeFileSync(join(dist, 'version'), `v${version}\n`);
  expect(findElectron(machine())).toBeUndefined();
  writeFileSync(join(electron, 'path.txt'), 'electron');
  expect(findElectron(machine())).toBe(join(dist, 'electron'));
  writeFileSync(join(dist, 'version'), '44.9.9');
  expect(findElectron(machine())).toBeUndefined();
  expect(findElectron(machine({ ELECTRON_OVERRIDE_DIST_PATH: dist }))).toBe(join(dist, 'electron'));
  expect(findElectron({ ...machine(), platform: 'aix' })).toBeUndefined();
  expect(electronVersion(join(folder, 'nowhere'))).toBeUndefined();
});
