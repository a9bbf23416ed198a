/**
 * A scripted API server behind a KubeTransport: discovery, rights, resources in one sequence of versions, outages. The
 * same allow-list stands before it as before a real one. Answers at once; no timers.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type ApiResource, apiVersionOf, resourceName } from '../../shared/model/resource.ts';
import { checkAllowed, type RequestTarget } from '../source/allowList.ts';
import {
  ApiFailure,
  type ApiStatus,
  type ListOptions,
  type WatchItem,
  type WatchOptions,
} from '../source/listerWatcher.ts';
import {
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
  type RequestTrace,
  type TransportError,
  TransportFailure,
} from '../source/transport.ts';
import { type ScriptedItem, ScriptedResource, statusOf } from './scriptedResource.ts';

export interface ScriptedDenial {
  /** `resource.group`; '*' for all. */
  readonly resource: string;
  readonly verb: 'list' | 'watch' | '*';
  /** Allowed only in these namespaces; absent: nowhere. */
  readonly exceptIn?: readonly string[];
}

const refused: TransportError = { code: 'refused', message: 'Nothing listens at scripted.' };

/** An ApiResource with the fields tests seldom care for filled in. */
export function apiResource(name: string, kind: string, more: Partial<ApiResource> = {}): ApiResource {
  const [resource = '', ...group] = name.split('.');
  return {
    group: group.join('.'),
    version: 'v1',
    resource,
    kind,
    namespaced: true,
    verbs: ['get', 'list', 'watch'],
    subresources: [],
    ...more,
  };
}

export class ScriptedCluster implements KubeTransport {
  /** `GET /api/v1/pods?limit=500`, in order. */
  readonly requests: string[] = [];
  /** Answers 406 to aggregated discovery's form, as a server that does not know it. */
  legacyDiscovery = false;
  readonly denials: ScriptedDenial[] = [];
  private readonly served = new Map<string, { resource: ApiResource; objects: ScriptedResource }>();
  private readonly versions = { version: 100, uids: 0 };
  private readonly traces = new Emitter<RequestTrace>();
  private isDown = false;
  private revision = 1;

  /** Serves a resource from now on. */
  serve(resource: ApiResource): ScriptedResource {
    const objects = new ScriptedResource(this.versions);
    this.served.set(resourceName(resource), { resource, objects });
    this.revision++;
    return objects;
  }

  /** Objects of a resource by its name, `databases.db.example.com`. */
  of(name: string): ScriptedResource {
    const found = this.served.get(name);
    if (found === undefined) throw new Error(`${name} is not served`);
    return found.objects;
  }

  /** As when a CRD is deleted: each object is deleted, watches end, then it is 404. */
  unserve(name: string): void {
    const objects = this.of(name);
    for (const item of objects.all()) objects.delete(item.key);
    objects.closeWatches();
    this.served.delete(name);
    this.revision++;
  }

  /** The server is killed: open watches break, nothing listens. */
  down(): void {
    this.isDown = true;
    for (const { objects } of this.served.values()) objects.breakWatches();
  }

  up(): void {
    this.isDown = false;
  }

  get openWatches(): number {
    return [...this.served.values()].reduce((sum, { objects }) => sum + objects.openWatches, 0);
  }

  onRequest(listener: (trace: RequestTrace) => void): Disposable {
    return this.traces.on(listener);
  }

  dispose(): void {
    this.traces.dispose();
  }

  async request(request: KubeRequest): Promise<Result<KubeResponse, TransportError>> {
    const target = checkAllowed(request);
    this.requests.push(`${request.method} ${request.path}`);
    if (request.signal?.aborted === true)
      return err({ code: 'cancelled', message: 'The request was cancelled.' });
    if (this.isDown) return err(refused);
    const { method, path } = request;
    const response = await this.answer(request, target);
    this.traces.emit({
      at: 0,
      method,
      path,
      status: response.status,
      ms: 0,
      stream: path.includes('watch=1'),
    });
    return ok(response);
  }

