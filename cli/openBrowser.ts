/** Opens an address in the user's browser, where there is a desktop. */
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens addresses here; undefined without a desktop (a server, a container, a plain SSH session). */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
  env: Environment,
): readonly [command: string, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const hasDesktop = (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== '';
  return hasDesktop ? ['xdg-open', url] : undefined;
}

/** False when there is no desktop or the opener is not there. Does not wait for the browser. */
export function openBrowser(
  url: string,
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
): Promise<boolean> {
  const command = browserCommand(url, platform, env);
  if (command === undefined) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const opener = spawn(program, args, { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
