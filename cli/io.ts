/** The process as commands see it: two streams, the environment, signals. */
import { isatty } from 'node:tty';
import { type Disposable, toDisposable } from '../shared/base/disposable.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdoutIsTerminal: boolean;
  readonly stdinIsTerminal: boolean;
  /** Characters a line of the terminal has; undefined: it is none, and nothing is cut. */
  readonly columns?: number | undefined;
  /** To standard output: results only. */
  out(text: string): void;
  /** To standard error: notes and problems, a line each. */
  note(line: string): void;
  /** Ctrl-C, and the request to end of a supervisor. While someone listens the process does not end by itself. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): Disposable;
}

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The real one. A reader that went away (`| head`) ends the process quietly. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      throw error;
    });
  }
  return {
    env: process.env,
    cwd: process.cwd(),
    stdoutIsTerminal: process.stdout.isTTY === true,
    stdinIsTerminal: isatty(0),
    columns: process.stdout.columns,
    out: (text) => void process.stdout.write(text),
    note: (line) => void process.stderr.write(`${line}\n`),
    onInterrupt(listener) {
      for (const signal of interrupts) process.on(signal, listener);
      return toDisposable(() => {
        for (const signal of interrupts) process.off(signal, listener);
      });
    },
  };
}
