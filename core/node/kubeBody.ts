/** The body of an answer: whole, or line by line as it comes; unzipped on the way. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { type KubeResponse, type TransportError, TransportFailure } from '../source/transport.ts';

/** What no answer may exceed: a server that trickles or floods ends one request, never the program. */
export interface BodyLimits {
  /** Time that text() may take, ms. */
  readonly bodyTimeoutMs: number;
  /** Bytes of a body that is read whole, and of one line of a stream; both after it was unzipped. */
  readonly textBytes: number;
  readonly lineBytes: number;
}

/** Well beyond what an API server sends (etcd: 1.5 MiB an object), and short of the longest text the runtime can hold. */
export const bodyLimits: BodyLimits = {
  bodyTimeoutMs: 120_000,
  textBytes: 256 * 1024 * 1024,
  lineBytes: 64 * 1024 * 1024,
};

export interface BodyOptions {
  readonly clock: Clock;
  readonly limits: BodyLimits;
  /** `host:port`, for the words. */
  readonly host: string;
  /** Words for whatever broke the body. */
  readonly describe: (error: unknown) => TransportError;
  /** Called for each piece that arrives. */
  readonly onBytes: () => void;
  /** Called once, when the body ended, broke or was left. */
  readonly onDone: () => void;
}

/** An answer whose body can be read once, and cut from outside. */
export class NodeResponse implements KubeResponse, Disposable {
  readonly status: number;
  private readonly message: IncomingMessage;
  private readonly body: Readable;
  private readonly options: BodyOptions;
  private cause: TransportError | undefined;
  private read = false;
  private whole: string | undefined;
  private done = false;
  endedInLine = false;

  constructor(message: IncomingMessage, options: BodyOptions) {
    this.message = message;
    this.options = options;
    this.status = message.statusCode ?? 0;
    this.body = unzip(message);
    // Without a listener an error that comes before the body is read would end the process.
    this.body.on('error', () => this.finish());
    this.body.on('close', () => this.finish());
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async text(): Promise<string> {
    if (this.whole !== undefined) return this.whole;
    const { clock, limits, host } = this.options;
    const timer = clock.setTimer(limits.bodyTimeoutMs, () => this.cut(tooSlow(host, limits.bodyTimeoutMs)));
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of this.chunks()) {
        size += chunk.length;
        if (size > limits.textBytes) this.tooLarge('sends an answer', limits.textBytes);
        chunks.push(chunk);
      }
    } finally {
      timer.dispose();
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** The whole body, which text() then gives again: for an answer that must be looked into before it is handed on. */
  async peek(): Promise<string> {
    this.whole = await this.text();
    return this.whole;
  }

  async *lines(): AsyncGenerator<string, undefined> {
    const { lineBytes } = this.options.limits;
    let pieces: Buffer[] = [];
    let held = 0;
    for await (const chunk of this.chunks()) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const piece = chunk.subarray(from, at);
        from = at + 1;
        if (held + piece.length > lineBytes) this.tooLarge('streams a line', lineBytes);
        held = 0;
        if (pieces.length === 0) yield piece.toString('utf8');
        else {
          // A character may lie across two chunks, so bytes are joined before they are decoded.
          const line = Buffer.concat([...pieces, piece]).toString('utf8');
          pieces = [];
          yield line;
        }
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held > lineBytes) this.tooLarge('streams a line', lineBytes);
    }
    if (pieces.length > 0) {
      this.endedInLine = true;
      yield Buffer.concat(pieces).toString('utf8');
    }
    return undefined;
  }

  /** Cuts the body: whoever reads it gets `cause` as TransportFailure. */
  cut(cause: TransportError): void {
    this.cause ??= cause;
    this.close();
  }

  dispose(): void {
    this.cause ??= left;
    this.close();
  }

  private close(): void {
    this.message.destroy();
    this.body.destroy();
    this.finish();
  }

  private async *chunks(): AsyncGenerator<Buffer, undefined> {
    if (this.read) throw new Error('the body of an answer is read once');
    this.read = true;
    try {
      for await (const chunk of this.body) {
        this.options.onBytes();
        yield chunk as Buffer;
      }
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.close();
    }
    if (this.cause !== undefined) throw this.failure(undefined);
    return undefined;
  }

  private tooLarge(what: string, bytes: number): never {
    const mib = Math.round(bytes / (1024 * 1024));
    const message = `${this.options.host} ${what} of more than ${mib} MiB, which no API server does: check the server address of this context.`;
    this.cut({ code: 'too-large', message });
    throw this.failure(undefined);
  }

  private failure(error: unknown): TransportFailure {
    return new TransportFailure(this.cause ?? this.options.describe(error));
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.options.onDone();
  }
}

function tooSlow(host: string, ms: number): TransportError {
  const seconds = Math.round(ms / 100) / 10;
  return {
    code: 'timeout',
    message: `${host} began to answer and did not finish within ${seconds} s: check the network, or what stands in between.`,
  };
}

const left: TransportError = { code: 'cancelled', message: 'The answer was dropped before it was read.' };

/** Gzip is read with sync flushes: each event of a watch comes out when it comes in. */
function unzip(message: IncomingMessage): Readable {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  const flush = constants.Z_SYNC_FLUSH;
  return pipeline(message, createGunzip({ flush, finishFlush: flush }), () => {});
}
