/**
 * The recorded incidents in a real browser, for somebody without a kubeconfig and without a network: each plays, each
 * tour can be walked to its end by keyboard, and nobody but loopback is spoken to.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../testbed/paths.ts';
import { violationsOf } from './axe.ts';
import { browserOrSkip } from './chromium.ts';
import { card, demos, leaveTour, seeStep, walkTour } from './demoWalk.ts';
import { misfits } from './pictures.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { gone, openPage, see, textOf, type WindowPage } from './windowPage.ts';

const screens = join(repositoryRoot, 'test-results', 'screens');
/** Set where this file runs inside a network namespace. */
const offline = 'LOOPSCOPE_TEST_OFFLINE';
const hook = join(repositoryRoot, 'e2e', 'browser', 'connectHook.mjs');

describe('recorded incidents', { timeout: 180_000 }, async () => {
  const launched = await browserOrSkip();
  if (launched === undefined) return;
  const browser: Browser = launched;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-demos-'));
  const connects = join(dir, 'connects.jsonl');
  let host: HostProcess | undefined;
  let window: WindowPage | undefined;

  beforeAll(() => {
    mkdirSync(screens, { recursive: true });
  });
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

  /** A host without any kubeconfig whose every connection, look-up and child is written down. */
  async function open(
    args: readonly string[],
    options: Parameters<typeof openPage>[2] = {},
  ): Promise<WindowPage> {
    host = await startHost({
      dir,
      args,
      env: { NODE_OPTIONS: `--import=${hook}`, LOOPSCOPE_TEST_CONNECTS: connects },
    });
    window = await openPage(browser, host, options);
    return window;
  }

  test.for(demos.map((demo) => [demo.id, demo] as const))(
    '%s: [DM12] the tour leads by keyboard to its end',
    async ([id, { title }]) => {
      const { page, assertClean } = await open([`--demo=${id}`]);
      const faults: string[] = [];
      const steps = await walkTour(page, async ({ step }) => {
        await page.screenshot({ path: join(screens, `demo-${id}-${step}.png`) });
        faults.push(...(await cutText(page)).map((line) => `step ${step}: ${line}`));
        if (step === 1) faults.push(...(await violationsOf(page, `demo ${id}, step 1`)));
      });
      expect(steps.length).toBeGreaterThanOrEqual(5);
      expect(steps.length).toBeLessThanOrEqual(8);
      await page.screenshot({ path: join(screens, `demo-${id}-end.png`) });
      faults.push(...(await violationsOf(page, `demo ${id}, the closing card`)));
      expect(faults).toEqual([]);
      for (const other of demos.filter((one) => one.id !== id))
        await see(card(page).getByRole('button', { name: other.title }), `the way to ${other.title}`);
      expect(await card(page).getAttribute('aria-label')).toBe(`Guided tour: ${title}`);
      assertClean();
      expectLoopbackOnly(connects);
    },
  );

  test('[DM11] [DM15] the start page leads there when there is no kubeconfig; Back, Esc, Tour, another incident, the start page', async () => {
    const { page, assertClean } = await open([]);
    await page
      .getByRole('button', { name: /Parked at the cap/ })
      .first()
      .click();
    await seeStep(page, 1);
    await page.keyboard.press('n');
    await seeStep(page, 2);
    await page.keyboard.press('p');
    const first = await seeStep(page, 1);
    await leaveTour(page);
    await see(
      page.getByRole('button', { name: 'Pause' }).or(page.getByRole('button', { name: 'Play' })),
      'the recording is still there',
    );
    await page.locator('[data-region="status"]').getByRole('button', { name: 'Tour', exact: true }).click();
    expect(await seeStep(page, 1)).toEqual(first);
    // By keyboard to the card itself: F6 leads to it as to any other region.
    for (let n = 0; n < 10; n += 1) {
      await page.keyboard.press('F6');
      if (await page.evaluate(() => document.activeElement?.closest('[data-region="tour"]') !== null)) break;
    }
    expect(await page.evaluate(() => document.activeElement?.closest('[data-region="tour"]') !== null)).toBe(
      true,
    );
    for (let n = 1; n <= first.count; n += 1) {
      await seeStep(page, n);
      await card(page)
        .getByRole('button', { name: n === first.count ? 'Finish' : 'Next' })
        .press('Enter');
    }
    await card(page)
      .getByRole('button', { name: /Woken by its own write/ })
      .click();
    const other = await seeStep(page, 1);
    expect(other.title).not.toBe(first.title);
    for (let n = 1; n <= other.count; n += 1) {
      await seeStep(page, n);
      await page.keyboard.press('n');
    }
    await card(page).getByRole('button', { name: 'Connect a cluster' }).click();
    await gone(card(page), 'the tour');
    await see(page.getByRole('button', { name: /Parked at the cap/ }), 'the start page');
    assertClean();
    expectLoopbackOnly(connects);
  });

  test('[DM12] each step is announced, and the palette opens the tour again', async () => {
    const { page, assertClean } = await open(['--demo=status-forbidden']);
    await seeStep(page, 1);
    const spoken = page.locator('.visuallyHidden[role="status"]').filter({ hasText: /Step 2 of 8\. / });
    await page.keyboard.press('n');
    await spoken.waitFor({ state: 'attached' });
    await leaveTour(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('guided tour');
    await page.keyboard.press('Enter');
    await seeStep(page, 1);
    assertClean();
  });

  test('it plays: pause holds the moment, speed and restart move it', async () => {
    const { page, assertClean } = await open(['--demo=hot-loop']);
    await seeStep(page, 1);
    await leaveTour(page);
    const bar = page.locator('[data-region="status"]');
    const moment = () => textOf(bar.locator('.momentPosition'));
    const play = bar.getByRole('button', { name: 'Play', exact: true });
    await see(play, 'the recording stands after the first step');
    // It stands as soon as it is opened; the step's own moment comes a call later.
    await expect.poll(moment, { timeout: 10_000 }).toMatch(/^00:00:22 of /);
    const stood = await moment();
    await page.waitForTimeout(1_200);
    expect(await moment()).toBe(stood);
    await bar.getByRole('button', { name: 'From the start' }).click();
    await expect.poll(moment, { timeout: 10_000 }).toMatch(/^00:00:0\d of 00:0[12]:\d\d$/);
    await expect.poll(moment, { timeout: 10_000 }).toMatch(/^00:00:0[2-9] of /);
    // Who has nothing against motion sees the step play to its moment, and stand there.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await bar.getByRole('button', { name: 'Tour', exact: true }).click();
    await expect.poll(moment, { timeout: 20_000 }).toMatch(/^00:00:1[5-9] of /);
    await expect.poll(moment, { timeout: 20_000 }).toMatch(/^00:00:22 of /);
    await see(play, 'it stands again');
    expect(await moment()).toMatch(/^00:00:2[23] of /);
    assertClean();
  });

  for (const [width, height] of [
    [1024, 700],
    [800, 560],
  ] as const) {
    test(`[DM13] a window of ${width} × ${height}: cards stay inside and beside what they speak of`, async () => {
      const { page, assertClean } = await open(['--demo=finalizer-orphaned'], { width, height });
      await walkTour(page, async ({ step }) => {
        await page.screenshot({ path: join(screens, `demo-finalizer-orphaned-${width}-${step}.png`) });
      });
      assertClean();
    });
  }

  // In the run that the next test starts; anywhere else there is nothing to skip.
  if (process.env[offline] !== undefined) {
    test('nothing but loopback is there', async () => {
      expect(await reach('192.0.2.7', 443)).toMatch(/^(ENETUNREACH|EHOSTUNREACH)$/);
    });
  }

  test('[DM6] without any network but loopback: each incident is played to the end of its tour', {
    timeout: 600_000,
  }, async (context) => {
    const refusal = process.env[offline] === undefined ? namespaceRefusal() : 'it is inside one';
    if (refusal !== undefined) {
      console.warn(`SKIPPED, no network namespace: ${refusal}`);
      context.skip(refusal);
    }
    const { code, output } = await runOffline();
    expect(code, output).toBe(0);
    for (const { id } of demos)
      expect(output).toContain(`${id}: [DM12] the tour leads by keyboard to its end`);
    expect(output).toContain('nothing but loopback is there');
  });
});

/** Text that is cut with nothing to tell the whole. The cards of the owner graph have a tip, which no attribute shows. */
async function cutText(page: Page): Promise<readonly string[]> {
  return (await misfits(page)).filter((line) => !/in \.(cut strong|ownerText small cut)$/.test(line));
}

/** Every connection and look-up of the host's processes so far was to loopback, and they started nothing but themselves. */
function expectLoopbackOnly(file: string): void {
  const notes = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly what: string; readonly detail: string });
  expect(
    notes.some(({ what }) => what === 'started'),
    'the hook was loaded',
  ).toBe(true);
  const others = notes.filter(({ what, detail }) => {
    switch (what) {
      case 'started':
      case 'pipe':
        return false;
      case 'connect':
        return !/^(127\.0\.0\.1|localhost|::1):\d+$/.test(detail);
      case 'lookup':
        return !/^(127\.0\.0\.1|localhost|::1)$/.test(detail);
      case 'spawn':
        return !detail.startsWith(process.execPath);
      default:
        return true;
    }
  });
  expect(others).toEqual([]);
}

const namespaced = ['--map-root-user', '--net', '--', 'sh', '-c'];

/** Why this machine lets us make no network namespace; undefined: it does. */
function namespaceRefusal(): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} has none`;
  if (!existsSync('/usr/sbin/ip') && !existsSync('/sbin/ip') && !existsSync('/bin/ip'))
    return 'there is no ip command';
  try {
    execFileSync('unshare', [...namespaced, 'ip link set lo up'], { stdio: 'pipe' });
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? (cause.message.split('\n')[0] ?? 'refused') : 'refused';
  }
}

/** The tours once more, by this very file, in a network namespace whose only interface is loopback. */
function runOffline(): Promise<{ readonly code: number; readonly output: string }> {
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--project', 'browser', '--reporter', 'verbose', 'e2e/browser/demo.slow.test.ts'];
  const wanted = 'leads by keyboard|nothing but loopback is there';
  const child = spawn(
    'unshare',
    [...namespaced, `ip link set lo up && exec "$@"`, 'sh', process.execPath, vitest, ...args, '-t', wanted],
    { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, [offline]: '1' } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** What becomes of an attempt to leave this machine. */
function reach(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    socket.once('connect', () => resolve('reached'));
    socket.once('timeout', () => resolve('no answer'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