  private async answer(request: KubeRequest, target: RequestTarget): Promise<KubeResponse> {
    if (target.kind === 'nonResource') return this.nonResource(request, target.path);
    const entry = [...this.served.values()].find(
      ({ resource }) =>
        resource.group === target.group &&
        resource.version === target.version &&
        resource.resource === target.resource,
    );
    if (entry === undefined)
      return failure(statusOf('404', 'the server could not find the requested resource'));
    const parameters = queryOf(request.path);
    const isWatch = parameters.watch === '1';
    if (this.isDenied(entry.resource, isWatch ? 'watch' : 'list', target.namespace)) {
      return failure(statusOf('403', `cannot ${isWatch ? 'watch' : 'list'} resource "${target.resource}"`));
    }
    const metadataOnly = request.accept?.includes('as=PartialObjectMetadata') === true;
    const text = (item: ScriptedItem) => JSON.stringify(objectOf(entry.resource, item, metadataOnly));
    const within = (item: ScriptedItem) =>
      target.namespace === '' || item.key.startsWith(`${target.namespace}/`);
    if (isWatch) return this.watch(entry.objects, parameters, request.signal, text, within);
    const list = await entry.objects.list(listOptions(parameters, target.namespace !== ''));
    if (!list.ok) return failure(list.error);
    const { items, resourceVersion, continueToken, remainingItemCount } = list.value;
    const metadata = JSON.stringify({ resourceVersion, continue: continueToken, remainingItemCount });
    const kind = metadataOnly ? 'PartialObjectMetadataList' : `${entry.resource.kind}List`;
    return new TextResponse(
      200,
      `{"kind":"${kind}","apiVersion":"${apiVersionOf(entry.resource)}","metadata":${metadata},"items":[${items.filter(within).map(text).join(',')}]}`,
    );
  }

  private async watch(
    objects: ScriptedResource,
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    text: (item: ScriptedItem) => string,
    within: (item: ScriptedItem) => boolean,
  ): Promise<KubeResponse> {
    const stop = new AbortController();
    signal?.addEventListener('abort', () => stop.abort());
    const opened = await objects.watch(watchOptions(parameters), stop.signal);
    if (!opened.ok) return failure(opened.error);
    return new StreamResponse(opened.value, stop, (item) => {
      if (item.type === 'ERROR') return JSON.stringify({ type: 'ERROR', object: statusBody(item.status) });
      if (item.type === 'BOOKMARK') {
        const annotations = item.initialEventsEnd ? { 'k8s.io/initial-events-end': 'true' } : undefined;
        return JSON.stringify({
          type: 'BOOKMARK',
          object: { metadata: { resourceVersion: item.resourceVersion, annotations } },
        });
      }
      return within(item.item) ? `{"type":"${item.type}","object":${text(item.item)}}` : undefined;
    });
  }

  private nonResource(request: KubeRequest, path: string): KubeResponse {
    const [, root, ...rest] = path.split('/');
    if (root === 'version') return new TextResponse(200, '{"gitVersion":"v1.37.2"}');
    if (root === 'livez' || root === 'readyz') return new TextResponse(200, 'ok');
    if (root !== 'api' && root !== 'apis') return failure(statusOf('404'));
    if (this.legacyDiscovery) return this.legacy(root, rest);
    const etag = `"${this.revision}"`;
    if (request.ifNoneMatch === etag) return new TextResponse(304, '', { etag });
    const items = this.groups(root).map(([group, resources]) => ({
      metadata: { name: group },
      versions: [...new Set(resources.map((resource) => resource.version))].map((version) => ({
        version,
        freshness: 'Current',
        resources: resources.filter((resource) => resource.version === version).map(aggregatedEntry),
      })),
    }));
    return new TextResponse(200, JSON.stringify({ kind: 'APIGroupDiscoveryList', items }), { etag });
  }

  private legacy(root: 'api' | 'apis', rest: readonly string[]): KubeResponse {
    const [first, second] = rest;
    if (first === undefined && root === 'api')
      return new TextResponse(200, '{"kind":"APIVersions","versions":["v1"]}');
    if (first === undefined) {
      const groups = this.groups(root).map(([name, resources]) => ({
        name,
        versions: resources.map(({ version }) => ({ version, groupVersion: `${name}/${version}` })),
        preferredVersion: { version: resources[0]?.version },
      }));
      return new TextResponse(200, JSON.stringify({ kind: 'APIGroupList', groups }));
    }
    const [group, version] = root === 'api' ? ['', first] : [first, second ?? ''];
    const resources = [...this.served.values()]
      .map((entry) => entry.resource)
      .filter((resource) => resource.group === group && resource.version === version)
      .flatMap((resource) => [
        {
          name: resource.resource,
          kind: resource.kind,
          namespaced: resource.namespaced,
          verbs: resource.verbs,
        },
        ...resource.subresources.map((sub) => ({ name: `${resource.resource}/${sub}`, kind: resource.kind })),
      ]);
    return new TextResponse(200, JSON.stringify({ kind: 'APIResourceList', resources }));
  }

