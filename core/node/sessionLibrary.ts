/**
 * The folder of session files as the window's list of sessions: rows, names, retention, opening and saving. What a list
 * shows of a file lies in the file (core/node/sqliteSummary.ts), so that copies and other computers' files are named
 * too; rows are read again only when a file changed. Spec: docs/spec/session.md, "The library".
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../shared/base/clock.ts';
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { Library, Retention, SessionRow } from '../../shared/contract/views/sessions.ts';
import type { OpenedSession, SessionLibrary } from '../engine/library.ts';
import { PlayedLog } from '../session/playedLog.ts';
import type { SessionLog } from '../session/record.ts';
import { copySession, isSqliteSession } from './sqliteCopy.ts';
import { sessionHolder } from './sqliteLock.ts';
import { changeSession, openForReading, readSessionSummary } from './sqliteReading.ts';
import { damagedFile, isSqliteError, problemOf } from './sqliteSchema.ts';
import {
  deleteSession,
  isSystemError,
  openSqliteSession,
  type SqliteSession,
  sessionExtension,
  sessionFileName,
} from './sqliteSession.ts';
import { findSessionFiles, removeLeftParts, type SessionFile } from './sqliteSessionFiles.ts';
import { changeSummary, type SessionSummary, type SummaryChange } from './sqliteSummary.ts';

export interface SessionLibraryOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Version of the program. */
  readonly app: string;
  readonly retention: {
    get(): Retention;
    set(retention: Retention): Result<void, Problem>;
  };
  readonly log?: (line: string) => void;
}

export interface NodeSessionLibrary extends SessionLibrary {
  /** This Loopscope records into `session` from now on. Retention is applied. */
  begun(session: SqliteSession): void;
  /** What is recorded into a log without a file comes from this context: a saved copy is to say so. */
  begunInMemory(log: SessionLog, context: string): void;
  /** That recording has ended. */
  ended(session: SqliteSession): void;
}

/** A row as it was read, and what the file looked like then. */
interface CachedRow {
  readonly stamp: string;
  readonly row: SessionRow;
}

const longestName = 120;

