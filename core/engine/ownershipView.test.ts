import { describe, expect, test } from 'vitest';
import type { OwnershipView } from '../../shared/contract/views/structure.ts';
import { groupOf, objectKey, sourceId } from '../../shared/model/ids.ts';
import type { KubeObject, ObjectMeta } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import { createRecorder } from '../session/recorder.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createClusterModel } from './clusterModel.ts';
import { createObjectIndex } from './objectIndex.ts';
import { parse } from './objectViews.ts';
import { type OwnershipDeps, ownershipView } from './ownershipView.ts';

const database = { apiVersion: 'db.example.com/v1', kind: 'Database' };
const statefulSet = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
const secret = { apiVersion: 'v1', kind: 'Secret' };

const resources: readonly ApiResource[] = [
  resource('db.example.com', 'databases', 'Database', true),
  resource('apps', 'statefulsets', 'StatefulSet', true),
  resource('', 'secrets', 'Secret', true),
  resource('', 'namespaces', 'Namespace', false),
];

function resource(group: string, name: string, kind: string, namespaced: boolean): ApiResource {
  return { group, version: 'v1', resource: name, kind, namespaced, verbs: [], subresources: [] };
}

function object(type: { apiVersion: string; kind: string }, meta: ObjectMeta, rest = {}): KubeObject {
  return {
    ...type,
    metadata: { namespace: 'shop', resourceVersion: '1', uid: `uid-${meta.name}`, ...meta },
    ...rest,
  };
}

function ownedBy(owner: { apiVersion: string; kind: string }, name: string, uid = `uid-${name}`) {
  return [{ ...owner, name, uid, controller: true, blockOwnerDeletion: true }];
}

/** The view of shop/orders after these objects were listed. */
function viewOf(objects: readonly KubeObject[], more: Partial<OwnershipDeps> = {}): OwnershipView {
  const recorder = createRecorder(createMemoryLog({ clock: new FakeClock() }));
  const index = createObjectIndex();
  const model = createClusterModel();
  recorder.onRecorded(({ fact, object: whole }) => {
    if (fact.fact !== 'object') return;
    index.apply(fact);
    model.apply(fact, whole);
  });
  for (const one of objects)
    recorder.record({
      kind: 'object',
      source: sourceId('watch:test'),
      at: { lo: 1, hi: 1 },
      receivedAt: 1,
      object: objectKey({
        group: groupOf(one.apiVersion),
        kind: one.kind,
        namespace: one.metadata.namespace ?? '',
        name: one.metadata.name,
      }),
      op: 'listed',
      payload: JSON.stringify(one),
    });
  const deps = { index, model, operators: [], resources, unreadable: [], ...more };
  return ownershipView(
    { ...deps, read: (seq) => parse(recorder.log, seq) },
    objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'orders' }),
  );
}

function names(view: OwnershipView): string[] {
  return view.nodes.map(
    ({ object: { kind, name }, level, exists }) => `${level} ${kind}/${name}${exists ? '' : '?'}`,
  );
}

describe('the graph', () => {
  test('goes down to what is owned, level by level, and up to owners', () => {
    const view = viewOf([
      object(database, { name: 'orders', ownerReferences: ownedBy(database, 'fleet') }),
      object(database, { name: 'fleet' }),
      object(statefulSet, { name: 'orders', uid: 'sts', ownerReferences: ownedBy(database, 'orders') }),
      object(secret, { name: 'pod-auth', ownerReferences: ownedBy(statefulSet, 'orders', 'sts') }),
      object(secret, { name: 'other' }),
    ]);
    expect(names(view)).toEqual([
      '0 Database/orders',
      '-1 Database/fleet',
      '1 StatefulSet/orders',
      '2 Secret/pod-auth',
    ]);
    expect(view.problems).toEqual([]);
    expect(view.resource).toBe('databases.db.example.com');
  });

  test('a workload is as its replicas are; what has no state says none', () => {
    const owned = ownedBy(database, 'orders');
    const set = (ready: number) =>
      object(
        statefulSet,
        { name: 'orders', ownerReferences: owned },
        { spec: { replicas: 3 }, status: { readyReplicas: ready } },
      );
    const node = (objects: readonly KubeObject[], kind: string) =>
      viewOf([object(database, { name: 'orders' }), ...objects]).nodes.find(
        (one) => one.level === 1 && one.object.kind === kind,
      );
    expect(node([set(3)], 'StatefulSet')).toMatchObject({ health: 'ok', text: '3/3' });
    expect(node([set(2)], 'StatefulSet')).toMatchObject({ health: 'degraded', text: '2/3' });
    const auth = object(secret, { name: 'auth', ownerReferences: owned });
    expect(node([auth], 'Secret')).toMatchObject({ health: 'unknown', text: '' });
  });

  test('an owner that is not there is a ghost; one that may not be read is not said to be missing', () => {
    const orders = object(database, { name: 'orders', ownerReferences: ownedBy(secret, 'gone') });
    const seen = viewOf([orders]);
    expect(names(seen)).toContain('-1 Secret/gone?');
    expect(seen.problems.map(({ problem }) => problem)).toEqual(['missing']);
    const blind = viewOf([orders], { unreadable: ['secrets'] });
    expect(blind.nodes.find(({ level }) => level === -1)).toMatchObject({ exists: false, readable: false });
    expect(blind.problems).toEqual([]);
  });

  test('a reference to another uid is broken', () => {
    const view = viewOf([
      object(database, { name: 'orders', ownerReferences: ownedBy(database, 'fleet', 'an older one') }),
      object(database, { name: 'fleet' }),
    ]);
    expect(view.problems.map(({ problem }) => problem)).toEqual(['otherUid']);
    expect(view.edges[0]?.broken).toBe(true);
  });

  test('an owner that only exists in another namespace is missing in this one', () => {
    const view = viewOf([
      object(database, { name: 'orders', ownerReferences: ownedBy(database, 'fleet') }),
      object(database, { name: 'fleet', namespace: 'elsewhere' }),
    ]);
    expect(view.problems.map(({ problem }) => problem)).toEqual(['missing']);
  });

  test('what does not fit is folded by kind, not dropped', () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      object(secret, { name: `s${i}`, ownerReferences: ownedBy(database, 'orders') }),
    );
    const view = viewOf([object(database, { name: 'orders' }), ...many]);
    expect(view.nodes).toHaveLength(12);
    expect(view.folded).toEqual([{ kind: 'Secret', count: 29 }]);
  });

  test('owners that own each other end', () => {
    const view = viewOf([
      object(database, { name: 'orders', ownerReferences: ownedBy(database, 'fleet') }),
      object(database, { name: 'fleet', ownerReferences: ownedBy(database, 'orders') }),
    ]);
    expect(view.nodes).toHaveLength(2);
    expect(view.edges).toHaveLength(2);
  });

  test('an object that was never seen is not known', () => {
    expect(viewOf([]).known).toBe(false);
  });
});

