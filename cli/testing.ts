/** The command line as a process, for tests: what a user or a program sees of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppInfo, engineApi } from '../shared/contract/api.ts';
import { createClient } from '../shared/contract/client.ts';
import {
  ENGINE_PATH,
  engineProtocols,
  SESSION_PATH,
  tokenOfFragment,
} from '../shared/contract/webSession.ts';
import { createWebSocketTransport } from '../shared/contract/webSocketTransport.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** What was printed so far. */
  text(): { readonly out: string; readonly err: string };
  /** Settles when `holds` is true of what was printed; rejects when the process ends before. */
  until(holds: (text: { readonly out: string; readonly err: string }) => boolean): Promise<void>;
  readonly ended: Promise<Outcome>;
}

/** Starts `loopscope ARGS` in `folder`, with nothing of the developer's own set-up. */
export function start(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const hear = (name: 'out' | 'err') => (chunk: string) => {
    text[name] += chunk;
    for (const check of waiting) check();
  };
  child.stdout.setEncoding('utf8').on('data', hear('out'));
  child.stderr.setEncoding('utf8').on('data', hear('err'));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
  return {
    process: child,
    text: () => text,
    ended,
    until: (holds) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!holds(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        void ended.then(({ code, out, err }) => reject(new Error(`ended with ${code}: ${out}${err}`)));
        check();
      }),
  };
}

export function loopscope(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return start(folder, args, env).ended;
}

/** What a window asks first, `app.info`, of the host behind a printed address with its token. */
export async function askAppInfo(link: string): Promise<AppInfo> {
  const { origin, host, hash } = new URL(link);
  const answer = await fetch(`${origin}${SESSION_PATH}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokenOfFragment(hash) }),
  });
  const { secret } = (await answer.json()) as { readonly secret: string };
  const socket = new WebSocket(`ws://${host}${ENGINE_PATH}`, {
    protocols: engineProtocols(secret),
    headers: { origin },
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('no socket')));
  });
  const client = createClient(engineApi, createWebSocketTransport(socket));
  try {
    return await client.call('app.info', {});
  } finally {
    client.close();
  }
}
