/**
 * A small contract with an engine behind it, over each transport: what the contract's tests share.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { FakeClock, settlePromises } from '../../core/testing/fakeClock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { type Client, createClient } from '../../shared/contract/client.ts';
import { defineApi, method, table, value } from '../../shared/contract/define.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import {
  createPortTransport,
  type EmitterPort,
  type EventPort,
} from '../../shared/contract/portTransport.ts';
import { RowTable } from '../../shared/contract/rowTable.ts';
import { type CallContext, type Handlers, type ServeOptions, serve } from '../../shared/contract/serve.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import { createWebSocketTransport } from '../../shared/contract/webSocketTransport.ts';

const zRow = z.object({ id: z.object({ name: z.string() }), count: z.number(), note: z.string().optional() });
export type Row = z.infer<typeof zRow>;

export const testApi = defineApi({
  methods: {
    double: method(z.object({ of: z.number() }), z.object({ is: z.number() })),
    throws: method(z.object({}), z.object({})),
    lies: method(z.object({}), z.object({ is: z.number() })),
    waits: method(z.object({}), z.object({})),
  },
  values: { counter: value(z.object({ from: z.number() }), z.object({ at: z.number() })) },
  tables: { rows: table(z.object({ min: z.number() }), zRow, 'id.name') },
});

export interface Pipe {
  readonly window: Transport;
  readonly engine: Transport;
  readonly stop: () => Promise<void>;
}

export const pipes: Readonly<Record<string, () => Promise<Pipe>>> = {
  'in-memory pair': async () => {
    const [window, engine] = createPairTransport();
    return { window, engine, stop: async () => {} };
  },
  MessagePort: async () => {
    const { port1, port2 } = newChannel();
    return {
      window: createPortTransport(port1),
      engine: createPortTransport(port2),
      stop: async () => port1.close(),
    };
  },
  'MessagePort and an emitter port, as between a page and a utility process': async () => {
    const { port1, port2 } = newChannel();
    return {
      window: createPortTransport(port1),
      engine: createPortTransport(asEmitterPort(port2)),
      stop: async () => port1.close(),
    };
  },
  WebSocket: async () => {
    const http = createServer();
    const sockets = new WebSocketServer({ server: http });
    const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    return {
      window: createWebSocketTransport(socket),
      engine: createWebSocketTransport(await accepted),
      stop: async () => {
        socket.terminate();
        sockets.close();
        await new Promise((resolve) => http.close(resolve));
      },
    };
  },
};

/** Node's types know its ports as event targets without the types of their events. */
function newChannel(): { readonly port1: EventPort; readonly port2: EventPort } {
  return new MessageChannel() as unknown as { readonly port1: EventPort; readonly port2: EventPort };
}

/** Electron's kind of port over the standard one: `on` and events with `data`, no addEventListener. */
function asEmitterPort(port: EventPort): EmitterPort {
  return {
    postMessage: (value) => port.postMessage(value),
    on: (type: 'message' | 'close', listener: (event: { readonly data: unknown }) => void) => {
      if (type === 'message') port.addEventListener('message', listener);
      else port.addEventListener('close', () => listener({ data: undefined }));
    },
    start: () => port.start(),
    close: () => port.close(),
  };
}

/** What arrived, with a way to wait for the nth thing without sleeping. */
export class Arrivals<T> {
  readonly all: T[] = [];
  private readonly waiting: { readonly count: number; readonly wake: () => void }[] = [];

  readonly push = (item: T): void => {
    this.all.push(item);
    for (const { count, wake } of this.waiting) if (this.all.length >= count) wake();
  };

  async count(count: number): Promise<readonly T[]> {
    if (this.all.length < count) {
      await new Promise<void>((wake) => this.waiting.push({ count, wake }));
    }
    return this.all;
  }
}

export interface World {
  readonly client: Client<typeof testApi>;
  readonly clock: FakeClock;
  readonly table: RowTable<Row>;
  readonly emitters: Set<(at: number) => void>;
  readonly contexts: Arrivals<CallContext>;
  readonly bugs: Arrivals<string>;
  readonly disposed: Arrivals<string>;
  /** Resolves when everything sent so far by either end has been handled. */
  readonly settled: () => Promise<void>;
}

const cleanups: (() => Promise<void>)[] = [];

/** For afterEach: closes every world that the test opened. */
export async function closeWorlds(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

/** The engine's end of a pipe whose unsent bytes are what the test says. */
export function congestible(engine: Transport, unsent: () => number): Transport {
  return {
    send: (frame) => engine.send(frame),
    onFrame: (listener) => engine.onFrame(listener),
    onClose: (listener) => engine.onClose(listener),
    close: () => engine.close(),
    get bufferedAmount() {
      return unsent();
    },
  };
}

export async function openWorld(
  openPipe: () => Promise<Pipe>,
  options: Partial<ServeOptions> = {},
  wrap: (engine: Transport) => Transport = (engine) => engine,
): Promise<World> {
  const pipe = await openPipe();
  const clock = new FakeClock(1_000_000);
  const rows = new RowTable<Row>((row) => row.id.name);
  const emitters = new Set<(at: number) => void>();
  const contexts = new Arrivals<CallContext>();
  const bugs = new Arrivals<string>();
  const disposed = new Arrivals<string>();
  const handlers: Handlers<typeof testApi> = {
    methods: {
      double: ({ of }) => ({ is: of * 2 }),
      throws: () => {
        throw new Error('the password is hunter2');
      },
      lies: () => ({ is: 'no number' }) as unknown as { is: number },
      waits: (_params, context) => {
        contexts.push(context);
        return new Promise(() => {});
      },
    },
    values: {
      counter: ({ from }, emit): Disposable => {
        const set = (at: number) => emit({ at });
        set(from);
        emitters.add(set);
        return {
          dispose: () => {
            emitters.delete(set);
            disposed.push('counter');
          },
        };
      },
    },
    tables: {
      rows: ({ min }, sink) => {
        const feed = rows.subscribe(sink, min > 0 ? { where: (row) => row.count >= min } : {});
        return {
          ...feed,
          dispose: () => {
            feed.dispose();
            disposed.push('rows');
          },
        };
      },
    },
  };
  const served = serve(testApi, handlers, wrap(pipe.engine), {
    clock,
    onBug: (where, error) => bugs.push(`${where}: ${(error as Error).message}`),
    ...options,
  });
  const client = createClient(testApi, pipe.window);
  cleanups.push(async () => {
    client.close();
    served.dispose();
    await pipe.stop();
  });
  return {
    client,
    clock,
    table: rows,
    emitters,
    contexts,
    bugs,
    disposed,
    settled: async () => {
      await settlePromises();
      if (!client.closed) await client.call('double', { of: 0 });
      await settlePromises();
    },
  };
}

export function row(name: string, count: number): Row {
  return { id: { name }, count };
}
