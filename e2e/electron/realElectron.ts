/** Electron's own binary, where it is: what the suites of this folder run on when they can. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { repositoryRoot } from '../testbed/paths.ts';
import { desktopEnvironment } from './desktopApp.ts';

/** ELECTRON_OVERRIDE_DIST_PATH as Electron itself reads it, else what was fetched into node_modules. */
export function findElectron(): string | undefined {
  const folder = join(repositoryRoot, 'node_modules', 'electron');
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim();
    const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

export function launchElectron(
  executablePath: string,
  home: string,
  args: readonly string[],
): Promise<ElectronApplication> {
  const env = { ...desktopEnvironment(home) } as Record<string, string>;
  // A display of its own where the machine has none: xvfb-run, or DISPLAY of whoever started the tests.
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return _electron.launch({
    executablePath,
    args: [
      ...(process.platform === 'linux' ? ['--no-sandbox'] : []),
      join(repositoryRoot, 'dist', 'electron', 'main.js'),
      ...args,
    ],
    env,
  });
}
