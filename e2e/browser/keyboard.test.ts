/** The first-use story without a pointer: start, a recorded incident, Why, the patch on the clipboard, Timeline. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../testbed/wait.ts';
import { browserOrSkip } from './chromium.ts';
import { card, leaveTour, seeStep } from './demoWalk.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { gone, openPage, see, tabNames, textOf, type WindowPage } from './windowPage.ts';

describe('the window by keyboard alone', { timeout: 180_000 }, async () => {
  const browser = await browserOrSkip();
  if (browser === undefined) return;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-keyboard-'));
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    host = await startHost({ dir, args: ['--kubeconfig', join(dir, 'none')] });
    window = await openPage(browser, host);
    // Nothing but keys from here on: a pointer that is asked for is a mistake of this test.
    await window.page.mouse.move(0, 0);
  });

  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop();
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('start: Tab reaches the recorded incidents, arrows choose one, Enter plays it', async () => {
    const { page } = window;
    await see(page.getByRole('button', { name: /Status write forbidden/ }), 'the incidents', 30_000);
    await tabTo(page, /Status write forbidden|Woken by its own write|Finalizer outlives|Parked at the cap/);
    for (let n = 0; n < 4 && !/Status write forbidden/.test(await focusText(page)); n += 1) {
      await page.keyboard.press('ArrowLeft');
    }
    expect(await focusText(page)).toMatch(/Status write forbidden/);
    await page.keyboard.press('Enter');
    await seeStep(page, 1);
  });

  test('the tour goes on with N until the cause is told, and Esc leaves it', async () => {
    const { page } = window;
    for (let step = 1; step <= 8; step += 1) {
      await seeStep(page, step);
      if (/copy|patch|fix/i.test(await textOf(card(page)))) break;
      await page.keyboard.press('n');
    }
    await leaveTour(page);
  });

  test('1 shows Why; the copy key puts the patch on the clipboard and says so', async () => {
    const { page } = window;
    await page.keyboard.press('1');
    await see(page.getByRole('tab', { name: /^Why/, selected: true }), 'Why');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await see(inspector.getByText(/databases\/status/).first(), 'the patch', 30_000);
    await page.keyboard.press('Control+c');
    const copied = await eventually(
      'the patch is on the clipboard',
      async () => {
        const text = await page.evaluate(() => navigator.clipboard.readText());
        return text.includes('databases/status') ? text : undefined;
      },
      { timeoutMs: 5_000 },
    );
    expect(copied).toMatch(/update|patch/);
  });

  test('2 shows the Timeline of the same object; arrows walk its versions', async () => {
    const { page } = window;
    await page.keyboard.press('2');
    await see(page.getByRole('tab', { name: /^Timeline/, selected: true }), 'Timeline');
    const region = page.getByRole('region', { name: 'Timeline' });
    await see(region.getByRole('gridcell'), 'what happened to it');
    // Lines and inspector are drawn anew when the reconciles are there: the walk of the next test begins after that.
    await see(region.getByText(/^Reconcile \d+/), 'its reconciles');
  });

  test('F6 walks the regions and comes back; the numbers reach every view', async () => {
    const { page } = window;
    const seen: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      await page.keyboard.press('F6');
      // What is drawn anew just then gives the focus back to its region.
      const region = await eventually('a region has the focus', () =>
        page.evaluate(
          () => document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? undefined,
        ),
      );
      if (region === seen[0]) break;
      seen.push(region);
    }
    expect(seen).toEqual(expect.arrayContaining(['top', 'nav', 'tabs', 'view', 'status']));
    expect(new Set(seen).size, seen.join(', ')).toBe(seen.length);
    for (const [index, name] of tabNames.entries()) {
      await page.keyboard.press(`${index + 1}`);
      await see(page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }), `tab ${name}`);
    }
  });

  test('settings: another key for Findings, used, and reset', async () => {
    const { page } = window;
    await page.keyboard.press('Control+,');
    const dialog = await see(page.getByRole('dialog', { name: 'Settings' }), 'the settings');
    await hasFocus(dialog);
    await page.keyboard.press('ArrowRight');
    const search = dialog.getByRole('textbox', { name: 'Find a command or key' });
    await see(search, 'the keys');
    await tabTo(page, /Find a command or key/);
    await page.keyboard.type('go to findings');
    await tabTo(page, /Add a key for: Go to Findings/);
    await page.keyboard.press('Enter');
    await see(dialog.getByText('Press the keys. Esc cancels.'), 'that it waits for a key');
    await page.keyboard.press('Alt+F');
    await see(dialog.getByText('1 command changed'), 'that it is kept');
    await page.keyboard.press('Escape');
    // Until it is gone, a dialog has the keys.
    await gone(dialog, 'the settings');
    await gone(page.locator('.dialogScrim'), 'its scrim');
    await page.keyboard.press('8');
    await page.keyboard.press('Alt+F');
    await see(page.getByRole('tab', { name: /^Findings/, selected: true }), 'Findings by the new key');
    await page.keyboard.press('Control+,');
    await hasFocus(dialog);
    await tabTo(page, /Reset all keys/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    // Until it is gone, a dialog has the keys.
    await gone(dialog, 'the settings');
    await gone(page.locator('.dialogScrim'), 'its scrim');
    await page.keyboard.press('8');
    await page.keyboard.press('Alt+F');
    await see(page.getByRole('tab', { name: /^Events/, selected: true }), 'that the key is gone');
  });
});

/** A dialog takes the focus a moment after it is there; keys before that are nobody's. */
async function hasFocus(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true);
}

/** What the focused element is called. */
function focusText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });
}

/** Presses Tab until an element of that name has the focus; the message of a failure lists what had it. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let n = 0; n < 80; n += 1) {
    const text = await focusText(page);
    if (name.test(text)) return;
    passed.push(text.slice(0, 40));
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}: ${passed.join(' | ')}`);
}
