/**
 * What a list of sessions shows of a file, kept in the file itself, so that a copy carries its name. Since format 2 one
 * row holds it; of a file that was never closed the counts are read from its newest rows. Spec: docs/spec/session.md.
 */
import type { DatabaseSync } from 'node:sqlite';

export interface SessionSummary {
  /** As the user named it. */
  readonly name: string | undefined;
  /** Retention never deletes it. */
  readonly kept: boolean;
  readonly context: string | undefined;
  /** Name of the operator that was under debug last. */
  readonly operator: string | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** Of the newest record; undefined when there is none. */
  readonly endedAt: number | undefined;
  readonly records: number;
  /** Nobody left it in the middle. */
  readonly closed: boolean;
}

/** What can be said of a session from outside; a field that is absent stays. `name` undefined: not named any more. */
export interface SummaryChange {
  readonly name?: string | undefined;
  readonly kept?: boolean;
  readonly context?: string;
  readonly operator?: string;
}

/** Each reads one end of one table, however long the session is. */
const recordsSql = `coalesce(
  (SELECT first + count - 1 FROM tail ORDER BY first DESC LIMIT 1),
  (SELECT first + count - 1 FROM block ORDER BY first DESC LIMIT 1), 0)`;
const endedAtSql = '(SELECT max(newest) FROM source WHERE newest > 0)';
const metaSql = (key: string) => `(SELECT value FROM meta WHERE key = '${key}')`;

/** The step to format 2: the row is there from now on, and says of an older session what can be known. */
export function createSummary(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE summary (
      id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT, kept INTEGER NOT NULL, context TEXT, operator TEXT,
      startedAt REAL NOT NULL, endedAt REAL, records INTEGER NOT NULL
    );
    INSERT INTO summary SELECT 1, NULL, 0, json_extract(${metaSql('cluster')}, '$.context'), NULL,
      coalesce(CAST(${metaSql('startedAt')} AS REAL), 0), ${endedAtSql}, ${recordsSql};
  `);
}

/** Of a file of any format. Throws what SQLite says of a damaged one. */
export function readSummary(database: DatabaseSync, format: number): SessionSummary {
  const closed = database.prepare(`SELECT ${metaSql('closed')} AS closed`).get()?.closed === 'yes';
  const counts =
    format < 2 || !closed ? `${endedAtSql} AS endedAt, ${recordsSql} AS records` : 'endedAt, records';
  const row =
    database
      .prepare(
        format < 2
          ? `SELECT json_extract(${metaSql('cluster')}, '$.context') AS context, ${metaSql('startedAt')} AS startedAt, ${counts}`
          : `SELECT name, kept, context, operator, startedAt, ${counts} FROM summary`,
      )
      .get() ?? {};
  return {
    name: textOf(row.name),
    kept: row.kept === 1,
    context: textOf(row.context),
    operator: textOf(row.operator),
    startedAt: Number(row.startedAt ?? 0),
    endedAt: typeof row.endedAt === 'number' ? row.endedAt : undefined,
    records: Number(row.records ?? 0),
    closed,
  };
}

export function changeSummary(database: DatabaseSync, change: SummaryChange): void {
  const { kept } = change;
  if ('name' in change) set(database, 'name', change.name ?? null);
  if (kept !== undefined) set(database, 'kept', kept ? 1 : 0);
  if (change.context !== undefined) set(database, 'context', change.context);
  if (change.operator !== undefined) set(database, 'operator', change.operator);
}

/** Writes the counts down: at the end of a recording, so that a list need not look for them. */
export function settleSummary(database: DatabaseSync): void {
  database.exec(`UPDATE summary SET endedAt = ${endedAtSql}, records = ${recordsSql}`);
}

export function setStartedAt(database: DatabaseSync, startedAt: number): void {
  set(database, 'startedAt', startedAt);
}

type Column = 'name' | 'kept' | 'context' | 'operator' | 'startedAt';

function set(database: DatabaseSync, column: Column, value: string | number | null): void {
  database.prepare(`UPDATE summary SET ${column} = ?`).run(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
