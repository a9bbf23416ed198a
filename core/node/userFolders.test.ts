import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder, userFolders } from './userFolders.ts';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'loopscope-folders-'));
afterAll(() => rmSync(scratch, { recursive: true }));

test('Linux follows XDG, absolute folders only', () => {
  expect(userFolders({}, 'linux', '/home/ada')).toEqual({
    data: '/home/ada/.local/share/loopscope',
    config: '/home/ada/.config/loopscope',
  });
  expect(userFolders({ XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/ada')).toEqual({
    data: '/data/loopscope',
    config: '/home/ada/.config/loopscope',
  });
  expect(userFolders({ XDG_DATA_HOME: '' }, 'freebsd', '/home/ada').data).toBe(
    '/home/ada/.local/share/loopscope',
  );
});

test('macOS keeps both in Application Support', () => {
  const folder = '/Users/ada/Library/Application Support/loopscope';
  expect(userFolders({ XDG_DATA_HOME: '/data' }, 'darwin', '/Users/ada')).toEqual({
    data: folder,
    config: folder,
  });
});

test('Windows keeps data local and preferences roaming', () => {
  const env = { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local', APPDATA: 'D:\\Roaming' };
  expect(userFolders(env, 'win32', 'C:\\Users\\ada')).toEqual({
    data: 'C:\\Users\\ada\\AppData\\Local\\loopscope',
    config: 'D:\\Roaming\\loopscope',
  });
  expect(userFolders({}, 'win32', 'C:\\Users\\ada').config).toBe(
    'C:\\Users\\ada\\AppData\\Roaming\\loopscope',
  );
});

test('makes a folder with its parents for the user alone, and leaves what is there', () => {
  const folder = path.join(scratch, 'a', 'b', 'c');
  makeFolder(folder);
  makeFolder(folder);
  for (const one of [folder, path.dirname(folder)]) expect(statSync(one).mode & 0o777).toBe(0o700);
  makeFolder(scratch);
});

test('a parent that is a file, or that takes no folders, is an error and not a loop', () => {
  const file = path.join(scratch, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(path.join(file, 'loopscope', 'sessions'))).toThrow(/ENOTDIR/);
  if (process.platform === 'linux')
    expect(() => makeFolder('/proc/1/loopscope/sessions')).toThrow(/ENOENT|EACCES|EPERM/);
});