describe('what holds a deletion', () => {
  const manager = {
    manager: 'database-operator',
    operation: 'Update' as const,
    apiVersion: 'db.example.com/v1',
    time: '2026-03-01T08:00:00Z',
    fieldsV1: { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"db.example.com/cleanup"': {} } } },
  };
  const deleting = object(database, {
    name: 'orders',
    deletionTimestamp: '2026-03-01T09:00:00Z',
    finalizers: ['foregroundDeletion', 'db.example.com/cleanup'],
    managedFields: [manager],
  });

  function deployment(name: string, replicas: number, ready: number): KubeObject {
    return object(
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { name },
      {
        spec: { replicas, template: { spec: { containers: [{ name: 'c', image: `${name}:1` }] } } },
        status: { readyReplicas: ready },
      },
    );
  }

  test('a part of Kubernetes handles its own finalizers, and the way of deletion shows in them', () => {
    const view = viewOf([deleting]);
    expect(view.propagation).toBe('foreground');
    expect(view.deletingSince).toBe(Date.parse('2026-03-01T09:00:00Z'));
    expect(view.holds[0]).toMatchObject({
      finalizer: 'foregroundDeletion',
      handler: { name: 'garbage collector' },
    });
  });

  test.each([
    ['scaled to 0', 0, 0, 'notRunning'],
    ['0 of 1 ready', 1, 0, 'notRunning'],
    ['1 of 1 ready', 1, 1, 'running'],
  ])('the workload of who set it: %s', (detail, replicas, ready, state) => {
    const view = viewOf([deleting, deployment('database-operator', replicas, ready)]);
    expect(view.holds[1]).toMatchObject({
      finalizer: 'db.example.com/cleanup',
      index: 1,
      setBy: 'database-operator',
      handler: { name: 'database-operator', workload: 'Deployment/shop/database-operator' },
      handlerState: state,
      handlerDetail: detail,
    });
  });

  test('nobody of that name is there', () => {
    const view = viewOf([deleting, deployment('something-else', 1, 1)]);
    expect(view.holds[1]).toMatchObject({
      handlerState: 'notRunning',
      handlerDetail: 'not among 1 workloads',
    });
  });

  test('where workloads may not be read nothing is said of them', () => {
    const view = viewOf([deleting], { unreadable: ['deployments.apps'] });
    expect(view.holds[1]).toMatchObject({ handlerState: 'unknown' });
    expect(view.holds[1]?.handler).toBeUndefined();
  });

  test('an operator that runs outside the cluster may be who set it', () => {
    const known = { value: [], basis: { kind: 'observed', from: 'watch' }, why: '' } as const;
    const local = {
      id: 'local',
      name: 'ada',
      identity: { ...known, value: { user: 'ada', groups: [] } },
      fieldManagers: { ...known, value: ['main'] },
      controllers: [],
    } satisfies OperatorProfile;
    expect(viewOf([deleting], { operators: [local] }).holds[1]?.handlerState).toBe('unknown');
    const fits = { ...local, fieldManagers: { ...known, value: ['database-operator'] } };
    expect(viewOf([deleting], { operators: [fits] }).holds[1]).toMatchObject({
      handler: { name: 'ada' },
      handlerState: 'unknown',
    });
  });

  test('finalizers that people set by hand have no handler', () => {
    const byHand = { ...manager, manager: 'kubectl-edit' };
    const view = viewOf([object(database, { ...deleting.metadata, managedFields: [byHand] })]);
    expect(view.holds[1]).toMatchObject({ setBy: 'kubectl-edit', handlerState: 'unknown' });
  });
});
