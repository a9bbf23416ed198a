/**
 * Copies of a session: every record taken over, in a file of its own that is as small as we can make it (whole blocks,
 * everything compressed well, no free pages). A recording goes on meanwhile: the copy has what was there when it began,
 * and the work is done in slices that let others run.
 */
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../shared/base/clock.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type RecordSeq, recordSeq } from '../../shared/model/ids.ts';
import { DamagedLog } from '../session/damagedLog.ts';
import { PlayedLog } from '../session/playedLog.ts';
import type { SessionLog } from '../session/record.ts';
import type { SessionFormatError } from './sqliteSchema.ts';
import {
  type ClusterStamp,
  createSqliteSession,
  deleteSession,
  isSystemError,
  openSqliteSession,
  partExtension,
  type SqliteSession,
} from './sqliteSession.ts';
import type { SummaryChange } from './sqliteSummary.ts';
import { systemClock } from './systemClock.ts';

/** How long a slice of the work may hold the loop, ms. */
const sliceMs = 8;

export interface CopyOptions {
  readonly clock: Clock;
  /** Version of the program. */
  readonly app?: string;
  /** The last record to take. Default: the last there is. */
  readonly toSeq?: number;
}

export interface CopiedSession {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
}

/**
 * Writes the session file `from` to `to`, compact, up to record `toSeq`; a file that is there is replaced at the end, in
 * one step. Numbers stay, so that what names a record still names it; that is why a copy always begins at the first.
 */
export async function compactSession(
  from: string,
  to: string,
  options: { readonly toSeq?: number; readonly name?: string; readonly app?: string } = {},
): Promise<Result<CopiedSession, SessionFormatError>> {
  const opened = openSqliteSession(from, { clock: systemClock });
  if (!opened.ok) return opened;
  try {
    const { name, ...rest } = options;
    return await copySession(opened.value, to, name === undefined ? {} : { name }, {
      clock: systemClock,
      ...rest,
    });
  } finally {
    opened.value.close();
  }
}

/** Where a log says more of itself than any log does. */
export interface LogOrigin {
  readonly stamp: ClusterStamp;
  readonly operator: string | undefined;
}

/**
 * Writes `log`, as it is now, to the file `to` (mode 0600). Its records must stay readable until the answer comes. Fails
 * as a value, and leaves nothing, where the file cannot be written.
 */
export async function copySession(
  log: SessionLog,
  to: string,
  change: SummaryChange,
  options: CopyOptions,
): Promise<Result<CopiedSession, SessionFormatError>> {
  const { id, startedAt, records } = log.stats();
  const { clock } = options;
  const part = `.${path.basename(to)}${partExtension}`;
  rmSync(path.join(path.dirname(to), part), { force: true });
  const made = createSqliteSession({
    folder: path.dirname(to),
    fileName: part,
    clock,
    id,
    startedAt,
    ...(options.app === undefined ? {} : { app: options.app }),
    // Never in a hurry: blocks are written whole and small, and no tail is.
    limits: { burstMs: 0, commitEveryMs: 2 ** 31 - 1 },
  });
  if (!made.ok)
    return err({ code: 'unusable', message: `Nothing can be written to ${to}: ${made.error.message}` });
  const copy = made.value;
  const last = Math.min(records, options.toSeq ?? records);
  let done = false;
  try {
    await copyRecords(log, copy, recordSeq(last));
    copyOrigin(log, copy, change, last === records);
    copy.close();
    const { paused } = copy.stats();
    if (paused !== undefined) return err({ code: 'unusable', message: fullSentence(to) });
    const { bytes } = copy.stats();
    renameSync(copy.file, to);
    done = true;
    return ok({ path: to, records: last, bytes });
  } catch (error) {
    if (!isSystemError(error) && !isGone(error)) throw error;
    return err({ code: 'unusable', message: `The session was not saved to ${to}: ${error.message}.` });
  } finally {
    copy.close();
    if (!done) deleteSession(copy.file);
  }
}

async function copyRecords(log: SessionLog, copy: SqliteSession, last: RecordSeq): Promise<void> {
  let began = performance.now();
  if (last < 1) return;
  // Facts that were not kept are not made again only to be left out again.
  const stored = isSqliteSession(log) ? log : undefined;
  for (const head of log.heads({ to: last })) {
    const payload = log.payload(head.seq);
    copy.copyIn(head, payload, stored === undefined ? log.facts(head.seq) : stored.storedFacts(head.seq));
    if (performance.now() - began < sliceMs) continue;
    if (copy.stats().paused !== undefined) return;
    await nextTurn();
    began = performance.now();
  }
}

function copyOrigin(log: SessionLog, copy: SqliteSession, change: SummaryChange, whole: boolean): void {
  // What is shown at a moment of a file has the file's origin.
  const from = log instanceof PlayedLog ? log.whole : log;
  const file = isSqliteSession(from) ? from : undefined;
  // What was derived says something of records that a shorter copy has not; a log without a file cannot list it.
  if (file === log && whole) for (const row of file.intervalRowsOf()) copy.copyInterval(row);
  else copy.outdateDerived();
  if (file !== undefined) {
    copy.stampCluster(file.clusterStamp());
    const { name, operator } = file.summary();
    copy.describe({ name, ...(operator === undefined ? {} : { operator }) });
  }
  copy.describe(change);
}

export function isSqliteSession(log: SessionLog): log is SqliteSession {
  return 'intervalRowsOf' in log && 'file' in log;
}

function fullSentence(to: string): string {
  return `There is no room for ${to}. Free some space or choose another place.`;
}

/** The log was closed, or its file became unreadable, while it was copied. */
function isGone(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === 'ERR_INVALID_STATE' || code === 'ERR_SQLITE_ERROR' || error instanceof DamagedLog;
}
