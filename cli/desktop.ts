/**
 * Where the window of `start` and `open` is shown: a desktop window where Electron can run and its binary is there or
 * arrives, else a page in the browser. One line says which and why. Spec: docs/spec/start.md, ST rules.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, userFolders } from '../core/node/userFolders.ts';
import { err, ok, type Result } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { electronStallMs, electronVersion, fetchElectron, findElectron } from '../tools/electronBinary.ts';
import {
  type ElectronKey,
  type ElectronProblem,
  forget,
  isRemembered,
  mirrorDigest,
  type Remembered,
  recall,
  remember,
} from '../tools/electronBinaryMemory.ts';
import { createProgress, type Terminal } from '../tools/electronBinaryProgress.ts';
import type { ParsedArgs } from './args.ts';
import type { Io } from './io.ts';

/** What this depends on of the machine; tests give their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** 0 is root; undefined where there is no such thing. */
  readonly uid: number | undefined;
  /** node_modules/electron. */
  readonly electronFolder: string;
  /** Where progress goes. */
  readonly terminal: Terminal;
  readonly stallMs: number;
  /** A desktop window that ends with an error within so long never came up, ms. */
  readonly earlyMs: number;
  now(): number;
  monotonic(): number;
  /** Builds the shell where its sources changed; path of its main module. */
  buildShell(): Promise<string>;
}

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    uid: process.getuid?.(),
    electronFolder: fileURLToPath(new URL('../node_modules/electron', import.meta.url)),
    terminal: {
      isTTY: process.stderr.isTTY === true,
      write: (text) => void process.stderr.write(text),
    },
    stallMs: electronStallMs,
    earlyMs: 10_000,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async buildShell() {
      // Loads Vite: only where there is a desktop window to build for.
      const { ensureElectronBuilt } = await import('../tools/buildElectron.ts');
      await ensureElectronBuilt();
      return fileURLToPath(new URL('../dist/electron/main.js', import.meta.url));
    },
  };
}

export type Place =
  | { readonly kind: 'desktop'; readonly binary: string }
  /** `why`: the end of a sentence. */
  | { readonly kind: 'browser'; readonly why: string }
  | { readonly kind: 'stopped' };

/**
 * Decides, and fetches Electron's binary where that decides it. With --electron whatever stands against a desktop window
 * is the problem; without it, the reason for the browser.
 */
export async function choosePlace(
  args: ParsedArgs,
  io: Io,
  machine: Machine,
): Promise<Result<Place, Problem>> {
  const insists = args.has('electron');
  const pageFlag = ['browser', 'port', 'no-open'].find((name) => args.has(name));
  if (pageFlag !== undefined) {
    return insists
      ? err({ code: 'target-place', message: `--electron and --${pageFlag} exclude each other: choose one.` })
      : ok({ kind: 'browser', why: `--${pageFlag} was given` });
  }
  const against = whyNoDesktop(args, io, machine);
  if (against !== undefined) {
    if (!insists) return ok({ kind: 'browser', why: against.why });
    if (!against.yields) return err(noElectron(`${against.why}.`));
  }
  const found = findElectron({ ...machine, folder: machine.electronFolder, env: io.env });
  if (found !== undefined) return ok({ kind: 'desktop', binary: found });
  if (!insists && isSet(io.env.ELECTRON_SKIP_BINARY_DOWNLOAD)) {
    return ok({
      kind: 'browser',
      why: "Electron's binary is not here and ELECTRON_SKIP_BINARY_DOWNLOAD is set",
    });
  }
  return fetchOnce(insists, io, machine);
}

interface Against {
  readonly why: string;
  /** --electron overrules it. */
  readonly yields?: true;
}