export function createSessionLibrary(options: SessionLibraryOptions): NodeSessionLibrary {
  const { folder, clock, app } = options;
  const changes = new Emitter<void>();
  const recordings = new Map<string, SqliteSession>();
  /** Files that are shown, and how often each was opened. */
  const opened = new Map<string, number>();
  let cache = new Map<string, CachedRow>();
  const operatorOf = new WeakMap<SessionLog, string>();
  const contextOf = new WeakMap<SessionLog, string>();

  function read(): readonly SessionRow[] {
    const next = new Map<string, CachedRow>();
    const rows = findSessionFiles(folder).flatMap((found) => {
      const { file } = found;
      const stamp = stampOf(found);
      if (stamp === undefined) return []; // Deleted between the two looks.
      const recording = recordings.get(file);
      if (recording !== undefined) return [rowOf(file, recording.summary(), 'recording')];
      const known = cache.get(file);
      const row = known?.stamp === stamp ? known.row : readRow(file);
      next.set(file, { stamp, row });
      return [row];
    });
    cache = next;
    return rows.sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
  }

  let shown: readonly SessionRow[] | undefined;

  function refresh(): void {
    const rows = read();
    const changed = shown !== undefined && !structurallyEqual(rows, shown);
    shown = rows;
    if (changed) changes.emit();
  }

  /** The row of a running recording as it is now; the others as they were read last. */
  function rows(): readonly SessionRow[] {
    if (shown === undefined) shown = read();
    return shown.map((row) => {
      const recording = recordings.get(row.path);
      return recording === undefined ? row : rowOf(row.path, recording.summary(), 'recording');
    });
  }

  function rowWith(id: string): Result<SessionRow, Problem> {
    refresh();
    const row = rows().find((one) => one.id === id);
    return row === undefined
      ? err({ code: 'not-found', message: `There is no session ${id} any more.` })
      : ok(row);
  }

  function change(id: string, what: string, to: SummaryChange): Result<void, Problem> {
    const row = rowWith(id);
    if (!row.ok) return row;
    const { path: file, state, problem } = row.value;
    if (state === 'unreadable' && problem !== undefined) return err(problem);
    if (state === 'elsewhere') {
      return err({
        code: 'elsewhere',
        message: `Another Loopscope records this session; ${what} there, or here when it has ended.`,
      });
    }
    const done = changeRow(file, to);
    refresh();
    return done;
  }

  function changeRow(file: string, to: SummaryChange): Result<void, Problem> {
    const recording = recordings.get(file);
    if (recording === undefined) return changeSession(file, app, (database) => changeSummary(database, to));
    try {
      recording.describe(to);
      return ok(undefined);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      return err(problemOf(error, file));
    }
  }

  function remove(id: string): Result<void, Problem> {
    const row = rowWith(id);
    if (!row.ok) return row;
    const { path: file, state } = row.value;
    if (state === 'recording' || state === 'elsewhere') {
      const who = state === 'recording' ? 'This session is' : 'Another Loopscope is';
      const what = state === 'recording' ? 'being recorded' : 'recording this session';
      return err({ code: state, message: `${who} ${what}. It can be deleted when the recording has ended.` });
    }
    if (opened.has(file))
      return err({ code: 'open', message: 'This session is being shown. Close it, then delete it.' });
    const done = tryDelete(file);
    refresh();
    return done;
  }

  /** From the oldest on: beyond the newest `keep`, or while all together take too much. Kept and open ones stay. */
  function applyRetention(): void {
    const { keep, maxBytes } = options.retention.get();
    const all = read();
    let bytes = all.reduce((sum, row) => sum + row.bytes, 0);
    // A recording does not count: it may turn out to be none, and must not push out one that is.
    const past = all.filter((row) => !row.kept && row.state !== 'recording');
    const beyond = new Set(past.slice(keep));
    for (const row of [...all].reverse()) {
      if (row.kept || (!beyond.has(row) && bytes <= maxBytes)) continue;
      if (!mayGo(row) || opened.has(row.path) || !tryDelete(row.path).ok) continue;
      bytes -= row.bytes;
      options.log?.(`session ${row.id} was deleted: more than ${keep} sessions or ${maxBytes} bytes`);
    }
    removeLeftParts(folder, clock.now());
    refresh();
  }

  async function open(given: string): Promise<Result<OpenedSession, Problem>> {
    const file = path.resolve(given);
    recordings.get(file)?.flush();
    const session = openForReading(file, {
      clock,
      app,
      onClose() {
        const left = (opened.get(file) ?? 1) - 1;
        if (left > 0) opened.set(file, left);
        else opened.delete(file);
      },
    });
    if (!session.ok) return session;
    opened.set(file, (opened.get(file) ?? 0) + 1);
    refresh();
    const log = session.value;
    try {
      const summary = log.summary();
      const { context = summary.context ?? '', server = '' } = log.clusterStamp();
      return ok({ log, path: file, name: nameOf(file, summary), context, server });
    } catch (error) {
      // The page of its name is damaged, though all others were not.
      log.close();
      if (!isSqliteError(error) && !(error instanceof SyntaxError)) throw error;
      return err(damagedFile(file, error));
    }
  }

  async function save(
    shown: SessionLog,
    name: string,
    wanted: string | undefined,
  ): Promise<Result<string, Problem>> {
    const checked = name.trim() === '' ? ok(undefined) : checkName(name);
    if (!checked.ok) return checked;
    // Of what is played: up to the moment that is shown.
    const log = shown instanceof PlayedLog ? shown.whole : shown;
    const toSeq = shown.stats().records;
    const target = wanted === undefined ? ok(freshName(log, checked.value)) : checkTarget(wanted, log, toSeq);
    if (!target.ok) return target;
    const source = sourceOf(log);
    // Among the sessions it was put on purpose: retention leaves it alone.
    const kept = wanted === undefined;
    const [context, operator] = [contextOf.get(log), operatorOf.get(log)];
    const change = {
      kept,
      ...(context === undefined ? {} : { context }),
      ...(operator === undefined ? {} : { operator }),
      ...(checked.value === undefined ? {} : { name: checked.value }),
    };
    const copied = await copySession(source, target.value, change, { clock, app, toSeq }).finally(() => {
      if (source !== log) source.close();
    });
    if (!copied.ok) return copied;
    refresh();
    return ok(copied.value.path);
  }

  /** A file is read through a connection of its own: what is recorded or shown may end while it is copied. */
  function sourceOf(log: SessionLog): SessionLog {
    if (!isSqliteSession(log)) return log;
    log.flush();
    // What could not be written is only in memory.
    const own = log.stats().paused === undefined ? openSqliteSession(log.file, { clock }) : undefined;
    return own?.ok ? own.value : log;
  }

  /** Where a copy may go: nowhere yet, or in the place of an earlier copy of the same session that holds no more. */
  function checkTarget(wanted: string, log: SessionLog, records: number): Result<string, Problem> {
    if (wanted.includes('\0'))
      return err({ code: 'name', message: 'A path has no NUL in it. Choose another.' });
    const resolved = path.resolve(wanted);
    const file = resolved.endsWith(sessionExtension) ? resolved : resolved + sessionExtension;
    const parent = path.dirname(file);
    if (statSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true)
      return err({
        code: 'no-folder',
        message: `There is no folder ${parent}. Make it first, or choose another.`,
      });
    if (!existsSync(file)) return ok(file);
    const refuse = (why: string) => err({ code: 'exists', message: `${why} Choose another name.` });
    const real = realpathSync(file);
    const isSame = (one: string) => existsSync(one) && realpathSync(one) === real;
    if (log.file !== undefined && isSame(log.file)) return refuse(`${file} is this session itself.`);
    if ([...opened.keys()].some(isSame)) return refuse(`${file} is being shown.`);
    return isEarlierCopy(file, log, records) && sessionHolder(file) === undefined
      ? ok(file)
      : refuse(`There is a file ${file} already, and it is no earlier copy of this session.`);
  }

  function isEarlierCopy(file: string, log: SessionLog, records: number): boolean {
    const other = openSqliteSession(file, { clock });
    if (!other.ok) return false;
    const [there, here] = [other.value.stats(), log.stats()];
    other.value.close();
    return there.id === here.id && there.startedAt === here.startedAt && there.records <= records;
  }

  function freshName(log: SessionLog, name: string | undefined): string {
    const { startedAt, id } = log.stats();
    for (let copy = 1; ; copy++) {
      const file = path.join(folder, sessionFileName(startedAt, name ?? id, copy));
      if (!existsSync(file)) return file;
    }
  }

  return {
    rows,
    info(): Library {
      const bytes = rows().reduce((sum, row) => sum + row.bytes, 0);
      return { folder, bytes, retention: options.retention.get() };
    },
    refresh,
    onChange: (listener): Disposable => changes.on(listener),
    open,
    rename(id, name) {
      const checked = checkName(name);
      return checked.ok ? change(id, 'name it', { name: checked.value }) : checked;
    },
    keep: (id, kept) => change(id, 'mark it', { kept }),
    remove,
    setRetention(retention) {
      const set = options.retention.set(retention);
      if (!set.ok) return set;
      applyRetention();
      changes.emit();
      return set;
    },
    noteOperator(log, operator) {
      if (operatorOf.get(log) === operator) return;
      operatorOf.set(log, operator);
      const recording = [...recordings.values()].find((one) => one === log);
      if (recording === undefined) return;
      const noted = changeRow(recording.file, { operator });
      if (!noted.ok) options.log?.(noted.error.message);
      refresh();
    },
    save,
    begunInMemory: (log, context) => void contextOf.set(log, context),
    begun(session) {
      recordings.set(session.file, session);
      applyRetention();
    },
    ended(session) {
      recordings.delete(session.file);
      if (isVain(session.file, clock) && !opened.has(session.file)) tryDelete(session.file);
      refresh();
    },
  };
}

