/** Every view, light and dark, checked by axe-core: no violation at all, no error in the console, nobody else spoken to. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { browserBedOrSkip } from './chromium.ts';
import { type Incident, show, startIncident, views } from './incident.ts';
import { gone, openTab, see } from './windowPage.ts';

/** What opens above a view, and closes with Esc. */
const layers: readonly {
  readonly name: string;
  readonly open: (page: Page) => Promise<void>;
  readonly inside: (page: Page) => Locator;
}[] = [
  {
    name: 'the palette',
    open: (page) => page.keyboard.press('Control+k'),
    inside: (page) => page.getByRole('combobox', { name: 'Objects and commands' }),
  },
  {
    name: 'the list of keys',
    open: (page) => page.keyboard.press('?'),
    inside: (page) => page.getByRole('dialog', { name: 'Keys' }),
  },
  {
    name: 'the settings of appearance',
    open: (page) => page.keyboard.press('Control+,'),
    inside: (page) => page.getByRole('dialog', { name: 'Settings' }),
  },
  {
    name: 'the settings of keys',
    async open(page) {
      await page.keyboard.press('Control+,');
      await page.getByRole('radio', { name: 'Keys', exact: true }).click();
    },
    inside: (page) => page.getByRole('textbox', { name: 'Find a command or key' }),
  },
  {
    name: 'the help of a filter',
    async open(page) {
      await openTab(page, 'Events');
      await page.getByRole('main').getByRole('button', { name: 'How to filter' }).click();
    },
    inside: (page) => page.getByRole('dialog', { name: 'How to filter' }),
  },
  {
    name: 'the profile',
    open: async (page) => {
      await openTab(page, 'Queue');
      await page.getByRole('button', { name: 'Edit profile' }).first().click();
    },
    inside: (page) => page.getByRole('dialog', { name: /^Profile of/ }),
  },
  {
    name: 'the menu of the connection',
    open: (page) => page.getByRole('button', { name: /^Connection:/ }).click(),
    inside: (page) => page.getByRole('menuitem', { name: 'Disconnect' }),
  },
];

describe('accessibility of every view', { timeout: 120_000 }, async () => {
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

  test.each(views)('%s has no violation in dark and in light', async (view) => {
    const { page } = incident.window;
    await show(page, view);
    expect(await violationsOf(page, view)).toEqual([]);
  });

  test.each(layers)('$name has no violation in dark and in light', async ({ name, open, inside }) => {
    const { page } = incident.window;
    await open(page);
    const layer = await see(inside(page), name);
    expect(await violationsOf(page, name)).toEqual([]);
    await page.keyboard.press('Escape');
    await gone(layer, name);
    // Until its scrim is gone as well, a dialog has the keys.
    await gone(page.locator('.dialogScrim'), `the scrim of ${name}`);
  });
});
