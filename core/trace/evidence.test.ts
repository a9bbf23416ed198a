import { expect, it } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '../../shared/model/kube.ts';
import { Bench, controller, database, entry, ofOrders, owned, status, t0 } from './evidenceBench.ts';

const group = 'db.example.com';

it('[EV2] tells what woke a key, who wrote it and whether that is the operator itself', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, [entry('kubectl', t0 - 9000)]), true);
  bench.object(
    'modified',
    t0 + 5000,
    database(2, [entry('kubectl', t0 - 9000), entry('dbop', t0 + 5000, status)]),
  );
  bench.object(
    'modified',
    t0 + 8000,
    database(3, [entry('kubectl', t0 + 8000), entry('dbop', t0 + 5000, status)]),
  );
  const woken = bench
    .of('woken')
    .map(({ key, trigger, initial }) => [key, initial, trigger.type, trigger.writer]);
  expect(woken).toEqual([
    ['shop/orders', true, 'initial', undefined],
    ['shop/orders', false, 'MODIFIED', { manager: 'dbop', subresource: 'status', own: true }],
    ['shop/orders', false, 'MODIFIED', { manager: 'kubectl', subresource: '', own: false }],
  ]);
});

it.each(['before', 'after'])(
  '[EV3] joins a line that has only a reconcileID, %s the key is known',
  (when) => {
    const bench = new Bench();
    const named = {
      msg: 'Reconciling',
      controller: 'database',
      namespace: 'shop',
      name: 'orders',
      reconcileID: 'r1',
    };
    const bare = { msg: 'scaled up', reconcileID: 'r1' };
    bench.line(t0, when === 'before' ? bare : named);
    bench.line(t0 + 1, when === 'before' ? named : bare);
    const lines = bench
      .of('line')
      .map(({ key, says, text }) => [key, says, text])
      .sort();
    expect(lines).toEqual([
      ['shop/orders', 'started', 'Reconciling'],
      ['shop/orders', 'within', 'scaled up'],
    ]);
  },
);

it.each([
  ['Reconciler error', 'boom', 'error'],
  ['Reconciler error', 'wrapped: terminal error: no such class', 'terminal'],
  ['Reconciler error', 'panic: nil map [recovered]', 'panic'],
  ['Reconcile successful', undefined, 'success'],
  ['Reconcile done, requeueing', undefined, 'requeue'],
  ['Reconcile done, requeueing after 3s', undefined, 'requeue-after'],
])('[EV3] %s %s ends a run with %s', (msg, error, result) => {
  const bench = new Bench();
  bench.line(t0, {
    msg,
    error,
    controller: 'database',
    namespace: 'shop',
    name: 'orders',
    reconcileID: 'r1',
  });
  expect(bench.of('line')[0]).toMatchObject({ says: 'ended', result });
});

it('[EV4] reads lines of client-go controllers, and says where a key is a guess', () => {
  const two = [controller('databases-issuing', 'Database'), controller('databases-trigger', 'Database')];
  const bench = new Bench(two);
  bench.object('listed', t0, database(1, []), true);
  const klog = 'E1130 09:00:01.000000    1 ';
  bench.text(
    t0 + 1000,
    `${klog}trigger_controller.go:225] "must be issued" logger="op.controller" key="shop/orders"`,
  );
  bench.text(
    t0 + 1000,
    `${klog}controller.go:157] "re-queuing item due to error processing" err="secrets \\"orders-x7f\\" is forbidden: no" logger="op.controller"`,
  );
  bench.text(
    t0 + 1000,
    `${klog}controller.go:157] "re-queuing item due to error processing" err="secrets \\"other\\" is forbidden: no"`,
  );
  const lines = bench
    .of('line')
    .map((line) => [line.controller, line.key, line.result, line.doubt !== undefined]);
  expect(lines).toEqual([
    ['databases-trigger', 'shop/orders', undefined, false],
    ['databases-issuing', 'shop/orders', 'error', true],
  ]);
  // Metrics that come later tell whose errors they are.
  bench.failed('databases-trigger');
  expect(bench.of('line').map((line) => [line.controller, line.doubt])).toEqual([
    ['databases-trigger', undefined],
    ['databases-trigger', undefined],
  ]);
});

