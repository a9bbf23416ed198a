/**
 * Questions to the API server about identity and rights: the only POSTs that Loopscope sends. Each asks, none changes
 * anything. Source: authentication.k8s.io/v1 SelfSubjectReview, authorization.k8s.io/v1 SubjectAccessReview.
 */
import { asRecord, asText } from '../../../shared/base/json.ts';
import { err, ok, type Result } from '../../../shared/base/result.ts';
import type { Problem } from '../../../shared/contract/views/connection.ts';
import type { KubeTransport } from '../transport.ts';

export interface WhoAmI {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface AccessQuestion {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface ServerVersion {
  /** `v1.37.2` */
  readonly version: string;
  /** The server's clock when it answered, ms, cut to its second; absent where it does not say. */
  readonly date?: number;
}

/** Any user may ask, also an anonymous one. An answer without it comes from something else than Kubernetes. */
export async function serverVersion(
  transport: KubeTransport,
  signal: AbortSignal,
): Promise<Result<ServerVersion, Problem>> {
  const answer = await getJson(transport, '/version', signal);
  if (!answer.ok) return answer;
  const version = asText(asRecord(answer.value.json)?.gitVersion);
  if (version === '') return err(notKubernetes('/version'));
  const { date } = answer.value;
  return ok(Number.isNaN(date) ? { version } : { version, date });
}

/**
 * Who the server takes us for. A server older than 1.28 does not know the question (404); some refuse it (403): then
 * undefined. A wrong credential is 401 here, although /version may still answer.
 */
export async function whoAmI(
  transport: KubeTransport,
  signal: AbortSignal,
): Promise<Result<WhoAmI | undefined, Problem>> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await postJson(transport, path, body, signal);
  if (!answer.ok)
    return answer.error.code === 'not-found' || answer.error.code === 'forbidden' ? ok(undefined) : answer;
  const info = asRecord(statusOf(answer.value.json)?.userInfo);
  const user = asText(info?.username);
  const groups = Array.isArray(info?.groups) ? info.groups.filter((group) => typeof group === 'string') : [];
  return ok(user === '' ? undefined : { user, groups });
}

/** SubjectAccessReview: an oracle for our own evaluator. undefined where we may not ask. */
export async function reviewAccess(
  transport: KubeTransport,
  question: AccessQuestion,
  signal: AbortSignal,
): Promise<Result<AccessAnswer | undefined, Problem>> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: question.user,
      groups: question.groups,
      resourceAttributes: {
        verb: question.verb,
        group: question.group,
        resource: question.resource,
        ...(question.subresource === '' ? {} : { subresource: question.subresource }),
        ...(question.namespace === '' ? {} : { namespace: question.namespace }),
      },
    },
  };
  const answer = await postJson(
    transport,
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body,
    signal,
  );
  if (!answer.ok)
    return answer.error.code === 'forbidden' || answer.error.code === 'not-found' ? ok(undefined) : answer;
  const status = statusOf(answer.value.json);
  return ok({ allowed: status?.allowed === true, reason: asText(status?.reason) });
}

/** Whether we ourselves may: SelfSubjectAccessReview. undefined where that is not told. */
export async function reviewOwnAccess(
  transport: KubeTransport,
  question: Omit<AccessQuestion, 'user' | 'groups'>,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { verb, group, resource, subresource, namespace } = question;
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: {
        verb,
        group,
        resource,
        ...(subresource === '' ? {} : { subresource }),
        ...(namespace === '' ? {} : { namespace }),
      },
    },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await postJson(transport, path, body, signal);
  if (!answer.ok) return undefined;
  const allowed = statusOf(answer.value.json)?.allowed;
  return typeof allowed === 'boolean' ? allowed : undefined;
}

function getJson(transport: KubeTransport, path: string, signal: AbortSignal) {
  return sendJson(transport, { method: 'GET', path, signal });
}

function postJson(transport: KubeTransport, path: string, body: unknown, signal: AbortSignal) {
  return sendJson(transport, { method: 'POST', path, body: JSON.stringify(body), signal });
}

/** A review or /version is a few hundred bytes: its headers, and then its body, take this long at most. */
const answerMs = 15_000;

/** `date`: the answer's Date header in ms, NaN where there is none. */
interface Answer {
  readonly json: unknown;
  readonly date: number;
}

async function sendJson(
  transport: KubeTransport,
  request: { method: 'GET' | 'POST'; path: string; body?: string; signal: AbortSignal },
): Promise<Result<Answer, Problem>> {
  const answer = await transport.request({
    ...request,
    accept: 'application/json',
    timeoutMs: answerMs,
    bodyTimeoutMs: answerMs,
  });
  if (!answer.ok) return err(answer.error);
  const { status } = answer.value;
  let text: string;
  try {
    text = await answer.value.text();
  } catch (error) {
    return err({
      code: 'unreachable',
      message: `The API server's answer to ${request.path} broke off (${error instanceof Error ? error.message : 'unknown'}). Try again.`,
    });
  }
  if (status < 200 || status >= 300) return err(statusProblem(status, request.path));
  try {
    const date = Date.parse(answer.value.header('date') ?? '');
    return ok({ json: JSON.parse(text) as unknown, date });
  } catch {
    return err(notKubernetes(request.path));
  }
}

/** Log-in pages of proxies, other programs on the port. What they said is not repeated. */
function notKubernetes(path: string): Problem {
  return {
    code: 'unreachable',
    message: `The server does not answer ${path} as a Kubernetes API server does: check the server address of this context.`,
  };
}

function statusOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return asRecord(asRecord(value)?.status);
}

function statusProblem(status: number, path: string): Problem {
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        message:
          'The API server does not accept these credentials (401). Log in again or check the user of this context, then retry.',
      };
    case 403:
      return { code: 'forbidden', message: `This user may not ask ${path} (403).` };
    case 404:
      return { code: 'not-found', message: `The API server does not know ${path} (404).` };
    default:
      return {
        code: 'server-error',
        message: `The API server answered ${status} to ${path}. Wait a moment, then retry.`,
      };
  }
}
