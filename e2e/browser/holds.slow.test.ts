/** What the window holds on to: its place over a reload, the focus, what Esc leaves, what is on screen without a host. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../testbed/paths.ts';
import { browserOrSkip } from './chromium.ts';
import { leaveTour, seeStep } from './demoWalk.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { gone, openPage, openTab, see, tabNames, textOf, type WindowPage } from './windowPage.ts';

describe('the window holds on', { timeout: 120_000 }, async () => {
  const browser = await browserOrSkip();
  if (browser === undefined) return;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-holds-'));
  let host: HostProcess | undefined;
  let window: WindowPage | undefined;

  afterEach(async () => {
    await window?.close();
    window = undefined;
    await host?.stop();
    host = undefined;
  });
  afterAll(async () => {
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  });

  async function openDemo(options: Parameters<typeof openPage>[2] = {}): Promise<WindowPage> {
    host = await startHost({ dir, args: ['--demo=status-forbidden'] });
    const opened = await openPage(browser as NonNullable<typeof browser>, host, options);
    window = opened;
    await seeStep(opened.page, 1);
    await leaveTour(opened.page);
    await opened.page.getByRole('slider').press('End');
    await see(opened.page.getByRole('tab', { name: /^RBAC 1/ }), 'the end of the incident');
    return opened;
  }

  test('a reload comes back to the place, and keeps what was changed a moment before it', async () => {
    const { page, assertClean } = await openDemo();
    await openTab(page, 'Queue');
    await openTab(page, 'Events');
    await page.keyboard.press('/');
    await page.keyboard.type('kind:Pod');
    await page.getByRole('separator', { name: /navigation/i }).press('End');
    await page.reload();
    await see(page.getByRole('tab', { name: /^Events/, selected: true }), 'Events again');
    expect(await page.getByRole('textbox', { name: /Filter events/ }).inputValue()).toBe('kind:Pod');
    const width = page.getByRole('separator', { name: /navigation/i });
    await expect.poll(() => width.getAttribute('aria-valuenow')).toBe('360');
    await page.keyboard.press('[');
    await see(page.getByRole('tab', { name: /^Queue/, selected: true }), 'the place before it');
    assertClean();
  });

  test('the focus goes to what is left of its region when its control leaves', async () => {
    const { page, assertClean } = await openDemo();
    await page.getByRole('separator', { name: /navigation/i }).press('Enter');
    await expect.poll(() => regionOfFocus(page)).toBe('nav');
    await page.keyboard.press('Control+b');
    await openTab(page, 'Events');
    await page.getByRole('grid', { name: 'Events' }).focus();
    await page.keyboard.press('6');
    await see(page.getByRole('tab', { name: /^RBAC/, selected: true }), 'RBAC');
    await expect.poll(() => regionOfFocus(page)).toBe('view');
    // In the settings the field that takes a key, the key and the button that resets all go as they are used.
    await page.keyboard.press('Control+,');
    await page.getByRole('radio', { name: 'Keys' }).click();
    const add = page.getByRole('button', { name: /^Add a key.*Go to Queue/ });
    await add.press('Enter');
    await page.keyboard.press('q');
    await expect.poll(() => add.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: /^Reset all keys/ }).press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    assertClean();
  });

  test('the list of sessions keeps the focus inside: its filter, a deletion, Esc', async () => {
    const folder = join(dir, 'data', 'loopscope', 'sessions');
    mkdirSync(folder, { recursive: true });
    copyFileSync(
      join(repositoryRoot, 'assets', 'demo', 'hot-loop.loopscope'),
      join(folder, 'of-a-day.loopscope'),
    );
    writeFileSync(join(folder, 'broken.loopscope'), 'nothing of ours');
    host = await startHost({
      dir,
      args: ['--kubeconfig', join(dir, 'none')],
      env: { XDG_DATA_HOME: join(dir, 'data') },
    });
    window = await openPage(browser, host);
    const { page } = window;
    await page.getByRole('button', { name: 'All 2 sessions' }).click();
    const dialog = page.getByRole('dialog', { name: /^Sessions/ });
    const grid = dialog.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('/');
    await page.keyboard.type('broken');
    // An input method that is left with Esc keeps what was typed before.
    await dialog
      .getByRole('textbox')
      .first()
      .dispatchEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true });
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('broken');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: 'Delete the session' }).press('Enter');
    await see(dialog.getByText(/No session matches/), 'nothing is left of what was looked for');
    await dialog.getByRole('textbox').first().press('Escape');
    await expect.poll(() => grid.evaluate((node) => node === document.activeElement)).toBe(true);
    await dialog.getByRole('button', { name: 'Rename' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => grid.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await gone(dialog, 'the list');
    window.assertClean();
  });

  test('[W5] panes stop at their ends, at any width, and a drag that is broken off ends', async () => {
    const { page, assertClean } = await openDemo();
    await openTab(page, 'Events');
    const line = page.getByRole('separator', { name: /inspector/i });
    await page.setViewportSize({ width: 1200, height: 800 });
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await line.press(key);
    expect(await line.getAttribute('aria-valuenow')).toBe('420');
    expect(await line.getAttribute('aria-valuemax')).toBe('420');
    await line.press('ArrowRight');
    await expect.poll(() => line.getAttribute('aria-valuenow')).toBe('404');
    const box = await line.boundingBox();
    if (box === null) throw new Error('no line');
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.down();
    await line.evaluate((node) => node.releasePointerCapture(1));
    await page.mouse.move(box.x + 60, box.y + 100);
    await page.mouse.up();
    await page.mouse.move(box.x - 60, box.y + 100);
    await page.mouse.move(box.x + 40, box.y + 100);
    expect(await line.getAttribute('aria-valuenow')).toBe('404');
    assertClean();
  });

  test('with forced colours what lies above the window has a line around it', async () => {
    const { page, assertClean } = await openDemo();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('[data-region="status"]').getByRole('button', { name: 'Tour', exact: true }).click();
    await seeStep(page, 1);
    await page.keyboard.press('?');
    await see(page.getByRole('dialog'), 'the keys');
    for (const layer of ['.tourCard', '.dialogPopup']) {
      const width = await page.locator(layer).evaluate((node) => getComputedStyle(node).borderTopWidth);
      expect(width, layer).toBe('1px');
    }
    assertClean();
  });

  test('[W13] a time ahead of the moment on screen is gone to', async () => {
    const { page, assertClean } = await openDemo();
    const last = await momentOf(page);
    await page.getByRole('slider').press('Home');
    await expect.poll(() => momentOf(page)).not.toBe(last);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(last.slice(0, 8));
    await page.keyboard.press('Enter');
    await expect.poll(() => momentOf(page)).toBe(`${last.slice(0, 8)}.000`);
    assertClean();
  });

  test('without its host every view is still there, and the moment stands', async () => {
    const { page } = await openDemo({ expectedErrors: /ERR_CONNECTION_REFUSED|WebSocket/ });
    await page.getByRole('slider').press('Home');
    await page.keyboard.press('Space');
    await see(page.getByRole('button', { name: 'Pause', exact: true }), 'it plays');
    // What is fetched late is here by then.
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(2_000);
    await host?.stop();
    await see(page.getByText('The engine is gone'), 'the banner');
    const stood = await momentOf(page);
    for (const name of tabNames) await openTab(page, name);
    expect(await page.getByText('This view ended with an error').count()).toBe(0);
    expect(await momentOf(page)).toBe(stood);
  });

  test('Esc leaves the innermost thing alone while a connection is made', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    try {
      const { port } = await new Promise<AddressInfo>((resolve) =>
        silent.once('listening', () => resolve(silent.address() as AddressInfo)),
      );
      const kubeconfig = join(dir, 'silent.json');
      writeFileSync(kubeconfig, JSON.stringify(silentConfig(port)));
      host = await startHost({ dir, args: ['--kubeconfig', kubeconfig] });
      window = await openPage(browser, host);
      const { page } = window;
      await page.getByRole('listbox', { name: 'Connect' }).press('Enter');
      const progress = page.getByRole('heading', { name: /^Connecting to silent/ });
      await see(progress, 'the connection is being made');
      for (const [key, layer] of [
        ['Control+k', page.getByRole('combobox')],
        ['?', page.getByRole('dialog')],
      ] as const) {
        await page.keyboard.press(key);
        await see(layer, key);
        await page.keyboard.press('Escape');
        await gone(layer, key);
        expect(await progress.isVisible(), `Esc after ${key} closed that alone`).toBe(true);
      }
      await page.keyboard.press('Escape');
      await gone(progress, 'the connection');
      window.assertClean();
    } finally {
      silent.close();
    }
  });
});

function silentConfig(port: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'silent',
    clusters: [{ name: 'silent', cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: 'nobody', user: { token: 'none' } }],
    contexts: [{ name: 'silent', context: { cluster: 'silent', user: 'nobody' } }],
  };
}

function regionOfFocus(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region);
}

async function momentOf(page: Page): Promise<string> {
  return (await textOf(page.locator('.statusMoment .mono'))).trim();
}
