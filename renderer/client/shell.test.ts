import { describe, expect, test } from 'vitest';
import type { ShellBridge } from '../../shared/contract/shellBridge.ts';
import { createBrowserShell, createDesktopShell, desktopBridge } from './shell.ts';

describe('the desktop around the window', () => {
  function bridge(answer: unknown = {}) {
    let tell: (event: unknown) => void = () => {};
    const calls: unknown[] = [];
    const made: ShellBridge = {
      platform: 'linux',
      call: async (name, params) => {
        calls.push([name, params]);
        return answer;
      },
      on: (listener) => {
        tell = listener;
        return () => {
          tell = () => {};
        };
      },
      pathOf: (file) => (file === 'dropped' ? '/x/dropped' : ''),
    };
    return { made, calls, tell: (event: unknown) => tell(event) };
  }

  test('calls go through the bridge, and a result of another shape is refused', async () => {
    const good = bridge({ path: '/a.loopscope' });
    expect(await createDesktopShell(good.made).call('chooseFile', { what: 'session' })).toEqual({
      path: '/a.loopscope',
    });
    expect(good.calls).toEqual([['chooseFile', { what: 'session' }]]);
    await expect(
      createDesktopShell(bridge({ opened: 'yes' }).made).call('openExternal', { url: 'https://x/' }),
    ).rejects.toThrow();
  });

  test('events that are not of the table are passed over; none comes after the end', () => {
    const { made, tell } = bridge();
    const heard: unknown[] = [];
    const listening = createDesktopShell(made).on((event) => heard.push(event));
    tell({ type: 'command', id: 'help' });
    tell({ type: 'format-disk' });
    tell({ type: 'open', path: 7 });
    listening.dispose();
    tell({ type: 'command', id: 'late' });
    expect(heard).toEqual([{ type: 'command', id: 'help' }]);
  });

  test('a file without a path has none', async () => {
    const shell = createDesktopShell(bridge().made);
    expect([await shell.pathOf('dropped'), await shell.pathOf('made here')]).toEqual([
      '/x/dropped',
      undefined,
    ]);
  });

  test('found on the page where the preload script put it', () => {
    const { made } = bridge();
    expect(desktopBridge({ loopscopeShell: made })).toBe(made);
    expect(desktopBridge({})).toBeUndefined();
  });
});

describe('a browser around the window', () => {
  function page(
    answer: unknown = { ok: true, path: '/tmp/copy.loopscope' },
    secret: string | undefined = 's3',
  ) {
    const opened: string[] = [];
    const sent: { url: string; init: RequestInit | undefined }[] = [];
    const shell = createBrowserShell({
      open: (url) => opened.push(url),
      secret: () => secret,
      fetch: (async (url: string, init?: RequestInit) => {
        sent.push({ url, init });
        return new Response(JSON.stringify(answer));
      }) as unknown as typeof fetch,
    });
    return { shell, opened, sent };
  }
  const file = () => new File(['content'], 'a b.loopscope');

  test('has no file dialogs and no menu, and says so before it is asked', async () => {
    const { shell } = page();
    expect([shell.can('chooseFile'), shell.can('setMenu'), shell.can('openExternal')]).toEqual([
      false,
      false,
      true,
    ]);
    await expect(shell.call('chooseFile', { what: 'log' })).rejects.toThrow('A browser cannot do this');
  });

  test('opens links itself', async () => {
    const { shell, opened } = page();
    expect(await shell.call('openExternal', { url: 'https://kubernetes.io/' })).toEqual({ opened: true });
    expect(opened).toEqual(['https://kubernetes.io/']);
  });

  test('hands a dropped file over to the host, with this tab’s secret, and gets its path there', async () => {
    const { shell, sent } = page();
    expect(await shell.pathOf(file())).toBe('/tmp/copy.loopscope');
    expect(sent[0]?.url).toBe('/drop?name=a%20b.loopscope');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', headers: { 'x-loopscope-secret': 's3' } });
  });

  test('a refusal is the host’s sentence; without a secret or a file nothing is sent', async () => {
    const refused = page({ ok: false, code: 'too-large', message: 'That is too large.' });
    await expect(refused.shell.pathOf(file())).rejects.toThrow('That is too large.');
    const { shell, sent } = page({}, undefined);
    const without = createBrowserShell({ open: () => {}, secret: () => undefined, fetch: fetch });
    expect(await without.pathOf(file())).toBeUndefined();
    expect(await shell.pathOf('text')).toBeUndefined();
    expect(sent).toEqual([]);
  });
});
