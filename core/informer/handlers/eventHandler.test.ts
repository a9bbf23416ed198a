import { describe, expect, it } from 'vitest';
import { type ReconcileKey, reconcileKey } from '../../../shared/model/ids.ts';
import type { OwnerReference } from '../../../shared/model/kube.ts';
import type { HandlerEvent, HasMeta } from './event.ts';
import {
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type OwnerType,
  type QueueCall,
  withLowPriorityWhenUnchanged,
} from './eventHandler.ts';

const widget: OwnerType = {
  group: 'example.com',
  kind: 'Widget',
  namespaced: true,
  versions: ['v1', 'v1beta1'],
};
const cluster: OwnerType = { group: 'example.com', kind: 'Cluster', namespaced: false, versions: ['v1'] };

function owner(apiVersion: string, kind: string, name: string, controller?: boolean): OwnerReference {
  return { apiVersion, kind, name, uid: 'u', ...(controller === undefined ? {} : { controller }) };
}

function object(ownerReferences: readonly OwnerReference[] = [], resourceVersion = '10'): HasMeta {
  return { metadata: { namespace: 'shop', name: 'p1', resourceVersion, ownerReferences } };
}

function deleted(one: HasMeta): HandlerEvent {
  return { kind: 'delete', object: one };
}

function keys(calls: readonly QueueCall[]): ReconcileKey[] {
  return calls.map((call) => call.key);
}

const any = enqueueRequestForOwner(widget, { onlyController: false });
const controllerOnly = enqueueRequestForOwner(widget, { onlyController: true });

