/**
 * Folders for copies of session files that cannot be opened where they lie, in the system's folder for temporary files:
 * for the user alone, gone with what they were made for or with the process; what a killed process left goes at the next start.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Disposable } from '../../shared/base/disposable.ts';

export interface PrivateFolder extends Disposable {
  readonly path: string;
}

/** `loopscope-<what>-<pid>-<random>` in `parent`, mode 0700 (mkdtemp makes it so). Throws what the file system says. */
export function makePrivateFolder(what: 'demo' | 'opened', parent: string = os.tmpdir()): PrivateFolder {
  const folder = mkdtempSync(path.join(parent, `loopscope-${what}-${process.pid}-`));
  keepTrackOf(folder);
  return { path: folder, dispose: () => removeFolder(folder) };
}

const left = /^loopscope-(?:demo|opened)-(\d+)-/;

/** Deletes folders of processes that are gone. Never throws: what cannot be deleted is another user's, or goes later. */
export async function removeLeftFolders(parent: string = os.tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const pid = left.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether a process of this id is there, whoever owns it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Folders that are in use: a process that is told to end twice ends without closing anything. */
const inUse = new Set<string>();

function keepTrackOf(folder: string): void {
  if (inUse.size === 0) process.once('exit', removeAll);
  inUse.add(folder);
}

function removeAll(): void {
  for (const folder of inUse) removeFolder(folder);
}

function removeFolder(folder: string): void {
  inUse.delete(folder);
  if (inUse.size === 0) process.removeListener('exit', removeAll);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows holds an open file: the system empties its temporary folder in its own time.
  }
}
