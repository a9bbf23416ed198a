/**
 * Event handlers: which keys an event puts into the workqueue, and at which priority. Pure: an answer lists the queue
 * calls, the caller makes them. Mirrors controller-runtime pkg/handler. Spec: docs/spec/handlers.md
 */
import { assertNever } from '../../../shared/base/assert.ts';
import { type ReconcileKey, reconcileKey } from '../../../shared/model/ids.ts';
import type { OwnerReference } from '../../../shared/model/kube.ts';
import type { HandlerEvent, HasMeta } from './event.ts';

/** `priority`: controller-runtime's priority queue (default since 0.23). `classic`: client-go's. */
export type QueueKind = 'priority' | 'classic';

/** Priority of keys whose event says nothing new; on a priority queue only. */
export const lowPriority = -100;

/** One call on the queue. `add` is AddWithOpts with no priority of its own on a priority queue, else Add. */
export type QueueCall =
  | { readonly method: 'Add'; readonly key: ReconcileKey }
  | { readonly method: 'AddWithOpts'; readonly key: ReconcileKey; readonly priority?: number };

/** Maps one event to queue calls. Keys of owner and map handlers have no order in Go; here: order of first mention. */
export type EventHandler = (event: HandlerEvent, queue: QueueKind) => readonly QueueCall[];

/** What discovery knows of an owner's kind: its scope, and its versions (a reference in another version is not mapped). */
export interface OwnerType {
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly versions: readonly string[];
}

/** The object itself. Source: pkg/handler/enqueue.go, TypedEnqueueRequestForObject. */
export function enqueueRequestForObject(event: HandlerEvent, queue: QueueKind): readonly QueueCall[] {
  return withDefaultPriority(event, queue, [keyOf(event.object)]);
}

/**
 * The owners of the object that are of `type`, by its ownerReferences; on update those of old and new together.
 * A reference that cannot be parsed or whose version is not served ends the scan of that object.
 * `onlyController`: only the reference with controller=true (builder `Owns`).
 * Source: pkg/handler/enqueue_owner.go.
 */
export function enqueueRequestForOwner(
  type: OwnerType,
  options: { readonly onlyController: boolean },
): EventHandler {
  return (event, queue) => {
    const keys = new Set<ReconcileKey>();
    for (const object of objectsOf(event)) collectOwners(object, type, options.onlyController, keys);
    return withDefaultPriority(event, queue, keys);
  };
}

/**
 * Whatever `map` answers; on update for old and then new, each key once. Without a low priority rule of its own for
 * Add: on a priority queue a plain Add stays an Add. Source: pkg/handler/enqueue_mapped.go.
 */
export function enqueueRequestsFromMapFunc(map: (object: HasMeta) => readonly ReconcileKey[]): EventHandler {
  return (event, queue) => {
    const keys = new Set<ReconcileKey>();
    for (const object of objectsOf(event)) for (const key of map(object)) keys.add(key);
    const low = queue === 'priority' && isUnchanged(event);
    return [...keys].map(
      (key): QueueCall =>
        low ? { method: 'AddWithOpts', key, priority: lowPriority } : { method: 'Add', key },
    );
  };
}

/**
 * Gives a handler's calls the low priority where the event says nothing new. On create and update of a priority queue
 * every Add becomes AddWithOpts. Source: pkg/handler/eventhandler.go, WithLowPriorityWhenUnchanged and TypedFuncs.
 */
export function withLowPriorityWhenUnchanged(handler: EventHandler): EventHandler {
  return (event, queue) => {
    const calls = handler(event, queue);
    if (!setsPriority(event, queue)) return calls;
    const priority = isUnchanged(event) ? lowPriority : undefined;
    return calls.map((call) =>
      call.method === 'AddWithOpts' && call.priority !== undefined ? call : addWithOpts(call.key, priority),
    );
  };
}

/** True for an event that repeats what is known: part of the initial list, or an update with an equal resourceVersion. */
export function isUnchanged(event: HandlerEvent): boolean {
  switch (event.kind) {
    case 'create':
      return event.isInInitialList;
    case 'update':
      return (event.old.metadata.resourceVersion ?? '') === (event.object.metadata.resourceVersion ?? '');
    case 'delete':
    case 'generic':
      return false;
    default:
      return assertNever(event);
  }
}

function withDefaultPriority(
  event: HandlerEvent,
  queue: QueueKind,
  keys: Iterable<ReconcileKey>,
): QueueCall[] {
  const isAdd = !setsPriority(event, queue);
  const priority = isUnchanged(event) ? lowPriority : undefined;
  const calls: QueueCall[] = [];
  for (const key of keys) calls.push(isAdd ? { method: 'Add', key } : addWithOpts(key, priority));
  return calls;
}

function setsPriority(event: HandlerEvent, queue: QueueKind): boolean {
  return queue === 'priority' && (event.kind === 'create' || event.kind === 'update');
}

function addWithOpts(key: ReconcileKey, priority: number | undefined): QueueCall {
  return priority === undefined ? { method: 'AddWithOpts', key } : { method: 'AddWithOpts', key, priority };
}

function objectsOf(event: HandlerEvent): readonly HasMeta[] {
  return event.kind === 'update' ? [event.old, event.object] : [event.object];
}

function keyOf(object: HasMeta): ReconcileKey {
  return reconcileKey(object.metadata.namespace ?? '', object.metadata.name ?? '');
}

function collectOwners(
  object: HasMeta,
  type: OwnerType,
  onlyController: boolean,
  into: Set<ReconcileKey>,
): void {
  const references: readonly OwnerReference[] = object.metadata.ownerReferences ?? [];
  const wanted = onlyController
    ? references.filter((ref) => ref.controller === true).slice(0, 1)
    : references;
  for (const reference of wanted) {
    const parsed = parseGroupVersion(reference.apiVersion);
    if (parsed === undefined) return;
    if (reference.kind !== type.kind || parsed.group !== type.group) continue;
    // No mapping for that version: Go logs an error and leaves the function, later references are not looked at.
    if (namesVersion(parsed.version) && !type.versions.includes(parsed.version)) return;
    into.add(reconcileKey(type.namespaced ? (object.metadata.namespace ?? '') : '', reference.name));
  }
}

/** False for what a RESTMapper takes as "any version". Source: apimachinery restmapper.go, RESTMappings. */
function namesVersion(version: string): boolean {
  return version !== '' && version !== '__internal';
}

/** apimachinery schema.ParseGroupVersion: no or one slash; two or more are an error (undefined). */
function parseGroupVersion(apiVersion: string): { group: string; version: string } | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const parts = apiVersion.split('/');
  if (parts.length === 1) return { group: '', version: apiVersion };
  if (parts.length === 2) return { group: parts[0] ?? '', version: parts[1] ?? '' };
  return undefined;
}
