/**
 * KubeTransport over node:https: HTTP/1.1, one connection per watch, a few kept alive for the rest (why: ADR 0002).
 * Refuses what the allow-list does not name, follows no redirect, sends no Upgrade, and tells every request.
 * Spec: docs/spec/transport.md
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type AllowListGrants, checkAllowed, metricsProxyTarget } from '../source/allowList.ts';
import type {
  KubeRequest,
  KubeResponse,
  KubeTransport,
  RequestTrace,
  TransportError,
} from '../source/transport.ts';
import { type BodyLimits, bodyLimits, NodeResponse } from './kubeBody.ts';
import { type Peer, transportErrorOf } from './kubeErrors.ts';
import { Liveness } from './kubeLiveness.ts';
import { isLoopback, ProxyAgent, ProxyFailure } from './kubeProxy.ts';

/** What goes with the next request. */
export interface CredentialValues {
  readonly headers: Readonly<Record<string, string>>;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/** Who we are to the server. Never throws; messages never hold a credential. */
export interface KubeCredentials extends Disposable {
  current(): Promise<Result<CredentialValues, TransportError>>;
  /** The server answered 401. True: other credentials can be had, the request is worth one more try. */
  refused(): boolean;
}

export interface KubeConnection {
  /** URL of the API's root; a path in it is kept as prefix. */
  readonly server: URL;
  readonly ca?: string | Buffer;
  /** Name the certificate must carry, where it is not that of the URL. */
  readonly serverName?: string;
  /** insecure-skip-tls-verify. */
  readonly skipVerify?: boolean;
  readonly proxy?: URL;
  readonly credentials: KubeCredentials;
  /** `Impersonate-*` headers, from the kubeconfig or an explicit "view as". */
  readonly impersonate?: Readonly<Record<string, string | readonly string[]>>;
}

export interface KubeTransportOptions {
  readonly clock: Clock;
  /** Loopscope's version, for the User-Agent. */
  readonly version: string;
  readonly grants?: AllowListGrants;
  /** Ask for gzip. Default: unless the server is on loopback. */
  readonly compress?: boolean;
  /** Silence on all streams after which the server is probed, and time it has to answer, ms. */
  readonly idleMs?: number;
  readonly probeTimeoutMs?: number;
  /** Default: bodyLimits. A request's own `bodyTimeoutMs` goes first. */
  readonly bodyLimits?: Partial<BodyLimits>;
}

const defaultTimeoutMs = 30_000;
const defaultIdleMs = 15_000;
const defaultProbeTimeoutMs = 10_000;
/** Connections for all that is not a stream; more wait their turn. */
const plainSockets = 8;
/** Seconds of silence after which the kernel asks whether the peer's machine is still there. */
const keepAliveMs = 30_000;

/** Sends nothing until asked. Fails only by Result, except for what the allow-list refuses, which throws. */
export function createKubeTransport(
  connection: KubeConnection,
  options: KubeTransportOptions,
): KubeTransport {
  return new NodeTransport(connection, options);
}

class NodeTransport implements KubeTransport {
  private readonly connection: KubeConnection;
  private readonly options: KubeTransportOptions;
  private readonly peer: Peer;
  private readonly plainAgent: HttpAgent;
  private readonly streamAgent: HttpAgent;
  private readonly traces = new Emitter<RequestTrace>();
  private readonly liveness: Liveness;
  private readonly active = new Set<Disposable>();
  /** What the user opted into, by how many it is used now. */
  private readonly podMetrics = new Map<string, number>();
  private disposed = false;

  constructor(connection: KubeConnection, options: KubeTransportOptions) {
    this.connection = connection;
    this.options = options;
    const { host, hostname, protocol } = connection.server;
    this.peer = { host, hostname, https: protocol === 'https:' };
    this.plainAgent = this.createAgent(plainSockets);
    this.streamAgent = this.createAgent(Number.POSITIVE_INFINITY);
    this.liveness = new Liveness({
      clock: options.clock,
      idleMs: options.idleMs ?? defaultIdleMs,
      probe: () => this.probe(),
    });
  }

  async request(request: KubeRequest): Promise<Result<KubeResponse, TransportError>> {
    const given = this.options.grants?.metricsProxies ?? [];
    checkAllowed(request, { metricsProxies: new Set([...given, ...this.podMetrics.keys()]) });
    const first = await this.send(request);
    if (!first.ok || first.value.status !== 401) return first;
    first.value.dispose();
    if (!this.connection.credentials.refused()) return err(unauthorized(this.peer));
    const second = await this.send(request);
    if (!second.ok || second.value.status !== 401) return second;
    second.value.dispose();
    return err(unauthorized(this.peer));
  }

