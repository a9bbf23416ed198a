/**
 * The operator as a child process (`loopscope run -- CMD`): started without a shell, in a process group of its own, so
 * that what it starts (`make run`, `go run`) can be ended with it. Its output is passed on and handed over line by line
 * with the time the bytes came. Only that group is ever signalled. Spec: docs/spec/feeds.md
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { FeedLine } from '../engine/host.ts';
import { LineSplitter } from './lineSplitter.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly clock: Clock;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its output goes on to, byte for byte; absent: nowhere. */
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  readonly onLines: (lines: readonly FeedLine[], stream: 'stdout' | 'stderr') => void;
  /** Part of a line was dropped. */
  readonly onGap?: (text: string, at: number) => void;
}

/** How a child ended: by itself with a code, or by a signal. */
export interface ChildExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  /** Our clock, ms. */
  readonly at: number;
}

export interface RunningChild {
  readonly pid: number;
  readonly startedAt: number;
  /** Settles when the child and its output have ended. Never rejects. */
  readonly exit: Promise<ChildExit>;
  /** Sends a signal to the whole group; no effect once it is gone. */
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL to what is left after `graceMs`. Resolves with exit. */
  stop(graceMs?: number): Promise<ChildExit>;
  /** SIGKILL to the group, at once and synchronously: for the exit of our own process. */
  kill(): void;
}

/** What may stay behind in the group, and hold the output open, after its leader ended, ms. */
const leftoverGraceMs = 5_000;

const ownGroup = process.platform !== 'win32';

/** Starts the command. Fails with a sentence when it cannot be started. */
export function startChild(options: ChildOptions): Promise<Result<RunningChild, Problem>> {
  const { command, args, clock } = options;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(command, args, {
        // No terminal input: in a group of its own the child could not read it anyway.
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: ownGroup,
        shell: false,
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        ...(options.env === undefined ? {} : { env: options.env }),
      });
    } catch (error) {
      resolve(err(startProblem(command, error)));
      return;
    }
    child.once('error', (error) => resolve(err(startProblem(command, error))));
    child.once('spawn', () => {
      const { pid } = child;
      if (pid !== undefined) resolve(ok(attach(child, pid, options, clock)));
    });
  });
}

function attach(child: ChildProcess, pid: number, options: ChildOptions, clock: Clock): RunningChild {
  let gone = false;

  function send(signal: NodeJS.Signals): void {
    if (gone) return;
    try {
      // Never 0 or 1: those would be our own group, or everybody.
      if (ownGroup && pid > 1) process.kill(-pid, signal);
      else child.kill(signal);
    } catch (error) {
      // ESRCH: it ended just now. Anything else is a bug of ours.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }

  if (child.stdout !== null) readLines(child.stdout, options.stdout, 'stdout', options);
  if (child.stderr !== null) readLines(child.stderr, options.stderr, 'stderr', options);

  const exit = new Promise<ChildExit>((resolve) => {
    let ended: ChildExit | undefined;
    child.once('exit', (code, signal) => {
      ended = { code: code ?? undefined, signal: signal ?? undefined, at: clock.now() };
      // A leader that ends may leave others behind; they get a moment to say their last words.
      const leftover = clock.setTimer(leftoverGraceMs, () => {
        send('SIGKILL');
        // What left the group (a daemon) may hold the output open for ever: it is no longer ours.
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
      child.once('close', () => leftover.dispose());
    });
    child.once('close', (code, signal) => {
      // The output is closed, but something may live on without it.
      send('SIGKILL');
      gone = true;
      resolve(ended ?? { code: code ?? undefined, signal: signal ?? undefined, at: clock.now() });
    });
  });

  return {
    pid,
    startedAt: clock.now(),
    exit,
    signal: send,
    stop(graceMs = 10_000) {
      send('SIGTERM');
      const timer = clock.setTimer(graceMs, () => send('SIGKILL'));
      void exit.then(() => timer.dispose());
      return exit;
    },
    kill: () => send('SIGKILL'),
  };
}

function readLines(
  stream: Readable,
  through: Writable | undefined,
  name: 'stdout' | 'stderr',
  options: ChildOptions,
): void {
  const { clock, onLines, onGap } = options;
  const splitter = new LineSplitter();
  const emit = (texts: readonly string[], receivedAt: number) => {
    if (texts.length > 0)
      onLines(
        texts.map((text) => ({ text, receivedAt, backlog: false })),
        name,
      );
    const cut = splitter.takeCut();
    if (cut > 0) onGap?.('a line of more than 1 MiB lost its end', receivedAt);
  };
  stream.on('data', (chunk: Buffer) => {
    const receivedAt = clock.now();
    // A terminal that does not keep up slows the child down, as it would without us.
    if (through !== undefined && !through.write(chunk)) {
      stream.pause();
      through.once('drain', () => stream.resume());
    }
    emit(splitter.push(chunk), receivedAt);
  });
  stream.on('end', () => {
    const rest = splitter.flush();
    if (rest !== undefined) emit([rest], clock.now());
  });
}

function startProblem(command: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return {
      code: 'child-not-found',
      message: `There is no program ${command}. Check the spelling and the PATH; a shell line needs: -- sh -c '…'`,
    };
  if (code === 'EACCES') return { code: 'child-forbidden', message: `${command} may not be executed.` };
  return {
    code: 'child-failed',
    message: `${command} could not be started: ${error instanceof Error ? error.message : String(error)}`,
  };
}
