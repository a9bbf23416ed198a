/** utilityProcess: a real child process on the bundled script. */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { isReady } from './app.ts';
import { MessagePortMain, type RemoteMessage, Remotes } from './endpoint.ts';

interface ForkOptions {
  readonly serviceName?: string;
  readonly stdio?: readonly string[];
  readonly execArgv?: readonly string[];
}

type FromChild =
  | { readonly type: 'post'; readonly data: unknown }
  | RemoteMessage
  | { readonly type: 'delay'; readonly p99: number; readonly max: number };

export const running = new Set<UtilityProcess>();

class UtilityProcess extends EventEmitter {
  readonly stdout;
  readonly stderr;
  private readonly child: ChildProcess;
  private readonly remotes: Remotes;
  private readonly delays: ((delay: { p99: number; max: number }) => void)[] = [];

  constructor(script: string, args: readonly string[], options: ForkOptions) {
    super();
    this.child = fork(script, [...args], {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [
        ...(options.execArgv ?? []),
        '--disable-warning=ExperimentalWarning',
        '--import',
        join(import.meta.dirname, 'child.ts'),
      ],
    });
    this.stdout = this.child.stdout;
    this.stderr = this.child.stderr;
    this.remotes = new Remotes((message) => this.toChild(message));
    running.add(this);
    this.child.once('spawn', () => this.emit('spawn'));
    this.child.on('message', (message: FromChild) => {
      if (message.type === 'post') this.emit('message', message.data);
      else if (message.type === 'delay') this.delays.shift()?.(message);
      else this.remotes.receive(message);
    });
    this.child.once('exit', (code, signal) => {
      running.delete(this);
      this.remotes.closeAll();
      this.emit('exit', code ?? (signal === 'SIGKILL' ? 9 : 1));
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    const data = structuredClone(message);
    const ports = transfer.map((port, index) => this.remotes.give(MessagePortMain.take(port, index)));
    this.toChild({ type: 'post', data, ports });
    for (const id of ports) this.remotes.open(id);
  }

  kill(): boolean {
    return this.child.kill();
  }

  loopDelay(reset: boolean): Promise<{ p99: number; max: number }> {
    return new Promise((resolve) => {
      this.delays.push(resolve);
      this.toChild({ type: 'delay', reset });
    });
  }

  private toChild(message: unknown): void {
    // A child that is ending takes nothing more; its exit says so.
    if (this.child.connected) this.child.send(message as object, () => undefined);
  }
}

export const utilityProcess = {
  fork(script: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    return new UtilityProcess(script, args, options);
  },
};