describe('event handlers', () => {
  it('[EH1] queues the new object on update, and a cluster-scoped one by its name alone', () => {
    const old: HasMeta = { metadata: { name: 'before', resourceVersion: '1' } };
    const now: HasMeta = { metadata: { name: 'after', resourceVersion: '2' } };
    expect(enqueueRequestForObject({ kind: 'update', old, object: now }, 'classic')).toEqual([
      { method: 'Add', key: 'after' },
    ]);
  });

  it('[EH2] matches an owner by group and kind, in any served version', () => {
    const references = [
      owner('other.com/v1', 'Widget', 'no'),
      owner('v1', 'Widget', 'no'),
      owner('example.com/v1beta1', 'Widget', 'yes'),
    ];
    expect(keys(any(deleted(object(references)), 'classic'))).toEqual(['shop/yes']);
  });

  it('[EH3] skips what stands behind a matching reference of an unknown version', () => {
    const references = [
      owner('example.com/v1', 'Widget', 'first'),
      owner('example.com/v9', 'Widget', 'unknown'),
      owner('example.com/v1', 'Widget', 'behind'),
    ];
    expect(keys(any(deleted(object(references)), 'classic'))).toEqual(['shop/first']);
  });

  it('[EH3] goes on behind a reference of another kind in an unknown version', () => {
    const references = [owner('example.com/v9', 'Other', 'x'), owner('example.com/v1', 'Widget', 'y')];
    expect(keys(any(deleted(object(references)), 'classic'))).toEqual(['shop/y']);
  });

  it('[EH3] maps a reference that names no version, or the internal one', () => {
    const references = [
      owner('example.com/', 'Widget', 'none'),
      owner('example.com/__internal', 'Widget', 'internal'),
    ];
    expect(keys(any(deleted(object(references)), 'classic'))).toEqual(['shop/none', 'shop/internal']);
  });

  it('[EH4] stops at an apiVersion that cannot be parsed, whatever its kind', () => {
    const references = [owner('a/b/c', 'Other', 'x'), owner('example.com/v1', 'Widget', 'y')];
    expect(any(deleted(object(references)), 'classic')).toEqual([]);
  });

  it('[EH5] gives a cluster-scoped owner no namespace', () => {
    const handler = enqueueRequestForOwner(cluster, { onlyController: false });
    expect(keys(handler(deleted(object([owner('example.com/v1', 'Cluster', 'c')])), 'classic'))).toEqual([
      'c',
    ]);
  });

  it('[EH6] unites the owners of old and new object', () => {
    const a = owner('example.com/v1', 'Widget', 'a');
    const b = owner('example.com/v1', 'Widget', 'b');
    const event: HandlerEvent = { kind: 'update', old: object([a, b]), object: object([b], '11') };
    expect(keys(any(event, 'classic'))).toEqual(['shop/a', 'shop/b']);
  });

  it('[EH7] looks at the first controller reference only', () => {
    const references = [
      owner('example.com/v1', 'Widget', 'plain'),
      owner('example.com/v1', 'Widget', 'first', true),
      owner('example.com/v1', 'Widget', 'second', true),
    ];
    expect(keys(controllerOnly(deleted(object(references)), 'classic'))).toEqual(['shop/first']);
  });

  it('[EH7] finds nothing when the controller is of another kind', () => {
    const references = [
      owner('example.com/v1', 'Other', 'o', true),
      owner('example.com/v1', 'Widget', 'w', true),
    ];
    expect(controllerOnly(deleted(object(references)), 'classic')).toEqual([]);
  });

  it('[EH8] maps old, then new, each key once', () => {
    const handler = enqueueRequestsFromMapFunc((one) => [
      reconcileKey('', 'fixed'),
      reconcileKey('', one.metadata.resourceVersion ?? ''),
    ]);
    const event: HandlerEvent = { kind: 'update', old: object([], '1'), object: object([], '2') };
    expect(keys(handler(event, 'classic'))).toEqual(['fixed', '1', '2']);
  });

  it('[EH9] [EH13] uses AddWithOpts for create and update on a priority queue only', () => {
    const create: HandlerEvent = { kind: 'create', object: object(), isInInitialList: false };
    expect(enqueueRequestForObject(create, 'priority')).toEqual([{ method: 'AddWithOpts', key: 'shop/p1' }]);
    expect(enqueueRequestForObject(create, 'classic')).toEqual([{ method: 'Add', key: 'shop/p1' }]);
    expect(enqueueRequestForObject(deleted(object()), 'priority')).toEqual([
      { method: 'Add', key: 'shop/p1' },
    ]);
    expect(enqueueRequestForObject({ kind: 'generic', object: object() }, 'priority')).toEqual([
      { method: 'Add', key: 'shop/p1' },
    ]);
  });

  it('[EH10] lowers the priority of the initial list and of unchanged updates', () => {
    const low = [{ method: 'AddWithOpts', key: 'shop/p1', priority: -100 }];
    const initial: HandlerEvent = { kind: 'create', object: object(), isInInitialList: true };
    expect(enqueueRequestForObject(initial, 'priority')).toEqual(low);
    const resync: HandlerEvent = { kind: 'update', old: object(), object: object() };
    expect(enqueueRequestForObject(resync, 'priority')).toEqual(low);
    const real: HandlerEvent = { kind: 'update', old: object(), object: object([], '11') };
    expect(enqueueRequestForObject(real, 'priority')).toEqual([{ method: 'AddWithOpts', key: 'shop/p1' }]);
  });

  it('[EH11] [EH12] a map handler adds plainly unless the event is old news or the wrapper says otherwise', () => {
    const map = enqueueRequestsFromMapFunc(() => [reconcileKey('shop', 'x')]);
    const wrapped = withLowPriorityWhenUnchanged(map);
    const fresh: HandlerEvent = { kind: 'create', object: object(), isInInitialList: false };
    const initial: HandlerEvent = { kind: 'create', object: object(), isInInitialList: true };
    expect(map(fresh, 'priority')).toEqual([{ method: 'Add', key: 'shop/x' }]);
    expect(wrapped(fresh, 'priority')).toEqual([{ method: 'AddWithOpts', key: 'shop/x' }]);
    expect(map(initial, 'priority')).toEqual([{ method: 'AddWithOpts', key: 'shop/x', priority: -100 }]);
    expect(wrapped(initial, 'priority')).toEqual([{ method: 'AddWithOpts', key: 'shop/x', priority: -100 }]);
    expect(wrapped(deleted(object()), 'priority')).toEqual([{ method: 'Add', key: 'shop/x' }]);
    expect(wrapped(initial, 'classic')).toEqual([{ method: 'Add', key: 'shop/x' }]);
  });
});
