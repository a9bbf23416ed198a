import { describe, expect, test } from 'vitest';
import type { SessionAnswer } from '../../shared/contract/webSession.ts';
import { openEngine, type PageEnvironment } from './webSocketTransport.ts';

interface FakeHost {
  /** Answers POST /session; throws when the host is away. */
  readonly answer: (body: unknown) => SessionAnswer;
  readonly socket?: 'open' | 'close';
}

/** A browser's page and the host behind it, as far as openEngine sees them. */
function fakePage(host: FakeHost, hash: string, kept?: string) {
  const storage = new Map<string, string>(kept === undefined ? [] : [['loopscope.secret', kept]]);
  const asked: unknown[] = [];
  const shown: string[] = [];
  const dialled: { url: string; protocols: string[] }[] = [];
  const page: PageEnvironment = {
    location: { hash, host: '127.0.0.1:7373', pathname: '/', search: '' },
    history: { replaceState: (_data, _unused, url) => void shown.push(String(url)) },
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
    fetch: async (_input, init) => {
      const body: unknown = JSON.parse(String(init?.body));
      asked.push(body);
      return new Response(JSON.stringify(host.answer(body)));
    },
    openSocket: (url, protocols) => {
      dialled.push({ url, protocols });
      const socket = new EventTarget();
      queueMicrotask(() => socket.dispatchEvent(new Event(host.socket ?? 'open')));
      return socket as unknown as WebSocket;
    },
  };
  return { page, storage, asked, shown, dialled };
}

const trades: FakeHost = { answer: () => ({ ok: true, secret: 's1' }) };

describe('openEngine', () => {
  test('[WH2] trades the token of the address, keeps the secret, cleans the address', async () => {
    const { page, storage, asked, shown, dialled } = fakePage(trades, '#token=t1');
    expect((await openEngine(page)).ok).toBe(true);
    expect(asked).toEqual([{ token: 't1' }]);
    expect(storage.get('loopscope.secret')).toBe('s1');
    expect(shown).toEqual(['/']);
    expect(dialled).toEqual([
      { url: 'ws://127.0.0.1:7373/engine', protocols: ['loopscope.v1', 'secret.s1'] },
    ]);
  });

  test('[WH3] a reload uses the kept secret', async () => {
    const { page, asked } = fakePage({ answer: () => ({ ok: true, secret: 's0' }) }, '', 's0');
    expect((await openEngine(page)).ok).toBe(true);
    expect(asked).toEqual([{ secret: 's0' }]);
  });

  test('a new address in a tab with an old secret works', async () => {
    const answer = (body: unknown): SessionAnswer =>
      'token' in (body as object) ? { ok: true, secret: 's2' } : { ok: false, code: 'session-ended' };
    const { page, storage } = fakePage({ answer }, '#token=t2', 'old');
    expect((await openEngine(page)).ok).toBe(true);
    expect(storage.get('loopscope.secret')).toBe('s2');
  });

  test.each([
    ['#token=t1', undefined, 'link-used'],
    ['#token=t1', undefined, 'link-unknown'],
    ['', 'old', 'session-ended'],
  ] as const)('%s with the secret %s: %s', async (hash, kept, code) => {
    const { page, dialled, storage } = fakePage({ answer: () => ({ ok: false, code }) }, hash, kept);
    expect(await openEngine(page)).toEqual({ ok: false, error: code });
    expect(dialled).toEqual([]);
    expect(storage.size).toBe(0);
  });

  test('no token and no secret: link-missing, and the host is not asked', async () => {
    const { page, asked } = fakePage(trades, '#other=1');
    expect(await openEngine(page)).toEqual({ ok: false, error: 'link-missing' });
    expect(asked).toEqual([]);
  });

  test('a host that is away keeps the secret for the next try', async () => {
    const away = () => {
      throw new Error('refused');
    };
    const { page, storage } = fakePage({ answer: away }, '', 's0');
    expect(await openEngine(page)).toEqual({ ok: false, error: 'unreachable' });
    expect(storage.get('loopscope.secret')).toBe('s0');
  });

  test('a socket that closes before it opens is unreachable', async () => {
    const { page } = fakePage({ ...trades, socket: 'close' }, '#token=t1');
    expect(await openEngine(page)).toEqual({ ok: false, error: 'unreachable' });
  });
});
