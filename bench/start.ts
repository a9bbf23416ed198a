/**
 * From `npm start` to the first picture. Each round starts in a copy of the sources of its own, beside the same
 * node_modules: cold is with nothing built, no home and a browser profile without a cache; warm is the second start of
 * the same. The browser itself runs already, as a user's does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { buildDesktop, startDesktop } from '../e2e/electron/desktopApp.ts';
import { launchChromium } from './chromium.ts';
import { median, rawValues } from './statistics.ts';

export interface StartOptions {
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** ms since the program was started. */
interface Times {
  /** The address is printed. */
  readonly address: number;
  /** The first thing is painted. */
  readonly paint: number;
  /** The start page stands there and takes a key. */
  readonly usable: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** What a clone holds that a start reads. */
const sources = [
  ...['assets', 'cli', 'core', 'electron', 'renderer', 'shared', 'tools', 'webhost'],
  ...['package.json', 'package-lock.json', 'tsconfig.base.json', 'vite.config.ts', '.npmrc'],
];
const warmBarMs = 2_000;

export async function benchStart({ rounds, say }: StartOptions): Promise<void> {
  say(
    `start to the first picture, browser host, ${rounds} rounds (installed; cold: nothing built, new home and profile)`,
  );
  const cold: Times[] = [];
  const warm: Times[] = [];
  const browser = await launchChromium();
  try {
    for (let round = 0; round < rounds; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'loopscope-bench-start-'));
      try {
        const clone = copySources(folder);
        const home = join(folder, 'home');
        mkdirSync(home);
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        cold.push(await startOnce(clone, home, browser, context));
        warm.push(await startOnce(clone, home, browser, context));
        await context.close();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    await browser.close();
  }
  for (const [name, times] of [
    ['cold', cold],
    ['warm', warm],
  ] as const) {
    for (const what of ['address', 'paint', 'usable'] as const) {
      const values = times.map((one) => one[what]);
      say(
        `  ${name.padEnd(5)} ${labels[what].padEnd(18)} ${median(values).toFixed(0).padStart(6)} ms ${rawValues(values)}`,
      );
    }
  }
  await shell(rounds, say);
  const paint = median(warm.map((one) => one.paint));
  say(`  warm first paint: bar ${warmBarMs} ms, ${paint <= warmBarMs ? 'met' : 'MISSED'}`);
}

/** The built desktop program on the stand-in for Electron: what is ours of its start, and a Chromium's own start. */
async function shell(rounds: number, say: (line: string) => void): Promise<void> {
  buildDesktop();
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-bench-shell-'));
  const first: number[] = [];
  const second: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const home = join(dir, `home-${round}`);
      for (const times of [first, second]) {
        const app = await startDesktop({ dir, home });
        times.push(app.firstPaintMs);
        await app.stop();
      }
    }
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
  say('  desktop program, built, on a stand-in for Electron (the start of its Chromium included):');
  say(`  first start in a home  ${median(first).toFixed(0).padStart(6)} ms ${rawValues(first)}`);
  say(`  second                 ${median(second).toFixed(0).padStart(6)} ms ${rawValues(second)}`);
}

const labels = { address: 'address printed', paint: 'first paint', usable: 'start page usable' } as const;

function copySources(folder: string): string {
  const clone = join(folder, 'clone');
  for (const name of sources) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir');
  return clone;
}

async function startOnce(
  clone: string,
  home: string,
  browser: Browser,
  context: BrowserContext,
): Promise<Times> {
  if (!browser.isConnected()) throw new Error('the browser is gone');
  const since = Date.now();
  const child = spawn(
    process.execPath,
    [join(clone, 'tools/bootstrap.mjs'), 'start', '--no-open', '--port', '0'],
    {
      cwd: clone,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home },
    },
  );
  const page = await context.newPage();
  try {
    const url = await printedAddress(child);
    const address = Date.now() - since;
    await page.goto(url);
    // Without a kubeconfig there is nothing to connect to: the page of recorded incidents.
    await page.getByRole('heading').first().waitFor();
    await page.keyboard.press('Tab');
    const usable = Date.now() - since;
    // Painted already, but the entry may come a little later.
    const paint = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list, observer) => {
            const entry = list.getEntriesByName('first-contentful-paint')[0];
            if (entry === undefined) return;
            observer.disconnect();
            resolve(performance.timeOrigin + entry.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
    return { address, paint: paint - since, usable };
  } finally {
    await page.close();
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const link = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+(?=\n)/.exec(printed)?.[0];
        if (link !== undefined) resolve(link);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
  });
}
