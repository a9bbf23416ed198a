/**
 * ListerWatcher of one resource over a KubeTransport: what a Reflector asks as HTTP, what the server answers as items
 * with their own text. Items pass the secret filter before anyone else sees them. Pure. Spec: docs/spec/watch.md
 */
import type { Clock } from '../../../shared/base/clock.ts';
import { err, ok, type Result } from '../../../shared/base/result.ts';
import { resourceVersion } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { type ApiResource, apiVersionOf } from '../../../shared/model/resource.ts';
import {
  ApiFailure,
  type ApiStatus,
  type ItemHead,
  type ListerWatcher,
  type ListOptions,
  type ListPage,
  type WatchItem,
  type WatchOptions,
  type WatchStream,
} from '../listerWatcher.ts';
import { type Digest, filterSecrets } from '../secretFilter.ts';
import { type KubeResponse, type KubeTransport, TransportFailure } from '../transport.ts';
import { statusOfAnswer, statusOfObject, statusOfTransport } from './apiStatus.ts';
import { parseListText } from './listText.ts';
import type { WatchDetail } from './watchTypes.ts';

export interface KubeItem extends ItemHead {
  /** JSON text of the object after the secret filter, with apiVersion and kind. */
  readonly raw: string;
  readonly object: KubeObject;
}

export interface KubeListerWatcherOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly resource: ApiResource;
  /** Absent: all namespaces, or a cluster-scoped resource. */
  readonly namespace?: string | undefined;
  readonly detail: WatchDetail;
  readonly digest: Digest;
  /** An object or line that cannot be read: it is skipped, the rest goes on. */
  readonly onProblem: (message: string) => void;
}

const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** A list of many thousand objects at once takes the server a while. */
const listTimeoutMs = 60_000;
/** A server ends a watch at its timeoutSeconds; one that is still open this much later has lost its other end. */
const overdueMs = 30_000;

/** Failures are Results or, on an open watch, ApiFailure. */
export function createKubeListerWatcher(options: KubeListerWatcherOptions): ListerWatcher<KubeItem> {
  return {
    list: (request, signal) => list(options, request, signal),
    watch: (request, signal) => watch(options, request, signal),
  };
}