function whyNoDesktop(args: ParsedArgs, io: Io, { platform, uid }: Machine): Against | undefined {
  const { env } = io;
  if (args.text('log') === '-') return { why: '--log - reads this terminal, which a desktop window cannot' };
  if (platform === 'linux' && !isSet(env.DISPLAY) && !isSet(env.WAYLAND_DISPLAY))
    return { why: 'there is no desktop here (neither DISPLAY nor WAYLAND_DISPLAY is set)' };
  if (platform === 'linux' && uid === 0) return { why: 'Electron does not run as root' };
  if (isSet(env.CI) && env.CI !== 'false') return { why: 'CI is set', yields: true };
  return undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

async function fetchOnce(insists: boolean, io: Io, machine: Machine): Promise<Result<Place, Problem>> {
  const { electronFolder: folder } = machine;
  const version = electronVersion(folder) ?? 'none';
  const memory = join(userFolders(io.env, machine.platform).config, 'electron-binary.json');
  const key: ElectronKey = {
    version,
    machine: `${machine.platform}-${machine.arch}`,
    mirror: mirrorDigest(io.env),
  };
  const before = insists ? undefined : recall(memory, key, machine.now());
  if (before !== undefined) return ok({ kind: 'browser', why: whyRemembered(before) });

  const progress = createProgress(machine.terminal, `fetching Electron ${version}`);
  const stop = new AbortController();
  const listening = io.onInterrupt(() => stop.abort());
  const since = machine.monotonic();
  const fetched = await fetchElectron({
    ...machine,
    folder,
    env: io.env,
    signal: stop.signal,
    onProgress: (bytes, total) => progress.update(bytes, total, machine.monotonic() - since),
    onUnpack: () => progress.end(),
  });
  progress.end();
  listening.dispose();
  if (fetched.ok) {
    forget(memory);
    return ok({ kind: 'desktop', binary: fetched.binary });
  }
  const { problem } = fetched;
  if (problem.code === 'cancelled') return ok({ kind: 'stopped' });
  if (isRemembered(problem)) keep(memory, key, problem, machine.now());
  if (insists) {
    return err(
      noElectron(
        `Electron's binary could not be fetched: ${problem.message}. A mirror can be named in ELECTRON_MIRROR.`,
      ),
    );
  }
  return ok({
    kind: 'browser',
    why: `Electron's binary could not be fetched (${problem.message}); ${again(problem)}`,
  });
}

function keep(memory: string, key: ElectronKey, problem: ElectronProblem, now: number): void {
  try {
    makeFolder(dirname(memory));
  } catch {
    return; // no folder of our own here: the next start tries again
  }
  remember(memory, key, problem, now);
}

function noElectron(why: string): Problem {
  return {
    code: 'no-electron',
    message: `There is no desktop window: ${why} --browser opens the same in the browser.`,
  };
}

function whyRemembered(before: Remembered): string {
  const day = new Date(before.at).toISOString().slice(0, 10);
  return `Electron's binary could not be fetched on ${day} (${before.message}); ${again(before)}`;
}

function again({ code }: ElectronProblem): string {
  switch (code) {
    case 'stalled':
    case 'refused':
    case 'checksum':
      return "it is not tried again before Electron's version or mirror changes, or now with --electron";
    case 'unsupported':
    case 'cancelled':
      return '--electron tries again';
    case 'offline':
    case 'cut-off':
    case 'not-kept':
      return 'it is tried again after a day, or now with --electron';
  }
}

/** What the desktop shell reads (electron/openRequests.ts): each flag with its value in one word, files by whole paths. */
export function electronArguments(
  args: ParsedArgs,
  open: { readonly session?: string; readonly demo?: string },
  absolute: (path: string) => string,
): readonly string[] {
  const words: string[] = [];
  for (const name of ['kubeconfig', 'log', 'audit', 'profile'] as const) {
    const path = args.text(name);
    if (path !== undefined) words.push(`--${name}=${absolute(path)}`);
  }
  for (const name of ['context', 'metrics'] as const) {
    const value = args.text(name);
    if (value !== undefined) words.push(`--${name}=${value}`);
  }
  for (const namespace of args.list('namespace')) words.push(`--namespace=${namespace}`);
  if (open.demo !== undefined) words.push(`--demo=${open.demo}`);
  if (open.session !== undefined) words.push(absolute(open.session));
  return words;
}

export type DesktopEnd =
  | { readonly kind: 'ended'; readonly code: number }
  /** It never came up; `why` is the end of a sentence. */
  | { readonly kind: 'failed'; readonly why: string };

/** Runs the desktop window until it ends. Signals go on to it; Ctrl-C reaches it by itself. */
export async function runDesktop(
  binary: string,
  words: readonly string[],
  io: Io,
  machine: Machine,
): Promise<DesktopEnd> {
  let main: string;
  try {
    main = await machine.buildShell();
  } catch (error) {
    return {
      kind: 'failed',
      why: `it could not be built: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  // Set, it would make a plain Node of it.
  const { ELECTRON_RUN_AS_NODE: _plainNode, ...env } = io.env;
  const since = machine.monotonic();
  return new Promise((resolve) => {
    const child = spawn(binary, [main, ...words], { stdio: 'inherit', env });
    let told = false;
    const listening = io.onInterrupt((signal) => {
      told = true;
      if (signal !== 'SIGINT') child.kill(signal);
    });
    child.once('error', (error) => {
      listening.dispose();
      resolve({ kind: 'failed', why: `its program could not be started (${error.message})` });
    });
    child.once('close', (code, signal) => {
      listening.dispose();
      const early = machine.monotonic() - since < machine.earlyMs;
      if (early && !told && code !== 0)
        resolve({ kind: 'failed', why: `it ended at once with ${signal ?? `code ${code}`}` });
      else resolve({ kind: 'ended', code: told ? 130 : (code ?? 1) });
    });
  });
}