  onRequest(listener: (trace: RequestTrace) => void): Disposable {
    return this.traces.on(listener);
  }

  allowPodMetrics(target: string): Disposable {
    const key = metricsProxyTarget(target);
    this.podMetrics.set(key, (this.podMetrics.get(key) ?? 0) + 1);
    return toDisposable(() => {
      const left = (this.podMetrics.get(key) ?? 1) - 1;
      if (left === 0) this.podMetrics.delete(key);
      else this.podMetrics.set(key, left);
    });
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.liveness.dispose();
    for (const one of [...this.active]) one.dispose();
    this.plainAgent.destroy();
    this.streamAgent.destroy();
    this.connection.credentials.dispose();
    this.traces.dispose();
  }

  private async send(request: KubeRequest): Promise<Result<NodeResponse, TransportError>> {
    const credentials = await this.connection.credentials.current();
    const { clock } = this.options;
    const at = clock.now();
    const startedAt = clock.monotonic();
    const stream = isStream(request.path);
    const trace = (status: number | undefined, error: TransportError | undefined) =>
      this.traces.emit({
        at,
        method: request.method,
        path: request.path,
        status,
        ms: clock.monotonic() - startedAt,
        stream,
        ...(error === undefined ? {} : { error: error.code }),
      });
    if (!credentials.ok) {
      trace(undefined, credentials.error);
      return credentials;
    }
    let answer = await this.exchange(request, credentials.value, stream);
    // A kept-alive connection that the server closed at that moment: nothing was processed, so ask once more.
    if (!answer.ok && answer.error.stale) answer = await this.exchange(request, credentials.value, stream);
    if (!answer.ok) {
      trace(undefined, answer.error.error);
      return err(answer.error.error);
    }
    trace(answer.value.status, undefined);
    const { status } = answer.value;
    if (status >= 300 && status < 400 && status !== 304) {
      const to = answer.value.header('location');
      answer.value.dispose();
      return err({
        code: 'unreachable',
        message: `${this.peer.host} redirects${to === undefined ? '' : ` to ${originOf(to)}`}, and Loopscope follows no redirects: use the API server's own address in this context.`,
      });
    }
    if (status === 400 && !this.peer.https && (await wantsHttps(answer.value))) {
      const { host } = this.peer;
      return err({
        code: 'tls',
        message: `${host} speaks https only: the server address of this context says http.`,
      });
    }
    return ok(answer.value);
  }

