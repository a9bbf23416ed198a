/**
 * The structural diff of two versions as the inspector shows it: one row per leaf, with who owns the field now and who
 * lost it. Spec: docs/spec/objects.md
 */
import type { DiffRow, ObjectDocument, ObjectOp, Writer } from '../../shared/contract/views/objects.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { type Change, type CompareOptions, changesBetween } from './changes.ts';
import { entriesOwning, managedEntries, ownersOf, writersFrom } from './managedFields.ts';
import { summarise } from './summarise.ts';

/** Longest value shown, in characters of JSON; the window opens the document for the whole. */
const longestValue = 160;

/**
 * Rows from `older` to `newer`; without `older` every leaf is new, without `newer` every leaf is gone. Values are JSON,
 * cut around the first difference when long. Digests of secret-like values are shown as they are.
 */
export function diffObjects(
  older: KubeObject | undefined,
  newer: KubeObject | undefined,
  options: CompareOptions = {},
): DiffRow[] {
  return rowsOf(older, newer, changesBetween(older, newer, options), []);
}

function rowsOf(
  older: KubeObject | undefined,
  newer: KubeObject | undefined,
  changes: readonly Change[],
  writers: readonly Writer[],
): DiffRow[] {
  const before = managedEntries(older);
  const after = managedEntries(newer);
  const wrote = new Set(writers.map((writer) => writer.manager));
  return changes.map((change) => {
    const values = shortValues(change.old, change.new);
    const row = { path: change.path, sign: change.sign, ...values, bookkeeping: change.bookkeeping };
    if (change.bookkeeping) return row;
    const now = change.sign === '-' ? [] : entriesOwning(after, change.steps, 'newer');
    const owner = now.find((entry) => wrote.has(entry.writer.manager)) ?? now[0];
    if (owner === undefined) return row;
    const names = new Set(now.map((entry) => entry.writer.manager));
    const lost = entriesOwning(before, change.steps, 'older').map((entry) => entry.writer.manager);
    // A manager that still owns the field lost nothing; one that moved between its own entries took it from nobody.
    const takenFrom = lost.includes(owner.writer.manager) ? undefined : lost.find((name) => !names.has(name));
    return { ...row, owner: owner.writer, ...(takenFrom === undefined ? {} : { takenFrom }) };
  });
}

/** All that a version says against the one before it, in one pass: for the history, the event line and the diff. */
export interface VersionComparison {
  readonly rows: readonly DiffRow[];
  readonly writers: readonly Writer[];
  /** Rows that are no bookkeeping. */
  readonly changes: number;
  readonly summary: string;
}

/** `older` undefined: the first version seen. `op` of the newer version decides whether it has a writer at all. */
export function compareVersions(
  older: KubeObject | undefined,
  newer: KubeObject,
  op: ObjectOp,
  options: CompareOptions = {},
): VersionComparison {
  const changes = changesBetween(older, newer, options);
  const writers = writersFrom(older, newer, () => changes, op);
  const rows = rowsOf(older, newer, changes, writers);
  return {
    rows,
    writers,
    changes: rows.reduce((count, row) => count + (row.bookkeeping ? 0 : 1), 0),
    summary: summarise(rows),
  };
}

/** One version as a document with its owners. `toYaml` is the host's (the YAML library lives in core/node). */
export function objectDocument(
  seq: number,
  object: KubeObject,
  metadataOnly: boolean,
  toYaml: (value: unknown) => string,
): ObjectDocument {
  return { seq, yaml: toYaml(object), owners: ownersOf(object), metadataOnly };
}

function shortValues(older: unknown, newer: unknown): { old?: string; new?: string } {
  const was = older === undefined ? undefined : JSON.stringify(older);
  const is = newer === undefined ? undefined : JSON.stringify(newer);
  let from = 0;
  if (was !== undefined && is !== undefined && Math.max(was.length, is.length) > longestValue) {
    while (from < was.length && was[from] === is[from]) from++;
    from = Math.max(0, from - 40);
  }
  return {
    ...(was === undefined ? {} : { old: cut(was, from) }),
    ...(is === undefined ? {} : { new: cut(is, from) }),
  };
}

function cut(text: string, from: number): string {
  const rest = text.slice(from, from + longestValue);
  return `${from > 0 ? '…' : ''}${rest}${from + longestValue < text.length ? '…' : ''}`;
}
