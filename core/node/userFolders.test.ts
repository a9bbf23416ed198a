import { expect, test } from 'vitest';
import { userFolders } from './userFolders.ts';

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
