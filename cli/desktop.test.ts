/** Where the window is shown, and the desktop window as a process: a shell script stands for Electron's binary. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseArgs } from './args.ts';
import { start } from './commands.ts';
import { choosePlace, electronArguments, type Machine, runDesktop } from './desktop.ts';
import type { Io } from './io.ts';

const version = '45.0.0';
const dayMs = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 30, 12);
let folder = '';
let electron = '';
let server: Server | undefined;
let asked = 0;
const printed: string[] = [];
const interrupts = new Set<(signal: NodeJS.Signals) => void>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-desktop-'));
  electron = join(folder, 'electron');
  mkdirSync(electron);
  writeFileSync(join(electron, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(electron, 'checksums.json'), JSON.stringify({ x: '00' }));
  for (const name of Object.keys(process.env)) if (/electron/i.test(name)) vi.stubEnv(name, undefined);
  asked = 0;
  printed.length = 0;
  interrupts.clear();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function args(...argv: readonly string[]) {
  const parsed = parseArgs(start, argv);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

function io(env: Record<string, string> = {}): Io {
  return {
    env: {
      DISPLAY: ':0',
      XDG_CONFIG_HOME: join(folder, '.config'),
      PATH: process.env.PATH ?? '',
      electron_config_cache: join(folder, 'cache'),
      ...env,
    },
    cwd: folder,
    stdoutIsTerminal: false,
    stdinIsTerminal: false,
    out: (text) => void printed.push(text),
    note: (line) => void printed.push(line),
    onInterrupt(listener) {
      interrupts.add(listener);
      return { dispose: () => void interrupts.delete(listener) };
    },
  };
}

function machine(other: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    arch: 'x64',
    uid: 1000,
    electronFolder: electron,
    terminal: { isTTY: false, write: (text) => void printed.push(text) },
    stallMs: 300,
    earlyMs: 5_000,
    now: () => now,
    monotonic: () => performance.now(),
    buildShell: () => Promise.resolve(join(folder, 'main.js')),
    ...other,
  };
}

/** An Electron that is installed: a script that says what it was given. */
function install(script = 'echo "$@"'): string {
  mkdirSync(join(electron, 'dist'), { recursive: true });
  const binary = join(electron, 'dist', 'electron');
  writeFileSync(binary, `#!/bin/sh\n${script}\n`);
  chmodSync(binary, 0o755);
  writeFileSync(join(electron, 'dist', 'version'), version);
  writeFileSync(join(electron, 'path.txt'), 'electron');
  return binary;
}

