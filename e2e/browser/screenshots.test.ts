/** Pictures of every view on the real test bed, kept in test-results/screens: three sizes, dark and light. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../testbed/paths.ts';
import { browserBedOrSkip } from './chromium.ts';
import { type Incident, show, startIncident, views } from './incident.ts';
import { openTab, see } from './windowPage.ts';

const folder = join(repositoryRoot, 'test-results', 'screens');
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;

/** What a view shows on request, and what opens above one. */
const parts: readonly { readonly name: string; readonly open: (page: Page) => Promise<void> }[] = [
  {
    name: 'feeds',
    async open(page) {
      await openTab(page, 'Informers');
      await page.getByRole('radio', { name: 'Operator’s feeds' }).click();
      await see(page.getByRole('rowheader').filter({ hasText: 'Metrics' }), 'the attached metrics');
    },
  },
  {
    name: 'requests',
    async open(page) {
      await page.getByRole('radio', { name: 'Our requests' }).click();
      await see(
        page.getByText(/^Loopscope sent \d+ requests, and none that writes\.$/),
        'the audit of ourselves',
      );
    },
  },
  {
    name: 'profile',
    async open(page) {
      await openTab(page, 'Queue');
      await page.getByRole('button', { name: 'Edit profile' }).first().click();
      await see(page.getByRole('dialog', { name: /^Profile of/ }), 'the profile');
    },
  },
  {
    name: 'palette',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Objects and commands' }).fill('orders');
      await see(page.getByRole('option').filter({ hasText: 'StatefulSet' }), 'objects of that name');
    },
  },
  {
    name: 'keys',
    async open(page) {
      await page.keyboard.press('?');
      await see(page.getByRole('dialog', { name: 'Keys' }), 'the list of keys');
    },
  },
  {
    name: 'connection',
    async open(page) {
      await page.getByRole('button', { name: /^Connection:/ }).click();
      await see(page.getByRole('menuitem', { name: 'Disconnect' }), 'the menu of the connection');
    },
  },
];

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
    const faults: string[] = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      await take(page, `real-${view.toLowerCase()}-${size.width}`);
      faults.push(...(await misfits(page)).map((fault) => `${view} at ${size.width}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test.each(parts)('$name', async ({ name, open }) => {
    const { page } = incident.window;
    await page.setViewportSize(sizes[0]);
    await open(page);
    await take(page, `real-${name}-${sizes[0].width}`);
    expect(await misfits(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('every view in Chinese', async () => {
    const { page } = incident.window;
    await page.setViewportSize(sizes[1]);
    await page.getByRole('button', { name: 'Appearance and language' }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await page.keyboard.press('Escape');
    await see(page.getByRole('tab', { name: /^诊断结果/ }), 'the tabs in Chinese');
    const faults: string[] = [];
    for (const key of ['1', '2', '3', '4', '5', '6']) {
      await page.keyboard.press(key);
      await see(page.getByRole('tab', { selected: true }).nth(0), `tab ${key}`);
      await take(page, `real-zh-${key}-${sizes[1].width}`);
      faults.push(...(await misfits(page)).map((fault) => `tab ${key}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    const path = join(folder, `${name}-${theme}.png`);
    await page.screenshot({ path });
    expect(statSync(path).size, `bytes of ${path}`).toBeGreaterThan(10_000);
  }
}

/** Text that does not fit and has no tooltip, tables wider than their place, a page that scrolls sideways; a line each. */
function misfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) lines.push(`the page is ${scrollWidth - clientWidth} px too wide`);
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