/** 1 to 120 characters on one line, without spaces around them. */
function checkName(name: string): Result<string, Problem> {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length === 0 || length > longestName)
    return err({
      code: 'name',
      message: `A name has 1 to ${longestName} characters; this one has ${length}.`,
    });
  if (/[\p{Cc}\u2028\u2029]/u.test(trimmed))
    return err({
      code: 'name',
      message: 'A name stands on one line: no line breaks, tabs or control characters.',
    });
  return ok(trimmed);
}

/** Of a handful of records at most: more than a failed attempt to connect leaves. */
const vainRecords = 100;

/** Nothing but our own requests is in it: connecting failed, and there is nothing to look at. */
function isVain(file: string, clock: Clock): boolean {
  const summary = readSessionSummary(file);
  if (!summary.ok) return false;
  const { records, closed, name, kept } = summary.value;
  if (!closed || records > vainRecords || name !== undefined || kept) return false;
  const session = openSqliteSession(file, { clock });
  if (!session.ok) return false;
  const heads = [...session.value.heads({})];
  session.value.close();
  return heads.every(({ kind }) => kind === 'request' || kind === 'connection');
}

function tryDelete(file: string): Result<void, Problem> {
  try {
    deleteSession(file);
    return ok(undefined);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const gone = error.code === 'ENOENT';
    return gone
      ? ok(undefined)
      : err({ code: 'not-deleted', message: `${file} cannot be deleted (${error.code ?? 'unknown'}).` });
  }
}

