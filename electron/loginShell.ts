/**
 * PATH of the user's login shell. A program that the desktop starts has a bare PATH on macOS and often on Linux, and then
 * a credential plugin (aws, gke-gcloud-auth-plugin, kubelogin) is not found. Only PATH is taken: the shell's other
 * variables are nobody's business. Asked beside the start, never waited for.
 */
import { spawn } from 'node:child_process';

const mark = '_loopscope_path_';
const timeoutMs = 5_000;
const maxOutput = 1024 * 1024;

export interface ShellHost {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** False on Windows, which gives programs the user's PATH, and where a terminal has given us its own. */
export function needsLoginShell({ platform, env }: ShellHost): boolean {
  return platform !== 'win32' && env.TERM === undefined && shellOf(env) !== undefined;
}

/** Resolves with PATH, or undefined: no shell, it failed, it hung (it is ended after some seconds). Never rejects. */
export function loginShellPath(host: ShellHost, limitMs = timeoutMs): Promise<string | undefined> {
  const shell = shellOf(host.env);
  if (shell === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    // Login and interactive: people put PATH into either file. Marks, because those files may print greetings.
    const child = spawn(shell, ['-ilc', `command printf '${mark}%s${mark}' "$PATH"`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...host.env, TERM: 'dumb' },
      // A group of its own: what its start files run is ended with it.
      detached: true,
    });
    let output = '';
    const finish = () => {
      clearTimeout(limit);
      resolve(pathIn(output));
    };
    const limit = setTimeout(() => {
      endGroup(child.pid);
      finish();
    }, limitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < maxOutput) output += text;
      if (pathIn(output) !== undefined) finish();
    });
    child.once('error', finish);
    child.once('close', finish);
  });
}

/** The list of the login shell first, then what this process has beside it; no folder twice. */
export function joinPaths(login: string, own: string | undefined): string {
  return [...new Set([...login.split(':'), ...(own ?? '').split(':')])].filter((one) => one !== '').join(':');
}

function shellOf(env: ShellHost['env']): string | undefined {
  const shell = env.SHELL;
  return shell?.startsWith('/') === true ? shell : undefined;
}

function pathIn(output: string): string | undefined {
  const path = output.split(mark)[1];
  // The second mark must be there too: half a PATH is none.
  return output.split(mark).length >= 3 && path !== undefined && path !== '' ? path : undefined;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
