/**
 * Reads the metrics of one pod through the API server's pod proxy: the one opt-in of the allow-list, for one pod and port,
 * given by the user. What goes wrong is a state with a sentence, and the next try comes anyway.
 * Spec: docs/spec/sources.md (SRC30–SRC35)
 */
import type { Clock } from '../../../shared/base/clock.ts';
import { type Disposable, toDisposable } from '../../../shared/base/disposable.ts';
import type { Problem } from '../../../shared/contract/views/connection.ts';
import type { FeedSink } from '../../engine/host.ts';
import { parseMetrics } from '../metrics/parse.ts';
import { type KubeTransport, TransportFailure } from '../transport.ts';
import { statusOfAnswer } from '../watch/apiStatus.ts';

export interface PodMetricsTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
}

/** `namespace/pod:port`, or `namespace/https:pod:port`: as the opt-in names it. */
export function targetText({ namespace, pod, port, scheme }: PodMetricsTarget): string {
  return `${namespace}/${scheme === 'https' ? 'https:' : ''}${pod}:${port}`;
}

/** The target that targetText() wrote; undefined for anything else. */
export function parseTarget(text: string): PodMetricsTarget | undefined {
  const match = /^([a-z0-9][a-z0-9-]*)\/(https:)?([a-z0-9][a-z0-9.-]*):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const [, namespace = '', https, pod = '', port = ''] = match;
  return { namespace, pod, port: Number(port), scheme: https === undefined ? 'http' : 'https' };
}

/** From the start of one scrape to the start of the next, and for one scrape, ms. */
const everyMs = 5_000;
const timeoutMs = 4_000;

/** Scrapes until disposed; the opt-in is given back then. Each scrape is one line: the whole text. */
export function scrapePodMetrics(
  target: PodMetricsTarget,
  sink: FeedSink,
  options: { readonly transport: KubeTransport; readonly clock: Clock },
): Disposable {
  const { transport, clock } = options;
  const { namespace, pod } = target;
  const name = `${namespace}/${pod}`;
  const optIn = transport.allowPodMetrics?.(targetText(target));
  const ending = new AbortController();
  const { signal } = ending;
  let timer: Disposable | undefined;
  let told = '';

  function tell(state: 'live' | 'failed' | 'waiting' | 'ended', detail: string, problem?: Problem): void {
    const text = `${state} ${detail} ${problem?.message ?? ''}`;
    if (text === told || signal.aborted) return;
    told = text;
    sink.state(state, detail, problem);
  }

  /** False: the pod is gone. */
  async function scrape(): Promise<boolean> {
    const [, id = ''] = targetText(target).split('/');
    const answer = await transport.request({
      method: 'GET',
      path: `/api/v1/namespaces/${namespace}/pods/${id}/proxy/metrics`,
      accept: 'text/plain;version=0.0.4',
      timeoutMs,
      bodyTimeoutMs: timeoutMs,
      signal,
    });
    if (signal.aborted) return true;
    if (!answer.ok) {
      tell('waiting', 'the cluster cannot be reached', answer.error);
      return true;
    }
    let text: string;
    try {
      text = await answer.value.text();
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      tell('failed', 'broke off', error.detail);
      return true;
    }
    const { status } = answer.value;
    if (status !== 200) return refused(status, text);
    if (parseMetrics(text).samples.length === 0) {
      tell('failed', 'no metrics', {
        code: 'metrics-unreadable',
        message: `Port ${target.port} of ${name} answers, but not with Prometheus metrics. Choose another port.`,
      });
      return true;
    }
    tell('live', `port ${target.port}, through the API server’s proxy, as you allowed`);
    if (!signal.aborted) sink.lines([{ text, receivedAt: clock.now(), backlog: false }]);
    return true;
  }

  function refused(status: number, body: string): boolean {
    const said = statusOfAnswer(status, body);
    // Only the API server itself answers with a Status: the rest is the pod's.
    const isServer = said.reason !== '';
    if (status === 404 && isServer) {
      tell('ended', `the pod ${name} is gone`);
      return false;
    }
    if (status === 403 && isServer)
      tell('failed', 'may not be read', {
        code: 'forbidden',
        message: `You may not read the metrics of pods in the namespace ${namespace}: that needs the verb "get" on "pods/proxy".`,
      });
    else if (status === 401 || status === 403)
      tell('failed', 'asks for a token', {
        code: 'metrics-forbidden',
        message: `The metrics of ${name} ask for a token (${status}), and the API server’s proxy passes none on. Serve them without authentication on another port, or attach their address.`,
      });
    else
      tell('failed', `answers ${status}`, {
        code: 'metrics-status',
        message: `The metrics of ${name} cannot be read (${status}): ${said.message.slice(0, 300)}. It is tried again.`,
      });
    return true;
  }

  async function run(): Promise<void> {
    const started = clock.monotonic();
    const goesOn = await scrape();
    if (signal.aborted || !goesOn) return;
    timer = clock.setTimer(Math.max(0, everyMs - (clock.monotonic() - started)), () => void run());
  }

  if (optIn === undefined)
    tell('failed', 'not allowed', {
      code: 'not-allowed',
      message: 'This connection reads no metrics of pods.',
    });
  else {
    tell('waiting', `asking port ${target.port} of ${name}`);
    void run();
  }
  return toDisposable(() => {
    ending.abort();
    timer?.dispose();
    optIn?.dispose();
  });
}
