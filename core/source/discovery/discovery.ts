/**
 * Discovery: which resources the server offers. Aggregated (two requests, with ETag) where the server knows it, else
 * group by group. An aggregated API that does not answer is a problem in the list, never a failure of the whole.
 * Pure. Source: k8s.io/api/apidiscovery/v2, client-go discovery.
 */
import { err, ok, type Result } from '../../../shared/base/result.ts';
import type { ApiResource } from '../../../shared/model/resource.ts';
import {
  type KubeResponse,
  type KubeTransport,
  type TransportError,
  TransportFailure,
} from '../transport.ts';
import { parseAggregated, parseGroups, parseResources, type ServedVersion } from './discoveryDocs.ts';

export interface Discovery {
  /** Each resource once, in the version the server prefers. */
  readonly resources: readonly ApiResource[];
  /** Every version of every resource. */
  readonly served: readonly ApiResource[];
  /** Parts that could not be read: group/version and a sentence. */
  readonly problems: readonly DiscoveryProblem[];
  /** What lets the next discovery ask "anything new?". */
  readonly memo: readonly DiscoveryPart[];
}

export interface DiscoveryProblem {
  readonly groupVersion: string;
  readonly message: string;
}

/** Answer of one of the two roots. */
export interface DiscoveryPart {
  readonly root: '/api' | '/apis';
  readonly etag: string | undefined;
  readonly versions: readonly ServedVersion[];
  readonly problems: readonly DiscoveryProblem[];
}

export interface DiscoveryChange {
  readonly added: readonly ApiResource[];
  readonly removed: readonly ApiResource[];
  /** Same name, but another version, scope, verbs or subresources. */
  readonly changed: readonly ApiResource[];
}

/** `status` is set where the server answered: 403 means that this user may not even discover. */
export type DiscoveryError = TransportError & { readonly status?: number };

const accept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** A cluster with thousands of CRDs answers with a few megabytes. */
const bodyTimeoutMs = 60_000;

/** Asks the server; with `previous` only for what is new. The same object comes back when nothing is. */
export async function discover(
  transport: KubeTransport,
  previous?: Discovery,
  signal?: AbortSignal,
): Promise<Result<Discovery, DiscoveryError>> {
  const parts: DiscoveryPart[] = [];
  for (const root of ['/api', '/apis'] as const) {
    const before = previous?.memo.find((part) => part.root === root);
    const part = await readRoot(transport, root, before, signal);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  if (previous !== undefined && parts.every((part, index) => part === previous.memo[index]))
    return ok(previous);
  const versions = parts.flatMap((part) => part.versions);
  const served = versions.flatMap((version) => version.resources);
  return ok({
    resources: preferredVersions(served),
    served,
    problems: parts.flatMap((part) => part.problems),
    memo: parts,
  });
}

/** What differs, by group and resource name. */
export function diffDiscovery(before: Discovery | undefined, after: Discovery): DiscoveryChange {
  const old = new Map((before?.resources ?? []).map((resource) => [nameOf(resource), resource]));
  const now = new Map(after.resources.map((resource) => [nameOf(resource), resource]));
  const added: ApiResource[] = [];
  const changed: ApiResource[] = [];
  for (const [name, resource] of now) {
    const was = old.get(name);
    if (was === undefined) added.push(resource);
    else if (JSON.stringify(was) !== JSON.stringify(resource)) changed.push(resource);
  }
  return { added, changed, removed: [...old.values()].filter((resource) => !now.has(nameOf(resource))) };
}

async function readRoot(
  transport: KubeTransport,
  root: '/api' | '/apis',
  before: DiscoveryPart | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<DiscoveryPart, DiscoveryError>> {
  const answer = await transport.request({
    method: 'GET',
    path: root,
    accept,
    bodyTimeoutMs,
    ...(before?.etag === undefined ? {} : { ifNoneMatch: before.etag }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!answer.ok) return answer;
  const response = answer.value;
  if (response.status === 304 && before !== undefined) {
    const rest = await readText(response);
    return rest.ok ? ok(before) : rest;
  }
  const body = await readJson(response, root);
  if (!body.ok) return body;
  const aggregated = parseAggregated(body.value);
  if (aggregated !== undefined) {
    return ok({
      root,
      etag: response.header('etag'),
      versions: aggregated.versions,
      problems: aggregated.problems,
    });
  }
  return readLegacy(transport, root, body.value, signal);
}

/** One request per group and version, side by side. */
async function readLegacy(
  transport: KubeTransport,
  root: '/api' | '/apis',
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Result<DiscoveryPart, DiscoveryError>> {
  const names = parseGroups(root, body);
  const answers = await Promise.all(
    names.map(async ({ group, version }): Promise<ServedVersion | DiscoveryProblem> => {
      const groupVersion = group === '' ? version : `${group}/${version}`;
      const answer = await transport.request({
        method: 'GET',
        path: `${root}/${groupVersion}`,
        bodyTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      if (!answer.ok) return { groupVersion, message: answer.error.message };
      const list = await readJson(answer.value, groupVersion);
      if (!list.ok) return { groupVersion, message: list.error.message };
      return { group, version, resources: parseResources(group, version, list.value) };
    }),
  );
  const versions = answers.filter((one) => 'resources' in one);
  const problems = answers.filter((one) => 'message' in one);
  return ok({ root, etag: undefined, versions, problems });
}

async function readJson(response: KubeResponse, what: string): Promise<Result<unknown, DiscoveryError>> {
  const text = await readText(response);
  if (!text.ok) return text;
  if (response.status !== 200) {
    return err({
      code: 'unreachable',
      status: response.status,
      message:
        response.status === 403
          ? `This user may not ask the server what it offers (${what}: 403): grant it the ClusterRole system:discovery.`
          : `The server answered ${response.status} to discovery (${what}).`,
    });
  }
  try {
    return ok(JSON.parse(text.value));
  } catch {
    return err({
      code: 'unreachable',
      message: `The answer to discovery (${what}) is not JSON: this address is not a Kubernetes API server.`,
    });
  }
}

/** The connection may break within an answer too. */
async function readText(response: KubeResponse): Promise<Result<string, DiscoveryError>> {
  try {
    return ok(await response.text());
  } catch (error) {
    if (error instanceof TransportFailure) return err(error.detail);
    throw error;
  }
}

/** The first version that has it: servers list the preferred one first. */
export function preferredVersions(served: readonly ApiResource[]): ApiResource[] {
  const byName = new Map<string, ApiResource>();
  for (const resource of served) if (!byName.has(nameOf(resource))) byName.set(nameOf(resource), resource);
  return [...byName.values()];
}

function nameOf(resource: ApiResource): string {
  return `${resource.group}/${resource.resource}`;
}
