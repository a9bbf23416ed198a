/**
 * What keeps other pages and other names out of the browser host. A page of another site can send requests to loopback,
 * and a name of its own may be made to resolve to 127.0.0.1 (DNS rebinding): the first is seen in Origin and
 * Sec-Fetch-Site, the second in Host. Both must be ours to the letter.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { pagePolicy } from '../shared/contract/pagePolicy.ts';

export const LOOPBACK = '127.0.0.1';

/** Null when fine, else why not, for the answer and the log. */
export function refuseHost(headers: IncomingHttpHeaders, port: number): string | null {
  const expected = `${LOOPBACK}:${port}`;
  if (headers.host === expected) return null;
  return `this host answers to http://${expected}/ only`;
}

/** For everything that is not a plain page load. A browser sends Origin with each WebSocket and each POST. */
export function refuseOrigin(headers: IncomingHttpHeaders, port: number): string | null {
  if (headers.origin !== `http://${LOOPBACK}:${port}`) return 'requests of other pages are refused';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return 'requests of other pages are refused';
  return null;
}

/** Headers of every answer. The page loads nothing from elsewhere, runs no inline script and is framed by nobody. */
export function securityHeaders(port: number): Readonly<Record<string, string>> {
  return {
    'content-security-policy': pagePolicy([`ws://${LOOPBACK}:${port}`]),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}
