/**
 * The window's end of the contract. Typed by the table, validated on arrival. After the connection closed every pending
 * call rejects with `closed`, streams fall silent, and a new client on a new transport must be made: the engine starts
 * each of its streams with a full snapshot. Spec: docs/spec/contract.md
 */
import type { z } from 'zod';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import {
  type ApiDef,
  type ParamsOf,
  type ResultOf,
  type RowOf,
  type RowsDiff,
  type ValueOf,
  zRowsDiff,
} from './define.ts';
import { ContractError } from './errors.ts';
import {
  type ClientFrame,
  describeIssues,
  type EngineFrame,
  type Frame,
  FrameReader,
  type Unnumbered,
  zEngineFrame,
} from './frames.ts';
import type { CloseReason, Transport } from './transport.ts';

export interface CallOptions {
  /** Aborting rejects the call with `cancelled` at once and tells the engine. */
  readonly signal?: AbortSignal | undefined;
}

export interface Client<A extends ApiDef> {
  /** Resolves with the method's result, rejects with ContractError. */
  call<M extends keyof A['methods'] & string>(
    name: M,
    params: ParamsOf<A['methods'][M]>,
    options?: CallOptions,
  ): Promise<ResultOf<A['methods'][M]>>;
  /** Each item is the whole current value. After `onError` the stream is over. */
  value<V extends keyof A['values'] & string>(
    name: V,
    params: ParamsOf<A['values'][V]>,
    onValue: (value: ValueOf<A['values'][V]>) => void,
    onError?: (error: ContractError) => void,
  ): Disposable;
  /** The first item resets, later ones carry the difference. After `onError` the stream is over. */
  table<T extends keyof A['tables'] & string>(
    name: T,
    params: ParamsOf<A['tables'][T]>,
    onDiff: (diff: RowsDiff<RowOf<A['tables'][T]>>) => void,
    onError?: (error: ContractError) => void,
  ): Disposable;
  /** Errors that no call or stream took: a frame that cannot be understood, a stream without onError. */
  onError(listener: (error: ContractError) => void): Disposable;
  /** Fires once when the connection is over, whoever ended it. */
  onClose(listener: (reason: CloseReason) => void): Disposable;
  readonly closed: boolean;
  close(): void;
}

/** Speaks `api` over `transport`, of which it becomes the only user. */
export function createClient<A extends ApiDef>(api: A, transport: Transport): Client<A> {
  return new ContractClient(api, transport) as unknown as Client<A>;
}

/** What waits for frames with one id. `take` gets a reply or an item; `fail` ends it. */
interface Waiter {
  readonly take: (payload: unknown) => void;
  readonly fail: (error: ContractError) => void;
  readonly once: boolean;
}

class ContractClient {
  private readonly api: ApiDef;
  private readonly transport: Transport;
  private readonly reader = new FrameReader<EngineFrame>(zEngineFrame);
  private readonly waiters = new Map<number, Waiter>();
  private readonly errors = new Emitter<ContractError>();
  private readonly closing = new Emitter<CloseReason>();
  private sent = 0;
  private nextId = 1;
  private ended: CloseReason | undefined;

  constructor(api: ApiDef, transport: Transport) {
    this.api = api;
    this.transport = transport;
    transport.onFrame((raw) => this.receive(raw));
    transport.onClose((reason) => this.end(reason));
  }

  get closed(): boolean {
    return this.ended !== undefined;
  }

  onError(listener: (error: ContractError) => void): Disposable {
    return this.errors.on(listener);
  }

  onClose(listener: (reason: CloseReason) => void): Disposable {
    const subscription = this.closing.on(listener);
    if (this.ended === undefined) return subscription;
    let live = true;
    const ended = this.ended;
    queueMicrotask(() => {
      if (live) listener(ended);
    });
    return toDisposable(() => {
      live = false;
    });
  }

  close(): void {
    this.end({ kind: 'closed', message: 'closed by this end' });
    this.transport.close();
  }

