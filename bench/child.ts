/** Starts what is measured as a process of its own and reads the one JSON line it prints. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What every first sync prints, ours and the peers'. */
export interface SyncResult {
  readonly ms: number;
  /** Processor time, all threads. Of a peer: of its whole life. */
  readonly cpuMs: number;
  readonly objects: number;
  readonly baselineRssBytes: number;
  readonly peakRssBytes: number;
}

/** Runs `bench/<script>` with this Node; `args` reach it as one JSON text. Rejects with its stderr when it fails. */
export async function runChild<T>(script: string, args: unknown): Promise<T> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
  return JSON.parse(await output(process.execPath, [...flags, file, JSON.stringify(args)])) as T;
}

/**
 * Runs a program that prints a SyncResult without cpuMs, with getrusage's peak in it. Linux hands that figure of the
 * process that calls exec on to the program, so one started from here would begin at our size: a shell in between forks
 * anew and begins at its own. The shell also tells what its child took.
 */
export async function runPeer(command: string, args: readonly string[]): Promise<SyncResult> {
  const text = await output('/bin/sh', ['-c', '"$@" || exit $?; times', 'sh', command, ...args]);
  const [json = '', , children = ''] = text.split('\n');
  const [user = 0, system = 0] = children.split(' ').map(shellMs);
  return { ...(JSON.parse(json) as Omit<SyncResult, 'cpuMs'>), cpuMs: user + system };
}

/** `0m1.230s` */
function shellMs(text: string): number {
  const [minutes, seconds] = text.replace('s', '').split('m').map(Number);
  return ((minutes ?? 0) * 60 + (seconds ?? 0)) * 1000;
}

/** A child that takes longer hangs. */
const longestMs = 300_000;

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${args.join(' ')} ended with ${signal ?? code}:\n${stderr}`));
    });
  });
}
