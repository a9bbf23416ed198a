/**
 * ControllerSources: which changes wake which keys of one controller. Its For kind by predicates and the object itself,
 * owned kinds by their controller reference, watched kinds by the mapping the profile names. The answer is the queue
 * calls that controller-runtime would make for the same event.
 */
import { assertNever } from '../../shared/base/assert.ts';
import { type ReconcileKey, reconcileKey } from '../../shared/model/ids.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { HandlerEvent, HasMeta } from '../informer/handlers/event.ts';
import {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type OwnerType,
  type QueueCall,
} from '../informer/handlers/eventHandler.ts';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  type Predicate,
  resourceVersionChanged,
} from '../informer/predicates/predicates.ts';
import { groupKindName } from './groupKinds.ts';
import type { ObjectChange } from './objectIndex.ts';

/** A kind as the API server serves it now; undefined when the profile names what is not served. */
export type ResolveResource = (name: string) => readonly ApiResource[];

export interface ControllerSources {
  /** `group/Kind` of every kind this controller watches. */
  readonly kinds: ReadonlySet<string>;
  readonly forKind: { readonly group: string; readonly kind: string } | undefined;
  /** Resources the profile names and the API server does not serve. */
  readonly unresolved: readonly string[];
  calls(change: ObjectChange): readonly QueueCall[];
}

export function createControllerSources(
  profile: ControllerProfile,
  resolve: ResolveResource,
): ControllerSources {
  const sources = new Map<string, { handler: EventHandler; passes: Predicate }[]>();
  const unresolved: string[] = [];
  const queue = profile.queue.value;

  const forResources = resolve(profile.for.value);
  const main = forResources[0];
  if (main === undefined) unresolved.push(profile.for.value);
  else add(main, enqueueRequestForObject, and(...profile.predicates.value.map(predicateOf)));

  const owner: OwnerType | undefined = main && {
    group: main.group,
    kind: main.kind,
    namespaced: main.namespaced,
    versions: forResources.map((resource) => resource.version),
  };
  for (const name of profile.owns.value) {
    const resource = resolve(name)[0];
    if (resource === undefined || owner === undefined) unresolved.push(name);
    else add(resource, enqueueRequestForOwner(owner, { onlyController: true }), and());
  }
  for (const watch of profile.watches.value) {
    const resource = resolve(watch.resource)[0];
    if (resource === undefined) unresolved.push(watch.resource);
    else add(resource, mappingHandler(watch.maps, owner, main?.namespaced ?? true), and());
  }

  function add(resource: ApiResource, handler: EventHandler, passes: Predicate): void {
    const id = groupKindName(resource.group, resource.kind);
    sources.set(id, [...(sources.get(id) ?? []), { handler, passes }]);
  }

  return {
    kinds: new Set(sources.keys()),
    forKind: main && { group: main.group, kind: main.kind },
    unresolved,
    calls(change) {
      const event = handlerEvent(change);
      if (event === undefined) return [];
      const { group, kind } = change.now.fact;
      const own = sources.get(groupKindName(group, kind)) ?? [];
      const calls = own.map((source) => (source.passes(event) ? source.handler(event, queue) : []));
      return calls.length === 1 ? (calls[0] ?? []) : calls.flat();
    },
  };
}

/** The informer's notification for a change; undefined when an informer would say nothing. */
function handlerEvent(change: ObjectChange): HandlerEvent | undefined {
  const { fact } = change.now;
  const object: HasMeta = { metadata: fact.meta };
  const before = change.before;
  const known = before !== undefined && !before.deleted;
  const old: HasMeta | undefined = known ? { metadata: before.fact.meta } : undefined;
  switch (fact.op) {
    case 'listed':
    case 'relisted':
    case 'added':
    case 'modified':
      // The same version again, e.g. a kind upgraded from metadata to full: nothing happened in the cluster.
      if (known && before.fact.resourceVersion === fact.resourceVersion) return undefined;
      return old === undefined
        ? { kind: 'create', object, isInInitialList: fact.initial }
        : { kind: 'update', old, object };
    case 'deleted':
      return { kind: 'delete', object };
    case 'vanished':
      return { kind: 'delete', object: old ?? object, stateUnknown: true };
    default:
      return assertNever(fact.op);
  }
}

function predicateOf(name: ControllerProfile['predicates']['value'][number]): Predicate {
  switch (name) {
    case 'generationChanged':
      return generationChanged;
    case 'resourceVersionChanged':
      return resourceVersionChanged;
    case 'labelChanged':
      return labelChanged;
    case 'annotationChanged':
      return annotationChanged;
    default:
      return assertNever(name);
  }
}

/** `owner`, `ownerController`, `self`, or `label <key>` whose value is a name, or `ns/name`, of the For kind. */
function mappingHandler(maps: string, owner: OwnerType | undefined, namespaced: boolean): EventHandler {
  if (maps === 'self') return enqueueRequestForObject;
  if ((maps === 'owner' || maps === 'ownerController') && owner !== undefined)
    return enqueueRequestForOwner(owner, { onlyController: maps === 'ownerController' });
  const label = /^label (\S+)$/.exec(maps)?.[1];
  return enqueueRequestsFromMapFunc((object) => {
    const value = label === undefined ? undefined : object.metadata.labels?.[label];
    return value === undefined || value === '' ? [] : [labelKey(value, object, namespaced)];
  });
}

function labelKey(value: string, object: HasMeta, namespaced: boolean): ReconcileKey {
  const slash = value.indexOf('/');
  if (slash >= 0) return reconcileKey(value.slice(0, slash), value.slice(slash + 1));
  return reconcileKey(namespaced ? (object.metadata.namespace ?? '') : '', value);
}