  private groups(root: 'api' | 'apis'): [string, ApiResource[]][] {
    const groups = new Map<string, ApiResource[]>();
    for (const { resource } of this.served.values()) {
      if ((resource.group === '') !== (root === 'api')) continue;
      groups.set(resource.group, [...(groups.get(resource.group) ?? []), resource]);
    }
    return [...groups];
  }

  private isDenied(resource: ApiResource, verb: 'list' | 'watch', namespace: string): boolean {
    return this.denials.some(
      (denial) =>
        (denial.resource === '*' || denial.resource === resourceName(resource)) &&
        (denial.verb === '*' || denial.verb === verb) &&
        denial.exceptIn?.includes(namespace) !== true,
    );
  }
}

/** An answer with a given body. */
export class TextResponse implements KubeResponse {
  readonly status: number;
  private readonly body: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  header(name: string): string | undefined {
    return this.headers[name.toLowerCase()];
  }

  text(): Promise<string> {
    return Promise.resolve(this.body);
  }

  async *lines(): AsyncGenerator<string, undefined> {
    yield* this.body.split('\n');
    return undefined;
  }

  dispose(): void {}
}

class StreamResponse extends TextResponse {
  private readonly items: AsyncIterable<WatchItem<ScriptedItem>>;
  private readonly stop: AbortController;
  private readonly print: (item: WatchItem<ScriptedItem>) => string | undefined;

  constructor(
    items: AsyncIterable<WatchItem<ScriptedItem>>,
    stop: AbortController,
    print: (item: WatchItem<ScriptedItem>) => string | undefined,
  ) {
    super(200, '');
    this.items = items;
    this.stop = stop;
    this.print = print;
  }

  override async *lines(): AsyncGenerator<string, undefined> {
    try {
      for await (const item of this.items) {
        const line = this.print(item);
        if (line !== undefined) yield line;
      }
    } catch (failure) {
      if (failure instanceof ApiFailure)
        throw new TransportFailure({ code: 'reset', message: 'The connection was cut.' });
      throw failure;
    } finally {
      this.stop.abort();
    }
    return undefined;
  }

  override dispose(): void {
    this.stop.abort();
  }
}

function failure(status: ApiStatus): KubeResponse {
  return new TextResponse(status.code, JSON.stringify(statusBody(status)));
}

function statusBody(status: ApiStatus): unknown {
  const { code, reason, message, causes } = status;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    code,
    reason,
    message,
    details: { causes: causes.map((one) => ({ reason: one })) },
  };
}

function objectOf(resource: ApiResource, item: ScriptedItem, metadataOnly: boolean): unknown {
  const [first = '', second] = item.key.split('/');
  const { metadata, ...rest } = item.body as { metadata?: Record<string, unknown> };
  const { uid, resourceVersion } = item;
  const name = second === undefined ? { name: first } : { name: second, namespace: first };
  const type = metadataOnly
    ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
    : { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  return { ...type, metadata: { ...name, uid, resourceVersion, ...metadata }, ...(metadataOnly ? {} : rest) };
}

function aggregatedEntry(resource: ApiResource): unknown {
  const { group, version, kind } = resource;
  return {
    resource: resource.resource,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    verbs: resource.verbs,
    subresources: resource.subresources.map((subresource) => ({ subresource })),
  };
}

function queryOf(path: string): Readonly<Record<string, string>> {
  const [, query = ''] = path.split('?');
  const pairs = query.split('&').filter((part) => part !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, decodeURIComponent(value)];
    }),
  );
}

/** A namespaced list is not paged here: the limit would count other namespaces' objects. */
function listOptions(parameters: Readonly<Record<string, string>>, namespaced: boolean): ListOptions {
  const { limit, continue: continueToken, resourceVersion } = parameters;
  return {
    resourceVersion: resourceVersion ?? '',
    ...(limit === undefined || namespaced ? {} : { limit: Number(limit) }),
    ...(continueToken === undefined ? {} : { continueToken }),
  };
}

function watchOptions(parameters: Readonly<Record<string, string>>): WatchOptions {
  return {
    resourceVersion: parameters.resourceVersion ?? '',
    allowWatchBookmarks: parameters.allowWatchBookmarks === 'true',
    timeoutSeconds: Number(parameters.timeoutSeconds),
    ...(parameters.sendInitialEvents === 'true' ? { sendInitialEvents: true } : {}),
  };
}
