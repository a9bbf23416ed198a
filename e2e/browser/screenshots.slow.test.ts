/** Pictures of every view on the real test bed, kept in test-results/screens: three sizes, dark and light. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserBedOrSkip } from './chromium.ts';
import { type Incident, show, startIncident, views } from './incident.ts';
import { misfits, take } from './pictures.ts';
import { gone, openTab, see } from './windowPage.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;

/** What a view shows on request, and what opens above one. */
const parts: readonly { readonly name: string; readonly open: (page: Page) => Promise<void> }[] = [
  {
    name: 'sources',
    async open(page) {
      await openTab(page, 'Informers');
      await page.getByRole('radio', { name: 'All sources' }).click();
      await see(page.getByRole('row').filter({ hasText: 'Metrics' }), 'the attached metrics');
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
    if (view === 'Events') {
      await incident.changeRole();
      const change = page.getByRole('row').filter({ hasText: 'modified' }).filter({ hasText: 'app-reader' });
      await (await see(change, 'the change')).click();
    }
    const faults: string[] = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      await take(page, `real-${view.toLowerCase()}-${size.width}`);
      faults.push(...(await misfits(page)).map((fault) => `${view} at ${size.width}: ${fault}`));
    }
    if (view === 'Events') await page.getByRole('button', { name: 'History of this object' }).click();
    expect(faults).toEqual([]);
  });

  test.each(parts)('$name', async ({ name, open }) => {
    const { page } = incident.window;
    await page.setViewportSize(sizes[0]);
    await open(page);
    await take(page, `real-${name}-${sizes[0].width}`);
    expect(await misfits(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // Until it is gone, a dialog has the keys.
    await gone(page.locator('.dialogScrim'), 'the dialog');
  });

  test('every view in Chinese', async () => {
    const { page } = incident.window;
    await page.setViewportSize(sizes[1]);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: '简体中文' }).click();
    await page.keyboard.press('Escape');
    await gone(page.locator('.dialogScrim'), 'the settings');
    await see(page.getByRole('tab', { name: /^诊断结果/ }), 'the tabs in Chinese');
    const faults: string[] = [];
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
      await page.keyboard.press(key);
      await see(page.getByRole('tab', { selected: true }).nth(0), `tab ${key}`);
      await take(page, `real-zh-${key}-${sizes[1].width}`);
      faults.push(...(await misfits(page)).map((fault) => `tab ${key}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});
