/**
 * The built window as a fixed list of files, read once at start: a path that is not in the list does not exist, so there
 * is nothing to traverse.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { err, ok, type Result } from '../shared/base/result.ts';

interface StaticFile {
  readonly path: string;
  readonly bytes: number;
  readonly type: string;
  readonly cache: string;
}

export interface StaticFiles {
  get(urlPath: string): StaticFile | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
};

/** Vite puts a hash of the content into the names under assets/. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/;

/** Fails with a sentence when there is no index.html in `folder`: the window was not built. */
export async function readStaticFiles(folder: string): Promise<Result<StaticFiles, string>> {
  const files = new Map<string, StaticFile>();
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const url = `/${relative(folder, path).split(sep).join('/')}`;
      const { size } = await stat(path);
      files.set(url, {
        path,
        bytes: size,
        type: TYPES[extname(path)] ?? 'application/octet-stream',
        cache: cacheControl(url),
      });
    }
  } catch (error) {
    return err(
      `the window's files cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const index = files.get('/index.html');
  if (index === undefined) return err(`there is no index.html in ${folder}; run: npm run build`);
  files.set('/', index);
  return ok({ get: (urlPath) => files.get(urlPath) });
}

function cacheControl(url: string): string {
  if (url.endsWith('.html')) return 'no-store';
  return HASHED.test(url) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Headers and, unless `headOnly`, the content. A file that vanished meanwhile ends the connection: it was promised. */
export function sendFile(response: ServerResponse, file: StaticFile, headOnly: boolean): void {
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': file.bytes,
    'cache-control': file.cache,
  });
  if (headOnly) response.end();
  else
    createReadStream(file.path)
      .on('error', () => response.destroy())
      .pipe(response);
}
