/**
 * Intervals: derived values over time. One subject's intervals of one kind form a timeline: from ascending, no two
 * overlapping, at most the last one open. A value that arrives late is put where it belongs and holds until what
 * was said of a later time. The rules are here, pure; who keeps the rows is another matter (in memory below, in the
 * session file by core/node/sqliteIntervals.ts).
 * Spec: docs/spec/session.md (SES13–SES17).
 */
import type { IntervalRow, IntervalStore } from './record.ts';

/** What opening or closing does to one timeline: rows whose end or revision changed, and the new row. */
export interface TimelineChange {
  readonly changed: readonly IntervalRow[];
  readonly added: IntervalRow | undefined;
}

/** Index of the last row with from ≤ pos, -1 when there is none. Rows are ordered by from. */
function lastAtOrBefore(rows: readonly IntervalRow[], pos: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.from ?? 0) <= pos) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The row of a timeline that is valid at `pos`: from ≤ pos < to. */
export function rowAsOf(rows: readonly IntervalRow[], pos: number): IntervalRow | undefined {
  // Rows of no length (two values in one ms) are passed over; the row before them has ended as well.
  const row = rows[lastAtOrBefore(rows, pos)];
  return row !== undefined && (row.to === undefined || pos < row.to) ? row : undefined;
}

/** Puts a value into a timeline at `row.from`; `row.to` and `row.revision` are decided here. */
export function openInTimeline(
  rows: readonly IntervalRow[],
  row: Omit<IntervalRow, 'to' | 'revision'>,
): TimelineChange {
  const index = lastAtOrBefore(rows, row.from);
  const before = rows[index];
  const next = rows[index + 1];
  const cut = before !== undefined && (before.to === undefined || before.to > row.from);
  // Until when it holds: what comes next, be it a value or an end, was said of a later time and stands.
  const to = cut ? before.to : next?.from;
  // In order, a row ends once and nothing is revised. Before something later, what was said of the past changes.
  const revision = to === undefined ? 1 : newestRevision(rows) + 1;
  const changed = cut
    ? [{ ...before, to: row.from, revision: to === undefined ? before.revision : revision }]
    : [];
  return { changed, added: { ...row, to, revision } };
}

/** Ends the row of a timeline that is valid at `to`; nothing when there is none. */
export function closeInTimeline(rows: readonly IntervalRow[], to: number): TimelineChange {
  const index = lastAtOrBefore(rows, to);
  const row = rows[index];
  if (row === undefined || (row.to !== undefined && row.to <= to)) return { changed: [], added: undefined };
  const late = row.to !== undefined;
  return {
    changed: [{ ...row, to, revision: late ? newestRevision(rows) + 1 : row.revision }],
    added: undefined,
  };
}

function newestRevision(rows: readonly IntervalRow[]): number {
  return rows.reduce((newest, row) => Math.max(newest, row.revision), 0);
}

/** Intervals kept in memory. Values are kept by reference. */
export class MemoryIntervals implements IntervalStore {
  private readonly kinds = new Map<string, Map<string, IntervalRow[]>>();
  private nextId = 1;

  open(kind: string, subject: string, from: number, value: unknown): number {
    const id = this.nextId++;
    this.apply(kind, subject, openInTimeline(this.rows(kind, subject), { id, kind, subject, from, value }));
    return id;
  }

  close(kind: string, subject: string, to: number): void {
    this.apply(kind, subject, closeInTimeline(this.rows(kind, subject), to));
  }

  asOf(kind: string, subject: string, pos: number): IntervalRow | undefined {
    return rowAsOf(this.rows(kind, subject), pos);
  }

  allAsOf(kind: string, pos: number): readonly IntervalRow[] {
    const valid: IntervalRow[] = [];
    for (const rows of this.kinds.get(kind)?.values() ?? []) {
      const row = rowAsOf(rows, pos);
      if (row !== undefined) valid.push(row);
    }
    return valid.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  }

  of(kind: string, subject: string): readonly IntervalRow[] {
    return [...this.rows(kind, subject)];
  }

  private rows(kind: string, subject: string): readonly IntervalRow[] {
    return this.kinds.get(kind)?.get(subject) ?? [];
  }

  private apply(kind: string, subject: string, change: TimelineChange): void {
    if (change.added === undefined && change.changed.length === 0) return;
    let subjects = this.kinds.get(kind);
    if (subjects === undefined) {
      subjects = new Map();
      this.kinds.set(kind, subjects);
    }
    let rows = subjects.get(subject);
    if (rows === undefined) {
      rows = [];
      subjects.set(subject, rows);
    }
    for (const row of change.changed) {
      const index = rows.findLastIndex((old) => old.id === row.id);
      rows[index] = row;
    }
    if (change.added !== undefined) {
      rows.splice(lastAtOrBefore(rows, change.added.from) + 1, 0, change.added);
    }
  }
}
