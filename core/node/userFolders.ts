/** Where a user's own files belong, by the custom of each platform, and making those folders. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface UserFolders {
  /** What was recorded: sessions. */
  readonly data: string;
  /** What was chosen: preferences. */
  readonly config: string;
}

/**
 * Folders named loopscope, not made yet. Linux and others: XDG_DATA_HOME, XDG_CONFIG_HOME (absolute ones only, as the
 * XDG base directory specification asks), else ~/.local/share and ~/.config. macOS: ~/Library/Application Support for
 * both. Windows: %LOCALAPPDATA% and %APPDATA%.
 */
export function userFolders(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = os.homedir(),
): UserFolders {
  const join = platform === 'win32' ? path.win32.join : path.posix.join;
  const base = (name: string, fallback: string) => {
    const value = env[name];
    const absolute = platform === 'win32' ? path.win32.isAbsolute : path.posix.isAbsolute;
    return value !== undefined && absolute(value) ? value : fallback;
  };
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'loopscope');
    return { data: support, config: support };
  }
  if (platform === 'win32') {
    return {
      data: join(base('LOCALAPPDATA', join(home, 'AppData', 'Local')), 'loopscope'),
      config: join(base('APPDATA', join(home, 'AppData', 'Roaming')), 'loopscope'),
    };
  }
  return {
    data: join(base('XDG_DATA_HOME', join(home, '.local', 'share')), 'loopscope'),
    config: join(base('XDG_CONFIG_HOME', join(home, '.config')), 'loopscope'),
  };
}

/**
 * Makes a folder with its parents, for the user alone; one that is there stays as it is. Throws what the file system says.
 * Level by level from the first parent that is there: node's own `recursive` never returns where a parent exists and takes
 * no folders (XDG_DATA_HOME=/proc/1).
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.push(at);
    const parent = path.dirname(at);
    if (parent === at) break;
    at = parent;
  }
  // Said of the folder that is there, before anything is made in it.
  if (missing.length > 0) accessSync(at, constants.W_OK);
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      // Another Loopscope made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
