/**
 * Which process has a session open: a small file beside it. It keeps another process from writing the same session and
 * from deleting it; a lock whose process is gone counts for nothing.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

function lockFile(session: string): string {
  return `${session}.lock`;
}

/** Process id of who has the session open; undefined when nobody has. */
export function sessionHolder(session: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(lockFile(session), 'utf8');
  } catch {
    return undefined; // No lock, or one that may not be read: then it is not ours to respect.
  }
  const pid = Number.parseInt(text, 10);
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

/** Takes the lock; false when a living process, this one included, has it. */
export function lockSession(session: string): boolean {
  if (sessionHolder(session) !== undefined) return false;
  writeFileSync(lockFile(session), `${process.pid}\n`, { mode: 0o600 });
  return true;
}

export function unlockSession(session: string): void {
  rmSync(lockFile(session), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
