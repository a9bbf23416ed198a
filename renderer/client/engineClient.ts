/**
 * The window's way to the engine: calls, and one shared replica per stream and parameters. Views never see frames or
 * subscriptions; they read replicas through the hooks of useEngine.tsx.
 */
import { type Disposable, toDisposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { type EngineApi, engineApi } from '../../shared/contract/api.ts';
import type { CallOptions, Client } from '../../shared/contract/client.ts';
import {
  type ParamsOf,
  type ResultOf,
  type RowOf,
  rowKeyReader,
  type ValueOf,
} from '../../shared/contract/define.ts';
import type { CloseReason } from '../../shared/contract/transport.ts';
import type { FrameScheduler } from './frameScheduler.ts';
import { type ReplicaHost, TableReplica, ValueReplica } from './replica.ts';

type MethodName = keyof EngineApi['methods'] & string;
type ValueName = keyof EngineApi['values'] & string;
type TableName = keyof EngineApi['tables'] & string;
export type MethodParams<M extends MethodName> = ParamsOf<EngineApi['methods'][M]>;
export type MethodResult<M extends MethodName> = ResultOf<EngineApi['methods'][M]>;
export type ValueParams<V extends ValueName> = ParamsOf<EngineApi['values'][V]>;
export type TableParams<T extends TableName> = ParamsOf<EngineApi['tables'][T]>;
export type Value<V extends ValueName> = ValueOf<EngineApi['values'][V]>;
export type Row<T extends TableName> = RowOf<EngineApi['tables'][T]>;
export type { MethodName, TableName, ValueName };

const lingerMs = 5_000;

export class EngineClient {
  private client: Client<EngineApi>;
  private readonly host: ReplicaHost;
  private readonly values = new Map<string, ValueReplica<never>>();
  private readonly tables = new Map<string, TableReplica<never>>();
  private readonly closing = new Emitter<CloseReason>();
  private readonly attached = new Emitter<number>();
  private attachments = 0;

  constructor(client: Client<EngineApi>, frames: FrameScheduler) {
    this.client = client;
    this.host = { frames, lingerMs, setTimer: startTimer };
    this.follow(client);
  }

  /**
   * Goes on with another client, after the pipe of the one before broke. Every stream is asked for again; what it has
   * shown stays until the first item of the new one, so places, selections and scroll positions hold.
   */
  attach(client: Client<EngineApi>): void {
    this.client = client;
    this.follow(client);
    for (const replica of [...this.values.values(), ...this.tables.values()]) replica.reopen();
    this.attachments += 1;
    this.attached.emit(this.attachments);
  }

  /** How often another client was attached: one-time answers are asked for again when it rises. */
  readonly attachment = (): number => this.attachments;

  readonly onAttach = (listener: () => void): (() => void) => {
    const subscription = this.attached.on(listener);
    return () => subscription.dispose();
  };

  /** Rejects with ContractError; what a user can act on is inside the result. */
  call<M extends MethodName>(
    name: M,
    params: MethodParams<M>,
    options?: CallOptions,
  ): Promise<MethodResult<M>> {
    return this.client.call(name, params, options);
  }

  value<V extends ValueName>(name: V, params: ValueParams<V>): ValueReplica<Value<V>> {
    const id = `${name} ${JSON.stringify(params)}`;
    const known = this.values.get(id);
    if (known !== undefined) return known as unknown as ValueReplica<Value<V>>;
    const replica = new ValueReplica<Value<V>>(
      this.host,
      (observer) =>
        this.client.value(
          name,
          params,
          (value) => observer.item(value),
          (error) => observer.failed(error.message),
        ),
      () => this.values.delete(id),
    );
    this.values.set(id, replica as unknown as ValueReplica<never>);
    return replica;
  }

  table<T extends TableName>(name: T, params: TableParams<T>): TableReplica<Row<T>> {
    const id = `${name} ${JSON.stringify(params)}`;
    const known = this.tables.get(id);
    if (known !== undefined) return known as unknown as TableReplica<Row<T>>;
    const replica = new TableReplica<Row<T>>(
      this.host,
      (observer) =>
        this.client.table(
          name,
          params,
          (diff) => observer.item(diff),
          (error) => observer.failed(error.message),
        ),
      () => this.tables.delete(id),
      rowKeyReader(engineApi.tables[name].key),
    );
    this.tables.set(id, replica as unknown as TableReplica<never>);
    return replica;
  }

  /** Fires each time a pipe ends. */
  onClose(listener: (reason: CloseReason) => void): Disposable {
    return this.closing.on(listener);
  }

  private follow(client: Client<EngineApi>): void {
    client.onClose((reason) => {
      if (client === this.client) this.closing.emit(reason);
    });
  }
}

function startTimer(delayMs: number, fire: () => void): Disposable {
  const timer = setTimeout(fire, delayMs);
  return toDisposable(() => clearTimeout(timer));
}
