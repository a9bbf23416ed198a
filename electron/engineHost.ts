/**
 * One engine in a process of its own, and its end: started when a window asks for it, started again after a crash (with
 * growing pauses), given what the one before it left. Frames never pass here: each window gets a port of its own.
 */
import type { Clock } from '../shared/base/clock.ts';
import type { Disposable } from '../shared/base/disposable.ts';
import { type FromEngine, type Recording, readFromEngine, type ToEngine } from './engineMessages.ts';
import type { EngineRequest } from './openRequests.ts';

/** A started process; `Port` is what crosses to it. */
export interface EngineProcess<Port> {
  post(message: ToEngine, ports: readonly Port[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Once; `code` as the system tells it. */
  onExit(listener: (code: number) => void): void;
  kill(): void;
}

export interface EngineHostOptions<Port> {
  readonly clock: Clock;
  readonly fork: () => EngineProcess<Port>;
  /** Two ends of a new channel. */
  readonly channel: () => { readonly engine: Port; readonly window: Port };
  readonly request: EngineRequest;
  /** The process ended by itself; the next one starts after `restartMs`. */
  readonly onGone: (why: string, restartMs: number) => void;
  readonly log: (line: string) => void;
}

export type EngineConnection<Port> =
  | { readonly connected: true; readonly port: Port }
  | { readonly connected: false; readonly why: string; readonly retryMs?: number };

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** An engine that ran so long was all right: the next crash is a first one. */
const steadyMs = 60_000;
const stopLimitMs = 5_000;

interface Running<Port> {
  readonly process: EngineProcess<Port>;
  readonly since: number;
  /** Whether it came up. */
  readonly ready: Promise<boolean>;
  settle(up: boolean): void;
}

export class EngineHost<Port> {
  private readonly options: EngineHostOptions<Port>;
  private running: Running<Port> | undefined;
  private restart: { readonly timer: Disposable; readonly at: number; readonly why: string } | undefined;
  private crashes = 0;
  private recovery: unknown;
  private path: string | undefined;
  private stopping: Promise<void> | undefined;
  private exited: (() => void) | undefined;
  private recordingNow: Recording | undefined;

  constructor(options: EngineHostOptions<Port>) {
    this.options = options;
  }

  /** What is being recorded now, undefined when nothing is. */
  get recording(): Recording | undefined {
    return this.recordingNow;
  }

  /** A port to the engine, which is started when it is not there. With `hurry` a pause before a restart ends now. */
  async connect(hurry: boolean): Promise<EngineConnection<Port>> {
    if (this.stopping !== undefined) return { connected: false, why: 'Loopscope is closing.' };
    const { restart } = this;
    if (restart !== undefined && !hurry) {
      const retryMs = Math.max(0, restart.at - this.options.clock.monotonic());
      return { connected: false, why: restart.why, retryMs };
    }
    const running = this.running ?? this.start();
    if (!(await running.ready) || this.running !== running) {
      const retryMs = Math.max(0, (this.restart?.at ?? 0) - this.options.clock.monotonic());
      return { connected: false, why: this.restart?.why ?? 'The engine did not start.', retryMs };
    }
    const { engine, window } = this.options.channel();
    running.process.post({ type: 'window' }, [engine]);
    return { connected: true, port: window };
  }

  /** For credential plugins, in this and every later process. */
  setPath(path: string): void {
    this.path = path;
    this.running?.process.post({ type: 'path', path }, []);
  }

  /** Asks it to flush and seal; resolves when it is gone. One that does not answer in time is ended: all but the last 250 ms is on disk. */
  stop(): Promise<void> {
    this.stopping ??= new Promise((resolve) => {
      this.restart?.timer.dispose();
      this.restart = undefined;
      const { running } = this;
      if (running === undefined) {
        resolve();
        return;
      }
      const limit = this.options.clock.setTimer(stopLimitMs, () => {
        this.options.log('the engine did not end in time and was ended');
        running.process.kill();
      });
      this.exited = () => {
        limit.dispose();
        resolve();
      };
      running.process.post({ type: 'stop' }, []);
    });
    return this.stopping;
  }

  private start(): Running<Port> {
    this.restart?.timer.dispose();
    this.restart = undefined;
    const process = this.options.fork();
    let settle: (up: boolean) => void = () => undefined;
    const ready = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const running: Running<Port> = { process, since: this.options.clock.monotonic(), ready, settle };
    this.running = running;
    process.onMessage((message) => {
      const known = readFromEngine(message);
      if (known !== undefined) this.take(running, known);
    });
    process.onExit((code) => this.gone(running, code));
    const { recovery } = this;
    // What the command line asked for is done by what is recovered: a second time it would undo what the user did since.
    const request = this.crashes > 0 ? withoutActions(this.options.request) : this.options.request;
    process.post({ type: 'start', request, ...(recovery === undefined ? {} : { recovery }) }, []);
    if (this.path !== undefined) process.post({ type: 'path', path: this.path }, []);
    return running;
  }

  private take(running: Running<Port>, message: FromEngine): void {
    if (this.running !== running) return;
    switch (message.type) {
      case 'ready':
        running.settle(true);
        break;
      case 'recovery':
        this.recovery = message.recovery;
        break;
      case 'recording':
        this.recordingNow = message.recording ?? undefined;
        break;
      case 'log':
        this.options.log(message.line);
        break;
    }
  }

  private gone(running: Running<Port>, code: number): void {
    if (this.running !== running) return;
    this.running = undefined;
    this.recordingNow = undefined;
    if (this.stopping !== undefined) {
      running.settle(false);
      this.exited?.();
      return;
    }
    const { clock } = this.options;
    if (clock.monotonic() - running.since >= steadyMs) this.crashes = 0;
    const pauseMs = pausesMs[Math.min(this.crashes, pausesMs.length - 1)] ?? 0;
    this.crashes += 1;
    const why = `The engine's process ended by itself (code ${code}).`;
    this.options.log(`${why} It is started again in ${pauseMs} ms.`);
    this.restart = {
      why,
      at: clock.monotonic() + pauseMs,
      timer: clock.setTimer(pauseMs, () => this.start()),
    };
    running.settle(false);
    this.options.onGone(why, pauseMs);
  }
}

function withoutActions(request: EngineRequest): EngineRequest {
  const { kubeconfig } = request;
  return { namespaces: [], ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}
