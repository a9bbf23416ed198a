import { afterEach, describe, expect, it } from 'vitest';
import type { ConditionsView } from '../../shared/contract/views/structure.ts';
import type { WhyView } from '../../shared/contract/views/why.ts';
import { type ObjectKey, objectKey } from '../../shared/model/ids.ts';
import { EngineBench, incident, operatorUser, orders, setRole } from '../testing/engineBench.ts';
import { apiResource, type ScriptedCluster } from '../testing/scriptedCluster.ts';
import { conditionsView } from './conditionsView.ts';
import { whyView } from './whyView.ts';

const databases = 'databases.db.example.com';

/** The operator's own status write, as managedFields show it. */
function status(
  clock: { now(): number },
  conditions: readonly object[],
  extra: Readonly<Record<string, unknown>> = {},
) {
  return {
    metadata: {
      generation: 1,
      managedFields: [
        {
          manager: 'database-operator',
          operation: 'Update',
          subresource: 'status',
          time: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:status': { 'f:conditions': {}, 'f:lastSeen': {} } },
        },
      ],
    },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, conditions, ...extra },
  };
}

function ready(value: 'True' | 'False', reason: string, clock: { now(): number }) {
  const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return [{ type: 'Ready', status: value, reason, message: `${reason} it is`, lastTransitionTime }];
}

let attempt = 0;
function failed(error: string, name = 'orders'): string {
  attempt += 1;
  return JSON.stringify({
    level: 'error',
    msg: 'Reconciler error',
    controller: 'database',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    Database: { name, namespace: 'shop' },
    namespace: 'shop',
    name,
    reconcileID: `run-${attempt}`,
    error,
  });
}

const refused = `databases.db.example.com "orders" is forbidden: User "${operatorUser}" cannot update resource "databases/status" in API group "db.example.com" in the namespace "shop"`;