it('[EV4] gives the only controller no line of a controller of another name', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, []), true);
  const line = (name: string) =>
    bench.text(
      t0 + 1000,
      JSON.stringify({
        level: 'info',
        ts: '2026-11-30T09:00:01Z',
        msg: 'done',
        controller: name,
        namespace: 'shop',
        name: 'orders',
      }),
    );
  for (const name of ['pod-watcher', 'database-controller', 'databases']) line(name);
  expect(bench.of('line').map(({ controller: by }) => by)).toEqual(['database', 'database']);
});

it('[EV4] takes the owner of what an error names for the likeliest of several', () => {
  const owner = controller('databases-keys', 'Database', ['/Secret']);
  const bench = new Bench([controller('databases-issuing', 'Database'), owner]);
  bench.object('listed', t0, database(1, []), true);
  bench.text(
    t0 + 1000,
    `E1130 09:00:01.000000    1 controller.go:157] "re-queuing item due to error processing" err="secrets \\"orders-x7f\\" is forbidden: no"`,
  );
  const [line] = bench.of('line');
  expect(line?.controller).toBe('databases-keys');
  expect(line?.doubt).toContain('The controller is a guess');
});

it('[EV5] [EV8] places what managedFields show: the object itself, owners of owners when they come', () => {
  const bench = new Bench();
  bench.object('added', t0, database(1, [entry('kubectl', t0)]));
  bench.object('modified', t0 + 2000, database(2, [entry('kubectl', t0), entry('dbop', t0 + 2000, status)]));
  const set: [string, string, string] = ['apps/v1', 'StatefulSet', 'orders-server'];
  bench.object('added', t0 + 2100, owned('Secret', 'orders-key', 3, set, t0 + 2000));
  expect(bench.writes()).toEqual([
    'database shop/orders self stored update Database/shop/orders/status@2',
    'nobody stored create Secret/shop/orders-key@3',
  ]);
  bench.object('added', t0 + 2200, owned('StatefulSet', 'orders-server', 4, ofOrders, t0 + 2000));
  expect(bench.writes()).toEqual([
    'database shop/orders owner stored create Secret/shop/orders-key@3',
    'database shop/orders owner stored create StatefulSet/shop/orders-server@4',
    'database shop/orders self stored update Database/shop/orders/status@2',
  ]);
});

it('[EV5] tells two writes within a second by what they changed, and leaves alone what nobody signed', () => {
  const bench = new Bench();
  const mine = (n: number) =>
    entry('dbop', t0, { ...status, fieldsV1: { 'f:status': { 'f:n': {} } } }) && {
      ...entry('dbop', t0, status),
      fieldsV1: { 'f:status': { 'f:n': {} } },
      n,
    };
  const theirs = { ...entry('kubectl', t0), fieldsV1: { 'f:spec': { 'f:size': {} } } };
  const version = (rv: number, n: number, size: number): KubeObject => ({
    ...database(rv, [theirs, mine(n)]),
    spec: { size },
    status: { n },
  });
  bench.object('added', t0, database(1, [theirs]));
  bench.object('modified', t0 + 100, version(2, 1, 1));
  bench.object('modified', t0 + 200, version(3, 2, 1));
  bench.object('modified', t0 + 300, version(4, 2, 5));
  expect(bench.writes()).toEqual([
    'database shop/orders self stored update Database/shop/orders/status@2',
    'database shop/orders self stored update Database/shop/orders/status@3',
  ]);
});

it('[EV6] believes a deletion only where a line or a request tells of it', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, []), true);
  for (const name of ['orders-a', 'orders-b', 'orders-c']) {
    bench.object('added', t0 + 100, owned('Secret', name, 2, ofOrders, t0));
    bench.object('deleted', t0 + 9000, { ...owned('Secret', name, 9, ofOrders, t0) });
  }
  const deletions = () => bench.writes().filter((write) => write.includes('delete'));
  expect(deletions()).toEqual([]);
  bench.line(t0 + 8990, {
    msg: 'Deleting orders-b',
    controller: 'database',
    namespace: 'shop',
    name: 'orders',
    reconcileID: 'r',
  });
  bench.audit(t0 + 8995, {
    verb: 'delete',
    objectRef: { resource: 'secrets', namespace: 'shop', name: 'orders-c', apiVersion: 'v1' },
  });
  expect(deletions()).toEqual([
    'database shop/orders line stored delete Secret/shop/orders-b@9',
    'database shop/orders owner stored delete Secret/shop/orders-c@9',
  ]);
});

