/**
 * The window's own scheme: `app://loopscope/` serves the built window and nothing else. Not file:, whose pages may read
 * other files; not http:, which another program could answer.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pagePolicy } from '../shared/contract/pagePolicy.ts';

export const appScheme = 'app';
export const appOrigin = 'app://loopscope';
export const appAddress = `${appOrigin}/`;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** One or two plain names: no dot in front, so nothing to climb with. */
const plainPath = /^\/(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/;

/** Headers of every answer; those of the browser host, where they mean something to a scheme of our own. */
export const windowHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Whether an address is one of this window's pages. */
export function isOwnPage(address: string): boolean {
  try {
    const url = new URL(address);
    // `origin` of a scheme of our own is "null" outside of Chromium.
    return url.protocol === `${appScheme}:` && url.host === 'loopscope';
  } catch {
    return false;
  }
}

/** Answers requests of the scheme from `folder`, the built window. What is not there, or not a plain name, is 404. */
export function serveWindow(folder: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isOwnPage(request.url) || (request.method !== 'GET' && request.method !== 'HEAD'))
      return refuse(404);
    const { pathname } = new URL(request.url);
    const path = pathname === '/' ? '/index.html' : pathname;
    const type = types[extname(path)];
    if (!plainPath.test(path) || type === undefined) return refuse(404);
    try {
      const content = await readFile(join(folder, path));
      return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
        headers: { ...windowHeaders, 'content-type': type },
      });
    } catch {
      return refuse(404);
    }
  };
}

function refuse(status: number): Response {
  return new Response('there is no such file\n', {
    status,
    headers: { ...windowHeaders, 'content-type': 'text/plain; charset=utf-8' },
  });
}
