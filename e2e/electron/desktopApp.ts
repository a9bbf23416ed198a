/** The built desktop program, started on the stand-in, with a home of its own. */
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { repositoryRoot } from '../testbed/paths.ts';
import { onProcessExit, pause } from '../testbed/processes.ts';
import { eventually } from '../testbed/wait.ts';
import type { Controls } from './standIn/control.ts';

export interface DesktopOptions {
  /** Its home goes below this folder, or is this one when `home` is given. */
  readonly dir: string;
  readonly home?: string;
  readonly args?: readonly string[];
  /** Folder with dist/ and package.json; default: the repository. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface DesktopApp {
  readonly home: string;
  readonly pid: number;
  /** Of the first window. */
  readonly page: Page;
  /** All windows, in the order of their making. */
  pages(): Promise<readonly Page[]>;
  ask<N extends keyof Controls>(
    name: N,
    ...args: Parameters<Controls[N]>
  ): Promise<Awaited<ReturnType<Controls[N]>>>;
  /** All it printed. */
  output(): string;
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
  /** ms from the start of the process to the window's first paint with content. */
  readonly firstPaintMs: number;
  /** Nothing was logged as an error or thrown in the first window. */
  problems(): readonly string[];
  stop(): Promise<void>;
}

/** Environment of the program: nothing of this machine's but what it needs to run. */
export function desktopEnvironment(home: string, env: Readonly<Record<string, string>> = {}) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'dumb',
    ...(process.env.CHROMIUM === undefined ? {} : { CHROMIUM: process.env.CHROMIUM }),
    ...env,
  };
}

/** The folder with dist/ and package.json; another one than the repository to try what was packed. */
const programFolder = process.env.LOOPSCOPE_PROGRAM ?? repositoryRoot;

/** The window and the shell, when their sources are newer than what was built. Throws what the build printed. */
export function buildDesktop(): void {
  if (programFolder !== repositoryRoot) return;
  const script = join(repositoryRoot, 'tools', 'buildElectron.ts');
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, '--if-needed'], {
    cwd: repositoryRoot,
    stdio: 'pipe',
  });
}

/** Starts the program's process and gives what it says; without a window, for a second instance. */
export function launch(options: DesktopOptions) {
  const home = options.home ?? mkdtempSync(join(options.dir, 'desktop-'));
  mkdirSync(home, { recursive: true });
  const child = fork(
    join(options.program ?? programFolder, 'dist', 'electron', 'main.js'),
    [...(options.args ?? [])],
    {
      cwd: home,
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--import',
        join(import.meta.dirname, 'standIn', 'register.ts'),
      ],
      env: desktopEnvironment(home, options.env) as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<number>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 0 : 128))),
  );
  return { child, home, ended, output: () => printed };
}

export async function startDesktop(options: DesktopOptions): Promise<DesktopApp> {
  const since = performance.now();
  const { child, home, ended, output } = launch(options);
  const forgetHook = onProcessExit(() => child.kill('SIGKILL'));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 1;
  let up = false;
  child.on('message', (message: { ready?: true; id?: number; value?: unknown; error?: string }) => {
    if (message.ready) up = true;
    const waiter = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.error === undefined) waiter?.resolve(message.value);
    else waiter?.reject(new Error(message.error));
  });
  void ended.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the program ended (${code}):\n${output()}`));
    waiting.clear();
  });
  const ask = ((name: string, ...args: unknown[]) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      child.send({ id, name, args });
    })) as DesktopApp['ask'];
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.close().catch(() => undefined);
    child.kill('SIGTERM');
    for (let waited = 0; child.exitCode === null && child.signalCode === null && waited < 5_000; waited += 25)
      await pause(25);
    child.kill('SIGKILL');
    forgetHook();
  };
  try {
    await eventually(
      'the program is up',
      () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        return up ? true : undefined;
      },
      { timeoutMs: 30_000 },
    );
    const { endpoint } = await ask('endpoint');
    browser = await chromium.connectOverCDP(endpoint);
    const connected = browser;
    const pages = async () => {
      const windows = await ask('windows');
      const found: Page[] = [];
      for (const page of connected.contexts().flatMap((context) => context.pages())) {
        const session = await page.context().newCDPSession(page);
        const { targetInfo } = await session.send('Target.getTargetInfo');
        await session.detach();
        const at = windows.findIndex(({ targetId }) => targetId === targetInfo.targetId);
        if (at >= 0) found[at] = page;
      }
      return found;
    };
    const page = await eventually('the first window has a page', async () => (await pages())[0], {
      timeoutMs: 20_000,
    });
    page.setDefaultTimeout(15_000);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`thrown: ${error.stack ?? error.message}`));
    await page.waitForFunction(() => document.querySelector('#root')?.textContent?.trim() !== '', undefined, {
      timeout: 30_000,
    });
    const firstPaintMs = performance.now() - since;
    return {
      home,
      pid: child.pid ?? 0,
      page,
      pages,
      ask,
      output,
      ended,
      firstPaintMs,
      problems: () => problems,
      stop,
    };
  } catch (cause) {
    await stop();
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n${output()}`, { cause });
  }
}
