import { existsSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { type ChildOptions, type RunningChild, startChild } from './childProcess.ts';
import { systemClock } from './systemClock.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

const started: RunningChild[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

/** A real Node process that runs `script`. */
async function run(script: string, options: Partial<ChildOptions> = {}) {
  const lines: string[] = [];
  const receivedAt: number[] = [];
  const result = await startChild({
    command: process.execPath,
    args: ['-e', script],
    clock: systemClock,
    onLines: (batch, stream) => {
      for (const line of batch) {
        lines.push(`${stream}: ${line.text}`);
        receivedAt.push(line.receivedAt);
      }
    },
    ...options,
  });
  if (!result.ok) throw new Error(result.error.message);
  started.push(result.value);
  return { child: result.value, lines, receivedAt };
}

test('[FEED30] both streams by line with receipt times, passed on byte for byte, exit code', async () => {
  const stdout = new PassThrough();
  const passed: Buffer[] = [];
  stdout.on('data', (chunk: Buffer) => passed.push(chunk));
  const before = systemClock.now();
  const { child, lines, receivedAt } = await run(
    "process.stdout.write('one\\ntw'); process.stderr.write('oops\\n'); setTimeout(() => { process.stdout.write('o\\nlast'); process.exitCode = 7; }, 20)",
    { stdout },
  );
  const exit = await child.exit;
  expect(exit).toMatchObject({ code: 7, signal: undefined });
  expect(lines.filter((line) => line.startsWith('stdout'))).toEqual([
    'stdout: one',
    'stdout: two',
    'stdout: last',
  ]);
  expect(lines).toContain('stderr: oops');
  expect(Buffer.concat(passed).toString()).toBe('one\ntwo\nlast');
  expect(receivedAt.every((at) => at >= before && at <= systemClock.now())).toBe(true);
  expect(child.pid).toBeGreaterThan(1);
});

test('[FEED31] no shell: arguments reach the program as they are', async () => {
  const { child, lines } = await run('console.log(JSON.stringify(process.argv.slice(1)))', {
    args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '$HOME; echo x', '*'],
  });
  await child.exit;
  expect(lines).toEqual([`stdout: ${JSON.stringify(['$HOME; echo x', '*'])}`]);
});

test('[FEED31] a program that is not there is a sentence', async () => {
  const result = await startChild({
    command: 'no-such-operator',
    args: [],
    clock: systemClock,
    onLines: () => undefined,
  });
  expect(result).toMatchObject({ ok: false, error: { code: 'child-not-found' } });
});

test.skipIf(process.platform === 'win32')(
  '[FEED32] a signal reaches the whole group, grandchildren too',
  async () => {
    const { child, lines } = await run(`
    const { spawn } = require('node:child_process');
    const inner = spawn(process.execPath, ['-e', "process.on('SIGINT', () => { console.log('inner ends'); process.exit(0); }); console.log('inner ' + process.pid); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
    process.on('SIGINT', () => inner.on('exit', () => process.exit(3)));
  `);
    await until(() => lines.some((line) => line.startsWith('stdout: inner ')));
    child.signal('SIGINT');
    expect(await child.exit).toMatchObject({ code: 3 });
    expect(lines.at(-1)).toBe('stdout: inner ends');
    child.signal('SIGINT');
  },
);

test.skipIf(process.platform === 'win32')(
  '[FEED32] what ignores SIGTERM is killed after its grace',
  async () => {
    const { child, lines } = await run(
      "process.on('SIGTERM', () => console.log('no')); console.log('up'); setInterval(() => {}, 1000)",
    );
    await until(() => lines.includes('stdout: up'));
    const exit = await child.stop(50);
    expect(exit).toMatchObject({ code: undefined, signal: 'SIGKILL' });
    expect(lines).toContain('stdout: no');
  },
);

test.skipIf(process.platform === 'win32')('[FEED33] what the leader leaves behind is ended too', async () => {
  const { child, lines } = await run(`
    const { spawn } = require('node:child_process');
    const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    console.log('inner ' + inner.pid);
    inner.unref();
  `);
  await child.exit;
  const pid = Number(lines[0]?.split(' ').at(-1));
  expect(pid).toBeGreaterThan(1);
  await until(() => !isAlive(pid));
});

test.skipIf(process.platform === 'win32')(
  '[FEED33] a daemon that holds the output does not hold us',
  async () => {
    const clock = new FakeClock();
    const { child, lines } = await run(
      `
    const { spawn } = require('node:child_process');
    const daemon = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit', detached: true });
    console.log('daemon ' + daemon.pid);
    daemon.unref();
  `,
      { clock },
    );
    let ended = false;
    void child.exit.then(() => {
      ended = true;
    });
    await until(() => {
      clock.advanceSync(5_000);
      return ended;
    });
    expect(await child.exit).toMatchObject({ code: 0 });
    const daemon = Number(lines[0]?.split(' ').at(-1));
    expect(isAlive(daemon)).toBe(true);
    process.kill(daemon, 'SIGKILL');
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // Ended, and nobody asked for its exit code yet.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return !existsSync('/proc');
  }
}

/** Turns of the event loop until it holds; the test's own time-out is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
