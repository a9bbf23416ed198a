/**
 * A small REST client for tests: it may write, which the product never does. One keep-alive agent a client.
 */
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { parseAllDocuments } from 'yaml';
import { eventually } from './wait.ts';

/** A Kubernetes object as JSON; only what the test bed itself reads is typed. */
export interface KubeJson {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly timeoutMs?: number;
}

/** The API server answered, but not with success. */
export class KubeError extends Error {
  readonly status: number;
  constructor(method: string, path: string, response: RawResponse) {
    super(`${method} ${path}: ${response.status} ${messageOf(response.text)}`);
    this.name = 'KubeError';
    this.status = response.status;
  }
}

export interface KubeClientOptions {
  readonly url: string;
  readonly caFile: string;
  readonly token: string;
  /** Default `testbed`; also the field manager of patches. */
  readonly userAgent?: string;
}

export interface KubeClient {
  /** Any request; never throws for a status, only when there is no answer. */
  request(method: string, path: string, options?: RequestOptions): Promise<RawResponse>;
  /** Any request that must succeed; the parsed answer. */
  json(method: string, path: string, options?: RequestOptions): Promise<KubeJson>;
  /** The object, or undefined when it is not there. */
  get(ref: ObjectRef): Promise<KubeJson | undefined>;
  list(apiVersion: string, kind: string, namespace?: string): Promise<readonly KubeJson[]>;
  create(object: KubeJson): Promise<KubeJson>;
  /** Server-side apply with force, optionally of a subresource. */
  apply(object: KubeJson, subresource?: string): Promise<KubeJson>;
  /** JSON merge patch, optionally of a subresource. */
  patch(ref: ObjectRef, patch: unknown, subresource?: string): Promise<KubeJson>;
  /** Background deletion; false when there was nothing to delete. */
  delete(ref: ObjectRef): Promise<boolean>;
  close(): void;
}

