/** What a request for a pod's log asks, and what answers other than its lines mean. Pure. Spec: docs/spec/sources.md */
import type { Problem } from '../../../shared/contract/views/connection.ts';
import { statusOfAnswer } from '../watch/apiStatus.ts';

export interface PodLogTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface PodLogQuery {
  readonly follow?: boolean;
  /** Of the container's instance before the one that runs. */
  readonly previous?: boolean;
  /** Lines from here on, ms; goes out as whole seconds. */
  readonly since?: number | undefined;
}

/** Path and query of the request. Source: kubernetes core/v1 PodLogOptions. */
export function podLogPath({ namespace, pod, container }: PodLogTarget, query: PodLogQuery): string {
  const parameters = [`container=${encodeURIComponent(container)}`, 'timestamps=true'];
  if (query.follow === true) parameters.push('follow=true');
  if (query.previous === true) parameters.push('previous=true');
  if (query.since !== undefined)
    parameters.push(
      `sinceTime=${encodeURIComponent(`${new Date(Math.floor(query.since / 1000) * 1000).toISOString().slice(0, 19)}Z`)}`,
    );
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${parameters.join('&')}`;
}

/**
 * waiting: the container has not started. noPrevious: it never ran before. gone: no such pod, its log ends. failed: tried
 * again, after `retryAfterMs` where that is said.
 */
export type PodLogRefusal =
  | { readonly kind: 'waiting' | 'noPrevious' | 'gone'; readonly detail: string }
  | {
      readonly kind: 'failed';
      readonly detail: string;
      readonly problem: Problem;
      readonly retryAfterMs?: number;
    };

/** A right may be granted, a container added: looked at again that often, not at every turn, ms. */
const lastingMs = 30_000;

export function readRefusal(
  target: PodLogTarget,
  code: number,
  body: string,
  retryAfter: string | undefined,
): PodLogRefusal {
  const { message, retryAfterMs } = statusOfAnswer(code, body, retryAfter);
  const said = message.trim();
  const name = `${target.namespace}/${target.pod}`;
  const failed = (code: string, detail: string, text: string, waitMs?: number): PodLogRefusal => ({
    kind: 'failed',
    detail,
    problem: { code, message: text },
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
  // Without a node there is nothing to stream. Source: registry/core/pod, LogLocation.
  if (code === 204) return { kind: 'waiting', detail: `the pod ${name} has no node yet` };
  if (code === 404 || code === 410) return { kind: 'gone', detail: `the pod ${name} is gone` };
  if (code === 403)
    return failed(
      'forbidden',
      'may not be read',
      `You may not read the log of pods in the namespace ${target.namespace}: that needs the verb "get" on "pods/log". Ask for a Role with it; reading goes on by itself once it is granted.`,
      lastingMs,
    );
  if (code === 400) {
    if (
      /waiting to start|PodInitializing|ContainerCreating|is not available|has not (been )?started/i.test(
        said,
      )
    )
      return { kind: 'waiting', detail: said };
    if (/previous terminated container/i.test(said)) return { kind: 'noPrevious', detail: said };
    if (/is not valid for pod/i.test(said))
      return failed(
        'no-such-container',
        'no such container',
        `The pod ${name} has no container called ${target.container}.`,
        lastingMs,
      );
  }
  if (code === 429)
    return failed(
      'busy',
      'the API server is busy',
      `The API server is busy (429); the log of ${name} is asked for again.`,
      retryAfterMs ?? 1000,
    );
  if (
    code >= 500 &&
    /containerLogs|:\d+: connect|kubelet|no such host|dial tcp|nodes? ".*" not found|proxy error/i.test(said)
  )
    return failed(
      'kubelet-unreachable',
      'its node cannot be reached',
      `The API server cannot reach the kubelet that keeps the log of ${name}: ${short(said)}. It is tried again.`,
    );
  return failed(
    'log-refused',
    `answered with ${code}`,
    `The log of ${name} cannot be read (${code}): ${said === '' ? 'no reason given' : short(said)}. It is tried again.`,
    retryAfterMs,
  );
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
