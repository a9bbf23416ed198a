import { describe, expect, test } from 'vitest';
import type { EngineApi } from '../../shared/contract/api.ts';
import type { Client } from '../../shared/contract/client.ts';
import type { RowsDiff } from '../../shared/contract/define.ts';
import type { CloseReason } from '../../shared/contract/transport.ts';
import { EngineClient, type Row } from './engineClient.ts';

type Sessions = RowsDiff<Row<'sessions'>>;

/** A client whose streams the test feeds. */
function scriptedClient() {
  const tables: { readonly give: (diff: Sessions) => void; live: boolean }[] = [];
  let close: (reason: CloseReason) => void = () => {};
  const client = {
    call: async () => ({ now: 1 }),
    value: () => ({ dispose() {} }),
    table: (_name: string, _params: unknown, give: (diff: Sessions) => void) => {
      const table = { give, live: true };
      tables.push(table);
      return {
        dispose() {
          table.live = false;
        },
      };
    },
    onClose: (listener: (reason: CloseReason) => void) => {
      close = listener;
      return { dispose() {} };
    },
  } as unknown as Client<EngineApi>;
  return { client, tables, close: (message: string) => close({ kind: 'error', message }) };
}

const frames = { request: (flush: () => void) => flush() };

function rowOf(id: string, records: number): Row<'sessions'> {
  return {
    id,
    path: `/s/${id}`,
    name: id,
    named: false,
    state: 'closed',
    startedAt: 1,
    records,
    bytes: 1,
    kept: false,
  };
}
const reset = (...rows: Row<'sessions'>[]): Sessions => ({
  reset: true,
  upserts: rows,
  removed: [],
  total: rows.length,
  dropped: 0,
});

describe('EngineClient after another client was attached', () => {
  test('streams are asked for again; what was shown stays until then, and equal rows keep their reference', () => {
    const first = scriptedClient();
    const engine = new EngineClient(first.client, frames);
    const replica = engine.table('sessions', {});
    let flushes = 0;
    replica.subscribe(() => {
      flushes += 1;
    });
    first.tables[0]?.give(reset(rowOf('a', 1), rowOf('b', 1)));
    const before = replica.get();
    first.close('gone');
    expect(replica.get()).toBe(before);

    const second = scriptedClient();
    engine.attach(second.client);
    expect(first.tables[0]?.live).toBe(false);
    expect(second.tables).toHaveLength(1);
    expect(replica.get()).toBe(before);
    second.tables[0]?.give(reset(rowOf('a', 1), rowOf('b', 7)));
    const after = replica.get();
    expect(after.rows.map(({ records }) => records)).toEqual([1, 7]);
    expect(after.rows[0]).toBe(before.rows[0]);
    expect(flushes).toBe(2);
  });

  test('a stream that nobody reads is not asked for', () => {
    const engine = new EngineClient(scriptedClient().client, frames);
    engine.table('sessions', {});
    const second = scriptedClient();
    engine.attach(second.client);
    expect(second.tables).toHaveLength(0);
  });

  test('each end of a pipe is told, that of a client before the present one is not', () => {
    const first = scriptedClient();
    const second = scriptedClient();
    const engine = new EngineClient(first.client, frames);
    const told: string[] = [];
    engine.onClose(({ message }) => told.push(message));
    first.close('one');
    engine.attach(second.client);
    first.close('late');
    second.close('two');
    expect(told).toEqual(['one', 'two']);
  });

  test('one-time answers learn that they are to be asked for again', () => {
    const engine = new EngineClient(scriptedClient().client, frames);
    let told = 0;
    engine.onAttach(() => {
      told += 1;
    });
    expect(engine.attachment()).toBe(0);
    engine.attach(scriptedClient().client);
    expect([engine.attachment(), told]).toEqual([1, 1]);
  });
});
