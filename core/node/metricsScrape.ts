/**
 * Scrapes a metrics URL every few seconds. What goes wrong is a state with a sentence, and the next try comes anyway.
 * Redirects are not followed. A certificate is checked unless the host is this machine: operators there sign their own.
 * Spec: docs/spec/feeds.md
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { FeedSink } from '../engine/host.ts';
import { withoutSecrets } from '../engine/watchRecords.ts';
import { parseMetrics } from '../source/metrics/parse.ts';

export interface ScrapeOptions {
  readonly clock: Clock;
  /** From the start of one scrape to the start of the next, ms. */
  readonly everyMs?: number;
  /** For one scrape, to the last byte, ms. */
  readonly timeoutMs?: number;
}

const defaultEveryMs = 5_000;
const defaultTimeoutMs = 4_000;
const largestBytes = 32 * 1024 * 1024;

/** Scrapes until disposed. Each scrape is one line: the whole text, with the time its last byte came. */
export function scrapeMetrics(address: string, sink: FeedSink, options: ScrapeOptions): Disposable {
  const { clock, everyMs = defaultEveryMs, timeoutMs = defaultTimeoutMs } = options;
  const parsed = metricsUrl(address);
  if (!parsed.ok) {
    sink.state('failed', 'not a URL', parsed.error);
    return toDisposable(() => undefined);
  }
  const url = parsed.value;
  const cancel = new AbortController();
  let timer: Disposable | undefined;
  let told = '';

  function tell(state: 'live' | 'failed', detail: string, problem?: Problem): void {
    const text = `${state} ${problem?.message ?? detail}`;
    if (text === told) return;
    told = text;
    sink.state(state, detail, problem);
  }

  async function scrape(): Promise<void> {
    const started = clock.monotonic();
    const answer = await fetchMetrics(url, timeoutMs, cancel.signal);
    if (cancel.signal.aborted) return;
    if (answer.ok) {
      tell('live', url.href);
      sink.lines([{ text: answer.value, receivedAt: clock.now(), backlog: false }]);
    } else tell('failed', answer.error.message, answer.error);
    timer = clock.setTimer(Math.max(0, everyMs - (clock.monotonic() - started)), () => void scrape());
  }

  sink.state('waiting', url.href);
  void scrape();
  return toDisposable(() => {
    cancel.abort();
    timer?.dispose();
  });
}

/** `127.0.0.1:8080`, `http://…` or `https://…`; without a path `/metrics` is meant. */
export function metricsUrl(address: string): Result<URL, Problem> {
  const problem = (message: string) => err({ code: 'metrics-url', message });
  const text = address.trim();
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    return problem(`${withoutSecrets(address)} is no URL. Write it like http://127.0.0.1:8080/metrics.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return problem(`${withoutSecrets(address)}: metrics are read by http or https only.`);
  if (url.username !== '' || url.password !== '')
    return problem('A metrics URL must not carry a user or password: it would be recorded.');
  if (url.pathname === '/' && url.search === '') url.pathname = '/metrics';
  url.hash = '';
  return ok(url);
}

/** One scrape. Never throws; an answer without a single sample is a problem too. */
export function fetchMetrics(
  url: URL,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Result<string, Problem>> {
  return new Promise((resolve) => {
    const settle = (result: Result<string, Problem>) => {
      clearTimeout(timer);
      resolve(result);
    };
    const fail = (code: string, message: string) => {
      settle(err({ code, message }));
      call.destroy();
    };
    const timer = setTimeout(
      () => fail('metrics-timeout', `${url.href} did not answer within ${timeoutMs / 1000} s.`),
      timeoutMs,
    );
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const call = send(url, {
      agent: false,
      headers: { accept: 'text/plain;version=0.0.4', 'user-agent': 'loopscope' },
      ...(isThisMachine(url.hostname) ? { rejectUnauthorized: false } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    call.on('error', (error) => fail(...unreachable(url, error)));
    call.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status !== 200) {
        response.resume();
        fail(...refused(url, status));
        return;
      }
      void readBody(response).then((body) => {
        if (body === undefined)
          fail('metrics-unreadable', `The answer of ${url.href} broke off or is too large.`);
        else if (parseMetrics(body).samples.length === 0)
          fail('metrics-unreadable', `${url.href} answers, but not with Prometheus metrics. Check the path.`);
        else settle(ok(body));
      });
    });
    call.end();
  });
}

function readBody(response: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largestBytes) response.destroy();
      else chunks.push(chunk);
    });
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    // After `end` this changes nothing; before it the body is incomplete.
    response.on('close', () => resolve(undefined));
    response.on('error', () => resolve(undefined));
  });
}

export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function unreachable(url: URL, error: Error): [code: string, message: string] {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED')
    return ['metrics-refused', `Nothing listens at ${url.host}. Is the operator running, with metrics on?`];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ['metrics-dns', `The name ${url.hostname} is not known. Check the URL.`];
  if (code === 'ECONNRESET' || code === 'EPROTO' || code.startsWith('HPE_') || code.startsWith('ERR_SSL'))
    return [
      'metrics-protocol',
      `${url.host} does not speak ${url.protocol.slice(0, -1)} as the URL says: ${error.message}`,
    ];
  if (code.includes('CERT') || code.includes('SIGNATURE') || code.includes('ISSUER'))
    return ['metrics-tls', `The certificate of ${url.host} is not trusted: ${error.message}`];
  return ['metrics-unreachable', `${url.host} cannot be reached: ${error.message}`];
}

function refused(url: URL, status: number): [code: string, message: string] {
  if (status === 401 || status === 403)
    return [
      'metrics-forbidden',
      `${url.href} answers ${status}: it asks for a token, which Loopscope does not send. Serve metrics without authentication on loopback.`,
    ];
  if (status >= 300 && status < 400)
    return [
      'metrics-redirect',
      `${url.href} answers ${status}; redirects are not followed. Give the final URL.`,
    ];
  if (status === 404) return ['metrics-path', `${url.href} answers 404. Check the path.`];
  return ['metrics-status', `${url.href} answers ${status}.`];
}