  call(name: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const def = this.api.methods[name];
      if (def === undefined) throw new ContractError('unknown-name', `no method ${name}`);
      const input = this.checked(def.params, params, 'invalid-params');
      if (signal?.aborted) throw cancelled(name);
      if (this.ended !== undefined) throw closedError(this.ended);
      const id = this.nextId++;
      const onAbort = () => {
        if (!this.waiters.delete(id)) return;
        this.send({ type: 'cancel', id });
        reject(cancelled(name));
      };
      signal?.addEventListener('abort', onAbort);
      this.waiters.set(id, {
        once: true,
        take: (result) => {
          signal?.removeEventListener('abort', onAbort);
          try {
            resolve(this.checked(def.result, result, 'invalid-result'));
          } catch (error) {
            reject(error);
          }
        },
        fail: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      });
      this.send({ type: 'call', id, name, params: input });
    });
  }

  value(
    name: string,
    params: unknown,
    onValue: (value: unknown) => void,
    onError?: (error: ContractError) => void,
  ): Disposable {
    const def = this.api.values[name];
    if (def === undefined) throw new ContractError('unknown-name', `no value ${name}`);
    const input = this.checked(def.params, params, 'invalid-params');
    return this.listen('value', name, input, def.value, onValue, onError);
  }

  table(
    name: string,
    params: unknown,
    onDiff: (diff: RowsDiff<unknown>) => void,
    onError?: (error: ContractError) => void,
  ): Disposable {
    const def = this.api.tables[name];
    if (def === undefined) throw new ContractError('unknown-name', `no table ${name}`);
    const input = this.checked(def.params, params, 'invalid-params');
    return this.listen('table', name, input, zRowsDiff(def.row), onDiff as (item: unknown) => void, onError);
  }

  private listen(
    kind: 'value' | 'table',
    name: string,
    params: unknown,
    schema: z.ZodType,
    onItem: (item: unknown) => void,
    onError: ((error: ContractError) => void) | undefined,
  ): Disposable {
    const id = this.nextId++;
    const report = onError ?? ((error: ContractError) => this.errors.emit(error));
    const stop = toDisposable(() => {
      if (this.waiters.delete(id)) this.send({ type: 'unlisten', id });
    });
    if (this.ended !== undefined) return stop;
    this.waiters.set(id, {
      once: false,
      fail: report,
      take: (item) => {
        const parsed = schema.safeParse(item);
        if (parsed.success) {
          onItem(parsed.data);
          return;
        }
        stop.dispose();
        report(new ContractError('invalid-result', `${name}: ${describeIssues(parsed.error)}`));
      },
    });
    this.send({ type: 'listen', id, kind, name, params });
    return stop;
  }

  private checked(schema: z.ZodType, input: unknown, code: 'invalid-params' | 'invalid-result'): unknown {
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw new ContractError(code, describeIssues(parsed.error));
    return parsed.data;
  }

  private send(frame: Unnumbered<ClientFrame>): void {
    if (this.ended !== undefined) return;
    this.transport.send({ ...frame, n: this.sent } as Frame);
    this.sent += 1;
  }

  private receive(raw: unknown): void {
    if (this.ended !== undefined) return;
    let frame: EngineFrame;
    try {
      frame = this.reader.read(raw);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      this.errors.emit(error);
      this.end({ kind: 'error', message: error.message });
      this.transport.close();
      return;
    }
    // Absent: cancelled or unlistened while the frame was on its way.
    const waiter = this.waiters.get(frame.id);
    if (waiter === undefined) return;
    if (waiter.once || frame.type === 'error') this.waiters.delete(frame.id);
    if (frame.type === 'error') waiter.fail(new ContractError(frame.code, frame.message));
    else waiter.take(frame.type === 'reply' ? frame.result : frame.item);
  }

  private end(reason: CloseReason): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    const waiting = [...this.waiters.values()];
    this.waiters.clear();
    for (const waiter of waiting) if (waiter.once) waiter.fail(closedError(reason));
    this.closing.emit(reason);
    this.closing.dispose();
  }
}

function cancelled(name: string): ContractError {
  return new ContractError('cancelled', `${name} was cancelled`);
}

function closedError(reason: CloseReason): ContractError {
  return new ContractError('closed', `the connection to the engine ended: ${reason.message}`);
}
