/** The window with its scripted engine, built from source and served on loopback: for pictures and for tests. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

export interface ScriptedServer {
  /** Address of scripted.html; the query says which view in which state. */
  readonly base: string;
  stop(): Promise<void>;
}

/** Builds into a folder of its own (2 s) and serves it until `stop`. Rejects with what Vite printed. */
export async function serveScripted(): Promise<ScriptedServer> {
  const dir = await mkdtemp(join(tmpdir(), 'loopscope-scripted-'));
  const forget = () => rm(dir, { recursive: true, force: true });
  try {
    await build(dir);
  } catch (cause) {
    await forget();
    throw cause;
  }
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    readFile(join(dir, path)).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body),
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/scripted.html`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await forget();
    },
  };
}

function build(outDir: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', join(root, 'e2e/scripted.config.ts'), '--outDir', outDir];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the window could not be built:\n${printed}`));
    });
  });
}
