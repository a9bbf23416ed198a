/**
 * From the page's address to an open pipe: trade the token of the address for this tab's secret (or use the one this tab
 * has), then open the WebSocket. Call it again after the pipe closed: the secret of the tab still counts while the host
 * runs.
 */
import { err, ok, type Result } from '../../shared/base/result.ts';
import { avoidEval } from '../../shared/contract/noEval.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import {
  ENGINE_PATH,
  engineProtocols,
  SESSION_PATH,
  type SessionRequest,
  tokenOfFragment,
  zSessionAnswer,
} from '../../shared/contract/webSession.ts';
import { createWebSocketTransport } from '../../shared/contract/webSocketTransport.ts';

/**
 * link-used: the address was opened before, in another tab. link-unknown: its token is of an earlier run, or cut off.
 * link-missing: no token in the address and this tab has no secret. session-ended: the host was started again.
 * unreachable: the host does not answer. Only after `unreachable` is it worth to try again by itself.
 */
export type LinkProblem = 'link-used' | 'link-unknown' | 'link-missing' | 'session-ended' | 'unreachable';

/** What is used of the browser; the defaults are the real ones. */
export interface PageEnvironment {
  readonly location: Pick<Location, 'hash' | 'host' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch: typeof fetch;
  readonly openSocket: (url: string, protocols: string[]) => WebSocket;
}

const STORAGE_KEY = 'loopscope.secret';

avoidEval();

/** The secret of this tab, undefined before it has one. */
export function keptSecret(storage: Pick<Storage, 'getItem'>): string | undefined {
  return storage.getItem(STORAGE_KEY) ?? undefined;
}

export async function openEngine(
  page: PageEnvironment = browserPage(),
): Promise<Result<Transport, LinkProblem>> {
  const secret = await obtainSecret(page);
  if (!secret.ok) return secret;
  return connect(page, secret.value);
}

async function obtainSecret(page: PageEnvironment): Promise<Result<string, LinkProblem>> {
  const token = tokenOfFragment(page.location.hash);
  const kept = page.storage.getItem(STORAGE_KEY);
  // The token leaves the address bar at once: it must not land in a bookmark or a screenshot.
  if (token !== undefined) page.history.replaceState(null, '', page.location.pathname + page.location.search);
  if (kept !== null) {
    const confirmed = await exchange(page, { secret: kept });
    if (confirmed.ok || confirmed.error === 'unreachable') return confirmed;
    page.storage.removeItem(STORAGE_KEY);
    if (token === undefined) return confirmed;
  }
  if (token === undefined) return err('link-missing');
  const traded = await exchange(page, { token });
  if (traded.ok) page.storage.setItem(STORAGE_KEY, traded.value);
  return traded;
}

async function exchange(page: PageEnvironment, body: SessionRequest): Promise<Result<string, LinkProblem>> {
  let answer: unknown;
  try {
    const response = await page.fetch(SESSION_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    answer = await response.json();
  } catch {
    return err('unreachable');
  }
  const parsed = zSessionAnswer.safeParse(answer);
  if (!parsed.success) return err('unreachable');
  return parsed.data.ok ? ok(parsed.data.secret) : err(parsed.data.code);
}

function connect(page: PageEnvironment, secret: string): Promise<Result<Transport, LinkProblem>> {
  return new Promise((resolve) => {
    const socket = page.openSocket(`ws://${page.location.host}${ENGINE_PATH}`, engineProtocols(secret));
    socket.addEventListener('open', () => resolve(ok(createWebSocketTransport(socket))), { once: true });
    socket.addEventListener('close', () => resolve(err('unreachable')), { once: true });
  });
}

function browserPage(): PageEnvironment {
  return {
    location: window.location,
    history: window.history,
    storage: window.sessionStorage,
    fetch: (input, init) => window.fetch(input, init),
    openSocket: (url, protocols) => new WebSocket(url, protocols),
  };
}
