/** The window's specs in a browser; the same as in the desktop program. Then the host goes away and comes back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IncidentBed, startIncident } from '../electron/incidentBed.ts';
import { windowSpecs } from '../electron/windowSpecs.ts';
import { eventually } from '../testbed/wait.ts';
import { browserBedOrSkip } from './chromium.ts';
import { type HostProcess, startHost } from './webHost.ts';
import { connected, gone, openPage, openTab, see, type WindowPage } from './windowPage.ts';

describe('the window in a browser', { timeout: 90_000 }, async () => {
  const bed = await browserBedOrSkip('database-operator');
  if (bed === undefined) return;
  const { cluster, browser } = bed;
  let incident: IncidentBed;
  let host: HostProcess;
  let window: WindowPage;

  beforeAll(async () => {
    incident = await startIncident(cluster);
    host = await startHost({ dir: cluster.dir, args: incident.args });
    // Its host is ended below; a browser says so by itself.
    window = await openPage(browser, host, { expectedErrors: /ERR_CONNECTION_REFUSED|WebSocket connection/ });
  });
  afterAll(async () => {
    window.assertClean();
    await window.close();
    await host.stop().catch(() => undefined);
    await incident.stop();
    await bed.stop();
  });

  windowSpecs(() => window.page);

  test('a dropped connection: said, opened again with the same secret; place and content stay', async () => {
    const { page } = window;
    await page.addInitScript(() => {
      const sockets: WebSocket[] = [];
      const Real = globalThis.WebSocket;
      class Kept extends Real {
        constructor(url: string | URL, protocols?: string | string[]) {
          super(url, protocols);
          sockets.push(this);
        }
      }
      Object.assign(globalThis, { sockets, WebSocket: Kept });
    });
    await page.reload();
    await connected(page);
    await openTab(page, 'RBAC');
    await see(page.getByText('databases/status', { exact: true }).first(), 'the gap');
    // Cut as a network would: the page's socket ends, the host's does not know yet why.
    await page.evaluate(() =>
      (globalThis as unknown as { sockets: WebSocket[] }).sockets.at(-1)?.close(4000),
    );
    await eventually('a host that answers is found again by itself', async () => {
      const count = await page.evaluate(
        () => (globalThis as unknown as { sockets: unknown[] }).sockets.length,
      );
      return count === 2 ? true : undefined;
    });
    await gone(page.getByText('The engine is gone'), 'the banner');
    await connected(page);
    await see(page.getByRole('tab', { name: /^RBAC/, selected: true }), 'the same view');
    await see(page.getByText('databases/status', { exact: true }).first(), 'what was there stays');
  });

  test('a host that is gone for good: tries on, and says what to do', async () => {
    const { page } = window;
    await host.stop();
    await see(page.getByText('The engine is gone'), 'that the engine is gone');
    await see(page.getByText(/Start it again with npm start/), 'what to do', 30_000);
    await see(page.getByText('databases/status', { exact: true }).first(), 'what was there stays');
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(1);
  });
});
