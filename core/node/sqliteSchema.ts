/**
 * The session file's tables, their version and what opening checks. The format is an integer of its own, apart from the
 * contract's: an older file is migrated step by step, a newer one is refused. Spec: docs/spec/session.md (SES28–SES33).
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { createSummary } from './sqliteSummary.ts';

/** Written into every file; raised with each migration. */
export const sessionFormat = 2;

/** `LSCP` in the SQLite header: tells a session from any other database. */
const applicationId = 0x4c534350;

/** Of facts as they are kept and of tables made from them. Another value in a file: they are made again. */
export const derivationVersion = 1;

/** Why a session file cannot be used; `message` says what to do. */
export interface SessionFormatError {
  readonly code: 'missing' | 'empty' | 'notASession' | 'newer' | 'damaged' | 'readOnly' | 'unusable';
  readonly message: string;
}

/** Steps from one format to the next; the place is the format it leads to, minus one. */
const migrations: readonly ((database: DatabaseSync) => void)[] = [
  function createTables(database) {
    database.exec(`
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE source (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL,
        newest REAL NOT NULL, lastLo REAL NOT NULL, lastHi REAL NOT NULL, lastTie INTEGER NOT NULL
      );
      -- Sealed. What is small and read first stands first: later columns lie on overflow pages.
      CREATE TABLE block (
        first INTEGER PRIMARY KEY, count INTEGER NOT NULL, kinds INTEGER NOT NULL, bytes INTEGER NOT NULL,
        objects BLOB, heads BLOB NOT NULL, payload BLOB
      );
      -- Not sealed yet: one row a commit, the same columns, nothing compressed.
      CREATE TABLE tail (
        first INTEGER PRIMARY KEY, count INTEGER NOT NULL,
        objects BLOB, heads BLOB NOT NULL, facts TEXT, payload BLOB NOT NULL
      );
      -- revision: how often what is derived from the segment was published; watermark: at its seal, ms.
      CREATE TABLE segment (
        first INTEGER PRIMARY KEY, count INTEGER NOT NULL, revision INTEGER NOT NULL,
        watermark REAL NOT NULL, late INTEGER NOT NULL, objects BLOB NOT NULL
      );
      -- Facts that came when their record was written already.
      CREATE TABLE fact (seq INTEGER PRIMARY KEY, facts TEXT NOT NULL);
      CREATE TABLE interval (
        kind TEXT NOT NULL, subject TEXT NOT NULL, validFrom REAL NOT NULL, id INTEGER NOT NULL,
        validTo REAL, revision INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (kind, subject, validFrom, id)
      ) WITHOUT ROWID;
      CREATE TABLE migration (format INTEGER PRIMARY KEY, app TEXT NOT NULL);
    `);
  },
  createSummary,
];

/**
 * Makes the tables in an empty database, and what `fill` writes into them: all of it or nothing, so that a process that is
 * killed meanwhile leaves an empty file and no half session. `app`: version of the program, for the record of migrations.
 */