describe('whyView over a session', () => {
  let bench: EngineBench;
  afterEach(() => bench.engine.dispose());

  function why(key: ObjectKey = orders): WhyView {
    return whyView(bench.engine.session(), key);
  }
  function conditions(): ConditionsView {
    return conditionsView(bench.engine.session(), orders);
  }
  async function open(cluster: ScriptedCluster): Promise<void> {
    bench = new EngineBench(cluster);
    await bench.connect();
    bench.attachLog();
    bench.engine.session()?.upgrade(orders);
    await bench.clock.advance(1000);
  }
  function update(body: Readonly<Record<string, unknown>>): void {
    bench.cluster.of(databases).update('shop/orders', body);
  }

  it('[WY1] finds the role change behind refused status writes, and what is held since', async () => {
    const cluster = incident();
    setRole(cluster, ['databases', 'databases/finalizers', 'databases/status']);
    await open(cluster);
    update(status(bench.clock, ready('False', 'Upgrading', bench.clock)));
    await bench.clock.advance(60_000);
    setRole(cluster, ['databases', 'databases/finalizers']);
    const lostAt = bench.clock.now();
    await bench.clock.advance(1000);
    for (let n = 0; n < 11; n++) {
      bench.line(failed(refused));
      await bench.clock.advance(5 * 2 ** n);
    }
    bench.line(failed(refused));
    await bench.clock.advance(1000);
    const view = why();
    expect(view).toMatchObject({
      cause: 'status-refused',
      health: 'failed',
      basis: { kind: 'reported', from: 'log' },
      verdict: {
        id: 'verdict.refused.lost',
        params: {
          type: 'Ready',
          status: 'False',
          operator: 'database-operator',
          resource: 'databases/status',
        },
      },
      mark: { at: lostAt },
      fix: { forms: [{ form: 'role' }, { form: 'marker' }] },
      next: { ends: 'refused', certain: expect.any(Boolean) },
    });
    expect(view.chain.map(({ id, root }) => [id, root])).toEqual([
      ['cause', true],
      ['refusals', false],
      ['stored', false],
    ]);
    expect(view.chain[1]?.title).toMatchObject({ id: 'step.refusals', params: { n: 12 } });
    expect(view.wakes[0]?.id).toBe('wake.role');
    expect(conditions().held).toMatchObject({ refusals: 12, basis: { kind: 'reported', from: 'log' } });
    expect(conditions().tracks).toMatchObject([
      {
        type: 'Ready',
        polarity: 'positive',
        spans: [{ status: 'False', reason: 'Upgrading', openStart: false }],
      },
    ]);
  });

  it('[WY1] says of a right that was never there that no role grants it', async () => {
    await open(incident());
    bench.line(failed(refused));
    await bench.clock.advance(1000);
    expect(why()).toMatchObject({ cause: 'status-refused', verdict: { id: 'verdict.stale.missing' } });
    expect(why().chain[0]?.title.id).toBe('step.noGrant');
    expect(why().mark).toBeUndefined();
  });

  it('[WY1] no longer blames the role once it grants the write, and says that the key does not know', async () => {
    const cluster = incident();
    await open(cluster);
    for (let n = 0; n < 14; n++) {
      bench.line(failed(refused));
      await bench.clock.advance(5 * 2 ** n);
    }
    bench.line(failed(refused));
    await bench.clock.advance(500);
    setRole(cluster, ['databases', 'databases/finalizers', 'databases/status']);
    await bench.clock.advance(2000);
    const view = why();
    expect(view).toMatchObject({ cause: 'retry-parked', verdict: { id: 'verdict.parked.mended' } });
    expect(view.basis).toMatchObject({ kind: 'inferred' });
    expect(view.wakes[0]?.id).toBe('wake.role');
  });

  it('[WY4] names what an error called missing and what is there now', async () => {
    const cluster = incident();
    cluster.serve(apiResource('secrets', 'Secret', { namespaced: true }));
    await open(cluster);
    for (let n = 0; n < 15; n++) {
      bench.line(failed('secrets "orders-password" not found'));
      await bench.clock.advance(5 * 2 ** n);
    }
    expect(why()).toMatchObject({ cause: 'retrying', verdict: { id: 'verdict.retrying' } });
    bench.line(failed('secrets "orders-password" not found'));
    await bench.clock.advance(500);
    cluster.of('secrets').create('shop/orders-password', {});
    await bench.clock.advance(1000);
    expect(why()).toMatchObject({
      cause: 'retry-parked',
      verdict: { id: 'verdict.parked.mended', params: { what: 'Secret orders-password' } },
    });
    expect(why().chain.map(({ id }) => id)).toEqual(['errors', 'mended', 'parked']);
  });

  it('[WY3] sees a loop of its own status writes, and none when each write has a reason', async () => {
    await open(incident());
    bench.engine.session()?.operators.edit({ controller: 'database', field: 'predicates', value: [] });
    for (let n = 0; n < 12; n++) {
      update(
        status(bench.clock, ready('True', 'Fine', { now: () => 0 }), { lastSeen: `${bench.clock.now()}` }),
      );
      await bench.clock.advance(1000);
    }
    const view = why();
    expect(view).toMatchObject({
      cause: 'hot-loop',
      verdict: { id: 'verdict.hotLoop.flips', params: { field: 'status.lastSeen' } },
      basis: { kind: 'inferred' },
    });
    await bench.clock.advance(60_000);
    expect(why().cause).toBe('ready');
  });

  it('[WY2] tells who should remove the finalizer of a deleted object and that it is not there', async () => {
    const cluster = incident();
    await open(cluster);
    update({
      metadata: {
        generation: 1,
        deletionTimestamp: new Date(bench.clock.now()).toISOString(),
        finalizers: ['archive.example.com/dump'],
        managedFields: [
          {
            manager: 'archive-operator',
            operation: 'Update',
            time: new Date(bench.clock.now()).toISOString(),
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"archive.example.com/dump"': {} } } },
          },
        ],
      },
      spec: { replicas: 1 },
    });
    await bench.clock.advance(60_000);
    const view = why();
    expect(view).toMatchObject({
      cause: 'deletion-held',
      health: 'deleting',
      verdict: { id: 'verdict.held.gone', params: { operator: 'archive-operator' } },
    });
    expect(view.fix?.forms.at(-1)).toMatchObject({ form: 'command', loses: true });
  });

  it('tells a Ready object so, with its last run, and how long others of the kind take', async () => {
    const cluster = incident();
    cluster.of(databases).create('shop/billing', {});
    await open(cluster);
    const billing = (value: 'True' | 'False') =>
      cluster.of(databases).update('shop/billing', status(bench.clock, ready(value, 'Step', bench.clock)));
    billing('True');
    await bench.clock.advance(1000);
    billing('False');
    await bench.clock.advance(40_000);
    billing('True');
    update(status(bench.clock, ready('True', 'Fine', bench.clock)));
    await bench.clock.advance(12_000);
    expect(why()).toMatchObject({
      cause: 'ready',
      health: 'ok',
      verdict: { id: 'verdict.ready' },
      checks: expect.arrayContaining([
        expect.objectContaining({ id: 'generation', state: 'ok' }),
        expect.objectContaining({ id: 'crd', state: 'ok' }),
      ]),
    });
    expect(conditions().tracks[0]).toMatchObject({
      type: 'Ready',
      usualMs: 40_000,
      longestMs: 40_000,
      others: 1,
    });
  });

  it('says that the operator is not running where something waits for it', async () => {
    const cluster = incident();
    await open(cluster);
    update(status(bench.clock, ready('False', 'Upgrading', bench.clock)));
    await bench.clock.advance(1000);
    cluster.of('deployments.apps').update('dbops-system/database-operator', {
      spec: {
        replicas: 0,
        template: { spec: { serviceAccountName: 'database-operator', containers: [{ image: 'x/y:1' }] } },
      },
      status: {},
    });
    await bench.clock.advance(120_000);
    expect(why()).toMatchObject({ cause: 'operator-not-running' });
    expect(why().fix?.forms[0]?.copy).toContain('kubectl scale deployment database-operator');
  });

  it('knows nothing of an object that was not seen, and says what may not be listed', async () => {
    const cluster = incident();
    await open(cluster);
    const none = objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'nope' });
    expect(why(none)).toMatchObject({ known: false, verdict: { id: 'verdict.unknownObject' }, checks: [] });
    expect(whyView(undefined, orders)).toMatchObject({ known: false });
  });

  it('reaches the window by the contract, four times a second at most', async () => {
    await open(incident());
    const seen: string[] = [];
    bench.client().value('why', { key: orders }, (view) => seen.push(view.verdict.id));
    await bench.clock.advance(1000);
    const before = seen.length;
    for (let n = 0; n < 50; n++) {
      update(status(bench.clock, ready('False', `Step${n}`, bench.clock)));
      await bench.clock.advance(20);
    }
    await bench.clock.advance(500);
    expect(seen.length - before).toBeGreaterThan(2);
    expect(seen.length - before).toBeLessThanOrEqual(7);
  });
});
