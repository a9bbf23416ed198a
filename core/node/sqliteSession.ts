/**
 * Session files: making one to record into, opening one that is there. The log itself is core/node/sqliteLog.ts.
 * A file belongs to its user alone (0600 in a folder of 0700): it holds what the cluster said.
 */
import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import type { RecordSeq } from '../../shared/model/ids.ts';
import type { UnpackedFacts } from '../session/blocksFacts.ts';
import { decodeAgain } from '../session/decode.ts';
import type { IntervalRow, RecordHead, SessionLog } from '../session/record.ts';
import { capabilityHealth, createCodec, type HostCapabilities, probeCapabilities } from './sqliteCodec.ts';
import type { FactsDecoder } from './sqliteLoad.ts';
import { lockSession, sessionHolder, unlockSession } from './sqliteLock.ts';
import { type SessionLimits, SqliteLog } from './sqliteLog.ts';
import {
  createSessionTables,
  damagedFile,
  derivationVersion,
  isSqliteError,
  openSessionDatabase,
  pragmaNumber,
  readMeta,
  type SessionFormatError,
  writeMeta,
} from './sqliteSchema.ts';
import {
  changeSummary,
  readSummary,
  type SessionSummary,
  type SummaryChange,
  setStartedAt,
  settleSummary,
} from './sqliteSummary.ts';
import { makeFolder } from './userFolders.ts';

export const sessionExtension = '.loopscope';
/** Of a file that is being made; it takes its name when it is complete. */
export const partExtension = '.part';

/** What a session was recorded from, as far as it is known. */
export interface ClusterStamp {
  readonly context?: string;
  readonly server?: string;
  /** gitVersion of the API server. */
  readonly version?: string;
  readonly user?: string;
  /** uid of the namespace kube-system: the same for one cluster under any address. */
  readonly clusterId?: string;
}

export interface SqliteSession extends SessionLog {
  readonly file: string;
  /** Adds to what the session says of its cluster; fields given replace those of before. */
  stampCluster(stamp: ClusterStamp): void;
  clusterStamp(): ClusterStamp;
  /** What a list says of it, now. */
  summary(): SessionSummary;
  /** Changes what a list says of it. Throws what SQLite says (a full disk, a file open for reading). */
  describe(change: SummaryChange): void;
  /** For core/node/sqliteCopy.ts: what is in the log, and taking it over as it was there. Never on a live recording. */
  copyIn(head: RecordHead, payload: string | undefined, facts: UnpackedFacts): void;
  storedFacts(seq: RecordSeq): UnpackedFacts;
  copyInterval(row: IntervalRow): void;
  intervalRowsOf(): Iterable<IntervalRow>;
  /** Says that derived tables are not complete and have to be made again. */
  outdateDerived(): void;
  /** Bytes the file may take from now on; recording pauses there. undefined: as much as the disk has. */
  limitSize(bytes: number | undefined): void;
  /** Derived tables were made by another version: they are to be rebuilt from facts. */
  readonly derivedOutdated: boolean;
}

export interface CreateSessionOptions {
  /** Where it goes; made if it is not there. */
  readonly folder: string;
  /** Name of the file, which must not be there. Default: made from time and `id`. */
  readonly fileName?: string;
  /** When it began, ms. Default: now. */
  readonly startedAt?: number;
  readonly clock: Clock;
  /** Names the session (a context, say); with the time it names the file, where only letters, digits and dashes stay. */
  readonly id: string;
  /** Version of the program. Default: none. */
  readonly app?: string;
  readonly limits?: Partial<SessionLimits>;
  readonly capabilities?: HostCapabilities;
  /** Makes facts again that the file does not keep. Default: decodeAgain(). */
  readonly decode?: FactsDecoder;
  /** Called once, when the session was closed. */
  readonly onClose?: () => void;
}

export interface OpenSessionOptions {
  readonly clock: Clock;
  /** append: go on recording where it was left (after a crash). Default: read. */
  readonly mode?: 'read' | 'append';
  readonly app?: string;
  readonly limits?: Partial<Omit<SessionLimits, 'segmentRecords'>>;
  readonly capabilities?: HostCapabilities;
  /** Makes facts again that the file does not keep. Default: decodeAgain(). */
  readonly decode?: FactsDecoder;
  /** Called once, when the session was closed. */
  readonly onClose?: () => void;
}

const defaultLimits: SessionLimits = {
  blockBytes: 256 * 1024,
  segmentRecords: 4096,
  commitEveryMs: 250,
  retryEveryMs: 2000,
  burstMs: 50,
  commitBytes: 4 * 1024 * 1024,
  pausedBytes: 64 * 1024 * 1024,
};

/**
 * Makes a session file and opens it for recording. Fails as a value where the folder or the file cannot be made
 * (`unusable`); later trouble with the disk pauses the recording and is in stats().paused.
 */
