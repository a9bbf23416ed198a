/** The same window in the real Electron, where its binary is. Skipped with the reason elsewhere. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDesktop } from './desktopApp.ts';
import { clusterForDesktop, type IncidentBed, startIncident } from './incidentBed.ts';
import { findElectron, launchElectron } from './realElectron.ts';
import { windowSpecs } from './windowSpecs.ts';

const electron = findElectron();

describe('the window in Electron itself', { timeout: 90_000 }, async () => {
  if (electron === undefined) {
    const reason =
      'Electron’s binary is not on this machine (npm start fetches it where there is a connection)';
    test.skip(`skipped: ${reason}`, () => undefined);
    return;
  }
  const cluster = await clusterForDesktop();
  if (cluster === undefined) return;
  let bed: IncidentBed;
  let app: ElectronApplication;
  let page: Page;

  beforeAll(async () => {
    buildDesktop();
    bed = await startIncident(cluster);
    app = await launchElectron(electron, mkdtempSync(join(cluster.dir, 'electron-')), bed.args);
    page = await app.firstWindow();
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    // A recording is running: the question before quitting would wait for ever.
    await app?.evaluate(({ app: program }) => program.exit(0)).catch(() => undefined);
    await bed?.stop();
    await cluster.stop();
  });

  windowSpecs(() => page);

  test('[SH1] the settings as Electron itself has them', async () => {
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
  });

  test('[SH2] the page sees the bridge and no node', async () => {
    const found = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer'].filter((name) => name in window),
    );
    expect(found).toEqual([]);
    expect(await page.evaluate(() => location.href)).toBe('app://loopscope/');
  });
});
