/**
 * What the engine may say to a cluster. The implementation (core/node/kubeTransport.ts) refuses anything outside the
 * allow-list of the design, section 3, by throwing: that is a bug of ours, not an expected failure.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import type { Result } from '../../shared/base/result.ts';

export interface KubeRequest {
  /** POST only for access reviews. */
  readonly method: 'GET' | 'POST';
  /** Path with query, from the server's root: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly accept?: string;
  /** JSON text, POST only. */
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** ETag of an earlier answer: 304 when nothing changed. */
  readonly ifNoneMatch?: string;
  /** Time to the answer's headers, ms. Default 30 000. A body that streams has no limit but `idleMs`. */
  readonly timeoutMs?: number;
  /** Time that text() may take from when it is called, ms. Default 120 000; lines() has none. */
  readonly bodyTimeoutMs?: number;
}

/** An answer of any status. Read it once: by text() or by lines(). */
export interface KubeResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** The whole body. Rejects with a TransportFailure when the connection breaks, it takes too long or is too large. */
  text(): Promise<string>;
  /** The body as lines without their newline, as they come. Ends at the clean end; throws TransportFailure when cut or a line is too long. */
  lines(): AsyncIterable<string>;
  /** True once lines() gave a last line that had no newline: a proxy that lost its own source ends an answer like that too. */
  readonly endedInLine?: boolean;
  /** Drops what was not read; whoever reads then gets a TransportFailure. */
  dispose(): void;
}

export type TransportErrorCode =
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'unauthorized'
  | 'auth-plugin-missing'
  | 'auth-plugin-failed'
  | 'auth-consent'
  | 'cancelled'
  | 'too-large'
  | 'unreachable';

export interface TransportError {
  readonly code: TransportErrorCode;
  /** A sentence that says what to do. Never holds a credential. */
  readonly message: string;
}

/** Thrown by streams that were already handed out (lines(), text()). */
export class TransportFailure extends Error {
  readonly detail: TransportError;
  constructor(detail: TransportError) {
    super(detail.message);
    this.name = 'TransportFailure';
    this.detail = detail;
  }
}

/** One request as our own audit shows it: never with headers or bodies. */
export interface RequestTrace {
  readonly at: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: number | undefined;
  readonly ms: number | undefined;
  readonly error?: TransportErrorCode;
  readonly stream: boolean;
}

export interface KubeTransport extends Disposable {
  request(request: KubeRequest): Promise<Result<KubeResponse, TransportError>>;
  /** Called for each request when its answer's headers are there, or when it failed. */
  onRequest(listener: (trace: RequestTrace) => void): Disposable;
  /**
   * Lets the metrics of one pod and port be read through the API server's proxy, until disposed: the one opt-in beyond the
   * allow-list, given by the user for this target. `target`: `namespace/pod:port` or `namespace/https:pod:port`. Absent:
   * this transport has no such opt-in.
   */
  allowPodMetrics?(target: string): Disposable;
}
