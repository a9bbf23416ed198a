/**
 * `npm run dev [-- arguments of start]`: the window from source with hot reload, on a real engine. Starts
 * `loopscope start` with the given arguments, then Vite's server in front of it: the page comes from Vite, the exchange
 * of the token and the WebSocket go through to the engine's host under its own name and origin.
 * `npm run dev -- --scripted`: no engine and no cluster, only the pages that a script tells (renderer/scripted.html);
 * `npm run gallery`: of those the page of widgets.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { ensureWindowBuilt } from './runtime.mjs';
import { repositoryRoot } from './suites.ts';

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const gallery = args.includes('--gallery');
  if (gallery || args.includes('--scripted')) {
    const scripted = await serveWindow();
    const page = `${addressOf(scripted)}scripted.html`;
    console.log(
      gallery
        ? `gallery of widgets: ${page}?gallery&theme=dark and ${page}?gallery&theme=light`
        : `scripted window: ${page}`,
    );
    return new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => void scripted.close().then(() => resolve(0)));
      }
    });
  }
  // The host serves a built window too; that one is not used here.
  await ensureWindowBuilt({ node: process.execPath });
  const engine = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(repositoryRoot, 'cli/main.ts'),
      'start',
      '--no-open',
      ...args,
    ],
    { stdio: ['inherit', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number>((resolve) => engine.once('close', (code) => resolve(code ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => engine.kill(signal));

  let vite: ViteDevServer | undefined;
  onLink(engine, async (origin, token) => {
    vite ??= await serveWindow(origin);
    console.log(`window from source: ${addressOf(vite)}#token=${token}`);
  });
  const code = await ended;
  await vite?.close();
  return code;
}

/** Passes the engine's lines on and calls back for each link among them. */
function onLink(engine: ChildProcess, found: (origin: string, token: string) => Promise<void>): void {
  let rest = '';
  engine.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const link = LINK.exec(line);
      if (link?.[1] !== undefined && link[2] !== undefined) void found(link[1], link[2]);
    }
  });
}

function addressOf(server: ViteDevServer): string {
  return server.resolvedUrls?.local[0] ?? '';
}

/** `origin`: of the engine's host; absent when there is none. */
async function serveWindow(origin?: string): Promise<ViteDevServer> {
  const proxied =
    origin === undefined ? undefined : { target: origin, changeOrigin: true, headers: { origin } };
  const server = await createServer({
    root: join(repositoryRoot, 'renderer'),
    configFile: join(repositoryRoot, 'vite.config.ts'),
    server: {
      host: '127.0.0.1',
      proxy:
        proxied === undefined
          ? {}
          : { '/session': proxied, '/drop': proxied, '/engine': { ...proxied, ws: true } },
    },
  });
  return server.listen();
}
