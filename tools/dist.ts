/**
 * `npm run dist [-- arguments of electron-builder]`: packs the desktop application for this machine into dist/packages,
 * as electron-builder.yml says. Needs Electron's binary; where it is neither here nor to be had, one sentence says that
 * nothing was packed.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureElectronBuilt } from './buildElectron.ts';
import { electronStallMs, electronVersion, fetchElectron, findElectron } from './electronBinary.ts';
import { createProgress } from './electronBinaryProgress.ts';
import { repositoryRoot } from './suites.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const here = await electronIsHere();
  if (here !== undefined) {
    console.error(
      `Nothing was packed: Electron's binary is not here and could not be fetched (${here}). With a connection, or a mirror named in ELECTRON_MIRROR, run this again.`,
    );
    return 1;
  }
  await ensureElectronBuilt();
  const forOthers = args.some((arg) => /^(-[mwl]|--(mac|win|windows|linux))$/.test(arg));
  const words = [
    fileURLToPath(import.meta.resolve('electron-builder/cli.js')),
    ...args,
    '--config',
    join(repositoryRoot, 'electron-builder.yml'),
    // The binary that is here, not one fetched again; another system's electron-builder fetches itself.
    ...(forOthers ? [] : ['-c.electronDist=node_modules/electron/dist']),
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: repositoryRoot, stdio: 'inherit' });
    child.once('error', (error) => {
      console.error(`electron-builder could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Undefined when it is; else why not, the end of a sentence. */
async function electronIsHere(): Promise<string | undefined> {
  const machine = {
    folder: join(repositoryRoot, 'node_modules/electron'),
    env: process.env,
    platform: process.platform,
    arch: process.arch,
  };
  if (findElectron(machine) !== undefined) return undefined;
  const progress = createProgress(
    { isTTY: process.stderr.isTTY === true, write: (text) => void process.stderr.write(text) },
    `fetching Electron ${electronVersion(machine.folder) ?? ''}`,
  );
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const since = performance.now();
  const fetched = await fetchElectron({
    ...machine,
    stallMs: electronStallMs,
    signal: stop.signal,
    onProgress: (bytes, total) => progress.update(bytes, total, performance.now() - since),
  });
  progress.end();
  return fetched.ok ? undefined : fetched.problem.message;
}
