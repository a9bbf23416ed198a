/** The program as a user starts it: `loopscope start` in a process of its own, with a home of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../testbed/paths.ts';
import { onProcessExit, pause } from '../testbed/processes.ts';
import { eventually } from '../testbed/wait.ts';

export interface HostProcess {
  /** The printed address with its one-time token. */
  readonly url: string;
  readonly origin: string;
  /** All it printed, both streams. */
  output(): string;
  stop(): Promise<void>;
}

export interface HostOptions {
  /** Its home goes below this folder. */
  readonly dir: string;
  /** Of `loopscope start`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds the window first when its sources are newer than what was built. */
export async function startHost(options: HostOptions): Promise<HostProcess> {
  const home = mkdtempSync(join(options.dir, 'home-'));
  const child = spawn(
    process.execPath,
    [
      join(repositoryRoot, 'cli', 'launcher.mjs'),
      'start',
      '--no-open',
      '--port',
      '0',
      ...(options.args ?? []),
    ],
    {
      cwd: home,
      // A group of its own: the launcher and the program it starts are ended together.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, ...options.env },
    },
  );
  const { pid } = child;
  let printed = '';
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  child.once('close', () => {
    ended = true;
  });
  child.once('error', (cause) => {
    ended = true;
    printed += `\n${cause.message}`;
  });
  const forgetHook = onProcessExit(() => signalGroup(pid, 'SIGKILL'));
  const stop = async () => {
    signalGroup(pid, 'SIGTERM');
    for (let waited = 0; !ended && waited < 10_000; waited += 25) await pause(25);
    const inTime = ended;
    signalGroup(pid, 'SIGKILL');
    forgetHook();
    if (!inTime)
      throw new Error(`loopscope start did not end within 10 s of SIGTERM; it printed:\n${printed}`);
  };
  try {
    const url = await eventually(
      'loopscope start prints its address',
      () => {
        if (ended) throw new Error(`it has ended; it printed:\n${printed}`);
        return /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(printed)?.[0];
      },
      { timeoutMs: 90_000 },
    );
    return { url, origin: new URL(url).origin, output: () => printed, stop };
  } catch (cause) {
    signalGroup(pid, 'SIGKILL');
    forgetHook();
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n${printed}`, { cause });
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause;
  }
}
