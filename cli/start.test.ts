/** `start` and `open` as processes: what they refuse, which place they name, and what they tell the window to open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { askAppInfo, loopscope, start } from './testing.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscope-start-'));
  writeFileSync(join(folder, 'a.loopscope'), 'not looked into here');
  writeFileSync(join(folder, 'log.txt'), '');
  mkdirSync(join(folder, 'folder.loopscope'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('wrong arguments are 2 with one sentence that says what to do', () => {
  test.each([
    [['open'], 'open needs a file: loopscope open FILE.loopscope'],
    [['open', 'nowhere.loopscope'], 'There is no session nowhere.loopscope.'],
    [['start', 'folder.loopscope'], 'folder.loopscope is a folder and no session.'],
    [
      ['start', 'log.txt'],
      'log.txt is no session: those end in .loopscope. A case folder is judged by loopscope check',
    ],
    [
      ['start', '--demo', 'a.loopscope'],
      '--demo shows a recorded incident, and a.loopscope is a session: choose one.',
    ],
    [['start', 'a.loopscope', '--context', 'x'], 'leave --context out'],
    [['start', '--demo', '--log', 'log.txt'], 'leave --log out'],
    [['start', '--demo', 'no-such-incident'], 'There is no recorded incident no-such-incident. There are: '],
    [['start', '--audit', 'nowhere.jsonl'], 'nowhere.jsonl'],
    [['start', '--electron', '--browser'], '--electron and --browser exclude each other'],
    [['start', '--brower'], 'Did you mean --browser?'],
    [['start', 'a.loopscope', 'b.loopscope'], 'start takes one argument; "b.loopscope" is one too many.'],
    [['opn', 'a.loopscope'], 'Did you mean open?'],
  ])('[ST6] %j', async (args, sentence) => {
    const { code, out, err } = await loopscope(folder, args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('[ST3] --electron where there is no desktop is 1 and says what to do', async () => {
  const { code, out, err } = await loopscope(folder, ['start', '--electron']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('neither DISPLAY nor WAYLAND_DISPLAY is set');
  expect(err).toContain('--browser opens the same in the browser');
});

describe('what the window is told to open', () => {
  const opened = async (args: readonly string[], env: Record<string, string> = {}) => {
    const running = start(folder, args, env);
    try {
      await running.until(({ out }) => /#token=\S+\n/.test(out));
      const link = /http:\S+#token=\S+/.exec(running.text().out)?.[0] ?? '';
      const { autoOpen } = await askAppInfo(link);
      return { autoOpen, err: running.text().err };
    } finally {
      running.process.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 0 });
    }
  };
  const place = ['--no-open', '--port', '0'];

  test('[ST5] without a kubeconfig the recorded incidents; one line says where the window is and why', async () => {
    const { autoOpen, err } = await opened(['start', ...place]);
    expect(autoOpen).toEqual({ demos: true });
    expect(err).toBe('Loopscope opens in the browser: --port was given.\n');
  });

  test('[ST6] --demo: the first; --demo ID: that one', async () => {
    const first = await opened(['start', '--demo', ...place]);
    expect(first.autoOpen).toEqual({ demo: expect.stringMatching(/^[a-z-]+$/) });
    const named = await opened(['start', '--demo', 'hot-loop', ...place]);
    expect(named.autoOpen).toEqual({ demo: 'hot-loop' });
  });

  test('[ST6] a session by its whole path, by start and by open', async () => {
    const session = join(folder, 'a.loopscope');
    expect((await opened(['start', 'a.loopscope', ...place])).autoOpen).toEqual({ session });
    expect((await opened(['open', './a.loopscope', ...place])).autoOpen).toEqual({ session });
  });
});
