/**
 * The engine's end of the contract: handlers in, one Transport out. Several windows are several serve() calls over the
 * same handlers, each with its own streams. Both directions are validated; a handler's bug becomes an error frame with
 * a code, its stack goes to `onBug` and never on the wire. Spec: docs/spec/contract.md
 */
import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import {
  type ApiDef,
  type ParamsOf,
  type ResultOf,
  type RowOf,
  rowKeyReader,
  type TableDef,
  type ValueDef,
  type ValueOf,
} from './define.ts';
import { ContractError } from './errors.ts';
import {
  type ClientFrame,
  describeIssues,
  type EngineFrame,
  type Frame,
  FrameReader,
  type Unnumbered,
  zClientFrame,
} from './frames.ts';
import {
  MAX_PENDING_ROWS,
  type StreamHost,
  type TableFeed,
  type TableSink,
  TableStream,
  ValueStream,
} from './streams.ts';
import type { Transport } from './transport.ts';

/** `signal` aborts when the caller cancels or the connection ends. */
export interface CallContext {
  readonly signal: AbortSignal;
}

/**
 * What the engine implements. Methods answer; expected failures are in the result. Values call `emit` with the whole
 * current value as often as they like (it is throttled) and should emit once before they return. Tables push changes to
 * the sink and give their state when asked.
 */
export interface Handlers<A extends ApiDef> {
  readonly methods: {
    readonly [M in keyof A['methods']]: (
      params: ParamsOf<A['methods'][M]>,
      context: CallContext,
    ) => Promise<ResultOf<A['methods'][M]>> | ResultOf<A['methods'][M]>;
  };
  readonly values: {
    readonly [V in keyof A['values']]: (
      params: ParamsOf<A['values'][V]>,
      emit: (value: ValueOf<A['values'][V]>) => void,
    ) => Disposable;
  };
  readonly tables: {
    readonly [T in keyof A['tables']]: (
      params: ParamsOf<A['tables'][T]>,
      sink: TableSink<RowOf<A['tables'][T]>>,
    ) => TableFeed<RowOf<A['tables'][T]>>;
  };
}

export interface ServeOptions {
  readonly clock: Clock;
  /** A bug that the other end is told about only by code. `where` names the method or stream. */
  readonly onBug: (where: string, error: unknown) => void;
  /** Streams wait while the pipe holds more unsent bytes than this. Default 1 MiB. */
  readonly maxBufferedBytes?: number;
  /** Changed rows that may wait for one table. Default MAX_PENDING_ROWS. */
  readonly maxPendingRows?: number;
}

const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;

type AnyMethod = (params: unknown, context: CallContext) => unknown;
type AnyValue = (params: unknown, emit: (value: unknown) => void) => Disposable;
type AnyTable = (params: unknown, sink: TableSink<unknown>) => TableFeed<unknown>;

/** Serves `handlers` on `transport` until it closes or the result is disposed (which closes it and ends every stream). */
export function serve<A extends ApiDef>(
  api: A,
  handlers: Handlers<A>,
  transport: Transport,
  options: ServeOptions,
): Disposable {
  const server = new Server(api, handlers as unknown as AnyHandlers, transport, options);
  return toDisposable(() => server.close());
}

interface AnyHandlers {
  readonly methods: Readonly<Record<string, AnyMethod>>;
  readonly values: Readonly<Record<string, AnyValue>>;
  readonly tables: Readonly<Record<string, AnyTable>>;
}

class Server {
  private readonly api: ApiDef;
  private readonly handlers: AnyHandlers;
  private readonly transport: Transport;
  private readonly options: ServeOptions;
  private readonly reader = new FrameReader<ClientFrame>(zClientFrame);
  private readonly calls = new Map<number, AbortController>();
  private readonly streams = new Map<number, Disposable>();
  private sent = 0;
  private closed = false;

  constructor(api: ApiDef, handlers: AnyHandlers, transport: Transport, options: ServeOptions) {
    this.api = api;
    this.handlers = handlers;
    this.transport = transport;
    this.options = options;
    transport.onFrame((raw) => this.receive(raw));
    transport.onClose(() => this.end());
  }

  close(): void {
    this.end();
    this.transport.close();
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    for (const call of this.calls.values()) call.abort();
    for (const stream of this.streams.values()) stream.dispose();
    this.calls.clear();
    this.streams.clear();
  }

  private send(frame: Unnumbered<EngineFrame>): void {
    if (this.closed) return;
    this.transport.send({ ...frame, n: this.sent } as Frame);
    this.sent += 1;
  }