/** Path of the collection, without query. */
export function collectionPath(resource: ApiResource, namespace?: string): string {
  const root = resource.group === '' ? '/api' : '/apis';
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${apiVersionOf(resource)}${scope}/${resource.resource}`;
}

async function list(
  options: KubeListerWatcherOptions,
  request: ListOptions,
  signal: AbortSignal,
): Promise<Result<ListPage<KubeItem>, ApiStatus>> {
  const answer = await options.transport.request({
    method: 'GET',
    path: `${collectionPath(options.resource, options.namespace)}${query({
      limit: request.limit,
      continue: request.continueToken,
      resourceVersion: request.resourceVersion === '' ? undefined : request.resourceVersion,
      resourceVersionMatch: request.resourceVersionMatch,
    })}`,
    accept: options.detail === 'metadata' ? partialList : 'application/json',
    signal,
    timeoutMs: listTimeoutMs,
  });
  if (!answer.ok) return err(statusOfTransport(answer.error));
  const text = await readText(answer.value);
  if (!text.ok) return text;
  if (answer.value.status !== 200) return err(failedAnswer(answer.value, text.value));
  const page = parseListText(text.value, typeOf(options));
  if (page === undefined) return err(notKubernetes);
  const items: KubeItem[] = [];
  for (const { raw, object } of page.items) {
    const item = toItem(options, raw, object);
    if (item !== undefined) items.push(item);
  }
  return ok({
    items,
    resourceVersion: resourceVersion(page.resourceVersion),
    continueToken: page.continueToken === '' ? undefined : page.continueToken,
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  });
}

/** What an item is that does not say so itself: in a watch the server says it. */
function typeOf(options: KubeListerWatcherOptions): { apiVersion: string; kind: string } {
  if (options.detail === 'metadata') return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
  return { apiVersion: apiVersionOf(options.resource), kind: options.resource.kind };
}

async function watch(
  options: KubeListerWatcherOptions,
  request: WatchOptions,
  signal: AbortSignal,
): Promise<Result<WatchStream<KubeItem>, ApiStatus>> {
  const answer = await options.transport.request({
    method: 'GET',
    path: `${collectionPath(options.resource, options.namespace)}${query({
      watch: '1',
      resourceVersion: request.resourceVersion === '' ? undefined : request.resourceVersion,
      allowWatchBookmarks: request.allowWatchBookmarks || undefined,
      sendInitialEvents: request.sendInitialEvents,
      resourceVersionMatch: request.resourceVersionMatch,
      timeoutSeconds: request.timeoutSeconds,
    })}`,
    accept: options.detail === 'metadata' ? partial : 'application/json',
    signal,
  });
  if (!answer.ok) return err(statusOfTransport(answer.error));
  if (answer.value.status !== 200) {
    const text = await readText(answer.value);
    return text.ok ? err(failedAnswer(answer.value, text.value)) : text;
  }
  return ok(readEvents(options, answer.value, request.timeoutSeconds * 1000 + overdueMs));
}

async function* readEvents(
  options: KubeListerWatcherOptions,
  response: KubeResponse,
  deadlineMs: number,
): AsyncGenerator<WatchItem<KubeItem>, undefined> {
  const lines = response.lines()[Symbol.asyncIterator]();
  let isOverdue = false;
  const deadline = options.clock.setTimer(deadlineMs, () => {
    isOverdue = true;
    response.dispose();
  });
  try {
    for (;;) {
      const next = await lines.next();
      if (isOverdue) throw new ApiFailure(overdue);
      if (next.done === true) return undefined;
      const item = parseEvent(options, next.value);
      if (item !== undefined) yield item;
    }
  } catch (failure) {
    if (isOverdue) throw new ApiFailure(overdue);
    if (failure instanceof TransportFailure) throw new ApiFailure(statusOfTransport(failure.detail));
    throw failure;
  } finally {
    deadline.dispose();
    await lines.return?.();
  }
}

/** Go's encoder writes the members of an event in this order, so the object's own text is the rest of the line. */
const eventStart = '{"type":"';
const objectStart = '","object":';

function parseEvent(options: KubeListerWatcherOptions, line: string): WatchItem<KubeItem> | undefined {
  if (line === '') return undefined;
  const typeEnd = line.startsWith(eventStart) ? line.indexOf('"', eventStart.length) : -1;
  let type: unknown;
  let object: KubeObject;
  let raw: string;
  try {
    if (typeEnd > 0 && line.startsWith(objectStart, typeEnd) && line.endsWith('}')) {
      raw = line.slice(typeEnd + objectStart.length, -1);
      object = JSON.parse(raw) as KubeObject;
      type = line.slice(eventStart.length, typeEnd);
    } else {
      const event = JSON.parse(line) as { type?: unknown; object: KubeObject };
      type = event.type;
      object = event.object;
      raw = JSON.stringify(object);
    }
  } catch {
    options.onProblem('A line of a watch is no JSON and was skipped.');
    return undefined;
  }
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const item = toItem(options, raw, object);
      return item === undefined ? undefined : { type, item };
    }
    case 'BOOKMARK':
      return {
        type,
        resourceVersion: resourceVersion(object.metadata?.resourceVersion ?? ''),
        initialEventsEnd: object.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true',
      };
    case 'ERROR':
      return { type, status: statusOfObject(object, 500) };
    default:
      options.onProblem(`A watch event of the unknown type ${JSON.stringify(type)} was skipped.`);
      return undefined;
  }
}

function toItem(options: KubeListerWatcherOptions, raw: string, object: KubeObject): KubeItem | undefined {
  const metadata = object?.metadata;
  if (typeof metadata?.name !== 'string' || typeof metadata.resourceVersion !== 'string') {
    options.onProblem('An object without name or resourceVersion was skipped.');
    return undefined;
  }
  const filtered = filterSecrets(raw, object, options.digest);
  const { namespace, name, uid = '', resourceVersion: version } = metadata;
  return {
    key: namespace === undefined || namespace === '' ? name : `${namespace}/${name}`,
    uid,
    resourceVersion: resourceVersion(version),
    raw: filtered.raw,
    object: filtered.object,
  };
}

async function readText(response: KubeResponse): Promise<Result<string, ApiStatus>> {
  try {
    return ok(await response.text());
  } catch (failure) {
    if (failure instanceof TransportFailure) return err(statusOfTransport(failure.detail));
    throw failure;
  }
}

function failedAnswer(response: KubeResponse, text: string): ApiStatus {
  return statusOfAnswer(response.status, text, response.header('retry-after'));
}

const notKubernetes: ApiStatus = {
  code: 0,
  reason: 'NotKubernetes',
  causes: [],
  message: 'The answer is no Kubernetes list.',
};
const overdue: ApiStatus = {
  code: 0,
  reason: 'Overdue',
  causes: [],
  message: 'The server did not end the watch when its time was over: the connection has lost its other end.',
};

function query(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