/** One that cannot be read may be of a newer Loopscope, or another user's: only the user decides. Nothing is in an empty one. */
function mayGo(row: SessionRow): boolean {
  if (row.state === 'closed' || row.state === 'interrupted') return true;
  // Another process may be making it just now.
  return row.problem?.code === 'empty' && sessionHolder(row.path) === undefined;
}

function readRow(file: string): SessionRow {
  const summary = readSessionSummary(file);
  if (summary.ok) {
    const held = sessionHolder(file) !== undefined;
    return rowOf(file, summary.value, held ? 'elsewhere' : summary.value.closed ? 'closed' : 'interrupted');
  }
  const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    id: path.basename(file),
    path: file,
    name: path.basename(file, sessionExtension),
    named: false,
    state: 'unreadable',
    startedAt: Math.round(changedAt),
    records: 0,
    bytes: bytesOf(file),
    kept: false,
    problem: { code: summary.error.code, message: summary.error.message },
  };
}

function rowOf(file: string, summary: SessionSummary, state: SessionRow['state']): SessionRow {
  const { name, context, operator, startedAt, endedAt, records, kept } = summary;
  return {
    id: path.basename(file),
    path: file,
    name: nameOf(file, summary),
    named: name !== undefined,
    state,
    ...(context === undefined ? {} : { context }),
    ...(operator === undefined ? {} : { operator }),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    records,
    bytes: bytesOf(file),
    kept,
  };
}

/** As the user named it, else from where it came, else from its file. */
function nameOf(file: string, { name, context, operator }: SessionSummary): string {
  const made = [context, operator].filter((part) => part !== undefined).join(' · ');
  return name ?? (made === '' ? path.basename(file, sessionExtension) : made);
}

/** What changes when the file does; undefined when it is gone. */
function stampOf({ file, hasWal, hasLock }: SessionFile): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const wal = hasWal ? statSync(`${file}-wal`, { throwIfNoEntry: false }) : undefined;
  const held = hasLock ? (sessionHolder(file) ?? 0) : 0;
  return `${stat.size} ${stat.mtimeMs} ${stat.mode} ${wal?.size ?? 0} ${wal?.mtimeMs ?? 0} ${held}`;
}

function bytesOf(file: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