  private receive(raw: unknown): void {
    if (this.closed) return;
    let frame: ClientFrame;
    try {
      frame = this.reader.read(raw);
    } catch (error) {
      this.options.onBug('connection', error);
      this.close();
      return;
    }
    switch (frame.type) {
      case 'call':
        void this.call(frame.id, frame.name, frame.params);
        return;
      case 'cancel':
        this.calls.get(frame.id)?.abort();
        this.calls.delete(frame.id);
        return;
      case 'listen':
        this.listen(frame.id, frame.kind, frame.name, frame.params);
        return;
      case 'unlisten':
        this.endStream(frame.id);
        return;
    }
  }

  private async call(id: number, name: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.calls.set(id, controller);
    try {
      const def = own(this.api.methods, name);
      const handler = own(this.handlers.methods, name);
      if (def === undefined || handler === undefined) throw unknownName('method', name);
      const input = parseOrThrow(def.params, params, 'invalid-params');
      const output = await handler(input, { signal: controller.signal });
      if (this.calls.get(id) !== controller) return;
      this.send({ type: 'reply', id, result: parseOrThrow(def.result, output, 'invalid-result') });
    } catch (error) {
      if (this.calls.get(id) === controller) this.sendError(id, name, error);
    } finally {
      if (this.calls.get(id) === controller) this.calls.delete(id);
    }
  }

  private listen(id: number, kind: 'value' | 'table', name: string, params: unknown): void {
    try {
      if (this.streams.has(id)) throw new ContractError('malformed', `stream ${id} is open already`);
      const stream = kind === 'value' ? this.openValue(id, name, params) : this.openTable(id, name, params);
      // The handler may have failed the stream while it was opened.
      if (stream === undefined) return;
      if (this.closed) stream.dispose();
      else this.streams.set(id, stream);
    } catch (error) {
      this.sendError(id, name, error);
    }
  }

  private openValue(id: number, name: string, params: unknown): Disposable {
    const def = own<ValueDef>(this.api.values, name);
    const handler = own(this.handlers.values, name);
    if (def === undefined || handler === undefined) throw unknownName('value', name);
    const input = parseOrThrow(def.params, params, 'invalid-params');
    const stream = new ValueStream(
      this.streamHost(id, name, (item) => parseOrThrow(def.value, item, 'invalid-result')),
    );
    const source = handler(input, (value) => stream.emit(value));
    return toDisposable(() => {
      stream.dispose();
      source.dispose();
    });
  }

  private openTable(id: number, name: string, params: unknown): Disposable | undefined {
    const def = own<TableDef>(this.api.tables, name);
    const handler = own(this.handlers.tables, name);
    if (def === undefined || handler === undefined) throw unknownName('table', name);
    const input = parseOrThrow(def.params, params, 'invalid-params');
    let failed = false;
    const host = this.streamHost(id, name, (item) => item);
    const stream = new TableStream(
      {
        ...host,
        failed: (error) => {
          failed = true;
          host.failed(error);
        },
      },
      {
        keyOf: rowKeyReader(def.key),
        check: (row) => parseOrThrow(def.row, row, 'invalid-result'),
        maxPendingRows: this.options.maxPendingRows ?? MAX_PENDING_ROWS,
      },
    );
    stream.start(handler(input, stream));
    if (!failed) return stream;
    stream.dispose();
    return undefined;
  }

  private streamHost(id: number, name: string, check: (item: unknown) => unknown): StreamHost {
    const limit = this.options.maxBufferedBytes ?? DEFAULT_MAX_BUFFERED_BYTES;
    const skipped = (error: unknown) => this.options.onBug(name, error);
    return {
      clock: this.options.clock,
      congested: () => (this.transport.bufferedAmount ?? 0) > limit,
      deliver: (item) => {
        let checked: unknown;
        try {
          checked = check(item);
        } catch (error) {
          skipped(error);
          return;
        }
        this.send({ type: 'item', id, item: checked });
      },
      skipped,
      failed: (error) => {
        this.endStream(id);
        this.sendError(id, name, error);
      },
    };
  }

  private endStream(id: number): void {
    const stream = this.streams.get(id);
    this.streams.delete(id);
    stream?.dispose();
  }

  private sendError(id: number, name: string, error: unknown): void {
    const known = error instanceof ContractError;
    if (!known || error.code === 'invalid-result') this.options.onBug(name, error);
    this.send({
      type: 'error',
      id,
      code: known ? error.code : 'internal',
      message: known ? error.message : `${name} failed inside the engine; its log has the details`,
    });
  }
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function unknownName(what: string, name: string): ContractError {
  return new ContractError('unknown-name', `this engine has no ${what} ${JSON.stringify(name)}`);
}

function parseOrThrow(schema: z.ZodType, input: unknown, code: 'invalid-params' | 'invalid-result'): unknown {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new ContractError(code, describeIssues(parsed.error));
  return parsed.data;
}
