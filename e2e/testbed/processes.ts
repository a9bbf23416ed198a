/**
 * Child processes of the test bed. Each is known by its pid from start to end; whatever still runs when this
 * process exits, or gets SIGINT or SIGTERM, is killed by that pid.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

export interface StartedProcess {
  readonly name: string;
  readonly pid: number;
  /** Where standard output and standard error go. */
  readonly logPath: string;
  /** Exit code or signal, as soon as it has ended. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
}

export interface StartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly logPath: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Do not kill it when this process ends: somebody else holds its pid. */
  readonly outlivesUs?: boolean;
}

/** Starts a process with output appended to `logPath`. Throws when the command cannot be run. */
export async function startProcess(options: StartOptions): Promise<StartedProcess> {
  const out = openSync(options.logPath, 'a');
  const child = spawn(options.command, [...options.args], {
    stdio: ['ignore', out, out],
    detached: true, // a Ctrl-C in the terminal reaches us alone, so that we end the others in order
    env: { ...process.env, ...options.env },
  });
  closeSync(out);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error(`${options.name} cannot be started`, { cause })));
  });
  return track(child, options);
}

function track(child: ChildProcess, options: StartOptions): StartedProcess {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} has no pid`);
  let over = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true;
      live.delete(pid);
      resolve(signal ?? `exit code ${code}`);
    });
  });
  if (options.outlivesUs) {
    child.unref();
  } else {
    live.add(pid);
    installExitHooks();
  }
  return { name: options.name, pid, logPath: options.logPath, ended, hasEnded: () => over };
}

/** SIGTERM, then SIGKILL after `graceMs`; resolves when the process is gone. A pid already gone is fine. */
export async function endProcess(pid: number, graceMs = 5_000): Promise<void> {
  if (!signalProcess(pid, 'SIGTERM')) return;
  if (await waitUntilGone(pid, graceMs)) return;
  await killProcess(pid);
}

/** SIGKILL; resolves when the process is gone. */
export async function killProcess(pid: number): Promise<void> {
  if (!signalProcess(pid, 'SIGKILL')) return;
  if (!(await waitUntilGone(pid, 10_000))) throw new Error(`process ${pid} outlived SIGKILL by 10 s`);
}

/** False when there is no such process. */
export function isRunning(pid: number): boolean {
  return signalProcess(pid, 0);
}

/** The last `count` lines of a log, for error messages. */
export function logTail(path: string, count = 15): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return `(no log at ${path})`;
  }
}

/** Free loopback TCP ports, all different; another process could still take one before it is used. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listenAnywhere(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Resolves true as soon as the process is gone, false after `timeoutMs`. A zombie waiting for us counts as gone. */
async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await pause(25);
  }
  return true;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ESRCH') return false;
    throw cause;
  }
}

const live = new Set<number>();
const exitHooks = new Set<() => void>();
let installed = false;

/** Runs `hook` (synchronous) when this process ends by itself or by SIGINT or SIGTERM. Returns how to take it back. */
export function onProcessExit(hook: () => void): () => void {
  exitHooks.add(hook);
  installExitHooks();
  return () => exitHooks.delete(hook);
}

function installExitHooks(): void {
  if (installed) return;
  installed = true;
  process.on('exit', killEverything);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      // Whoever else listens (a test runner, the command line) ends in its own order and passes through 'exit'.
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}

function killEverything(): void {
  for (const hook of exitHooks) hook();
  for (const pid of live) signalProcess(pid, 'SIGKILL');
  live.clear();
}