it('[EV6] takes the last own finalizer off', () => {
  const bench = new Bench();
  const own = [entry('dbop', t0 - 9000)];
  const going = { deletionTimestamp: '2026-11-30T09:00:00Z', finalizers: ['db.example.com/protect'] };
  bench.object('listed', t0, database(1, own, going), true);
  bench.object('deleted', t0 + 700, database(2, own, going));
  expect(bench.writes()).toEqual(['database shop/orders self stored update Database/shop/orders@2']);
});

const statusRef = {
  apiGroup: group,
  apiVersion: 'v1',
  resource: 'databases',
  subresource: 'status',
  namespace: 'shop',
  name: 'orders',
};

it.each(['audit first', 'watch first'])('[EV7] a request and its version are one write (%s)', (first) => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, [entry('kubectl', t0 - 9000)]), true);
  const watched = () =>
    bench.object(
      'modified',
      t0 + 2010,
      database(2, [entry('kubectl', t0 - 9000), entry('dbop', t0 + 2000, status)]),
    );
  const asked = () =>
    bench.audit(t0 + 2004, {
      objectRef: statusRef,
      responseObject: { kind: 'Database', metadata: { resourceVersion: '2' } },
    });
  if (first === 'audit first') {
    asked();
    bench.of('write');
    watched();
  } else {
    watched();
    bench.of('write');
    asked();
  }
  bench.audit(t0 + 2500, {
    objectRef: statusRef,
    responseObject: { kind: 'Database', metadata: { resourceVersion: '2' } },
  });
  bench.audit(t0 + 2600, {
    objectRef: statusRef,
    responseStatus: { code: 409, reason: 'Conflict', message: 'modified' },
  });
  bench.audit(t0 + 2700, { objectRef: statusRef, responseStatus: { code: 403, reason: 'Forbidden' } });
  expect(bench.writes()).toEqual([
    'database shop/orders self conflict update Database/shop/orders/status@',
    'database shop/orders self noChange update Database/shop/orders/status@2',
    'database shop/orders self refused update Database/shop/orders/status@',
    'database shop/orders self stored update Database/shop/orders/status@2',
  ]);
  expect(bench.of('write').find(({ write }) => write.outcome === 'stored')).toMatchObject({
    at: { lo: t0 + 2000, hi: t0 + 2004 },
    basis: { kind: 'observed', from: 'audit' },
    ownClock: true,
  });
});

it('[EV7] joins requests of level Metadata by time; those that made no version changed nothing', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, [entry('kubectl', t0 - 9000)]), true);
  bench.object(
    'modified',
    t0 + 2010,
    database(2, [entry('kubectl', t0 - 9000), entry('dbop', t0 + 2000, status)]),
  );
  for (const at of [2004, 6000, 9000]) bench.audit(t0 + at, { objectRef: statusRef });
  expect(
    bench.of('write').map(({ at, write }) => [at.hi - t0, write.outcome, write.resourceVersion]),
  ).toEqual([
    [2004, 'stored', '2'],
    [6000, 'noChange', undefined],
    [9000, 'noChange', undefined],
  ]);
});

it('[EV7] tells a request once, however many files hold it', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, [entry('kubectl', t0 - 9000)]), true);
  bench.object('modified', t0 + 2010, database(2, [entry('dbop', t0 + 2000, status)]));
  const request = {
    auditID: 'one',
    objectRef: statusRef,
    responseObject: { kind: 'Database', metadata: { resourceVersion: '2' } },
  };
  const read = { auditID: 'two', verb: 'get', objectRef: statusRef };
  for (let time = 0; time < 2; time++) {
    bench.audit(t0 + 2004, request);
    bench.audit(t0 + 2005, read);
  }
  bench.audit(t0 + 9000, request);
  expect(bench.of('write').map(({ at, write }) => [at.hi - t0, write.outcome])).toEqual([
    [2004, 'stored'],
    [9000, 'noChange'],
  ]);
  expect(bench.of('read')).toHaveLength(1);
});

