/** Pages of the window told by the scripted engine: no cluster, every state, the same in each run. */
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { serveScripted } from '../scriptedServer.ts';
import { browserOrSkip } from './chromium.ts';

export interface ScriptedBed {
  /** A page of its own. `query` as in screens.ts; errors of the page are collected. */
  open(query: string, size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** No page logged an error or threw. */
  assertClean(): void;
  stop(): Promise<void>;
}

/** For the top of a `describe`: undefined after one skipped test that says why. */
export async function scriptedBedOrSkip(): Promise<ScriptedBed | undefined> {
  const browser: Browser | undefined = await browserOrSkip();
  if (browser === undefined) return undefined;
  const server = await serveScripted().catch(async (cause) => {
    await browser.close();
    throw cause;
  });
  const problems: string[] = [];
  return {
    async open(query, size = { width: 1440, height: 900 }) {
      const context = await browser.newContext({
        viewport: size,
        reducedMotion: 'reduce',
        locale: 'en-US',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${query}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`${query}: ${error.message}`));
      await page.goto(`${server.base}?${query}`, { waitUntil: 'networkidle' });
      await page.evaluate(() => document.fonts.ready);
      await page.locator('#root > *').first().waitFor();
      // Skeletons and what is measured after the first layout.
      await page.waitForTimeout(250);
      return page;
    },
    assertClean() {
      expect(problems).toEqual([]);
    },
    async stop() {
      await browser.close();
      await server.stop();
    },
  };
}
