/** Each hardening setting of docs/spec/shell.md, asserted on the running program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { see } from '../browser/windowPage.ts';
import { eventually } from '../testbed/wait.ts';
import { buildDesktop, type DesktopApp, startDesktop } from './desktopApp.ts';
import { standInOrSkip } from './standInOrSkip.ts';

const callChannel = 'loopscope:call';

describe('hardening of the desktop program', () => {
  if (!standInOrSkip()) return;
  const dir = mkdtempSync(join(tmpdir(), 'loopscope-hardening-'));
  let app: DesktopApp;

  beforeAll(async () => {
    buildDesktop();
    app = await startDesktop({ dir });
    await see(app.page.getByRole('heading').first(), 'the start page');
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('[SH1] web preferences: isolated, sandboxed, no node, no webview, web security on', async () => {
    const [window] = await app.ask('windows');
    expect(window?.preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    });
  });

  test('[SH2] the page has the bridge, frozen, and nothing else: no require, no process, no ipcRenderer', async () => {
    const found = await app.page.evaluate(() => {
      const page = window as unknown as Record<string, unknown>;
      const bridge = page.loopscopeShell as Record<string, unknown>;
      return {
        globals: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
          (name) => name in page,
        ),
        keys: Object.keys(bridge).sort(),
        frozen: Object.isFrozen(bridge),
        prototype: Object.getPrototypeOf(bridge) === Object.prototype,
      };
    });
    expect(found).toEqual({
      globals: [],
      keys: ['call', 'on', 'pathOf', 'platform'],
      frozen: true,
      prototype: true,
    });
  });

  test('[SH3] an own scheme with the policy of the browser host; only plain files of the window', async () => {
    expect(await app.ask('schemes')).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    const index = await app.ask('fetch', 'app://loopscope/');
    expect(index?.status).toBe(200);
    expect(index?.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    for (const [path, method] of [
      ['app://loopscope/../electron/main.js', 'GET'],
      ['app://loopscope/%2e%2e/electron/main.js', 'GET'],
      ['app://loopscope/..%2felectron%2fmain.js', 'GET'],
      ['app://loopscope//etc/passwd', 'GET'],
      ['app://elsewhere/', 'GET'],
      ['app://loopscope/', 'POST'],
    ] as const) {
      expect((await app.ask('fetch', path, method))?.status, `${method} ${path}`).toBe(404);
    }
  });

  test('[SH3] inline script does not run', async () => {
    const ran = await app.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.inlineRan = true';
      document.body.append(script);
      return 'inlineRan' in window;
    });
    expect(ran).toBe(false);
  });

  test('[SH4] navigation, redirects, frames and webviews are refused; the page stays', async () => {
    expect(
      await app.ask('prevented', 0, 'will-navigate', { url: 'https://example.com/', isMainFrame: true }),
    ).toBe(true);
    expect(
      await app.ask('prevented', 0, 'will-navigate', { url: 'file:///etc/passwd', isMainFrame: true }),
    ).toBe(true);
    expect(
      await app.ask('prevented', 0, 'will-navigate', { url: 'app://loopscope/', isMainFrame: true }),
    ).toBe(false);
    expect(
      await app.ask('prevented', 0, 'will-frame-navigate', { url: 'app://loopscope/', isMainFrame: false }),
    ).toBe(true);
    expect(await app.ask('prevented', 0, 'will-redirect', { url: 'app://loopscope/' })).toBe(true);
    expect(await app.ask('prevented', 0, 'will-attach-webview', {})).toBe(true);
    await app.page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await see(app.page.getByRole('heading').first(), 'the page, still');
    expect(await app.page.evaluate(() => location.host)).toBe('loopscope.localhost');
  });

  test('[SH5] no page opens a window', async () => {
    expect(await app.ask('windowOpen', 'https://kubernetes.io/')).toEqual({ action: 'deny' });
    await app.page.evaluate(() => void window.open('https://kubernetes.io/'));
    await eventually('no further page is there', async () => {
      const pages = app.page
        .context()
        .pages()
        .filter((page) => page.url().includes('kubernetes.io'));
      return pages.length === 0 ? true : undefined;
    });
  });

  test('[SH6] permissions are refused, all but putting text on the clipboard; devices and downloads too', async () => {
    for (const permission of [
      'geolocation',
      'notifications',
      'media',
      'clipboard-read',
      'openExternal',
      'fullscreen',
    ]) {
      expect(await app.ask('grants', permission), permission).toEqual({
        asked: true,
        granted: false,
        device: false,
      });
    }
    expect((await app.ask('grants', 'clipboard-sanitized-write')).granted).toBe(true);
    expect(await app.ask('downloadPrevented')).toBe(true);
  });

  test('[SH7] nothing of the page reaches the network', async () => {
    expect(await app.ask('blocks', 'https://example.com/')).toBe(true);
    expect(await app.ask('blocks', 'http://127.0.0.1:6443/')).toBe(true);
    expect(await app.ask('blocks', 'ws://127.0.0.1:9222/')).toBe(true);
    expect(await app.ask('blocks', 'app://loopscope/assets/x.js')).toBe(false);
  });

  test('[SH8] calls are taken from our page’s own frame, of the table, with its parameters', async () => {
    const ours = { url: 'app://loopscope/', parent: null };
    const call = (
      frame: typeof ours | { url: string; parent: unknown } | null,
      name: unknown,
      params: unknown,
    ) => app.ask('callFrom', frame, callChannel, [name, params]);
    await expect(call(ours, 'openExternal', { url: 'https://evil.example/' })).resolves.toEqual({
      opened: false,
    });
    for (const frame of [
      null,
      { url: 'https://example.com/', parent: null },
      { url: 'app://elsewhere/', parent: null },
      { url: 'app://loopscope/', parent: {} },
    ]) {
      await expect(call(frame, 'ready', {})).rejects.toThrow('did not come from a window of ours');
    }
    await expect(call(ours, 'shutdown', {})).rejects.toThrow('does not know');
    await expect(call(ours, 'constructor', {})).rejects.toThrow('does not know');
    await expect(call(ours, 'setTheme', { theme: 'pink' })).rejects.toThrow('parameters are wrong');
  });

  test('[SH9] only named pages over https are opened outside', async () => {
    const open = (url: string) =>
      app.page.evaluate(
        (address) =>
          (
            window as unknown as {
              loopscopeShell: { call(name: string, params: unknown): Promise<{ opened: boolean }> };
            }
          ).loopscopeShell.call('openExternal', { url: address }),
        url,
      );
    expect(await open('https://kubernetes.io/docs/reference/access-authn-authz/rbac/')).toEqual({
      opened: true,
    });
    for (const url of [
      'http://kubernetes.io/',
      'https://kubernetes.io.evil.example/',
      'https://user@github.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'smb://x/y',
    ]) {
      expect(await open(url), url).toEqual({ opened: false });
    }
    expect((await app.ask('desktop')).external).toEqual([
      'https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
    ]);
  });
});
