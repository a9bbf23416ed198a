/** The window in a page: opened, guarded, and read by what a person would see. */
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { HostProcess } from './webHost.ts';

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** What the browser itself logs as an error and the test means to happen. */
  readonly expectedErrors?: RegExp;
}

export interface WindowPage {
  readonly page: Page;
  /** Nothing was logged as an error, nothing threw, and nobody but the host was spoken to. */
  assertClean(): void;
  close(): Promise<void>;
}

/** A page in a browser context of its own: own storage, own clipboard rights. Opens `url`, by default the printed one. */
export async function openPage(
  browser: Browser,
  host: HostProcess,
  options: PageOptions & { readonly url?: string } = {},
): Promise<WindowPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.theme ?? 'dark',
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  let requests = 0;
  page.on('console', (message) => {
    if (message.type() !== 'error' || options.expectedErrors?.test(message.text())) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    requests += 1;
    if (!isOwn(request.url(), host)) problems.push(`request to ${request.url()}`);
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url().replace(/^ws:/, 'http:'), host)) problems.push(`socket to ${socket.url()}`);
  });
  await page.goto(options.url ?? host.url);
  return {
    page,
    assertClean() {
      expect(requests, 'requests of the page').toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** `data:` and `blob:` never leave the page. */
function isOwn(url: string, host: HostProcess): boolean {
  return url.startsWith('data:') || url.startsWith('blob:') || new URL(url).origin === host.origin;
}

/** Waits until it is on screen; the message of a failure says what was there instead. */
export async function see(locator: Locator, what: string, timeoutMs = 15_000): Promise<Locator> {
  try {
    await locator.first().waitFor({ state: 'visible', timeout: timeoutMs });
  } catch (cause) {
    const shown = await textOf(locator.page().locator('body'));
    throw new Error(`not on screen within ${timeoutMs / 1000} s: ${what}\n${shorten(shown)}`, { cause });
  }
  return locator.first();
}

/** The text as it is laid out: cells and lines apart, nothing of what is hidden. */
export function textOf(locator: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what a person would read is asked for
  return locator.innerText();
}

/** Waits until it is gone from the screen. */
export async function gone(locator: Locator, what: string, timeoutMs = 15_000): Promise<void> {
  try {
    await locator.first().waitFor({ state: 'hidden', timeout: timeoutMs });
  } catch (cause) {
    const shown = await textOf(locator.page().locator('body'));
    throw new Error(`still on screen after ${timeoutMs / 1000} s: ${what}\n${shorten(shown)}`, { cause });
  }
}

/** Waits for the frame of a connected window. */
export async function connected(page: Page, context = 'testbed'): Promise<void> {
  await see(page.getByRole('button', { name: `Connection: ${context}` }), `connected to ${context}`, 45_000);
  await see(page.getByText('Live', { exact: true }), 'the first sync is done', 45_000);
}

/** In their order on screen: the keys 1 to 9. */
export const tabNames = [
  'Why',
  'Timeline',
  'Conditions',
  'Ownership',
  'Queue',
  'RBAC',
  'Informers',
  'Events',
  'Findings',
] as const;
export type TabName = (typeof tabNames)[number];

export async function openTab(page: Page, name: TabName): Promise<void> {
  const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
  if (await tab.isVisible()) await tab.click();
  else {
    // A narrow window keeps its last tabs in More.
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  }
  await see(
    page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }),
    `tab ${name} is selected`,
  );
}

export async function disconnect(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await page.getByRole('menuitem', { name: 'Disconnect' }).click();
  await see(page.getByRole('heading', { name: 'Connect', exact: true }), 'the Connect page is back');
}

/**
 * When a row with all these words is first painted, by the clock of this machine in ms. Watching begins before the
 * returned promise resolves, so what happens next cannot be missed.
 */
export async function watchForRow(
  page: Page,
  words: readonly string[],
  timeoutMs = 10_000,
): Promise<() => Promise<number>> {
  const handle = await page.evaluateHandle(
    ([wanted, limit]) => {
      function holds(): boolean {
        return [...document.querySelectorAll('[role="row"]')].some((row) =>
          wanted.every((word) => row.textContent?.includes(word)),
        );
      }
      if (holds()) throw new Error(`a row with ${wanted.join(', ')} was there before`);
      const shown = new Promise<number>((resolve, reject) => {
        const observer = new MutationObserver(() => {
          if (!holds()) return;
          observer.disconnect();
          clearTimeout(timer);
          requestAnimationFrame(() => resolve(Date.now()));
        });
        const timer = setTimeout(() => {
          observer.disconnect();
          reject(new Error(`no row with ${wanted.join(', ')} within ${limit / 1000} s`));
        }, limit);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      shown.catch(() => undefined);
      return { shown };
    },
    [words, timeoutMs] as const,
  );
  return () => handle.evaluate(({ shown }) => shown);
}

function shorten(text: string): string {
  return text.length > 3_000 ? `${text.slice(0, 3_000)} …` : text;
}
