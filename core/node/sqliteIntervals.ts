/**
 * Intervals in a session file. Writes wait in memory for the next commit of the log; reads see them. What is valid now
 * is held in memory, so that values in order never read the file. Rules: core/session/intervals.ts.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { closeInTimeline, openInTimeline, rowAsOf, type TimelineChange } from '../session/intervals.ts';
import type { IntervalRow, IntervalStore } from '../session/record.ts';

export class SqliteIntervals implements IntervalStore {
  private readonly database: DatabaseSync;
  private readonly onChange: () => void;
  private readonly insert: StatementSync;
  private readonly ofSubject: StatementSync;
  private readonly validAt: StatementSync;
  private readonly pending = new Map<number, IntervalRow>();
  /** The open row of each timeline that was touched: always its last. */
  private readonly openRows = new Map<string, IntervalRow>();
  private nextId: number;

  /** `onChange`: something waits to be written. */
  constructor(database: DatabaseSync, onChange: () => void) {
    this.database = database;
    this.onChange = onChange;
    this.insert = database.prepare(
      'INSERT OR REPLACE INTO interval (kind, subject, validFrom, id, validTo, revision, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.ofSubject = database.prepare(
      'SELECT * FROM interval WHERE kind = ? AND subject = ? ORDER BY validFrom, id',
    );
    this.validAt = database.prepare(
      'SELECT * FROM interval WHERE kind = ? AND validFrom <= ? AND (validTo IS NULL OR validTo > ?)',
    );
    this.nextId = Number(database.prepare('SELECT max(id) AS id FROM interval').get()?.id ?? 0) + 1;
  }

  open(kind: string, subject: string, from: number, value: unknown): number {
    const id = this.nextId++;
    const rows = this.rowsAround(kind, subject, from);
    this.apply(kind, subject, openInTimeline(rows, { id, kind, subject, from, value }));
    return id;
  }

  close(kind: string, subject: string, to: number): void {
    this.apply(kind, subject, closeInTimeline(this.rowsAround(kind, subject, to), to));
  }

  asOf(kind: string, subject: string, pos: number): IntervalRow | undefined {
    return rowAsOf(this.rowsAround(kind, subject, pos), pos);
  }

  allAsOf(kind: string, pos: number): readonly IntervalRow[] {
    const rows = new Map<number, IntervalRow>();
    for (const row of this.validAt.all(kind, pos, pos)) {
      const known = readRow(row);
      rows.set(known.id, known);
    }
    for (const row of this.pending.values()) {
      if (row.kind === kind) rows.set(row.id, row);
    }
    return [...rows.values()]
      .filter((row) => row.from <= pos && (row.to === undefined || pos < row.to))
      .sort((a, b) => (a.subject < b.subject ? -1 : 1));
  }

  of(kind: string, subject: string): readonly IntervalRow[] {
    const rows = new Map<number, IntervalRow>();
    for (const row of this.ofSubject.all(kind, subject)) {
      const known = readRow(row);
      rows.set(known.id, known);
    }
    for (const row of this.pending.values()) {
      if (row.kind === kind && row.subject === subject) rows.set(row.id, row);
    }
    return [...rows.values()].sort((a, b) => a.from - b.from || a.id - b.id);
  }

  /** All that is in the file, by kind and subject. */
  *all(): Iterable<IntervalRow> {
    for (const row of this.database.prepare('SELECT * FROM interval').iterate()) yield readRow(row);
  }

  /** Takes a row as another session had it. */
  restore(row: IntervalRow): void {
    this.pending.set(row.id, row);
    this.nextId = Math.max(this.nextId, row.id + 1);
    this.onChange();
  }

  /** Writes what waits, inside the caller's transaction; written() follows when that is through. */
  write(): void {
    for (const row of this.pending.values()) {
      this.insert.run(
        row.kind,
        row.subject,
        row.from,
        row.id,
        row.to ?? null,
        row.revision,
        JSON.stringify(row.value) ?? 'null',
      );
    }
  }

  /** The commit is through. */
  written(): void {
    this.pending.clear();
  }

  /** Rows that wait for the commit. */
  get waiting(): number {
    return this.pending.size;
  }

  /** The rows that decide what holds at `pos` and what changing it there does: the open one alone, if it covers it. */
  private rowsAround(kind: string, subject: string, pos: number): readonly IntervalRow[] {
    const open = this.openRows.get(timelineKey(kind, subject));
    return open !== undefined && open.from <= pos ? [open] : this.of(kind, subject);
  }

  private apply(kind: string, subject: string, change: TimelineChange): void {
    const key = timelineKey(kind, subject);
    for (const row of change.changed) {
      this.pending.set(row.id, row);
      if (row.to !== undefined && this.openRows.get(key)?.id === row.id) this.openRows.delete(key);
    }
    const { added } = change;
    if (added !== undefined) {
      this.pending.set(added.id, added);
      if (added.to === undefined) this.openRows.set(key, added);
    }
    if (this.pending.size > 0) this.onChange();
  }
}

function timelineKey(kind: string, subject: string): string {
  return `${kind}\n${subject}`;
}

function readRow(row: Record<string, unknown>): IntervalRow {
  const to = row.validTo;
  return {
    id: Number(row.id),
    kind: String(row.kind),
    subject: String(row.subject),
    from: Number(row.validFrom),
    to: to === null ? undefined : Number(to),
    revision: Number(row.revision),
    value: JSON.parse(String(row.value)),
  };
}
