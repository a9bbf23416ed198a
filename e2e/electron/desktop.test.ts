/** What the desktop asks of the program: files, links, second starts, menus, dialogs, further windows; and its end. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gone, see } from '../browser/windowPage.ts';
import { repositoryRoot } from '../testbed/paths.ts';
import { eventually } from '../testbed/wait.ts';
import { buildDesktop, type DesktopApp, launch, startDesktop } from './desktopApp.ts';
import { standInOrSkip } from './standInOrSkip.ts';

describe('the desktop around the program', { timeout: 60_000 }, () => {
  if (!standInOrSkip()) return;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-around-'));
  const session = join(dir, 'hot-loop.loopscope');
  const home = join(dir, 'home');
  let app: DesktopApp;

  beforeAll(async () => {
    buildDesktop();
    cpSync(join(repositoryRoot, 'assets', 'demo', 'hot-loop.loopscope'), session);
    // One among the user's sessions, for links.
    const sessions = join(home, '.local', 'share', 'loopscope', 'sessions');
    mkdirSync(sessions, { recursive: true });
    cpSync(
      join(repositoryRoot, 'assets', 'demo', 'parked-retry.loopscope'),
      join(sessions, 'linked.loopscope'),
    );
    app = await startDesktop({ dir, home });
    await see(app.page.getByRole('heading').first(), 'the start page');
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** The two recordings have one name; they differ in their number of records. */
  const shown = (demo: 'hot-loop' | 'parked-retry') => {
    const { records } = JSON.parse(
      readFileSync(join(repositoryRoot, 'assets', 'demo', `${demo}.json`), 'utf8'),
    ) as { records: number };
    return see(app.page.getByText(`${records.toLocaleString('en-US')} records`).first(), `${demo} is shown`);
  };

  test('[SH20] a file from the desktop is opened, and remembered as a recent document', async () => {
    await app.ask('openFile', session);
    await shown('hot-loop');
    expect((await app.ask('desktop')).recentDocuments).toEqual([session]);
  });

  test('[SH21] a link leads to its session, object and view', async () => {
    await app.ask('openUrl', 'loopscope://open?session=linked.loopscope&tab=findings');
    await see(app.page.getByRole('tab', { name: /^Findings/, selected: true }), 'the view of the link');
    await shown('parked-retry');
  });

  test('[SH21] what is no link of ours is passed over; a session that is not here is said', async () => {
    await app.ask('openUrl', 'loopscope://run?command=rm');
    await app.ask('openUrl', 'loopscope://open?session=nowhere.loopscope');
    await see(app.page.getByText(/no session nowhere\.loopscope/).first(), 'that there is no such session');
  });

  test('[SH22] a second start hands over its file and ends', async () => {
    const second = launch({ dir, home, args: [session] });
    expect(await second.ended).toBe(0);
    await shown('hot-loop');
    expect(await app.ask('windows')).toHaveLength(1);
  });

  test('[SH23] a file dialog: the chosen path, and nothing when the user gives up', async () => {
    const call = () =>
      app.page.evaluate(() =>
        (
          window as unknown as { loopscopeShell: { call(name: string, params: unknown): Promise<unknown> } }
        ).loopscopeShell.call('chooseFile', { what: 'session' }),
      );
    for (const [answer, result] of [
      [{ canceled: false, filePaths: [session] }, { path: session }],
      [{ canceled: true, filePaths: [] }, {}],
    ] as const) {
      const asked = call();
      await eventually('the dialog', async () =>
        (await app.ask('dialogs')).length === 1 ? true : undefined,
      );
      await app.ask('answerDialog', answer);
      expect(await asked).toEqual(result);
    }
  });

  test('[SH24] a dropped file’s path comes through the preload script', async () => {
    await app.ask('dropPaths', 0, { 'dropped.loopscope': '/somewhere/dropped.loopscope' });
    const paths = await app.page.evaluate(() => {
      const bridge = (window as unknown as { loopscopeShell: { pathOf(file: unknown): string } })
        .loopscopeShell;
      return [
        bridge.pathOf(new File(['x'], 'dropped.loopscope')),
        bridge.pathOf(new File(['x'], 'made-here')),
      ];
    });
    expect(paths).toEqual(['/somewhere/dropped.loopscope', '']);
  });

  test('[SH25] the theme of the window is the theme of the system’s parts', async () => {
    await app.ask('clickMenu', 'theme.light');
    await eventually('the light theme', async () =>
      (await app.ask('desktop')).theme === 'light' ? true : undefined,
    );
    expect(await app.page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await app.ask('clickMenu', 'theme.dark');
    await eventually('the dark theme', async () =>
      (await app.ask('desktop')).theme === 'dark' ? true : undefined,
    );
  });

  test('[SH26] a further window has an engine of its own; closing it ends that one alone', async () => {
    await app.page.evaluate(() =>
      (
        window as unknown as { loopscopeShell: { call(name: string, params: unknown): Promise<unknown> } }
      ).loopscopeShell.call('newWindow', {}),
    );
    const pages = await eventually('two windows', async () => {
      const all = await app.pages();
      return all.length === 2 ? all : undefined;
    });
    const second = pages[1];
    if (second === undefined) throw new Error('no second page');
    await see(second.getByRole('heading').first(), 'the start page of the second window');
    await eventually('two engines', async () => ((await app.ask('engines')).length === 2 ? true : undefined));
    await app.ask('closeWindow', 1);
    await eventually('one window and one engine', async () => {
      const [windows, engines] = await Promise.all([app.ask('windows'), app.ask('engines')]);
      return windows.length === 1 && engines.length === 1 ? true : undefined;
    });
    await shown('hot-loop');
  });

  test('[SH27] an engine that dies again and again is started with growing pauses; Reconnect does not wait', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [pid = 0] = await eventually(
        'an engine',
        async () => {
          const engines = await app.ask('engines');
          return engines.length > 0 ? engines : undefined;
        },
        { timeoutMs: 20_000 },
      );
      process.kill(pid, 'SIGKILL');
      await see(app.page.getByText('The engine is gone'), 'the banner');
      if (round === 2) await app.page.getByRole('button', { name: 'Reconnect' }).click();
      await gone(app.page.getByText('The engine is gone'), 'the banner', 20_000);
    }
    await shown('hot-loop');
  });

  test('[SH28] quitting with nothing recorded asks nothing and remembers the window’s place', async () => {
    await app.ask('quit').catch(() => undefined);
    expect(await app.ended).toBe(0);
    const settings = JSON.parse(
      readFileSync(join(home, '.config', 'loopscope', 'desktop', 'shell.json'), 'utf8'),
    ) as {
      places: Record<string, unknown>;
    };
    expect(Object.values(settings.places)).toEqual([
      { bounds: { x: 240, y: 102, width: 1440, height: 900 }, maximized: false },
    ]);
  });
});
