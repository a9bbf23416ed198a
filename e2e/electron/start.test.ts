/** The desktop program without a cluster: it starts, shows its first page, is one instance, and ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { see } from '../browser/windowPage.ts';
import { buildDesktop, type DesktopApp, startDesktop } from './desktopApp.ts';
import { standInOrSkip } from './standInOrSkip.ts';

describe('the desktop program on the stand-in', () => {
  if (!standInOrSkip()) return;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-desktop-'));
  let app: DesktopApp;

  beforeAll(async () => {
    buildDesktop();
    app = await startDesktop({ dir });
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('starts to its first page without a cluster', async () => {
    console.log(`start to first content: ${Math.round(app.firstPaintMs)} ms (stand-in)`);
    await see(app.page.getByRole('heading').first(), 'the start page');
    expect(app.problems()).toEqual([]);
  });
});
