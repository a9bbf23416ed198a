/** Replays handlers vectors against core/informer/handlers. */
import type { HandlerEvent, HasMeta } from '../../../core/informer/handlers/event.ts';
import {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type OwnerType,
  withLowPriorityWhenUnchanged,
} from '../../../core/informer/handlers/eventHandler.ts';
import { reconcileKey } from '../../../shared/model/ids.ts';
import type { ObjectMeta } from '../../../shared/model/kube.ts';
import { compare, type Mismatch } from '../mismatch.ts';

interface Line {
  readonly id: string;
  readonly queue: 'priority' | 'legacy';
  readonly handler: string;
  readonly event: string;
  readonly object: Partial<ObjectMeta>;
  readonly objectNew?: Partial<ObjectMeta>;
  readonly ownerType?: { readonly group: string; readonly kind: string; readonly namespaced: boolean };
  readonly isInInitialList?: boolean;
  readonly calls: readonly { method: string; item: string; priority?: number }[] | null;
}

/** The kinds the generator's REST mapper knew (vectors README). */
const versionsOf: Readonly<Record<string, readonly string[]>> = {
  'example.com/Widget': ['v1', 'v1beta1'],
  'example.com/Cluster': ['v1'],
};

export function replay(raw: unknown): readonly Mismatch[] {
  const line = raw as Line;
  const calls = handlerOf(line)(eventOf(line), line.queue === 'legacy' ? 'classic' : 'priority');
  const got = calls.map((call) => ({
    method: call.method,
    item: call.key as string,
    ...(call.method === 'AddWithOpts' && call.priority !== undefined ? { priority: call.priority } : {}),
  }));
  const expected = (line.calls ?? []).map(({ method, item, priority }) => ({ method, item, priority }));
  // Go walks a map for owners; the vectors are sorted by item.
  if (line.handler.startsWith('owner')) got.sort((a, b) => (a.item < b.item ? -1 : 1));
  const mismatches: Mismatch[] = [];
  compare(mismatches, { id: line.id, what: 'calls' }, expected, got, new Set(['priority']));
  return mismatches;
}

function handlerOf(line: Line): EventHandler {
  switch (line.handler) {
    case 'object':
      return enqueueRequestForObject;
    case 'owner':
      return enqueueRequestForOwner(ownerType(line), { onlyController: false });
    case 'ownerController':
      return enqueueRequestForOwner(ownerType(line), { onlyController: true });
    case 'map':
      return enqueueRequestsFromMapFunc(fixedAndOwners);
    case 'mapLowPriority':
      return withLowPriorityWhenUnchanged(enqueueRequestsFromMapFunc(fixedAndOwners));
    default:
      throw new Error(`unknown handler ${line.handler}`);
  }
}

function ownerType(line: Line): OwnerType {
  if (line.ownerType === undefined) throw new Error('an owner handler without ownerType');
  const { group, kind, namespaced } = line.ownerType;
  return { group, kind, namespaced, versions: versionsOf[`${group}/${kind}`] ?? [] };
}

function fixedAndOwners(object: HasMeta) {
  const namespace = object.metadata.namespace ?? '';
  const owners = (object.metadata.ownerReferences ?? []).map((reference) => reference.name);
  return ['fixed', ...owners].map((name) => reconcileKey(namespace, name));
}

function eventOf(line: Line): HandlerEvent {
  const object = { metadata: line.object };
  switch (line.event) {
    case 'create':
      return { kind: 'create', object, isInInitialList: line.isInInitialList === true };
    case 'update':
      return { kind: 'update', old: object, object: { metadata: line.objectNew ?? {} } };
    case 'delete':
      return { kind: 'delete', object };
    case 'generic':
      return { kind: 'generic', object };
    default:
      throw new Error(`unknown event ${line.event}`);
  }
}
