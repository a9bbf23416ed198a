import { z } from 'zod';

export interface MethodDef<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly params: P;
  readonly result: R;
}
export interface ValueDef<P extends z.ZodType = z.ZodType, V extends z.ZodType = z.ZodType> {
  readonly params: P;
  readonly value: V;
}
/** `key` is the dotted path of the row's identity. */
export interface TableDef<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly params: P;
  readonly row: R;
  readonly key: string;
}
export interface ApiDef {
  readonly methods: Readonly<Record<string, MethodDef>>;
  readonly values: Readonly<Record<string, ValueDef>>;
  readonly tables: Readonly<Record<string, TableDef>>;
}

export function method<P extends z.ZodType, R extends z.ZodType>(params: P, result: R): MethodDef<P, R> {
  return { params, result };
}
export function value<P extends z.ZodType, V extends z.ZodType>(params: P, item: V): ValueDef<P, V> {
  return { params, value: item };
}
export function table<P extends z.ZodType, R extends z.ZodType>(
  params: P,
  row: R,
  key: string,
): TableDef<P, R> {
  return { params, row, key };
}
export function defineApi<const A extends ApiDef>(api: A): A {
  return api;
}

export type RowKey = string | number;

/**
 * The difference between two states of a table. `reset` drops what was there first. `total` counts the rows that exist
 * in the engine, which may be more than were sent (a limit). `dropped` says how many diffs a full buffer swallowed
 * before this one; a reset follows in the same item.
 */
export interface RowsDiff<Row> {
  readonly reset: boolean;
  readonly upserts: readonly Row[];
  readonly removed: readonly RowKey[];
  readonly total: number;
  readonly dropped: number;
}

/** The schema of a table's items: what the receiving end checks. */
export function zRowsDiff<R extends z.ZodType>(row: R) {
  return z.object({
    reset: z.boolean(),
    upserts: z.array(row),
    removed: z.array(z.union([z.string(), z.number()])),
    total: z.number().int().nonnegative(),
    dropped: z.number().int().nonnegative(),
  });
}

/** Reads a row's identity by the dotted path of its TableDef. Throws when there is none: the table is wrong. */
export function rowKeyReader(path: string): (row: unknown) => RowKey {
  const steps = path.split('.');
  return (row) => {
    let at: unknown = row;
    for (const step of steps) {
      at =
        typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
    }
    if (typeof at !== 'string' && typeof at !== 'number') throw new Error(`row without a key at ${path}`);
    return at;
  };
}

export type ParamsOf<D extends { readonly params: z.ZodType }> = z.infer<D['params']>;
export type ResultOf<D extends MethodDef> = z.infer<D['result']>;
export type ValueOf<D extends ValueDef> = z.infer<D['value']>;
export type RowOf<D extends TableDef> = z.infer<D['row']>;
