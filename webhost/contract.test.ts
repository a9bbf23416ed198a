import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../core/testing/fakeClock.ts';
import { seededRandom } from '../core/testing/sessionLogWalk.ts';
import { createClient } from '../shared/contract/client.ts';
import { defineApi, method, type RowsDiff } from '../shared/contract/define.ts';
import { ContractError } from '../shared/contract/errors.ts';
import type { Frame } from '../shared/contract/frames.ts';
import { serve } from '../shared/contract/serve.ts';
import {
  Arrivals,
  closeWorlds,
  congestible,
  openWorld,
  pipes,
  type Row,
  row,
  testApi,
} from './testing/contractWorld.ts';

afterEach(closeWorlds);

function sorted(rows: Iterable<Row>): Row[] {
  return [...rows].sort((a, b) => (a.id.name < b.id.name ? -1 : 1));
}

describe.each(Object.entries(pipes))('over %s', (_name, pipe) => {
  test('a call is answered with its typed result, many at once', async () => {
    const { client } = await openWorld(pipe);
    const answers = await Promise.all([1, 2, 3].map((of) => client.call('double', { of })));
    expect(answers).toEqual([{ is: 2 }, { is: 4 }, { is: 6 }]);
  });

  test('[CT3] bad parameters are refused before they are sent', async () => {
    const { client } = await openWorld(pipe);
    const bad = { of: 'two' } as unknown as { of: number };
    await expect(client.call('double', bad)).rejects.toMatchObject({ code: 'invalid-params' });
    await expect(client.call('double', { of: 2 })).resolves.toEqual({ is: 4 });
  });

  test('[CT4] a result that the table refuses becomes invalid-result', async () => {
    const { client, bugs } = await openWorld(pipe);
    await expect(client.call('lies', {})).rejects.toMatchObject({ code: 'invalid-result' });
    expect(bugs.all).toHaveLength(1);
  });

  test('[CT5] a bug of a handler tells the window its code and nothing more', async () => {
    const { client, bugs } = await openWorld(pipe);
    const error = await client.call('throws', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ code: 'internal' });
    expect((error as Error).message).not.toContain('hunter2');
    expect(bugs.all).toEqual(['throws: the password is hunter2']);
  });

  test('[CT6] cancel rejects at once and aborts the handler', async () => {
    const { client, contexts } = await openWorld(pipe);
    const controller = new AbortController();
    const call = client.call('waits', {}, { signal: controller.signal });
    const [context] = await contexts.count(1);
    const aborted = new Promise<void>((resolve) => {
      context?.signal.addEventListener('abort', () => resolve());
    });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await aborted;
    await expect(client.call('double', { of: 4 })).resolves.toEqual({ is: 8 });
  });

  test('[CT7] the end of the connection rejects calls, aborts handlers, disposes streams', async () => {
    const { client, contexts, disposed, clock } = await openWorld(pipe);
    const call = client.call('waits', {});
    const values = new Arrivals<{ at: number }>();
    client.value('counter', { from: 7 }, values.push);
    client.table('rows', { min: 0 }, () => {});
    const [context] = await contexts.count(1);
    await values.count(1);
    client.close();
    await expect(call).rejects.toMatchObject({ code: 'closed' });
    expect([...(await disposed.count(2))].sort()).toEqual(['counter', 'rows']);
    expect(context?.signal.aborted).toBe(true);
    expect(clock.pendingTimers).toBe(0);
    await expect(client.call('double', { of: 1 })).rejects.toMatchObject({ code: 'closed' });
  });

  test('[CT9] a value arrives at once, then every 250 ms, newest last', async () => {
    const { client, clock, emitters, settled } = await openWorld(pipe);
    const values = new Arrivals<{ at: number }>();
    client.value('counter', { from: 1 }, values.push);
    await values.count(1);
    for (let at = 2; at <= 100; at++) {
      for (const emit of emitters) emit(at);
      await clock.advance(10);
    }
    await clock.advance(1000);
    await settled();
    expect(values.all.map(({ at }) => at)).toEqual([1, 26, 51, 76, 100]);
  });

  test('[CT10] a table starts with its snapshot and then sends coalesced differences', async () => {
    const { client, clock, table, settled } = await openWorld(pipe);
    table.set(row('a', 1));
    const diffs = new Arrivals<RowsDiff<Row>>();
    client.table('rows', { min: 0 }, diffs.push);
    await diffs.count(1);
    table.set(row('b', 1));
    table.set(row('b', 2));
    table.set(row('c', 1));
    table.delete('c');
    table.delete('a');
    await clock.advance(16);
    await settled();
    expect(diffs.all).toEqual([
      { reset: true, upserts: [row('a', 1)], removed: [], total: 1, dropped: 0 },
      { reset: false, upserts: [row('b', 2)], removed: ['c', 'a'], total: 1, dropped: 0 },
    ]);
  });

  test('[CT10] at most one item in 16 ms', async () => {
    const { client, clock, table, settled } = await openWorld(pipe);
    const diffs = new Arrivals<RowsDiff<Row>>();
    client.table('rows', { min: 0 }, diffs.push);
    await diffs.count(1);
    for (let count = 0; count < 160; count++) {
      table.set(row('a', count));
      await clock.advance(1);
    }
    await clock.advance(16);
    await settled();
    expect(diffs.all.length).toBeLessThanOrEqual(12);
    expect(diffs.all.at(-1)?.upserts).toEqual([row('a', 159)]);
  });

  test('[CT4] one bad row is left out, the others arrive', async () => {
    const { client, table, bugs } = await openWorld(pipe);
    table.set({ ...row('bad', 1), count: 'many' as unknown as number });
    table.set(row('good', 2));
    const diffs = new Arrivals<RowsDiff<Row>>();
    client.table('rows', { min: 0 }, diffs.push);
    const [first] = await diffs.count(1);
    expect(first?.upserts).toEqual([row('good', 2)]);
    expect(bugs.all).toHaveLength(1);
  });

  test('[CT11] a full buffer drops, counts, and resets', async () => {
    const { client, clock, table, settled } = await openWorld(pipe, { maxPendingRows: 3 });
    const diffs = new Arrivals<RowsDiff<Row>>();
    client.table('rows', { min: 0 }, diffs.push);
    await diffs.count(1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) table.set(row(name, 1));
    await clock.advance(16);
    await settled();
    const last = diffs.all.at(-1);
    expect(last).toMatchObject({ reset: true, dropped: 5, total: 5 });
    expect(last?.upserts).toHaveLength(5);
    table.set(row('a', 2));
    await clock.advance(16);
    await settled();
    expect(diffs.all.at(-1)).toMatchObject({ reset: false, dropped: 0, upserts: [row('a', 2)] });
  });

  test('[CT12] a congested pipe holds streams and lets answers through', async () => {
    let unsent = 0;
    const { client, clock, table, settled } = await openWorld(pipe, { maxBufferedBytes: 100 }, (engine) =>
      congestible(engine, () => unsent),
    );
    const diffs = new Arrivals<RowsDiff<Row>>();
    const values = new Arrivals<{ at: number }>();
    client.table('rows', { min: 0 }, diffs.push);
    await diffs.count(1);
    unsent = 101;
    client.value('counter', { from: 5 }, values.push);
    for (let count = 0; count < 50; count++) table.set(row('a', count));
    await clock.advance(5000);
    await settled();
    expect([diffs.all.length, values.all.length]).toEqual([1, 0]);
    unsent = 0;
    await clock.advance(250);
    await settled();
    expect(diffs.all.at(-1)?.upserts).toEqual([row('a', 49)]);
    expect(values.all).toEqual([{ at: 5 }]);
  });

  test.each([1, 2, 3, 4, 5])(
    '[CT10] [CT11] [CT12] a random walk ends with equal tables, seed %i',
    async (seed) => {
      const random = seededRandom(seed);
      let unsent = 0;
      const options = { maxBufferedBytes: 100, maxPendingRows: 6 };
      const { client, clock, table, settled } = await openWorld(pipe, options, (engine) =>
        congestible(engine, () => unsent),
      );
      const replicas = [0, 5].map((min) => {
        const replica = { min, rows: new Map<string, Row>(), total: -1, dropped: 0 };
        client.table('rows', { min }, ({ reset, upserts, removed, total, dropped }) => {
          if (reset) replica.rows.clear();
          for (const key of removed) replica.rows.delete(String(key));
          for (const upserted of upserts) replica.rows.set(upserted.id.name, upserted);
          replica.total = total;
          replica.dropped += dropped;
        });
        return replica;
      });
      for (let step = 0; step < 400; step++) {
        const name = `row${Math.floor(random() * 12)}`;
        if (random() < 0.3) table.delete(name);
        else table.set(row(name, Math.floor(random() * 10)));
        if (random() < 0.02) table.clear();
        if (random() < 0.1) unsent = random() < 0.5 ? 200 : 0;
        if (random() < 0.4) await clock.advance(Math.floor(random() * 40));
      }
      unsent = 0;
      await clock.advance(100);
      await settled();
      for (const { min, rows, total } of replicas) {
        const expected = table.rows.filter(({ count }) => count >= min);
        expect(sorted(rows.values())).toEqual(sorted(expected));
        expect(total).toBe(expected.length);
      }
      expect(replicas.some(({ dropped }) => dropped > 0)).toBe(true);
    },
  );

  test('[CT13] unlisten disposes the source', async () => {
    const { client, clock, table, disposed, settled } = await openWorld(pipe);
    const diffs = new Arrivals<RowsDiff<Row>>();
    const stream = client.table('rows', { min: 0 }, diffs.push);
    await diffs.count(1);
    stream.dispose();
    await disposed.count(1);
    table.set(row('a', 1));
    await clock.advance(100);
    await settled();
    expect(diffs.all).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  test('[RT2] a filtered table adds and removes rows as they match', async () => {
    const { client, clock, table, settled } = await openWorld(pipe);
    table.set(row('a', 9));
    table.set(row('b', 1));
    const diffs = new Arrivals<RowsDiff<Row>>();
    client.table('rows', { min: 5 }, diffs.push);
    await diffs.count(1);
    table.set(row('a', 1));
    table.set(row('b', 9));
    await clock.advance(16);
    await settled();
    expect(diffs.all).toEqual([
      { reset: true, upserts: [row('a', 9)], removed: [], total: 1, dropped: 0 },
      { reset: false, upserts: [row('b', 9)], removed: ['a'], total: 1, dropped: 0 },
    ]);
  });

  test('[CT1] a frame number skipped or repeated ends the connection', async () => {
    for (const numbers of [
      [0, 2],
      [0, 0],
    ]) {
      const { window, engine, stop } = await pipe();
      const bugs: string[] = [];
      const clock = new FakeClock();
      serve(
        defineApi({ methods: {}, values: {}, tables: {} }),
        { methods: {}, values: {}, tables: {} },
        engine,
        {
          clock,
          onBug: (_where, error) => bugs.push((error as ContractError).code),
        },
      );
      const closed = new Promise((resolve) => window.onClose(resolve));
      for (const n of numbers) window.send({ n, type: 'cancel', id: 1 });
      await closed;
      expect(bugs).toEqual(['gap']);
      await stop();
    }
  });

  test('[CT1] the window notices a gap too, and says so', async () => {
    const { window, engine, stop } = await pipe();
    const client = createClient(testApi, window);
    const errors = new Arrivals<ContractError>();
    client.onError(errors.push);
    const call = client.call('waits', {});
    engine.send({ n: 1, type: 'reply', id: 1, result: {} });
    await expect(call).rejects.toMatchObject({ code: 'closed' });
    expect(errors.all.map(({ code }) => code)).toEqual(['gap']);
    await stop();
  });

  test('[CT2] a frame that is not ours ends the connection', async () => {
    const { window, engine, stop } = await pipe();
    const client = createClient(testApi, window);
    const errors = new Arrivals<ContractError>();
    client.onError(errors.push);
    const closed = new Promise((resolve) => client.onClose(resolve));
    engine.send({ n: 0, type: 'surprise' } as unknown as Frame);
    await closed;
    expect(errors.all.map(({ code }) => code)).toEqual(['malformed']);
    await stop();
  });

  test('[CT4] a stream item that does not fit ends that stream with an error', async () => {
    const { window, engine, stop } = await pipe();
    const client = createClient(testApi, window);
    const errors = new Arrivals<ContractError>();
    const values = new Arrivals<{ at: number }>();
    client.value('counter', { from: 0 }, values.push, errors.push);
    engine.send({ n: 0, type: 'item', id: 1, item: { at: 1 } });
    engine.send({ n: 1, type: 'item', id: 1, item: { at: 'x' } });
    engine.send({ n: 2, type: 'item', id: 1, item: { at: 3 } });
    await errors.count(1);
    expect(errors.all[0]?.code).toBe('invalid-result');
    expect(values.all).toEqual([{ at: 1 }]);
    client.close();
    await stop();
  });

  test('[CT8] names that the engine does not have, and inherited ones, are unknown', async () => {
    const { window, engine, stop } = await pipe();
    const answers = new Arrivals<unknown>();
    serve(
      defineApi({ methods: {}, values: {}, tables: {} }),
      { methods: {}, values: {}, tables: {} },
      engine,
      {
        clock: new FakeClock(),
        onBug: () => {},
      },
    );
    window.onFrame(answers.push);
    window.send({ n: 0, type: 'call', id: 1, name: 'toString', params: {} });
    window.send({ n: 1, type: 'listen', id: 2, kind: 'value', name: 'constructor', params: {} });
    window.send({ n: 2, type: 'listen', id: 3, kind: 'table', name: 'nope', params: {} });
    const codes = (await answers.count(3)).map((frame) => (frame as { code: string }).code);
    expect(codes).toEqual(['unknown-name', 'unknown-name', 'unknown-name']);
    window.close();
    await stop();
  });

  test('[CT3] the engine refuses parameters that slipped past a window', async () => {
    const { window, engine, stop } = await pipe();
    const api = defineApi({
      methods: { a: method(z.object({ x: z.number() }), z.object({})) },
      values: {},
      tables: {},
    });
    const answers = new Arrivals<unknown>();
    serve(api, { methods: { a: () => ({}) }, values: {}, tables: {} }, engine, {
      clock: new FakeClock(),
      onBug: () => {},
    });
    window.onFrame(answers.push);
    window.send({ n: 0, type: 'call', id: 1, name: 'a', params: { x: 'one' } });
    expect(await answers.count(1)).toMatchObject([{ type: 'error', id: 1, code: 'invalid-params' }]);
    window.close();
    await stop();
  });
});
