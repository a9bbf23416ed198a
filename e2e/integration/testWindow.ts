/**
 * A window without a screen: an engine on this machine, served over the contract to a client that keeps what it was
 * sent. What tests read here is what a person would see.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../core/engine/engine.ts';
import type { LiveSession } from '../../core/engine/liveSession.ts';
import { createNodeEngine } from '../../core/node/createNodeEngine.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { type EngineApi, engineApi } from '../../shared/contract/api.ts';
import { type Client, createClient } from '../../shared/contract/client.ts';
import {
  type ParamsOf,
  type RowKey,
  type RowOf,
  rowKeyReader,
  type ValueOf,
} from '../../shared/contract/define.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import { serve } from '../../shared/contract/serve.ts';
import type { Connection } from '../../shared/contract/views/connection.ts';
import type { Cluster } from '../testbed/cluster.ts';
import type { UserName } from '../testbed/users.ts';
import { eventually } from '../testbed/wait.ts';

type Values = EngineApi['values'];
type Tables = EngineApi['tables'];

/** A value of the contract: the newest one, and every one that came. */
export interface ShownValue<T> {
  readonly current: T | undefined;
  /** Oldest first; `at` is when it was shown, ms. */
  readonly all: readonly { readonly at: number; readonly value: T }[];
  /** The value shown now, or the next to come, that `wanted` accepts; throws with the newest one when none does in time. */
  until(what: string, wanted: (value: T) => boolean, timeoutMs?: number): Promise<T>;
}

/** A table of the contract, kept up to date. */
export interface ShownTable<Row> {
  readonly rows: readonly Row[];
  /** When a row of this key was first shown, ms; undefined when never. */
  shownAt(key: RowKey): number | undefined;
  until(what: string, wanted: (row: Row) => boolean, timeoutMs?: number): Promise<Row>;
}

export interface TestWindow {
  readonly engine: Engine;
  readonly client: Client<EngineApi>;
  /** A folder of its own: preferences, and the session file below `sessions`. */
  readonly home: string;
  value<V extends keyof Values & string>(
    name: V,
    params: ParamsOf<Values[V]>,
  ): ShownValue<ValueOf<Values[V]>>;
  table<T extends keyof Tables & string>(name: T, params: ParamsOf<Tables[T]>): ShownTable<RowOf<Tables[T]>>;
  /** Connects as a person would and waits for the first sync. */
  connect(namespaces?: readonly string[]): Promise<Connection>;
  session(): LiveSession;
  /** Ends the engine; throws when a handler failed or a frame could not be understood. */
  close(): void;
}

export interface WindowOptions {
  readonly user?: UserName;
}

/** Opens a window on `cluster`; nothing is connected yet. */
export function openWindow(cluster: Cluster, options: WindowOptions = {}): TestWindow {
  const home = mkdtempSync(join(cluster.dir, 'window-'));
  const sessions = join(home, 'sessions');
  const bugs: string[] = [];
  const onBug = (where: string, error: unknown) =>
    bugs.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`);
  const { engine } = createNodeEngine({
    kubeconfig: cluster.kubeconfigPath(options.user ?? 'loopscope-user'),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') },
    sessions,
    log: (line) => console.log(`note: ${line}`),
    onBug,
  });
  const [ours, theirs] = createPairTransport();
  const serving = serve(engineApi, engine.handlers, theirs, {
    clock: systemClock,
    onBug,
  });
  const client = createClient(engineApi, ours);
  client.onError((error) => bugs.push(`client: ${error.message}`));

  const window: TestWindow = {
    engine,
    client,
    home,
    value(name, params) {
      type T = ValueOf<Values[typeof name]>;
      const all: { at: number; value: T }[] = [];
      client.value(
        name,
        params,
        (value) => all.push({ at: Date.now(), value }),
        (error) => bugs.push(`value ${name}: ${error.message}`),
      );
      return {
        get current() {
          return all.at(-1)?.value;
        },
        all,
        async until(what, wanted, timeoutMs = 20_000) {
          const from = Math.max(0, all.length - 1);
          try {
            return await eventually(what, () => all.slice(from).find(({ value }) => wanted(value))?.value, {
              timeoutMs,
              intervalMs: 20,
            });
          } catch (cause) {
            throw new Error(`${String(cause)}\nshown is ${shorten(all.at(-1)?.value)}`, { cause });
          }
        },
      };
    },
    table(name, params) {
      type Row = RowOf<Tables[typeof name]>;
      const keyOf = rowKeyReader(engineApi.tables[name].key);
      const rows = new Map<RowKey, Row>();
      const firstShown = new Map<RowKey, number>();
      client.table(
        name,
        params,
        (diff) => {
          if (diff.reset) rows.clear();
          for (const key of diff.removed) rows.delete(key);
          for (const row of diff.upserts) {
            const key = keyOf(row);
            rows.set(key, row);
            if (!firstShown.has(key)) firstShown.set(key, Date.now());
          }
        },
        (error) => bugs.push(`table ${name}: ${error.message}`),
      );
      return {
        get rows() {
          return [...rows.values()];
        },
        shownAt: (key) => firstShown.get(key),
        async until(what, wanted, timeoutMs = 20_000) {
          try {
            return await eventually(what, () => [...rows.values()].find(wanted), {
              timeoutMs,
              intervalMs: 10,
            });
          } catch (cause) {
            throw new Error(`${String(cause)}\nshown are ${shorten([...rows.values()])}`, { cause });
          }
        },
      };
    },
    async connect(namespaces = []) {
      const answer = await client.call('connection.connect', { context: '', namespaces });
      if (!answer.ok) throw new Error(`${answer.problem.code}: ${answer.problem.message}`);
      const connection = window.value('connection', {});
      return connection.until('the first sync is done', ({ phase }) => phase === 'live', 30_000);
    },
    session() {
      const session = engine.live();
      if (session === undefined) throw new Error('there is no session');
      return session;
    },
    close() {
      client.close();
      serving.dispose();
      engine.dispose();
      if (bugs.length > 0) throw new Error(`bugs behind the window:\n${bugs.join('\n')}`);
    },
  };
  return window;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 4_000 ? `${text.slice(0, 4_000)} …` : text;
}