export function createKubeClient(options: KubeClientOptions): KubeClient {
  const userAgent = options.userAgent ?? 'testbed';
  const agent = new Agent({ keepAlive: true, maxSockets: 24, ca: readFileSync(options.caFile) });
  const discovered = new Map<string, readonly ApiResource[]>();

  function request(method: string, path: string, more: RequestOptions = {}): Promise<RawResponse> {
    const body = more.body === undefined ? undefined : JSON.stringify(more.body);
    const headers: Record<string, string> = {
      authorization: `Bearer ${options.token}`,
      accept: more.accept ?? 'application/json',
      'user-agent': userAgent,
    };
    if (body !== undefined) {
      headers['content-type'] = more.contentType ?? 'application/json';
      // Node sends the body of a DELETE without saying how long it is: the server takes it for the next request.
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    const timeoutMs = more.timeoutMs ?? 30_000;
    return new Promise((resolve, reject) => {
      const call = httpsRequest(
        new URL(path, options.url),
        { method, headers, agent, signal: AbortSignal.timeout(timeoutMs) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  async function json(method: string, path: string, more?: RequestOptions): Promise<KubeJson> {
    const response = await request(method, path, more);
    if (response.status < 200 || response.status > 299) throw new KubeError(method, path, response);
    return parseObject(response.text);
  }

  async function resourceFor(apiVersion: string, kind: string): Promise<ApiResource> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = discovered.get(apiVersion)?.find((resource) => resource.kind === kind);
    if (known !== undefined) return known;
    // A CRD applied a moment ago needs a moment to be served.
    return eventually(
      `${apiVersion} ${kind} is served`,
      async () => {
        const list = await json('GET', root);
        const resources = Array.isArray(list.resources) ? list.resources.filter(isApiResource) : [];
        const own = resources.filter((resource) => !resource.name.includes('/'));
        discovered.set(apiVersion, own);
        return own.find((resource) => resource.kind === kind);
      },
      { timeoutMs: 10_000 },
    );
  }

  async function collectionPath(apiVersion: string, kind: string, namespace?: string): Promise<string> {
    const { name, namespaced } = await resourceFor(apiVersion, kind);
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return namespaced && namespace !== undefined
      ? `${root}/namespaces/${namespace}/${name}`
      : `${root}/${name}`;
  }

  async function objectPath(ref: ObjectRef, subresource?: string): Promise<string> {
    const { namespaced } = await resourceFor(ref.apiVersion, ref.kind);
    const namespace = namespaced ? (ref.namespace ?? 'default') : undefined;
    const collection = await collectionPath(ref.apiVersion, ref.kind, namespace);
    return `${collection}/${encodeURIComponent(ref.name)}${subresource === undefined ? '' : `/${subresource}`}`;
  }

  return {
    request,
    json,
    async get(ref) {
      const path = await objectPath(ref);
      const response = await request('GET', path);
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw new KubeError('GET', path, response);
      return parseObject(response.text);
    },
    async list(apiVersion, kind, namespace) {
      const answer = await json('GET', await collectionPath(apiVersion, kind, namespace));
      return Array.isArray(answer.items) ? answer.items : [];
    },
    async create(object) {
      const ref = refOf(object);
      const { namespaced } = await resourceFor(ref.apiVersion, ref.kind);
      const namespace = namespaced ? (ref.namespace ?? 'default') : undefined;
      const path = await collectionPath(ref.apiVersion, ref.kind, namespace);
      return json('POST', path, { body: object });
    },
    async apply(object, subresource) {
      const path = await objectPath(refOf(object), subresource);
      return json('PATCH', `${path}?fieldManager=${encodeURIComponent(userAgent)}&force=true`, {
        body: object,
        contentType: 'application/apply-patch+yaml',
      });
    },
    async patch(ref, patch, subresource) {
      return json('PATCH', await objectPath(ref, subresource), {
        body: patch,
        contentType: 'application/merge-patch+json',
      });
    },
    async delete(ref) {
      const path = await objectPath(ref);
      const response = await request('DELETE', path, { body: { propagationPolicy: 'Background' } });
      if (response.status === 404) return false;
      if (response.status < 200 || response.status > 299) throw new KubeError('DELETE', path, response);
      return true;
    },
    close: () => agent.destroy(),
  };
}

/** Applies every document of YAML files in order; a CustomResourceDefinition is waited for until it is established. */
export async function applyManifests(client: KubeClient, files: readonly string[]): Promise<void> {
  for (const file of files) await applyYaml(client, readFileSync(file, 'utf8'));
}

/** Applies every document of a YAML text in order, as `applyManifests` does. */
export async function applyYaml(client: KubeClient, text: string): Promise<void> {
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeJson | null;
    if (object === null) continue;
    await client.apply(object);
    if (object.kind === 'CustomResourceDefinition') await waitEstablished(client, refOf(object));
  }
}

/** Deletes every object of YAML files, last first, and waits until it is gone. */
export async function deleteManifests(client: KubeClient, files: readonly string[]): Promise<void> {
  const objects = files.flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')));
  for (const document of objects.reverse()) {
    const object = document.toJS() as KubeJson | null;
    if (object === null) continue;
    const ref = refOf(object);
    await client.delete(ref);
    await eventually(`${ref.kind} ${ref.name} is gone`, async () => (await client.get(ref)) === undefined);
  }
}

function waitEstablished(client: KubeClient, ref: ObjectRef): Promise<boolean> {
  return eventually(`${ref.name} is established`, async () => {
    const crd = await client.get(ref);
    return JSON.stringify(crd?.status ?? {}).includes('"type":"Established"');
  });
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function isApiResource(value: unknown): value is ApiResource {
  return (
    typeof value === 'object' && value !== null && 'name' in value && 'kind' in value && 'namespaced' in value
  );
}

function refOf(object: KubeJson): ObjectRef {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === undefined || kind === undefined || metadata?.name === undefined) {
    throw new Error(`apiVersion, kind and metadata.name are needed: ${JSON.stringify(object).slice(0, 200)}`);
  }
  return {
    apiVersion,
    kind,
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  };
}

function parseObject(text: string): KubeJson {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`no JSON object: ${text.slice(0, 100)}`);
  return value as KubeJson;
}

function messageOf(text: string): string {
  try {
    const value = parseObject(text);
    if (typeof value.message === 'string') return value.message;
  } catch {
    // a proxy's or an early start-up's plain text
  }
  return text.slice(0, 300);
}
