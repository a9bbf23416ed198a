/** What each recorded incident tells, folded by the engine as the window plays it: the statements that its tour rests on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeEngine, type NodeEngine } from '../../core/node/createNodeEngine.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { type EngineApi, engineApi } from '../../shared/contract/api.ts';
import { type Client, createClient } from '../../shared/contract/client.ts';
import type { ParamsOf, RowOf, ValueOf } from '../../shared/contract/define.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import { serve } from '../../shared/contract/serve.ts';
import { eventually } from '../testbed/wait.ts';
import { incidents } from './incidents.ts';

type Values = EngineApi['values'];
type Tables = EngineApi['tables'];

const shop = (name: string) => `db.example.com/Database/shop/${name}`;
const database = { controller: 'database' };

describe('a recorded incident, folded', () => {
  const home = mkdtempSync(join(tmpdir(), 'loopscope-fold-'));
  const bugs: string[] = [];
  const said: string[] = [];
  let node: NodeEngine;
  let client: Client<EngineApi>;
  let from = 0;

  beforeAll(() => {
    const onBug = (where: string, error: unknown) =>
      bugs.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`);
    node = createNodeEngine({
      env: { HOME: home, KUBECONFIG: join(home, 'none') },
      record: 'memory',
      onBug,
      log: (line) => said.push(line),
    });
    const [ours, theirs] = createPairTransport();
    serve(engineApi, node.engine.handlers, theirs, { clock: systemClock, onBug });
    client = createClient(engineApi, ours);
  });
  afterAll(() => {
    client.close();
    node.dispose();
    rmSync(home, { recursive: true, force: true });
    expect(bugs).toEqual([]);
  });

  /** Starts the demo and goes to `ms` of it; Infinity is its end. */
  async function play(id: string, ms = Number.POSITIVE_INFINITY): Promise<void> {
    expect(await client.call('demo.start', { id })).toEqual({ ok: true });
    await client.call('playback.set', { playing: false });
    const playback = await value(
      'playback',
      {},
      ({ origin, state }) => origin === 'demo' && state !== 'opening',
    );
    from = playback.from ?? 0;
    await seek(ms);
  }
  async function seek(ms: number): Promise<void> {
    const { to = 0 } = await value('playback', {}, () => true);
    expect(await client.call('playback.seek', { at: Math.min(to, from + ms) })).toEqual({ ok: true });
  }

  /** The first value that is as wanted. */
  async function value<V extends keyof Values & string>(
    name: V,
    params: ParamsOf<Values[V]>,
    wanted: (value: ValueOf<Values[V]>) => boolean,
  ): Promise<ValueOf<Values[V]>> {
    let last: ValueOf<Values[V]> | undefined;
    let found: ValueOf<Values[V]> | undefined;
    const stream = client.value(
      name,
      params,
      (next) => {
        last = next;
        if (found === undefined && wanted(next)) found = next;
      },
      (error) => bugs.push(error.message),
    );
    try {
      return await eventually(name, () => found, { timeoutMs: 5_000, intervalMs: 5 });
    } catch (cause) {
      throw new Error(`${name} is ${JSON.stringify(last)?.slice(0, 2_000)}`, { cause });
    } finally {
      stream.dispose();
    }
  }

  async function rows<T extends keyof Tables & string>(
    name: T,
    params: ParamsOf<Tables[T]>,
  ): Promise<readonly RowOf<Tables[T]>[]> {
    let found: readonly RowOf<Tables[T]>[] | undefined;
    const stream = client.table(
      name,
      params,
      (diff) => {
        if (diff.reset) found = diff.upserts;
      },
      (error) => bugs.push(error.message),
    );
    try {
      return await eventually(name, () => found, { timeoutMs: 5_000, intervalMs: 5 });
    } finally {
      stream.dispose();
    }
  }

  const keyOf = async (name: string) =>
    (await rows('keys', database)).find((row) => row.name === name) ?? expect.fail(`no key ${name}`);

  it('each one: the connection, the operator, a complete picture without gaps', async () => {
    for (const { id } of incidents) {
      await play(id);
      const connection = await value('connection', {}, ({ phase }) => phase === 'live');
      expect(connection).toMatchObject({ context: 'demo', version: 'v1.37.2' });
      const { operators } = await value('operators', {}, ({ operators }) => operators.length > 0);
      expect(operators.map(({ name }) => name)).toContain('database-operator');
      expect(await rows('gaps', {})).toEqual([]);
      expect((await rows('informers', {})).length).toBeGreaterThan(10);
      const { feeds } = await value('feeds', {}, ({ feeds }) => feeds.length > 0);
      expect(feeds.map(({ label }) => label)).toEqual(['operator.log', 'http://127.0.0.1:8080/metrics']);
    }
  });

  it('status-forbidden: healthy, then the finding, the gap, and a key deep in backoff', async () => {
    await play('status-forbidden', 10_000);
    expect((await rows('keys', database)).map(({ name, health }) => [name, health]).sort()).toEqual([
      ['billing-db', 'ok'],
      ['carts-db', 'ok'],
      ['orders-db', 'ok'],
    ]);
    expect((await value('findings', {}, () => true)).findings).toEqual([]);
    await seek(98_000);
    const { findings } = await value('findings', {}, ({ findings }) => findings.length > 0);
    expect(findings).toMatchObject([
      {
        rule: 'rbac/missing-status-subresource',
        severity: 'error',
        subject: 'ServiceAccount/dbops-system/database-operator',
      },
    ]);
    expect(findings[0]?.evidence.map(({ text }) => text).join('\n')).toContain(
      'cannot update resource "databases/status"',
    );
    const { lens } = await value('rbac', {}, ({ lens }) => lens !== undefined);
    expect(lens?.rows[0]).toMatchObject({ group: 'gap', resource: 'databases', subresource: 'status' });
    const { snapshot } = await value(
      'queue',
      database,
      ({ snapshot }) => (snapshot?.waiting.length ?? 0) > 0,
    );
    expect(snapshot?.waiting).toMatchObject([{ key: 'shop/orders-db', why: 'backoff', delayMs: 40_960 }]);
    expect(await keyOf('orders-db')).toMatchObject({ state: 'waiting', failures: 14 });
    const why = await value('why', { key: shop('orders-db') }, ({ chain }) => chain.some(({ root }) => root));
    expect(JSON.stringify(why.chain.find(({ root }) => root))).toContain('database-operator');
    expect(why.fix?.forms[0]?.copy).toContain('databases/status');
    const { tracks, held } = await value(
      'conditions',
      { key: shop('orders-db') },
      ({ held }) => held !== undefined,
    );
    expect(tracks.find(({ type }) => type === 'Ready')?.spans.at(-1)?.status).toBe('False');
    expect(held?.refusals).toBe(14);
    await seek(Number.POSITIVE_INFINITY);
    expect((await keyOf('carts-db')).failures).toBeGreaterThan(10);
    expect((await keyOf('orders-db')).failures).toBe(15);
  });

  it('hot-loop: version after version of the status by the operator, and one generation', async () => {
    await play('hot-loop');
    const history = await value(
      'history',
      { key: shop('orders-db') },
      ({ versions }) => versions.length > 50,
    );
    const loop = history.versions.slice(-50);
    expect(new Set(loop.map(({ generation }) => generation))).toEqual(new Set([1]));
    expect(new Set(loop.map(({ writers }) => writers[0]?.manager))).toEqual(new Set(['database-operator']));
    const [before, last] = loop.slice(-2);
    const diff = await client.call('object.diff', { from: before?.seq, to: last?.seq ?? 0 });
    expect(JSON.stringify(diff.rows)).toContain('lastReconcileTime');
    const { findings } = await value('findings', {}, ({ findings: found }) => found.length > 1);
    expect(findings.map(({ rule, subject }) => [rule, subject]).sort()).toEqual([
      ['hotloop/self-triggered-status-write', 'Database/shop/carts-db'],
      ['hotloop/self-triggered-status-write', 'Database/shop/orders-db'],
    ]);
    expect(await keyOf('orders-db')).toMatchObject({ health: 'ok', failures: 0 });
  });

  it('finalizer-orphaned: the deletion waits for a finalizer whose operator does not run', async () => {
    await play('finalizer-orphaned', 100_000);
    const view = await value('ownership', { key: shop('reports-db') }, ({ known }) => known);
    expect(Math.abs((view.deletingSince ?? 0) - from - 30_000)).toBeLessThan(2_000);
    expect(view.holds).toMatchObject([
      {
        finalizer: 'db.example.com/cleanup',
        handler: { name: 'database-operator' },
        handlerState: 'notRunning',
      },
    ]);
    expect(view.nodes.length).toBeGreaterThan(3);
    expect(await keyOf('reports-db')).toMatchObject({ health: 'deleting' });
  });

  it('parked-retry: at the cap, parked although the Secret is there, then Ready', async () => {
    await play('parked-retry', 95_000);
    const { snapshot } = await value(
      'queue',
      database,
      ({ snapshot }) => (snapshot?.waiting.length ?? 0) > 0,
    );
    expect(snapshot?.waiting).toMatchObject([{ key: 'shop/reports-db', why: 'atCap', delayMs: 60_000 }]);
    const left = (snapshot?.waiting[0]?.readyAt ?? 0) - from - 95_000;
    expect(left).toBeGreaterThan(30_000);
    expect(left).toBeLessThan(45_000);
    const secret = await value(
      'history',
      { key: '/Secret/shop/reports-admin' },
      ({ versions }) => versions.length > 0,
    );
    expect(secret.versions[0]?.op).toBe('added');
    const { tracks } = await value(
      'conditions',
      { key: shop('reports-db') },
      ({ tracks }) => tracks.length > 0,
    );
    expect(tracks.find(({ type }) => type === 'Ready')?.spans.at(-1)).toMatchObject({
      status: 'False',
      reason: 'SecretNotFound',
    });
    await seek(Number.POSITIVE_INFINITY);
    expect(await keyOf('reports-db')).toMatchObject({ health: 'ok', failures: 0 });
    const predictions = await rows('predictions', database);
    const parked = predictions.find(({ prediction }) => prediction.delayMs === 60_000);
    expect(parked?.outcome).toMatchObject({ kind: 'hit' });
  });
});
