/** Every view, light and dark, checked by axe-core: nothing serious, no error in the console, nobody else spoken to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserBedOrSkip } from './chromium.ts';
import { type Incident, show, startIncident, views } from './incident.ts';
import { gone, openTab, see } from './windowPage.ts';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

  test.each(views)('%s has no serious violation in dark and in light', async (view) => {
    const { page } = incident.window;
    await show(page, view);
    expect(await seriousViolations(page, view)).toEqual([]);
  });

  test.each(layers)('$name has no serious violation in dark and in light', async ({ name, open, inside }) => {
    const { page } = incident.window;
    await open(page);
    const layer = await see(inside(page), name);
    expect(await seriousViolations(page, name)).toEqual([]);
    await page.keyboard.press('Escape');
    await gone(layer, name);
  });
});

/** In both themes; what is moderate or minor is printed. */
async function seriousViolations(page: Page, what: string): Promise<readonly string[]> {
  const serious: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    const { passed, violations } = await runAxe(page);
    expect(passed, `rules that passed for ${what}: axe saw the page`).toBeGreaterThan(15);
    for (const violation of violations) {
      const line = `${what}, ${theme}: ${describeViolation(violation)}`;
      console.log(line);
      if (isSerious(violation)) serious.push(line);
    }
  }
  return serious;
}

interface AxeRun {
  readonly passed: number;
  readonly violations: readonly Violation[];
}

async function runAxe(page: Page): Promise<AxeRun> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run(document).then(({ passes, violations }) => ({ passed: passes.length, violations }))`,
  );
}

function isSerious({ impact }: Violation): boolean {
  return impact === 'serious' || impact === 'critical';
}

function describeViolation({ id, impact, help, nodes }: Violation): string {
  const first = nodes
    .slice(0, 3)
    .map(
      ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ') ?? ''})`,
    );
  return `${impact ?? 'no impact'} ${id}: ${help}; ${nodes.length} times, such as ${first.join(' | ')}`;
}
