/**
 * Which process has a session open: a small file beside it. It keeps another process from writing the same session and
 * from deleting it; a lock whose process is gone counts for nothing, be its number in use again or not.
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
  const [number = '', birth = ''] = text.trim().split(' ');
  const pid = Number.parseInt(number, 10);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  const now = birthOf(pid);
  return birth !== '' && now !== undefined && birth !== now ? undefined : pid;
}

/** Takes the lock; false when a living process, this one included, has it. */
export function lockSession(session: string): boolean {
  if (sessionHolder(session) !== undefined) return false;
  const text = [process.pid, birthOf(process.pid)].filter((part) => part !== undefined).join(' ');
  writeFileSync(lockFile(session), `${text}\n`, { mode: 0o600 });
  return true;
}

export function unlockSession(session: string): void {
  rmSync(lockFile(session), { force: true });
}

/** Tells a process from a later one of the same number; undefined where the system does not say (all but Linux). */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold spaces; the time of the start is the 20th field behind it.
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
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
