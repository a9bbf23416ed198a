/** The folder of session files: where it is and what lies in it. */
import { type Dirent, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sessionHolder } from './sqliteLock.ts';
import { isSystemError, partExtension, sessionExtension } from './sqliteSession.ts';
import { type Environment, userFolders } from './userFolders.ts';

/** The folder of the user's sessions; not made yet. */
export function sessionsFolder(env: Environment = process.env, platform = process.platform): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return join(userFolders(env, platform).data, 'sessions');
}

/** A session file, and what lies beside it. */
export interface SessionFile {
  readonly file: string;
  readonly hasWal: boolean;
  readonly hasLock: boolean;
}

/** Session files in a folder, newest first (their names begin with the time). Empty when there is no folder. */
export function findSessionFiles(folder: string): readonly SessionFile[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return []; // Not there yet, or not ours to read: no sessions either way.
  }
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(sessionExtension))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map(({ name }) => ({
      file: path.join(folder, name),
      hasWal: names.has(`${name}-wal`),
      hasLock: names.has(`${name}.lock`),
    }));
}

export function listSessionFiles(folder: string): readonly string[] {
  return findSessionFiles(folder).map(({ file }) => file);
}

/** A copy that takes this long is none that still runs. */
const partAgeMs = 24 * 3600 * 1000;

/** Deletes what a crash left of copies that were being made. */
export function removeLeftParts(folder: string, now: number): void {
  for (const name of namesIn(folder)) {
    if (!name.endsWith(partExtension)) continue;
    const file = path.join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || now - stat.mtimeMs < partAgeMs || sessionHolder(file) !== undefined) continue;
    for (const suffix of ['', '-wal', '-shm', '-journal', '.lock']) rmSync(file + suffix, { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return []; // Not there yet, or not ours to read.
  }
}
