/**
 * Opening a session to look at it, whatever became of it: of an older format (it is migrated, or a copy of it where it
 * may not be written), in a folder that may not be written, still being recorded by another process. What is done to
 * the original either happens whole or not at all.
 */
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { makePrivateFolder, type PrivateFolder } from './privateFolder.ts';
import { sessionHolder } from './sqliteLock.ts';
import {
  busyMs,
  checkFormat,
  checkWhole,
  isSqliteError,
  migrate,
  pragmaNumber,
  problemOf,
  readMeta,
  refusalOfFile,
  type SessionFormatError,
  sessionFormat,
} from './sqliteSchema.ts';
import { isSystemError, openSqliteSession, type SqliteSession } from './sqliteSession.ts';
import { readSummary, type SessionSummary } from './sqliteSummary.ts';

export interface ReadingOptions {
  readonly clock: Clock;
  readonly app?: string;
  readonly onClose?: () => void;
  /** Where a copy goes when one is needed. Default: the system's folder for temporary files. */
  readonly temporary?: string;
}

/** Opens a session file for reading. Closing the log removes what had to be made for it. */
export function openForReading(
  file: string,
  options: ReadingOptions,
): Result<SqliteSession, SessionFormatError> {
  const refused = refusalOfFile(file);
  if (refused !== undefined) return err(refused);
  const held = sessionHolder(file) !== undefined;
  const format = formatOf(file);
  if (!format.ok) return format.error.code === 'readOnly' ? openCopy(file, held, options) : format;
  if (format.value < sessionFormat) {
    if (held) return openCopy(file, held, options);
    const migrated = migrateFile(file, options.app ?? '');
    if (!migrated.ok) {
      const mayCopy = migrated.error.code === 'readOnly' || migrated.error.code === 'unusable';
      return mayCopy ? openCopy(file, held, options) : migrated;
    }
  }
  const opened = openSqliteSession(file, options);
  return !opened.ok && opened.error.code === 'readOnly' ? openCopy(file, held, options) : opened;
}

/**
 * What a list says of a file; cheap however long the session is. A refusal says why it cannot be read.
 */
export function readSessionSummary(file: string): Result<SessionSummary, SessionFormatError> {
  const refused = refusalOfFile(file);
  if (refused !== undefined) return err(refused);
  return withDatabase(file, (database) => {
    const problem = checkFormat(database, file);
    return problem === undefined
      ? ok(readSummary(database, pragmaNumber(database, 'user_version')))
      : err(problem);
  });
}

/** Runs `change` on a closed or interrupted session, after bringing it to today's format. All of it or nothing. */
export function changeSession(
  file: string,
  app: string,
  change: (database: DatabaseSync) => void,
): Result<void, SessionFormatError> {
  const migrated = migrateFile(file, app);
  if (!migrated.ok) return migrated;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: busyMs });
    database.exec('BEGIN IMMEDIATE');
    change(database);
    database.exec('COMMIT');
    return ok(undefined);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return err(problemOf(error, file));
  } finally {
    if (database?.isOpen) database.close();
  }
}

/** Brings a file that nobody records into to today's format. Where that fails it is as it was. */
export function migrateFile(file: string, app: string): Result<void, SessionFormatError> {
  const refused = refusalOfFile(file);
  if (refused !== undefined) return err(refused);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: busyMs });
    const problem = checkFormat(database, file) ?? refusalToMigrate(database, file);
    if (problem !== undefined) return err(problem);
    if (pragmaNumber(database, 'user_version') === sessionFormat) return ok(undefined);
    migrate(database, app);
    // As a session of this format that was closed: one file that opens where nothing may be written.
    if (readMeta(database, 'closed') === 'yes') database.exec('PRAGMA journal_mode = DELETE');
    return ok(undefined);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return err(problemOf(error, file));
  } finally {
    if (database?.isOpen) database.close();
  }
}

/** A damaged file is not written: what can still be read of it would be at stake. */
function refusalToMigrate(database: DatabaseSync, file: string): SessionFormatError | undefined {
  return pragmaNumber(database, 'user_version') < sessionFormat ? checkWhole(database, file) : undefined;
}

function formatOf(file: string): Result<number, SessionFormatError> {
  return withDatabase(file, (database) => {
    const problem = checkFormat(database, file);
    return problem === undefined ? ok(pragmaNumber(database, 'user_version')) : err(problem);
  });
}

/**
 * Reads a file without changing it. A file that was left in WAL mode cannot be read in a folder that may not be written;
 * where nothing lies beside it, SQLite may be told that nobody changes it.
 */
function withDatabase<T>(
  file: string,
  read: (database: DatabaseSync) => Result<T, SessionFormatError>,
): Result<T, SessionFormatError> {
  const tried = tryRead(file, file, read);
  if (tried.ok || tried.error.code !== 'readOnly' || existsSync(`${file}-wal`)) return tried;
  return tryRead(new URL(`${pathToFileURL(file).href}?immutable=1`), file, read);
}

function tryRead<T>(
  where: string | URL,
  file: string,
  read: (database: DatabaseSync) => Result<T, SessionFormatError>,
): Result<T, SessionFormatError> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(where, { readOnly: true, timeout: busyMs });
    return read(database);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return err(problemOf(error, file));
  } finally {
    if (database?.isOpen) database.close();
  }
}

/** A copy of the user's own, in today's format; it goes when the log is closed. */
function openCopy(
  file: string,
  held: boolean,
  options: ReadingOptions,
): Result<SqliteSession, SessionFormatError> {
  let folder: PrivateFolder | undefined;
  const remove = () => folder?.dispose();
  try {
    folder = makePrivateFolder('opened', options.temporary);
    const copy = path.join(folder.path, path.basename(file));
    const taken = held ? takeSnapshot(file, copy) : ok(takeFiles(file, copy));
    const migrated = taken.ok ? migrateFile(copy, options.app ?? '') : taken;
    const opened = migrated.ok
      ? openSqliteSession(copy, {
          ...options,
          onClose() {
            remove();
            options.onClose?.();
          },
        })
      : migrated;
    if (!opened.ok) remove();
    // What is said of the copy is meant of the file.
    return opened.ok
      ? opened
      : err({ ...opened.error, message: opened.error.message.replaceAll(copy, file) });
  } catch (error) {
    remove();
    if (!isSystemError(error)) throw error;
    return err({
      code: 'unusable',
      message: `The session ${file} has to be copied to be opened, and that failed: ${error.message}.`,
    });
  }
}

function takeFiles(file: string, copy: string): void {
  for (const suffix of ['', '-wal']) {
    if (!existsSync(file + suffix)) continue;
    copyFileSync(file + suffix, copy + suffix);
    chmodSync(copy + suffix, 0o600);
  }
}

/** Consistent though somebody writes. */
function takeSnapshot(file: string, copy: string): Result<void, SessionFormatError> {
  return tryRead(file, file, (database) => {
    database.prepare('VACUUM INTO ?').run(copy);
    return ok(undefined);
  });
}
