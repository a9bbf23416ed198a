/** The folder of session files: where it is, what lies in it, what is deleted when a new one begins. */
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { sessionHolder } from './sqliteLock.ts';
import { deleteSession, isSystemError, sessionExtension } from './sqliteSession.ts';
import { type Environment, userFolders } from './userFolders.ts';

/** How many sessions stay. */
export const sessionsKept = 10;

/** The folder of the user's sessions; not made yet. */
export function sessionsFolder(env: Environment = process.env, platform = process.platform): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  return join(userFolders(env, platform).data, 'sessions');
}

/** Session files in a folder, newest first (their names begin with the time). Empty when there is no folder. */
export function listSessionFiles(folder: string): readonly string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return []; // Not there yet, or not ours to read: no sessions either way.
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(sessionExtension))
    .map((entry) => path.join(folder, entry.name))
    .sort()
    .reverse();
}

/**
 * Deletes all but the newest `keep` sessions and gives back which; never one that a living process has open. A file
 * that cannot be deleted stays for the next time.
 */
export function pruneSessions(folder: string, keep = sessionsKept): readonly string[] {
  return listSessionFiles(folder)
    .slice(keep)
    .filter((file) => {
      if (sessionHolder(file) !== undefined) return false;
      try {
        deleteSession(file);
        return true;
      } catch (error) {
        if (!isSystemError(error)) throw error;
        return false;
      }
    });
}