async function mirror(answer: (response: ServerResponse) => void): Promise<void> {
  server = createServer((_request, response) => {
    asked += 1;
    answer(response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const remembered = () => join(folder, '.config/loopscope/electron-binary.json');

async function place(
  argv: readonly string[],
  env: Record<string, string> = {},
  other: Partial<Machine> = {},
): Promise<string> {
  const chosen = await choosePlace(args(...argv), io(env), machine(other));
  if (!chosen.ok) return `problem: ${chosen.error.message}`;
  return chosen.value.kind === 'browser' ? `browser: ${chosen.value.why}` : chosen.value.kind;
}

describe('where the window is shown', () => {
  test('[ST1] on the desktop where the binary is there; the browser where it is asked for, each with its reason', async () => {
    install();
    expect(await place([])).toBe('desktop');
    expect(await place(['--browser'])).toBe('browser: --browser was given');
    expect(await place(['--no-open'])).toBe('browser: --no-open was given');
    expect(await place(['--port', '0'])).toBe('browser: --port was given');
    expect(await place(['--log', '-'])).toContain('browser: --log - reads this terminal');
  });

  test('[ST2] in CI, without a desktop and as root nothing is fetched, and the browser is used', async () => {
    await mirror((response) => void response.end());
    expect(await place([], { CI: 'true' })).toBe('browser: CI is set');
    expect(await place([], { DISPLAY: '' })).toContain('browser: there is no desktop here (neither DISPLAY');
    expect(await place([], {}, { uid: 0 })).toBe('browser: Electron does not run as root');
    expect(await place([], { ELECTRON_SKIP_BINARY_DOWNLOAD: '1' })).toContain(
      'ELECTRON_SKIP_BINARY_DOWNLOAD is set',
    );
    expect(asked).toBe(0);
    install();
    expect(await place([], { CI: 'true' })).toBe('browser: CI is set');
    expect(await place([], { CI: 'false' })).toBe('desktop');
    expect(await place([], { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' })).toBe('desktop');
    // Elsewhere there is a desktop without either.
    expect(
      await place(
        [],
        { DISPLAY: '', ELECTRON_OVERRIDE_DIST_PATH: folder },
        { platform: 'darwin', arch: 'arm64' },
      ),
    ).not.toContain('no desktop');
  });

  test('[ST3] --electron insists: an error that says what to do, or the desktop in spite of CI', async () => {
    expect(await place(['--electron'], { DISPLAY: '' })).toMatch(
      /^problem: There is no desktop window: there is no desktop here .* --browser opens the same/,
    );
    expect(await place(['--electron'], {}, { uid: 0 })).toContain('does not run as root');
    expect(await place(['--electron', '--browser'])).toContain('exclude each other');
    expect(await place(['--electron', '--port', '1'])).toContain('exclude each other');
    await mirror((response) => void response.writeHead(404).end());
    expect(await place(['--electron'])).toBe(
      "problem: There is no desktop window: Electron's binary could not be fetched: the server answered 404. A mirror can be named in ELECTRON_MIRROR. --browser opens the same in the browser.",
    );
    install();
    expect(await place(['--electron'], { CI: 'true' })).toBe('desktop');
  });

  test('[EL10] a stall is remembered: the next start does not ask, --electron does, and so does another version', async () => {
    await mirror(() => undefined);
    expect(await place([])).toBe(
      "browser: Electron's binary could not be fetched (no bytes came for 0 s); it is not tried again before Electron's version or mirror changes, or now with --electron",
    );
    expect(asked).toBe(1);
    const since = performance.now();
    expect(await place([], {}, { now: () => now + 300 * dayMs })).toContain(
      'could not be fetched on 2026-11-30 (no bytes',
    );
    expect([asked, performance.now() - since < 250]).toEqual([1, true]);
    expect(await place(['--electron'])).toContain('problem: ');
    expect(asked).toBe(2);
    writeFileSync(join(electron, 'package.json'), JSON.stringify({ version: '45.0.1' }));
    expect(await place([])).toContain('browser: ');
    expect(asked).toBe(3);
  });

  test('[EL11] no connection is told at once and remembered for a day', async () => {
    await mirror(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    expect(await place([])).toContain('(no connection: ECONNREFUSED); it is tried again after a day');
    expect(await place([])).toContain('on 2026-11-30 (no connection');
    expect(await place([], {}, { now: () => now + dayMs })).toContain('could not be fetched (no connection');
  });

  test('[EL7] an interrupt ends the fetch; nothing of it is remembered', async () => {
    await mirror((response) => {
      response.writeHead(200, { 'content-length': 1_000_000 }).write('x');
      for (const listener of interrupts) listener('SIGINT');
    });
    expect(await place([], {}, { stallMs: 20_000 })).toBe('stopped');
    expect([existsSync(remembered()), interrupts.size]).toEqual([false, 0]);
  });

  test('what cannot be remembered stops nothing', async () => {
    await mirror((response) => void response.writeHead(404).end());
    writeFileSync(join(folder, 'file'), '');
    expect(await place([], { XDG_CONFIG_HOME: join(folder, 'file') })).toContain('answered 404');
    await place([]);
    expect(JSON.parse(readFileSync(remembered(), 'utf8'))).toMatchObject({ version, code: 'refused' });
  });
});

describe('the desktop window', () => {
  const run = (binary: string, words: readonly string[] = [], other: Partial<Machine> = {}) =>
    runDesktop(binary, words, io({ ELECTRON_RUN_AS_NODE: '1', OUT: join(folder, 'out') }), machine(other));

  test('[ST4] gets what was asked for, flags in one word, files by whole paths', async () => {
    const given = args(
      ...[
        '--kubeconfig',
        'kube',
        '--context',
        'a b',
        '-n',
        'x',
        '-n',
        'y',
        '--log',
        'op.log',
        '--audit',
        '/a.jsonl',
      ],
      ...['--metrics', 'http://127.0.0.1:1/metrics', '--profile', 'p.yaml'],
    );
    const words = electronArguments(given, {}, (path) =>
      join('/here', path.replace('/a.jsonl', '../a.jsonl')),
    );
    expect(words).toEqual([
      '--kubeconfig=/here/kube',
      '--log=/here/op.log',
      '--audit=/a.jsonl',
      '--profile=/here/p.yaml',
      '--context=a b',
      '--metrics=http://127.0.0.1:1/metrics',
      '--namespace=x',
      '--namespace=y',
    ]);
    expect(electronArguments(args(), { demo: 'hot-loop' }, (path) => path)).toEqual(['--demo=hot-loop']);
    expect(electronArguments(args(), { session: 'a.loopscope' }, (path) => `/here/${path}`)).toEqual([
      '/here/a.loopscope',
    ]);
    const binary = install(
      'for one in "$@"; do echo "$one"; done >"$OUT"; env | grep -c RUN_AS_NODE >>"$OUT"; exit 0',
    );
    expect(await run(binary, words)).toEqual({ kind: 'ended', code: 0 });
    expect(readFileSync(join(folder, 'out'), 'utf8').trim().split('\n')).toEqual([
      join(folder, 'main.js'),
      ...words,
      '0',
    ]);
  });

  test('[ST7] that ends at once with an error never came up; later it is an end like any other', async () => {
    const binary = install('exit 127');
    expect(await run(binary)).toEqual({ kind: 'failed', why: 'it ended at once with code 127' });
    expect(await run(binary, [], { earlyMs: 0 })).toEqual({ kind: 'ended', code: 127 });
    expect(await run(install('kill -ABRT $$'))).toEqual({
      kind: 'failed',
      why: 'it ended at once with SIGABRT',
    });
    expect(await run(join(folder, 'nowhere'))).toMatchObject({ kind: 'failed' });
    const buildShell = () => Promise.reject(new Error('main.ts is broken'));
    expect(await run(binary, [], { buildShell })).toEqual({
      kind: 'failed',
      why: 'it could not be built: main.ts is broken',
    });
  });

  test('[ST7] passes the request to end on, and that is no failure', async () => {
    const binary = install('trap "exit 3" TERM; echo ready >"$OUT"; while :; do sleep 0.05; done');
    const ended = run(binary);
    await vi.waitFor(() => expect(existsSync(join(folder, 'out'))).toBe(true), { timeout: 5_000 });
    for (const listener of interrupts) listener('SIGTERM');
    expect(await ended).toEqual({ kind: 'ended', code: 130 });
  });
});
