/**
 * What would be packed: the configuration against electron-builder's own schema, and a real packing of this machine's
 * folder with a file in place of Electron's binary. Fuses are left out of the packing: they are flipped in a real binary.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findChromium } from '../browser/chromiumBinary.ts';
import { see } from '../browser/windowPage.ts';
import { repositoryRoot } from '../testbed/paths.ts';
import { buildDesktop, startDesktop } from './desktopApp.ts';

/** electron-builder and what it brings; none of it has types that are needed here. */
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const config = parse(readFileSync(join(repositoryRoot, 'electron-builder.yml'), 'utf8')) as Record<
  string,
  unknown
>;

interface Asar {
  listPackage(path: string, options: object): string[];
  createPackage(folder: string, file: string): Promise<void>;
  extractFile(path: string, file: string): Buffer;
  extractAll(path: string, folder: string): void;
}

test('[SH40] the configuration fits electron-builder’s schema', async () => {
  const { validateConfiguration } = fromBuilder('app-builder-lib/out/util/config/config.js') as {
    validateConfiguration(config: unknown, log: unknown): Promise<void>;
  };
  const logger = { isEnabled: false, add: () => {} };
  await validateConfiguration(config, logger);
  await expect(validateConfiguration({ ...config, asarr: true }, logger)).rejects.toThrow('asarr');
});

test('[SH41] fuses: what would let somebody run code as us is off, the archive is checked and alone loaded', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});

test('[SH42] each system’s package, the scheme of links and the type of session files', () => {
  expect(config).toMatchObject({
    mac: { target: ['dmg'] },
    win: { target: ['nsis'] },
    linux: { target: ['AppImage', 'deb'] },
    protocols: [{ schemes: ['loopscope'] }],
    fileAssociations: [{ ext: 'loopscope' }],
  });
});

describe('[SH43] packed for Linux', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-pack-'));
  const asar = fromBuilder('@electron/asar') as Asar;
  let archive = '';

  beforeAll(async () => {
    buildDesktop();
    const electron = join(folder, 'electron');
    mkdirSync(join(electron, 'resources'), { recursive: true });
    mkdirSync(join(electron, 'locales'));
    for (const name of ['en-US', 'zh-CN', 'fr'])
      writeFileSync(join(electron, 'locales', `${name}.pak`), name);
    mkdirSync(join(folder, 'default'));
    writeFileSync(join(folder, 'default', 'main.js'), '');
    await asar.createPackage(join(folder, 'default'), join(electron, 'resources', 'default_app.asar'));
    writeFileSync(join(electron, 'electron'), '#!/bin/sh\n', { mode: 0o755 });
    const { build, Platform } = fromBuilder('electron-builder') as {
      build(options: unknown): Promise<unknown>;
      Platform: { LINUX: { createTarget(type: string): unknown } };
    };
    await build({
      targets: Platform.LINUX.createTarget('dir'),
      projectDir: repositoryRoot,
      config: {
        ...config,
        electronFuses: null,
        electronDist: electron,
        directories: { output: join(folder, 'out'), buildResources: 'assets' },
      },
    });
    const [unpacked = ''] = readdirSync(join(folder, 'out')).filter((name) => name.endsWith('unpacked'));
    archive = join(folder, 'out', unpacked, 'resources', 'app.asar');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds the shell, the window, the demos and package.json, and nothing else', () => {
    const files = asar
      .listPackage(archive, {})
      .map((path) => path.replaceAll('\\', '/').slice(1))
      .filter((path) => /\.\w+$/.test(path));
    const window = readdirSync(join(repositoryRoot, 'dist', 'renderer'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((path) => /\.\w+$/.test(path))
      .map((path) => `dist/renderer/${path.replaceAll('\\', '/')}`);
    const demos = readdirSync(join(repositoryRoot, 'assets', 'demo')).map((name) => `assets/demo/${name}`);
    expect(files.sort()).toEqual(
      [
        ...['main.js', 'preload.cjs', 'engineProcess.js'].map((name) => `dist/electron/${name}`),
        ...window,
        ...demos,
        'package.json',
      ].sort(),
    );
  });

  test('starts with the main process, depends on nothing, and is small', () => {
    const manifest = JSON.parse(asar.extractFile(archive, 'package.json').toString('utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest.main).toBe('dist/electron/main.js');
    expect(manifest.dependencies ?? {}).toEqual({});
    const { size } = statSync(archive);
    console.log(`app.asar: ${(size / 1e6).toFixed(1)} MB`);
    expect(size).toBeLessThan(20e6);
  });

  test('what was packed is enough to start and to open a recorded incident', async (context) => {
    if (findChromium() === undefined) return context.skip('no Chromium for the stand-in');
    const program = join(folder, 'program');
    asar.extractAll(archive, program);
    const app = await startDesktop({ dir: folder, program, args: ['--demo=hot-loop'] });
    try {
      await see(app.page.getByRole('tab', { name: /^Findings/ }).first(), 'the recorded incident', 30_000);
      expect(app.problems()).toEqual([]);
    } finally {
      await app.stop();
    }
  });
});
