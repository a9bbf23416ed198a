/** Where a user's own files belong, by the custom of each platform. */
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
