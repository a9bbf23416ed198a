/** Pictures of every view on the real test bed, kept in test-results/screens: two sizes, dark and light. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../testbed/paths.ts';
import { browserBedOrSkip } from './chromium.ts';
import { type Incident, show, startIncident, views } from './incident.ts';

const folder = join(repositoryRoot, 'test-results', 'screens');
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;

describe('pictures of every view', { timeout: 120_000 }, async () => {
  const bed = await browserBedOrSkip('database-operator');
  if (bed === undefined) return;
  let incident: Incident;

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    incident = await startIncident(bed);
  });

  afterAll(async () => {
    incident.window.assertClean();
    await incident.stop();
    await bed.stop();
  });

  test.each(views)('%s', async (view) => {
    const { page } = incident.window;
    await page.setViewportSize(sizes[0]);
    await show(page, view);
    await page.evaluate(() => document.fonts.ready);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme="${theme}"]`).waitFor();
        const path = join(folder, `real-${view.toLowerCase()}-${theme}-${size.width}.png`);
        await page.screenshot({ path });
        expect(statSync(path).size, `bytes of ${path}`).toBeGreaterThan(10_000);
      }
      for (const line of await cutTexts(page)) console.log(`${view} at ${size.width}: ${line}`);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways, `pixels that ${view} sticks out at ${size.width}`).toBe(0);
    }
  });
});

/** Text that does not fit and has no tooltip, and tables wider than their place; a line each. */
function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines: string[] = [];
    for (const grid of document.querySelectorAll('[role="grid"]')) {
      const over = grid.scrollWidth - grid.clientWidth;
      if (over > 0)
        lines.push(`the table ${grid.getAttribute('aria-label')} is ${over} px wider than its place`);
    }
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!hasText || element.closest('[title], .visuallyHidden') !== null) continue;
      for (let box: HTMLElement | null = element; box !== null; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.overflowX === 'hidden' && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 1) {
          lines.push(
            `cut without a tooltip: "${element.textContent?.trim().slice(0, 60)}" in .${box.className}`,
          );
          break;
        }
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') break;
      }
    }
    return [...new Set(lines)];
  });
}