  /** One request on the wire, to the headers of its answer. */
  private exchange(
    request: KubeRequest,
    credentials: CredentialValues,
    stream: boolean,
  ): Promise<Result<NodeResponse, { readonly error: TransportError; readonly stale: boolean }>> {
    return new Promise((resolve) => {
      const fail = (error: TransportError, stale = false) => {
        settle();
        resolve(err({ error, stale }));
      };
      if (this.disposed || request.signal?.aborted === true) {
        resolve(err({ error: cancelled, stale: false }));
        return;
      }
      let outgoing: ClientRequest;
      try {
        outgoing = this.open(request, credentials, stream);
      } catch (error) {
        // A token that is no header, a certificate that is none: node throws before anything is sent.
        resolve(err({ error: this.describe(error), stale: false }));
        return;
      }
      const stop = (why: TransportError) => {
        // The listener stays: destroying emits an error that nobody else would hear.
        fail(why);
        outgoing.destroy();
      };
      const onAbort = () => stop(cancelled);
      request.signal?.addEventListener('abort', onAbort);
      const active = toDisposable(() => stop(cancelled));
      this.active.add(active);
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      const timer = this.options.clock.setTimer(timeoutMs, () => stop(timedOut(this.peer, timeoutMs)));
      const settle = () => {
        timer.dispose();
        request.signal?.removeEventListener('abort', onAbort);
        this.active.delete(active);
      };
      outgoing.on('error', (error) => {
        const wasReused = outgoing.reusedSocket && request.method === 'GET';
        const described = this.describe(error);
        fail(described, wasReused && described.code === 'reset');
      });
      // Nobody asked for another protocol; without a listener, node waits for an answer that never comes.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        stop(switched(this.peer));
      });
      outgoing.on('response', (message) => {
        if (message.statusCode === 101) return stop(switched(this.peer));
        settle();
        resolve(ok(this.respond(message, request)));
      });
      outgoing.end(request.body);
    });
  }

  private respond(message: IncomingMessage, { signal, bodyTimeoutMs }: KubeRequest): NodeResponse {
    const response: NodeResponse = new NodeResponse(message, {
      clock: this.options.clock,
      limits: {
        ...bodyLimits,
        ...this.options.bodyLimits,
        ...(bodyTimeoutMs === undefined ? {} : { bodyTimeoutMs }),
      },
      host: this.peer.host,
      describe: (error) => this.describe(error),
      onBytes: () => this.liveness.heard(),
      onDone: () => {
        this.active.delete(active);
        this.liveness.remove(response);
        signal?.removeEventListener('abort', onAbort);
      },
    });
    const onAbort = () => response.cut(cancelled);
    const active = toDisposable(onAbort);
    this.active.add(active);
    this.liveness.add(response);
    signal?.addEventListener('abort', onAbort);
    return response;
  }

  private open(request: KubeRequest, credentials: CredentialValues, stream: boolean): ClientRequest {
    const { server, serverName, skipVerify, ca, impersonate } = this.connection;
    const compress = this.options.compress ?? !isLoopback(server.hostname);
    const headers: Record<string, string | readonly string[]> = {
      ...impersonate,
      ...credentials.headers,
      accept: request.accept ?? 'application/json',
      'user-agent': `loopscope/${this.options.version}`,
      'accept-encoding': compress ? 'gzip' : 'identity',
    };
    if (request.ifNoneMatch !== undefined) headers['if-none-match'] = request.ifNoneMatch;
    if (request.method === 'POST') {
      headers['content-type'] = 'application/json';
      headers['content-length'] = String(Buffer.byteLength(request.body ?? ''));
    }
    const common: RequestOptions = {
      hostname: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port === '' ? (this.peer.https ? 443 : 80) : server.port,
      method: request.method,
      path: `${server.pathname.replace(/\/+$/, '')}${request.path}`,
      headers: headers as NonNullable<RequestOptions['headers']>,
      agent: stream ? this.streamAgent : this.plainAgent,
    };
    if (!this.peer.https) return httpRequest(common);
    return httpsRequest({
      ...common,
      ...(ca === undefined ? {} : { ca }),
      ...(serverName === undefined ? {} : nameToCheck(serverName)),
      ...(credentials.cert === undefined ? {} : { cert: credentials.cert }),
      ...(credentials.key === undefined ? {} : { key: credentials.key }),
      rejectUnauthorized: skipVerify !== true,
    });
  }

  /** Any answer is a sign of life, also a refusal; credentials are left out so that no plugin runs for it. */
  private async probe(): Promise<TransportError | undefined> {
    const timeoutMs = this.options.probeTimeoutMs ?? defaultProbeTimeoutMs;
    const request: KubeRequest = { method: 'GET', path: '/livez', timeoutMs };
    const answer = await this.exchange(request, { headers: {} }, true);
    if (!answer.ok) return answer.error.error;
    answer.value.dispose();
    return undefined;
  }

  private describe(error: unknown): TransportError {
    if (error instanceof ProxyFailure) return { code: 'unreachable', message: error.message };
    return transportErrorOf(error, this.peer);
  }

  private createAgent(maxSockets: number): HttpAgent {
    const options = { keepAlive: true, keepAliveMsecs: keepAliveMs, maxSockets, scheduling: 'lifo' as const };
    if (!this.peer.https) return new HttpAgent(options);
    const { proxy } = this.connection;
    return proxy === undefined ? new HttpsAgent(options) : new ProxyAgent(proxy, options);
  }
}

const cancelled: TransportError = { code: 'cancelled', message: 'The request was cancelled.' };

function unauthorized(peer: Peer): TransportError {
  return {
    code: 'unauthorized',
    message: `${peer.host} does not accept the credentials of this context (401): log in again, or renew the token or certificate of its user.`,
  };
}

function timedOut(peer: Peer, ms: number): TransportError {
  return { code: 'timeout', message: `${peer.host} did not answer within ${Math.round(ms / 100) / 10} s.` };
}

function switched(peer: Peer): TransportError {
  return {
    code: 'unreachable',
    message: `${peer.host} switches to another protocol (101), which was not asked for: check the server address of this context.`,
  };
}

/** An address may be the name to check, but not one to announce (RFC 6066). */
function nameToCheck(name: string): ConnectionOptions {
  if (isIP(name) === 0) return { servername: name };
  return { servername: '', checkServerIdentity: (_, cert) => checkServerIdentity(name, cert) };
}

/** Watches and followed logs stay open; each gets a connection of its own. */
function isStream(path: string): boolean {
  return /[?&](watch|follow)=(1|true)(&|$)/.test(path);
}

/** Go's servers say so in plain text; others just close (see kubeErrors.ts). */
async function wantsHttps(answer: NodeResponse): Promise<boolean> {
  try {
    return (await answer.peek()).includes('HTTP request to an HTTPS server');
  } catch {
    return false;
  }
}

/** Where a redirect points, without whatever a query may carry. */
function originOf(location: string): string {
  try {
    return new URL(location).origin;
  } catch {
    return 'another path';
  }
}