export function createSqliteSession(
  options: CreateSessionOptions,
): Result<SqliteSession, SessionFormatError> {
  const { folder, clock, id } = options;
  const startedAt = options.startedAt ?? clock.now();
  let file = path.join(folder, options.fileName ?? sessionFileName(startedAt, id, 1));
  const limits = { ...defaultLimits, ...options.limits };
  let database: DatabaseSync | undefined;
  let made = false;
  try {
    makeFolder(folder);
    // SQLite gives -wal and -shm the mode of the file that is there.
    for (let copy = 2; !made; copy++) {
      made = makeFile(file);
      if (!made && options.fileName !== undefined)
        return err({ code: 'unusable', message: `There is a file ${file} already.` });
      if (!made) file = path.join(folder, sessionFileName(startedAt, id, copy));
    }
    lockSession(file);
    database = new DatabaseSync(file);
    const created = database;
    createSessionTables(created, options.app ?? '', () => {
      writeMeta(created, 'id', id);
      writeMeta(created, 'startedAt', String(startedAt));
      setStartedAt(created, startedAt);
      writeMeta(created, 'app', options.app ?? '');
      writeMeta(created, 'derivation', String(derivationVersion));
      writeMeta(created, 'segmentRecords', String(limits.segmentRecords));
      writeMeta(created, 'closed', 'no');
    });
  } catch (error) {
    if (database?.isOpen) database.close();
    if (!isSqliteError(error) && !isSystemError(error)) throw error;
    if (made) deleteSession(file);
    return err({
      code: 'unusable',
      message: `No session can be recorded in ${folder}: ${error.message}. Make room there, or make it writable, and connect again.`,
    });
  }
  return ok(openLog(database, file, { ...options, limits, readOnly: false }));
}

/** Opens a session file: to read it, or to go on recording into it. Refusals are values with a sentence. */
export function openSqliteSession(
  file: string,
  options: OpenSessionOptions,
): Result<SqliteSession, SessionFormatError> {
  const readOnly = options.mode !== 'append';
  const held = sessionHolder(file) !== undefined;
  if (held && !readOnly) {
    return err({ code: 'unusable', message: `The session ${file} is being recorded by another Loopscope.` });
  }
  const opened = openSessionDatabase(file, { app: options.app ?? '', readOnly, held });
  if (!opened.ok) return opened;
  const database = opened.value;
  try {
    if (!readOnly) {
      lockSession(file);
      writeMeta(database, 'closed', 'no');
    }
    const segmentRecords = Number(readMeta(database, 'segmentRecords') ?? defaultLimits.segmentRecords);
    const limits = { ...defaultLimits, ...options.limits, segmentRecords };
    return ok(openLog(database, file, { ...options, limits, readOnly }));
  } catch (error) {
    database.close();
    if (!readOnly) unlockSession(file);
    return err(damagedFile(file, error));
  }
}

interface OpenLogOptions {
  readonly clock: Clock;
  readonly limits: SessionLimits;
  readonly readOnly: boolean;
  readonly capabilities?: HostCapabilities;
  /** Makes facts again that the file does not keep. Default: decodeAgain(). */
  readonly decode?: FactsDecoder;
  /** Called once, when the session was closed. */
  readonly onClose?: () => void;
}

function openLog(database: DatabaseSync, file: string, options: OpenLogOptions): SqliteSession {
  const capabilities = options.capabilities ?? probeCapabilities();
  const log = new SqliteLog({
    database,
    codec: createCodec(capabilities),
    clock: options.clock,
    limits: options.limits,
    readOnly: options.readOnly,
    decode: options.decode ?? decodeAgain,
    id: readMeta(database, 'id') ?? '',
    missing: () => (existsSync(file) ? undefined : missingSentence(file)),
    startedAt: Number(readMeta(database, 'startedAt')),
    health: capabilityHealth(capabilities),
    onClose(clean) {
      closeDatabase(database, file, options.readOnly, clean);
      options.onClose?.();
    },
  });
  const pageSize = pragmaNumber(database, 'page_size');
  return Object.assign(log, {
    file,
    derivedOutdated: readMeta(database, 'derivation') !== String(derivationVersion),
    stampCluster(stamp: ClusterStamp) {
      writeMeta(database, 'cluster', JSON.stringify({ ...readStamp(database), ...stamp }));
      if (stamp.context !== undefined) changeSummary(database, { context: stamp.context });
    },
    clusterStamp: () => readStamp(database),
    summary: () => readSummary(database, pragmaNumber(database, 'user_version')),
    describe: (change: SummaryChange) => changeSummary(database, change),
    outdateDerived: () => writeMeta(database, 'derivation', '0'),
    limitSize(bytes: number | undefined) {
      const pages = bytes === undefined ? 0xffff_fffe : Math.max(1, Math.floor(bytes / pageSize));
      database.exec(`PRAGMA max_page_count = ${pages}`);
    },
  });
}

function missingSentence(file: string): string {
  return `The session file ${file} was deleted or moved while it is recorded: nothing of it will be left. Save the session elsewhere before you end it.`;
}

function closeDatabase(database: DatabaseSync, file: string, readOnly: boolean, clean: boolean): void {
  if (!readOnly && clean) {
    try {
      settleSummary(database);
      writeMeta(database, 'closed', 'yes');
      // The tail left free pages behind; then the log of changes goes into the file and away. Without it the file opens
      // where nothing may be written, too; while somebody reads it stays.
      database.exec(
        'PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;',
      );
    } catch (error) {
      // The disk filled up just now: the records are in, and the next opening checks the file.
      if (!isSqliteError(error)) throw error;
    }
  }
  database.close();
  if (!readOnly) unlockSession(file);
}

/** Deletes a session file and what SQLite and the lock left beside it. Throws what the file system says. */
export function deleteSession(file: string): void {
  rmSync(file);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  unlockSession(file);
}

function readStamp(database: DatabaseSync): ClusterStamp {
  const text = readMeta(database, 'cluster');
  return text === undefined ? {} : (JSON.parse(text) as ClusterStamp);
}

/** `20261130T083702Z-<id>.loopscope`: by name is by time. `copy`: which of those begun in one second, from 1. */
export function sessionFileName(startedAt: number, id: string, copy: number): string {
  const time = new Date(startedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = id.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 80);
  return `${time}-${name}${copy === 1 ? '' : `-${copy}`}${sessionExtension}`;
}

/** Makes an empty file of the user alone. False: the name is taken. */
function makeFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** What node:fs throws, as against a bug. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
