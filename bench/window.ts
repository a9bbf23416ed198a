/**
 * The window at a steady rate of events: from the moment the API server gives a change out to the frame that shows it or
 * a newer one, the length of the window's frames, and the delay of the engine's event loop. A real Chromium draws the
 * built window's Events, newest first, over the browser host.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { percentile } from './statistics.ts';
import type { WindowLink, WindowResult, WindowTask } from './windowChild.ts';

export interface WindowOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** What was painted: at `at` (ms since the epoch) the newest change on screen was `number`. */
interface Painted {
  readonly at: number;
  readonly number: number;
}

interface Watched {
  readonly painted: readonly Painted[];
  /** Between frames, ms. */
  readonly frames: readonly number[];
}

/** The bars of the design, section 7 and 2. */
const pixelBarMs = 100;
const loopBarMs = 50;

/** Prints; a missed bar is told, not thrown. Throws when a change was lost or the window shows none. */
export async function benchWindow({ perSecond, seconds, say }: WindowOptions): Promise<void> {
  say(`window at ${perSecond} events/s for ${seconds} s, Events in view, 1440 × 900`);
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-bench-window-'));
  const task: WindowTask = {
    perSecond,
    seconds,
    objects: 200,
    distDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    sessions: folder,
  };
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('windowChild.ts', import.meta.url)),
      JSON.stringify(task),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>() => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the engine ended without an answer');
    return JSON.parse(value as string) as T;
  };
  const browser = await launchChromium();
  try {
    const { url } = await next<WindowLink>();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('tab', { name: /^Events/ }).click();
    await page.getByRole('tab', { name: /^Events/, selected: true }).waitFor();
    await watch(page);
    child.stdin.write('go\n');
    const result = await next<WindowResult>();
    const watched = await page.evaluate<Watched>('globalThis.watched');
    report(result, watched, perSecond * seconds, say);
  } finally {
    await browser.close();
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks at each frame which change is the newest that the rows tell of. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const painted: Painted[] = [];
    const frames: number[] = [];
    Object.assign(globalThis, { watched: { painted, frames } });
    let newest = -1;
    let changed = false;
    new MutationObserver(() => {
      changed = true;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    let last = performance.now();
    const look = (now: number) => {
      frames.push(now - last);
      last = now;
      if (changed) {
        changed = false;
        let number = -1;
        for (const row of document.querySelectorAll('[role="row"]')) {
          for (const [, digits] of (row.textContent ?? '').matchAll(/n(\d{7})/g))
            number = Math.max(number, Number(digits));
        }
        if (number > newest) {
          newest = number;
          // The rows stand in the document as this frame begins; the picture is there when the next one does.
          requestAnimationFrame(() => painted.push({ at: Date.now(), number }));
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

function report(
  { givenAt, recorded, loop, cpu }: WindowResult,
  { painted, frames }: Watched,
  wanted: number,
  say: (line: string) => void,
): void {
  if (recorded < wanted) throw new Error(`${wanted} changes were given out and ${recorded} recorded`);
  const delays: number[] = [];
  let shown = -1;
  for (const { at, number } of painted) {
    for (let each = shown + 1; each <= number; each++) delays.push(at - (givenAt[each] ?? at));
    shown = Math.max(shown, number);
  }
  if (shown !== givenAt.length - 1)
    throw new Error(`the window shows change ${shown}, the last was ${givenAt.length - 1}`);
  const bar = (value: number, limit: number) => `bar ${limit}, ${value <= limit ? 'met' : 'MISSED'}`;
  const at = (values: readonly number[], share: number) => percentile(values, share).toFixed(0);
  const p99 = percentile(delays, 0.99);
  say(
    `  event to pixel         p50 ${at(delays, 0.5)} ms, p99 ${p99.toFixed(0)} ms (${bar(p99, pixelBarMs)}), max ${at(delays, 1)} ms, ${delays.length} changes in ${painted.length} pictures`,
  );
  say(
    `  frames of the window   p50 ${at(frames, 0.5)} ms, p99 ${at(frames, 0.99)} ms, max ${at(frames, 1)} ms`,
  );
  say(
    `  engine's loop delay    p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)} ms (${bar(loop.p99, loopBarMs)}), max ${loop.max.toFixed(0)} ms, ${(cpu * 100).toFixed(0)} % of a core with the scripted cluster in it`,
  );
}