it('[EV8] gives a refused creation to the key it is named after, when that is known', () => {
  const bench = new Bench();
  bench.audit(t0, {
    verb: 'create',
    objectRef: { resource: 'secrets', namespace: 'shop', apiVersion: 'v1' },
    responseStatus: { code: 403, message: 'secrets "orders-x7f" is forbidden: no' },
  });
  expect(bench.writes()).toEqual(['nobody refused create Secret/shop/orders-x7f@']);
  bench.object('listed', t0 + 50, database(1, []), true);
  expect(bench.writes()).toEqual(['database shop/orders audit refused create Secret/shop/orders-x7f@']);
});

it('[EV8] tells controllers apart by manager, then by who owns the kind', () => {
  const parent = { ...controller('cluster', 'Cluster', [`${group}/Database`]) };
  const bench = new Bench([parent, controller('database', 'Database')], ['op']);
  const child = (rv: number, generation: number, writers: readonly ManagedFieldsEntry[]) =>
    database(rv, writers, {
      generation,
      ownerReferences: [
        { apiVersion: `${group}/v1`, kind: 'Cluster', name: 'main', uid: 'c', controller: true },
      ],
    });
  bench.object('added', t0, child(1, 1, [entry('op', t0)]));
  bench.object('modified', t0 + 2000, child(2, 1, [entry('op', t0), entry('op', t0 + 2000, status)]));
  bench.object('modified', t0 + 4000, child(3, 2, [entry('op', t0 + 4000), entry('op', t0 + 2000, status)]));
  bench.object('modified', t0 + 6000, child(4, 3, [entry('op', t0 + 4000), entry('op-database', t0 + 6000)]));
  expect(bench.writes()).toEqual([
    'cluster shop/main owner stored create Database/shop/orders@1',
    'cluster shop/main owner stored update Database/shop/orders@3',
    'database shop/orders self stored update Database/shop/orders/status@2',
    'database shop/orders self stored update Database/shop/orders@4',
  ]);
});

it('[EV9] tells a stored Event once for each version, at the key of what it regards', () => {
  const bench = new Bench();
  bench.object('listed', t0, database(1, []), true);
  bench.object('added', t0 + 10, owned('StatefulSet', 'orders-server', 2, ofOrders, t0));
  const event = (rv: number, count: number, at: number): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: 'e1',
      namespace: 'shop',
      uid: 'e',
      resourceVersion: String(rv),
      managedFields: [entry('dbop', at)],
    },
    involvedObject: { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'shop', name: 'orders-server' },
    reason: 'Scaled',
    message: 'to 3',
    type: 'Normal',
    count,
    lastTimestamp: `${new Date(at).toISOString().slice(0, 19)}Z`,
  });
  bench.object('added', t0 + 1100, event(5, 1, t0 + 1000));
  bench.object('modified', t0 + 5100, event(6, 2, t0 + 5000));
  expect(
    bench.of('event').map(({ key, event: { reason, count }, at }) => [key, reason, count, at.lo - t0]),
  ).toEqual([
    ['shop/orders', 'Scaled', 1, 1000],
    ['shop/orders', 'Scaled', 2, 5000],
  ]);
  expect(bench.writes().some((write) => write.includes('Event'))).toBe(false);
});

it('[EV10] tells who leads; a renewal is no write', () => {
  const bench = new Bench();
  const lease = (rv: number, holder: string, at: number): KubeObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: 'leader',
      namespace: 'db',
      uid: 'l',
      resourceVersion: String(rv),
      managedFields: [entry('dbop', at)],
    },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: new Date(at).toISOString() },
  });
  bench.object('listed', t0, lease(1, 'pod-a', t0), true);
  bench.object('modified', t0 + 2000, lease(2, 'pod-a', t0 + 2000));
  bench.object('modified', t0 + 30_000, lease(3, 'pod-b', t0 + 30_000));
  expect(bench.of('process').map(({ event, holder }) => [event, holder])).toEqual([
    ['leading', 'pod-a'],
    ['lost', 'pod-a'],
    ['leading', 'pod-b'],
  ]);
  expect(bench.writes()).toEqual([]);
});
