/** The pure parts of the shell: arguments and links, outside addresses, window places, menus, PATH of a login shell. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionExtension } from '../core/node/sqliteSession.ts';
import { isOwnPage } from './appScheme.ts';
import { externalLink } from './externalLinks.ts';
import { isOwnFrame } from './hardening.ts';
import { joinPaths, loginShellPath, needsLoginShell } from './loginShell.ts';
import { acceleratorOf, menuTemplate } from './menus.ts';
import { openRequestOf, readArguments, sessionFileExtension } from './openRequests.ts';
import { openShellSettings } from './shellSettings.ts';
import { besides, placeWindow, rememberPlace } from './windowState.ts';

describe('what is asked to be opened', () => {
  test('session files and links are; options of Chromium, other files and other links are not', () => {
    const { open, engine } = readArguments(
      [
        '--allow-file-access',
        'a.loopscope',
        '/b/c.loopscope',
        'notes.txt',
        'loopscope://open?seq=4',
        'loopscope://run?x=1',
        'https://x/a.loopscope.html',
        '-psn_0_1',
      ],
      '/home/me',
    );
    expect(open).toEqual([
      { type: 'open', path: '/home/me/a.loopscope' },
      { type: 'open', path: '/b/c.loopscope' },
      { type: 'link', url: 'loopscope://open?seq=4' },
    ]);
    expect(engine).toEqual({ namespaces: [] });
  });

  test('options of the engine, in both spellings; paths from where it was started', () => {
    expect(
      readArguments(
        [
          '--kubeconfig',
          'kc',
          '--context=dev',
          '--namespace',
          'a,b',
          '--namespace=c',
          '--log=./op.log',
          '--metrics',
          'http://127.0.0.1:1/',
          '--demo',
        ],
        '/w',
      ).engine,
    ).toEqual({
      kubeconfig: '/w/kc',
      context: 'dev',
      namespaces: ['a', 'b', 'c'],
      log: '/w/op.log',
      metrics: 'http://127.0.0.1:1/',
      demo: true,
    });
    expect(readArguments(['--demo=hot-loop'], '/w').engine.demo).toBe('hot-loop');
  });

  test('the extension is the session files’ own', () => {
    expect(sessionFileExtension).toBe(sessionExtension);
    expect(openRequestOf('LOOPSCOPE:nonsense', '/')).toBeUndefined();
  });
});

describe('addresses', () => {
  test('outside: https of named hosts, nothing hidden in it', () => {
    expect(externalLink('https://kubernetes.io/docs/')).toBe('https://kubernetes.io/docs/');
    for (const address of [
      'http://kubernetes.io/',
      'https://kubernetes.io:444/',
      'https://a@kubernetes.io/',
      'https://x.kubernetes.io/',
      'nonsense',
      'file:///x',
    ])
      expect(externalLink(address), address).toBeUndefined();
  });

  test('our page: the scheme and the host, not what only begins like it', () => {
    expect(isOwnPage('app://loopscope/index.html')).toBe(true);
    for (const address of [
      'app://loopscope.evil/',
      'app://x@evil/',
      'https://loopscope/',
      'apps://loopscope/',
      '',
    ])
      expect(isOwnPage(address), address).toBe(false);
    expect(isOwnFrame(null)).toBe(false);
    expect(isOwnFrame({ url: 'app://loopscope/', parent: null })).toBe(true);
    expect(isOwnFrame({ url: 'app://loopscope/', parent: {} })).toBe(false);
  });
});

describe('window places', () => {
  const laptop = {
    bounds: { x: 0, y: 0, width: 1440, height: 900 },
    workArea: { x: 0, y: 25, width: 1440, height: 875 },
  };
  const monitor = {
    bounds: { x: 1440, y: 0, width: 2560, height: 1440 },
    workArea: { x: 1440, y: 0, width: 2560, height: 1440 },
  };
  const onMonitor = { bounds: { x: 2000, y: 100, width: 1600, height: 1000 }, maximized: false };

  test('the first time: the middle of the primary display, not larger than it', () => {
    expect(placeWindow({}, [laptop])).toEqual({
      bounds: { x: 0, y: 25, width: 1440, height: 875 },
      maximized: false,
    });
  });

  test('each arrangement of displays has its own place', () => {
    const onLaptop = { bounds: { x: 50, y: 60, width: 1000, height: 700 }, maximized: true };
    let places = rememberPlace({}, [laptop, monitor], onMonitor);
    places = rememberPlace(places, [laptop], onLaptop);
    expect(placeWindow(places, [monitor, laptop])).toEqual(onMonitor);
    expect(placeWindow(places, [laptop])).toEqual(onLaptop);
  });

  test('a monitor that is gone: on what is there, in the middle, as large as fits', () => {
    const places = rememberPlace({}, [laptop, monitor], onMonitor);
    const { bounds } = placeWindow(places, [laptop]);
    expect(bounds).toEqual({ x: 0, y: 25, width: 1440, height: 875 });
  });

  test('a title bar above the screen or a sliver at its edge cannot be grabbed', () => {
    for (const bounds of [
      { x: 100, y: -40, width: 1000, height: 700 },
      { x: 1400, y: 100, width: 1000, height: 700 },
      { x: -950, y: 100, width: 1000, height: 700 },
      { x: 0, y: 30, width: 10, height: 10 },
    ]) {
      const placed = placeWindow(rememberPlace({}, [laptop], { bounds, maximized: false }), [laptop]);
      expect(placed.bounds, JSON.stringify(bounds)).not.toEqual(bounds);
    }
  });

  test('a further window stands beside the first, or on it where there is no room', () => {
    expect(besides(onMonitor, [laptop, monitor]).bounds).toMatchObject({ x: 2028, y: 128 });
    const low = { bounds: { x: 0, y: 860, width: 1000, height: 700 }, maximized: true };
    expect(besides(low, [laptop])).toEqual({ ...low, maximized: false });
  });

  test('at most eight arrangements are kept, the newest', () => {
    let places = {};
    for (let n = 0; n < 12; n += 1) {
      const screen = { ...laptop, bounds: { ...laptop.bounds, width: 1000 + n } };
      places = rememberPlace(places, [screen], onMonitor);
    }
    expect(Object.keys(places)).toHaveLength(8);
    expect(Object.keys(places).at(-1)).toBe('0,0,1011x900');
  });

  test('a settings file that is broken counts as empty, and is written anew', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopscope-settings-'));
    try {
      const path = join(folder, 'deep', 'shell.json');
      expect(openShellSettings(path, () => {}).get()).toEqual({ places: {}, quitWithoutAsking: false });
      openShellSettings(path, () => {}).set({ quitWithoutAsking: true, places: { a: onMonitor } });
      expect(openShellSettings(path, () => {}).get()).toEqual({
        places: { a: onMonitor },
        quitWithoutAsking: true,
      });
      writeFileSync(
        path,
        '{"places": {"a": {"bounds": {"x": "left"}}, "b": null}, "quitWithoutAsking": "yes"}',
      );
      expect(openShellSettings(path, () => {}).get()).toEqual({ places: {}, quitWithoutAsking: false });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the native menu', () => {
  test('a chord with a modifier is shown; single letters and the clipboard’s keys are not taken', () => {
    expect(acceleratorOf(['Mod+K'], 'linux')).toBe('Control+K');
    expect(acceleratorOf(['L', 'Mod+Shift+ArrowUp'], 'darwin')).toBe('Command+Shift+Up');
    expect(acceleratorOf(['Mod+C'], 'linux')).toBeUndefined();
    expect(acceleratorOf(['G', '?', 'F6'], 'linux')).toBeUndefined();
  });

  test('commands stand in their groups, run by their id, and a disabled one is shown so', () => {
    const ran: string[] = [];
    const base = { keys: [], enabled: true } as const;
    const template = menuTemplate({
      commands: [
        { ...base, id: 'session.open', title: 'Open…', group: 'file', keys: ['Mod+O'] },
        { ...base, id: 'tab.why', title: 'Why', group: 'go', enabled: false },
        { ...base, id: 'theme.dark', title: 'Dark', group: 'app', checked: true },
      ],
      headings: { file: 'Datei', go: 'Gehe zu' },
      platform: 'linux',
      developer: false,
      run: (id) => ran.push(id),
    });
    expect(template.map(({ label, role }) => label ?? role)).toEqual([
      'Datei',
      'editMenu',
      'View',
      'Gehe zu',
      'windowMenu',
    ]);
    const items = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    const open = items.find(({ id }) => id === 'session.open');
    expect(open).toMatchObject({ label: 'Open…', accelerator: 'Control+O', registerAccelerator: false });
    open?.click?.(undefined as never, undefined, undefined as never);
    expect(ran).toEqual(['session.open']);
    expect(items.find(({ id }) => id === 'tab.why')).toMatchObject({ enabled: false });
    expect(items.find(({ id }) => id === 'theme.dark')).toMatchObject({ type: 'checkbox', checked: true });
    expect(
      items.some(({ role }) => role === 'toggleDevTools'),
      'not for users',
    ).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('PATH of the login shell', () => {
  function shell(script: string) {
    const folder = mkdtempSync(join(tmpdir(), 'loopscope-shell-'));
    const path = join(folder, 'shell');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o700);
    return {
      host: { platform: process.platform, env: { SHELL: path, PATH: '/usr/bin:/bin', SECRET: 'x' } },
      end: () => rmSync(folder, { recursive: true }),
    };
  }

  test('PATH alone is taken, out of whatever start files print', async () => {
    const { host, end } = shell(
      `echo welcome; PATH=/opt/tools:/usr/bin:/bin; export PATH; eval "$2"; echo bye`,
    );
    expect(await loginShellPath(host)).toBe('/opt/tools:/usr/bin:/bin');
    end();
  });

  test('a shell that fails, and one that hangs, give nothing; the latter is ended in time', async () => {
    const failing = shell('exit 3');
    expect(await loginShellPath(failing.host)).toBeUndefined();
    failing.end();
    const hanging = shell('exec sleep 60');
    expect(await loginShellPath(hanging.host, 150)).toBeUndefined();
    hanging.end();
    expect(await loginShellPath({ platform: 'linux', env: { SHELL: '/no/such/shell' } })).toBeUndefined();
  });

  test('asked only where the desktop started us; never twice the same folder', () => {
    expect(needsLoginShell({ platform: 'darwin', env: { SHELL: '/bin/zsh' } })).toBe(true);
    expect(needsLoginShell({ platform: 'linux', env: { SHELL: '/bin/bash', TERM: 'xterm' } })).toBe(false);
    expect(needsLoginShell({ platform: 'win32', env: { SHELL: '/bin/bash' } })).toBe(false);
    expect(needsLoginShell({ platform: 'linux', env: {} })).toBe(false);
    expect(joinPaths('/a:/b', '/b:/c:')).toBe('/a:/b:/c');
  });
});
