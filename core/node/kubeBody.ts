/** The body of an answer: whole, or line by line as it comes; unzipped on the way. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { Disposable } from '../../shared/base/disposable.ts';
import { type KubeResponse, type TransportError, TransportFailure } from '../source/transport.ts';

export interface BodyOptions {
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
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** The whole body, which text() then gives again: for an answer that must be looked into before it is handed on. */
  async peek(): Promise<string> {
    this.whole = await this.text();
    return this.whole;
  }

  async *lines(): AsyncGenerator<string, undefined> {
    let pieces: Buffer[] = [];
    for await (const chunk of this.chunks()) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const piece = chunk.subarray(from, at);
        from = at + 1;
        if (pieces.length === 0) yield piece.toString('utf8');
        else {
          // A character may lie across two chunks, so bytes are joined before they are decoded.
          const line = Buffer.concat([...pieces, piece]).toString('utf8');
          pieces = [];
          yield line;
        }
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from));
    }
    if (pieces.length > 0) yield Buffer.concat(pieces).toString('utf8');
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

  private failure(error: unknown): TransportFailure {
    return new TransportFailure(this.cause ?? this.options.describe(error));
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.options.onDone();
  }
}

const left: TransportError = { code: 'cancelled', message: 'The answer was dropped before it was read.' };

/** Gzip is read with sync flushes: each event of a watch comes out when it comes in. */
function unzip(message: IncomingMessage): Readable {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  const flush = constants.Z_SYNC_FLUSH;
  return pipeline(message, createGunzip({ flush, finishFlush: flush }), () => {});
}