export function createSessionTables(database: DatabaseSync, app: string, fill: () => void): void {
  // Both count only before the first table. Small pages lose less at the end of each block.
  database.exec('PRAGMA page_size = 1024; PRAGMA auto_vacuum = INCREMENTAL;');
  prepareForWriting(database);
  database.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${applicationId}`);
  while (takeStep(database, app));
  fill();
  database.exec('COMMIT');
}

/**
 * Pragmas of a connection that writes. NORMAL: a power cut may lose the last commits, never the file. 4,000 pages: as
 * many bytes between checkpoints as SQLite's default has with its larger pages.
 */
export function prepareForWriting(database: DatabaseSync): void {
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;',
  );
}

/** Step by step, each in a transaction of its own: one that fails leaves the file as it was before it. */
export function migrate(database: DatabaseSync, app: string): void {
  for (;;) {
    database.exec('BEGIN IMMEDIATE');
    try {
      // Asked inside: another Loopscope may have been faster.
      if (!takeStep(database, app)) break;
      database.exec('COMMIT');
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  }
}

/** To the next format, inside the caller's transaction. False: it is today's. */
function takeStep(database: DatabaseSync, app: string): boolean {
  const format = pragmaNumber(database, 'user_version');
  const step = migrations[format];
  if (step === undefined) return false;
  step(database);
  database.prepare('INSERT INTO migration (format, app) VALUES (?, ?)').run(format + 1, app);
  database.exec(`PRAGMA user_version = ${format + 1}`);
  return true;
}

export interface OpenDatabaseOptions {
  /** Version of the program, for the record of migrations. */
  readonly app: string;
  readonly readOnly: boolean;
  /** Somebody writes it just now: it was not closed, and that is no reason to check it. */
  readonly held: boolean;
}

/**
 * Opens a session file: right kind, known format (an older one is migrated unless read-only), and whole: a file that
 * was left without being closed is checked page by page.
 */
export function openSessionDatabase(
  file: string,
  options: OpenDatabaseOptions,
): Result<DatabaseSync, SessionFormatError> {
  const refused = refusalOfFile(file);
  if (refused !== undefined) return err(refused);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: options.readOnly, timeout: busyMs });
    const problem = checkFormat(database, file) ?? (options.held ? undefined : checkWhole(database, file));
    if (problem !== undefined) {
      database.close();
      return err(problem);
    }
    if (!options.readOnly) {
      prepareForWriting(database);
      migrate(database, options.app);
      // A recording never waits: what cannot be committed now is tried again.
      database.exec('PRAGMA busy_timeout = 0');
    }
    return ok(database);
  } catch (error) {
    if (database?.isOpen) database.close();
    if (!isSqliteError(error)) throw error;
    return err(problemOf(error, file));
  }
}

/** How long a connection waits for another's write, ms. */
export const busyMs = 2000;

/** What SQLite said of a file, as a sentence. */
export function problemOf(error: SqliteError, file: string): SessionFormatError {
  switch (error.errcode & 0xff) {
    case sqliteCorrupt:
    case sqliteNotADatabase:
      return damagedFile(file, error);
    case sqliteFull:
      return {
        code: 'unusable',
        message: `The disk of ${file} is full. Free some space and try again; the session is as it was.`,
      };
    case sqliteReadOnly:
    case sqliteCannotOpen:
      return { code: 'readOnly', message: `${file} may not be written. Copy it to a folder of yours first.` };
    default:
      return { code: 'unusable', message: `The session ${file} cannot be opened: ${error.message}.` };
  }
}

export function damagedFile(file: string, error: unknown): SessionFormatError {
  const what = error instanceof Error ? error.message : String(error);
  return {
    code: 'damaged',
    message: `The session ${file} is damaged (${what}). Take another copy of it if there is one.`,
  };
}

/** undefined when it is a session of a format that is known. */
export function checkFormat(database: DatabaseSync, file: string): SessionFormatError | undefined {
  if (pragmaNumber(database, 'application_id') !== applicationId) {
    const holds = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables;
    // A process was killed while it made the file.
    return holds === 0 ? emptyFile(file) : notASession(file);
  }
  const format = pragmaNumber(database, 'user_version');
  if (format <= sessionFormat) return undefined;
  return {
    code: 'newer',
    message:
      `This session was recorded by a newer Loopscope (format ${format}; this one knows up to ${sessionFormat}). ` +
      'Update Loopscope to open it.',
  };
}

/** undefined when the file is whole. One that was closed is taken to be. */
export function checkWhole(database: DatabaseSync, file: string): SessionFormatError | undefined {
  if (readMeta(database, 'closed') === 'yes') return undefined;
  const [row] = database.prepare('PRAGMA quick_check(1)').all();
  const answer = String(row?.quick_check);
  if (answer === 'ok') return undefined;
  return { code: 'damaged', message: `The session ${file} is damaged: ${answer}.` };
}

export function readMeta(database: DatabaseSync, key: string): string | undefined {
  const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(key);
  return row === undefined ? undefined : String(row.value);
}

export function writeMeta(database: DatabaseSync, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

export function pragmaNumber(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function emptyFile(file: string): SessionFormatError {
  return { code: 'empty', message: `${file} is empty: nothing was recorded into it. It may be deleted.` };
}

function notASession(file: string): SessionFormatError {
  return { code: 'notASession', message: `${file} is not a Loopscope session.` };
}

/** What can be told without SQLite, which would make a database of an empty file; undefined when nothing is wrong. */
export function refusalOfFile(file: string): SessionFormatError | undefined {
  let handle: number;
  try {
    const found = statSync(file);
    if (found.isDirectory())
      return { code: 'notASession', message: `${file} is a folder. Choose a file in it.` };
    // To open a pipe that nobody writes to would stop everything.
    if (!found.isFile())
      return { code: 'notASession', message: `${file} is no file but a pipe or a device.` };
    handle = openSync(file, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { code: 'missing', message: `There is no session at ${file}.` };
    const why = code === 'EACCES' || code === 'EPERM' ? 'you may not read it' : (code ?? 'unknown');
    return { code: 'unusable', message: `The session ${file} cannot be opened: ${why}.` };
  }
  try {
    const header = Buffer.alloc(32);
    const read = readSync(handle, header, 0, 32, 0);
    if (read === 0) return emptyFile(file);
    if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return notASession(file);
    return cutShort(file, header, fstatSync(handle).size);
  } finally {
    closeSync(handle);
  }
}

/** The header says how many pages there are; what is still in -wal may be missing from a file that was left. */
function cutShort(file: string, header: Buffer, size: number): SessionFormatError | undefined {
  const page = header.readUInt16BE(16);
  const wanted = header.readUInt32BE(28) * (page === 1 ? 65_536 : page);
  if (size >= wanted || statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined) return undefined;
  return {
    code: 'damaged',
    message: `The session ${file} is damaged: ${size} of ${wanted} bytes are there. It was not copied to its end; copy it again.`,
  };
}

const sqliteReadOnly = 8;
const sqliteCorrupt = 11;
const sqliteFull = 13;
const sqliteCannotOpen = 14;
const sqliteNotADatabase = 26;

/** What node:sqlite throws. `errcode` is SQLite's extended result code. */
export interface SqliteError extends Error {
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number';
}

/** SQLite answers the system's ENOSPC and its own page limit with the same code. */
export function isDiskFull(error: SqliteError): boolean {
  return (error.errcode & 0xff) === sqliteFull;
}
