/** The window in the desktop program, on a real cluster; then the engine's death under it, and a quit that asks. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connected, gone, openTab, see, textOf } from '../browser/windowPage.ts';
import { eventually } from '../testbed/wait.ts';
import { buildDesktop, type DesktopApp, startDesktop } from './desktopApp.ts';
import { clusterForDesktop, type IncidentBed, startIncident } from './incidentBed.ts';
import { standInOrSkip } from './standInOrSkip.ts';
import { windowSpecs } from './windowSpecs.ts';

describe('the window in the desktop program on the stand-in', { timeout: 90_000 }, async () => {
  if (!standInOrSkip()) return;
  const cluster = await clusterForDesktop();
  if (cluster === undefined) return;
  let bed: IncidentBed;
  let app: DesktopApp;

  beforeAll(async () => {
    buildDesktop();
    bed = await startIncident(cluster);
    app = await startDesktop({ dir: cluster.dir, args: bed.args });
  });
  afterAll(async () => {
    await app?.stop();
    await bed?.stop();
    await cluster.stop();
  });

  windowSpecs(() => app.page);

  test('nothing was logged as an error or thrown', () => {
    expect(app.problems()).toEqual([]);
  });

  test('a menu command reaches the window', async () => {
    await eventually('the menu has it', async () =>
      (await app.ask('menuIds')).includes('tab.events') ? true : undefined,
    );
    await app.ask('clickMenu', 'tab.events');
    await see(app.page.getByRole('tab', { name: /^Events/, selected: true }), 'the Events view');
  });

  test('kill -9 of the engine: said, started again, the same session goes on, nothing sealed is lost', async () => {
    const { page } = app;
    await openTab(page, 'RBAC');
    const folder = join(app.home, '.local', 'share', 'loopscope', 'sessions');
    const before = readdirSync(folder).filter((name) => name.endsWith('.loopscope'));
    expect(before).toHaveLength(1);
    const records = await recordsOf(app);
    const [pid = 0] = await app.ask('engines');
    process.kill(pid, 'SIGKILL');
    await see(page.getByText('The engine is gone'), 'that the engine is gone');
    await see(page.getByRole('tab', { name: /^RBAC/, selected: true }), 'the view stays');
    await see(page.getByText('databases/status', { exact: true }), 'what was there stays');
    await gone(page.getByText('The engine is gone'), 'the banner, once it is back', 30_000);
    const [next = 0] = await app.ask('engines');
    expect(next).not.toBe(pid);
    await connected(page);
    await see(page.getByRole('tab', { name: /^RBAC/, selected: true }), 'the same view');
    expect(readdirSync(folder).filter((name) => name.endsWith('.loopscope'))).toEqual(before);
    const after = await eventually('records of before and after', async () => {
      const count = await recordsOf(app);
      return count >= records ? count : undefined;
    });
    console.log(`records before the kill ${records}, after it ${after}`);
  });

  test('closing while recording asks once, with what is recorded; no keeps everything, yes seals the session', async () => {
    const { page } = app;
    await app.ask('quit');
    const [dialog] = await eventually('the question', async () => {
      const open = await app.ask('dialogs');
      return open.length > 0 ? open : undefined;
    });
    expect(dialog?.options).toMatchObject({
      message: 'Stop recording testbed?',
      buttons: ['Stop and quit', 'Go on recording'],
      cancelId: 1,
      checkboxLabel: 'Do not ask again',
    });
    await app.ask('answerDialog', { response: 1, checkboxChecked: false });
    await openTab(page, 'Events');
    expect(await app.ask('dialogs')).toEqual([]);
    await app.ask('quit');
    await eventually('the question again', async () =>
      (await app.ask('dialogs')).length > 0 ? true : undefined,
    );
    await app.ask('answerDialog', { response: 0, checkboxChecked: false }).catch(() => undefined);
    expect(await app.ended).toBe(0);
    const folder = join(app.home, '.local', 'share', 'loopscope', 'sessions');
    // Sealed: no journal is left beside the file.
    expect(readdirSync(folder).filter((name) => /-wal$/.test(name))).toEqual([]);
  });
});

/** What the strip at the bottom says. */
async function recordsOf(app: DesktopApp): Promise<number> {
  const text = await textOf(app.page.locator('body'));
  return Number(/([\d,]+) records/.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
}
