/**
 * Notices a server that fell silent with its connections open (stopped, hung, or gone without a word). A watch may be
 * quiet for minutes, so silence alone proves nothing: after `idleMs` without a byte on any stream a probe is sent, and
 * only if that finds nobody are the streams given up. TCP keep-alive, which the kernel answers even for a stopped
 * process, covers a network that is gone; this covers a process that is.
 */
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import type { TransportError } from '../source/transport.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  /** Silence after which a probe is sent, ms. */
  readonly idleMs: number;
  /** Resolves to an error when the server does not answer; any answer at all is a sign of life. */
  readonly probe: () => Promise<TransportError | undefined>;
}

interface Cuttable {
  cut(cause: TransportError): void;
}

export class Liveness implements Disposable {
  private readonly options: LivenessOptions;
  private readonly streams = new Set<Cuttable>();
  private timer: Disposable | undefined;
  private heardAt = 0;
  private probing = false;

  constructor(options: LivenessOptions) {
    this.options = options;
  }

  /** Watches over `stream` until it is removed. */
  add(stream: Cuttable): void {
    this.streams.add(stream);
    this.heard();
    if (this.timer === undefined && !this.probing) this.arm(this.options.idleMs);
  }

  remove(stream: Cuttable): void {
    this.streams.delete(stream);
    if (this.streams.size === 0) this.disarm();
  }

  /** A byte came, on whatever stream. */
  heard(): void {
    this.heardAt = this.options.clock.monotonic();
  }

  dispose(): void {
    this.streams.clear();
    this.disarm();
  }

  private arm(delayMs: number): void {
    this.timer = this.options.clock.setTimer(delayMs, () => {
      this.timer = undefined;
      const left = this.heardAt + this.options.idleMs - this.options.clock.monotonic();
      if (left > 0) this.arm(left);
      else void this.check();
    });
  }

  private disarm(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private async check(): Promise<void> {
    this.probing = true;
    const askedAt = this.options.clock.monotonic();
    const error = await this.options.probe();
    this.probing = false;
    // A byte that came meanwhile is a sign of life too.
    if (error === undefined) this.heard();
    else if (this.heardAt <= askedAt) {
      for (const stream of [...this.streams]) {
        stream.cut({ code: error.code, message: `The connection went silent. ${error.message}` });
      }
    }
    if (this.streams.size > 0 && this.timer === undefined) this.arm(this.options.idleMs);
  }
}
