/**
 * That Electron's binary could not be had is remembered, so that the next start does not wait for it again. One small
 * file in the user's config folder. What will not change by itself (no bytes, refused, not what was promised) counts
 * until Electron's version, this machine's kind or the mirror changes; what may pass (no connection) for a day.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Why the binary is not there. `message` is a sentence's end: "no bytes came for 60 s". Never a host, never a path of ours. */
export interface ElectronProblem {
  readonly code:
    | 'stalled'
    | 'refused'
    | 'checksum'
    | 'offline'
    | 'cut-off'
    | 'not-kept'
    | 'unsupported'
    | 'cancelled';
  readonly message: string;
}

/** What a failure was of; with another one it is tried again. */
export interface ElectronKey {
  readonly version: string;
  /** `linux-x64` */
  readonly machine: string;
  /** Digest of what names the mirror, so that another mirror is tried and none stands in the file. */
  readonly mirror: string;
}

export interface Remembered extends ElectronKey, ElectronProblem {
  /** ms since the epoch. */
  readonly at: number;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** Those that another hour, network or disk may end. */
const passing: ReadonlySet<string> = new Set<ElectronProblem['code']>(['offline', 'cut-off', 'not-kept']);

/** Of the environment: everything that decides where the binary would come from. */
export function mirrorDigest(env: Readonly<Record<string, string | undefined>>): string {
  const named = Object.entries(env)
    .filter(([name, value]) => value !== undefined && /^(npm_(package_)?config_)?electron_/i.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return createHash('sha256').update(named.join('\0')).digest('hex').slice(0, 16);
}

/** The failure that still counts for `key` at `now`; undefined when there is none, or a file that is not ours. */
export function recall(file: string, key: ElectronKey, now: number): Remembered | undefined {
  let found: Partial<Remembered>;
  try {
    found = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as Partial<Remembered>;
  } catch {
    return undefined; // none, or cut off: tried again
  }
  const { at, code, message } = found;
  if (typeof at !== 'number' || typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (found.version !== key.version || found.machine !== key.machine || found.mirror !== key.mirror)
    return undefined;
  // A clock that was set back must not make a day longer.
  if (passing.has(code) && (at > now || now - at >= dayMs)) return undefined;
  return { ...key, at, code, message };
}

/** `file`'s folder is there. Not being able to remember is no failure: then the next start tries again. */
export function remember(file: string, key: ElectronKey, problem: ElectronProblem, now: number): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${JSON.stringify({ ...key, at: now, ...problem }, undefined, 2)}\n`, {
      mode: 0o600,
    });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}

export function forget(file: string): void {
  rmSync(file, { force: true });
}

/** Whether a problem is worth remembering: what the user stopped is not. */
export function isRemembered(problem: ElectronProblem): boolean {
  return problem.code !== 'cancelled' && problem.code !== 'unsupported';
}
