import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type {
  EngineClient,
  MethodName,
  MethodParams,
  MethodResult,
  Row,
  TableName,
  TableParams,
  Value,
  ValueName,
  ValueParams,
} from './engineClient.ts';
import { replaceEqualDeep } from './replaceEqualDeep.ts';
import type { Replica, TableSnapshot, ValueSnapshot } from './replica.ts';

export const EngineContext = createContext<EngineClient | undefined>(undefined);

export function useEngine(): EngineClient {
  const engine = useContext(EngineContext);
  if (engine === undefined) throw new Error('no engine around this component');
  return engine;
}

/** The whole current value; `loading` until the first one came. Undefined params: nothing is asked for. */
export function useValue<V extends ValueName>(
  name: V,
  params: ValueParams<V> | undefined,
): ValueSnapshot<Value<V>> {
  return useValueOf(name, params, keep);
}

/** A part of the value: the component renders again only when that part differs. */
export function useValueOf<V extends ValueName, T>(
  name: V,
  params: ValueParams<V> | undefined,
  select: (snapshot: ValueSnapshot<Value<V>>) => T,
): T {
  const engine = useEngine();
  const id = params === undefined ? undefined : JSON.stringify(params);
  const replica = useMemo(
    () =>
      id === undefined ? (idleValue as Replica<ValueSnapshot<Value<V>>>) : engine.value(name, JSON.parse(id)),
    [engine, name, id],
  );
  return useSelected(replica, select);
}

export function useTable<T extends TableName>(
  name: T,
  params: TableParams<T> | undefined,
): TableSnapshot<Row<T>> {
  return useTableOf(name, params, keep);
}

export function useTableOf<T extends TableName, S>(
  name: T,
  params: TableParams<T> | undefined,
  select: (snapshot: TableSnapshot<Row<T>>) => S,
): S {
  const engine = useEngine();
  const id = params === undefined ? undefined : JSON.stringify(params);
  const replica = useMemo(
    () =>
      id === undefined ? (idleTable as Replica<TableSnapshot<Row<T>>>) : engine.table(name, JSON.parse(id)),
    [engine, name, id],
  );
  return useSelected(replica, select);
}

const idleValue: Replica<ValueSnapshot<never>> = {
  get: () => idleValueSnapshot,
  subscribe: () => () => {},
};
const idleValueSnapshot: ValueSnapshot<never> = { state: 'loading', value: undefined };
const idleTable: Replica<TableSnapshot<never>> = { get: () => idleTableSnapshot, subscribe: () => () => {} };
const idleTableSnapshot: TableSnapshot<never> = { state: 'loading', rows: [], total: 0, dropped: 0 };

function keep<T>(value: T): T {
  return value;
}

/**
 * A snapshot keeps the references of what did not change (replica.ts), so it and its parts (`rows`, `value`) are passed on
 * as they are, whatever their length; only what a selector makes anew is compared. One snapshot is selected from once,
 * however often React asks.
 */
function useSelected<S extends object, T>(replica: Replica<S>, select: (snapshot: S) => T): T {
  const last = useRef<Selected<S, T> | undefined>(undefined);
  function read(): T {
    last.current = selectFrom(last.current, replica.get(), select);
    return last.current.value;
  }
  return useSyncExternalStore(replica.subscribe, read, read);
}

interface Selected<S, T> {
  readonly snapshot: S;
  readonly select: (snapshot: S) => T;
  readonly value: T;
}

/** Exported for tests: `select(snapshot)`, with the parts that equal those of the last value replaced by them. */
export function selectFrom<S extends object, T>(
  last: Selected<S, T> | undefined,
  snapshot: S,
  select: (snapshot: S) => T,
): Selected<S, T> {
  if (last !== undefined && last.snapshot === snapshot && last.select === select) return last;
  const next = select(snapshot);
  const known = Object.is(next, snapshot) || Object.values(snapshot).includes(next);
  return {
    snapshot,
    select,
    value: known || last === undefined ? next : replaceEqualDeep(last.value, next),
  };
}

export interface Action<M extends MethodName> {
  readonly run: (params: MethodParams<M>) => Promise<MethodResult<M> | undefined>;
  readonly running: boolean;
  /** The last failure, in words; cleared when it runs again. */
  readonly problem: Problem | undefined;
  readonly clear: () => void;
}

/** A method as something a button starts: running, and its problem as a sentence. Never rejects. */
export function useAction<M extends MethodName>(name: M): Action<M> {
  const engine = useEngine();
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const run = useCallback(
    async (params: MethodParams<M>) => {
      setRunning(true);
      setProblem(undefined);
      try {
        const result = await engine.call(name, params);
        if (isRefused(result)) setProblem(result.problem);
        return result;
      } catch (error) {
        setProblem({ code: 'engine', message: error instanceof Error ? error.message : String(error) });
        return undefined;
      } finally {
        setRunning(false);
      }
    },
    [engine, name],
  );
  const clear = useCallback(() => setProblem(undefined), []);
  return { run, running, problem, clear };
}

function isRefused(result: unknown): result is { readonly ok: false; readonly problem: Problem } {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false;
}
