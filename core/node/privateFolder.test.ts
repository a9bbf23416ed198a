import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder, removeLeftFolders } from './privateFolder.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), 'loopscope-private-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

test('[SES49] a folder is for the user alone and goes with what it was made for', () => {
  const folder = makePrivateFolder('opened', parent);
  writeFileSync(path.join(folder.path, 'copy'), 'x');
  if (process.platform !== 'win32') expect(statSync(folder.path).mode & 0o777).toBe(0o700);
  folder.dispose();
  expect(readdirSync(parent)).toEqual([]);
  folder.dispose();
});

test('[SES49] what a killed process left goes at the next start, and nothing else', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['-e', '0']);
  const mine = makePrivateFolder('demo', parent);
  const others = ['loopscope-opened-old', `other-demo-${gone}-x`, `loopscope-dropped-${gone}-x`];
  const left = [`loopscope-opened-${gone}-abc`, `loopscope-demo-${gone}-def`];
  for (const name of [...others, ...left]) {
    mkdirSync(path.join(parent, name));
    writeFileSync(path.join(parent, name, 'copy.loopscope'), 'x');
  }
  await removeLeftFolders(parent);
  expect(readdirSync(parent).sort()).toEqual([...others, path.basename(mine.path)].sort());
  mine.dispose();
  await removeLeftFolders(path.join(parent, 'not there'));
  expect(existsSync(mine.path)).toBe(false);
});
