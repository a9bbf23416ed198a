import { beforeEach, describe, expect, test } from 'vitest';
import { toDisposable } from '../../shared/base/disposable.ts';
import { createPairTransport } from '../../shared/contract/pairTransport.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import { EngineLink, type OpenedPipe } from './engineLink.ts';

/** A clock whose timers fire when the test says so. */
let now = 0;
let timers: { readonly at: number; readonly fire: () => void }[] = [];
const clock = {
  now: () => now,
  monotonic: () => now,
  setTimer(delayMs: number, fire: () => void) {
    const timer = { at: now + delayMs, fire };
    timers.push(timer);
    return toDisposable(() => {
      timers = timers.filter((one) => one !== timer);
    });
  },
};
async function advance(ms: number) {
  now += ms;
  const due = timers.filter(({ at }) => at <= now);
  timers = timers.filter(({ at }) => at > now);
  for (const { fire } of due) fire();
  await settle();
}
async function settle() {
  for (let n = 0; n < 5; n += 1) await Promise.resolve();
}

function world(answers: (OpenedPipe | Promise<OpenedPipe>)[]) {
  const opened: Transport[] = [];
  const hurries: boolean[] = [];
  const link = new EngineLink({
    clock,
    open: async (hurry) => {
      hurries.push(hurry);
      return (await answers.shift()) ?? { ok: false, why: 'unreachable' };
    },
    onOpen: (transport) => opened.push(transport),
  });
  return { link, opened, hurries };
}
const pipe = () => ({ ok: true, transport: createPairTransport()[0] }) as const;

beforeEach(() => {
  now = 1_000_000;
  timers = [];
});

describe('EngineLink', () => {
  test('opens once, and after a loss again, with growing pauses and the number of the try', async () => {
    const down = { ok: false, why: 'unreachable' } as const;
    const { link, opened } = world([pipe(), down, down, pipe()]);
    link.start();
    await settle();
    expect(link.get()).toEqual({ state: 'open' });
    link.lost();
    expect(link.get()).toEqual({ state: 'waiting', since: now, attempt: 1, nextTryAt: now + 250 });
    const since = now;
    await advance(250);
    expect(link.get()).toEqual({ state: 'waiting', since, attempt: 2, nextTryAt: now + 500 });
    await advance(500);
    expect(link.get()).toMatchObject({ attempt: 3, nextTryAt: now + 1_000 });
    await advance(1_000);
    expect(link.get()).toEqual({ state: 'open' });
    expect(opened).toHaveLength(2);
    expect(timers).toEqual([]);
  });

  test('pauses stop growing at 15 s, and it never gives up on a host that does not answer', async () => {
    const { link } = world([pipe()]);
    link.start();
    await settle();
    link.lost();
    for (let n = 0; n < 12; n += 1) {
      const state = link.get();
      if (state.state !== 'waiting') throw new Error(state.state);
      await advance((state.nextTryAt ?? 0) - now);
    }
    expect(link.get()).toMatchObject({ state: 'waiting', attempt: 13, nextTryAt: now + 15_000 });
  });

  test('a host that says when it has an engine again is asked then', async () => {
    const { link } = world([pipe(), { ok: false, why: 'engine', retryMs: 4_000, detail: 'It ended.' }]);
    link.start();
    await settle();
    link.lost();
    await advance(250);
    expect(link.get()).toMatchObject({ nextTryAt: now + 4_000, detail: 'It ended.' });
  });

  test('a link that counts no more is not tried again by itself; the button still tries', async () => {
    const { link } = world([pipe(), { ok: false, why: 'session-ended' }, pipe()]);
    link.start();
    await settle();
    link.lost();
    await advance(250);
    expect(link.get()).toMatchObject({ state: 'over', why: 'session-ended' });
    expect(timers).toEqual([]);
    link.reconnect();
    await settle();
    expect(link.get()).toEqual({ state: 'open' });
  });

  test('Reconnect goes at once and tells the host so; what the older try still brings is closed', async () => {
    const late = Promise.withResolvers<OpenedPipe>();
    const { link, opened, hurries } = world([pipe(), late.promise, pipe()]);
    link.start();
    await settle();
    link.lost();
    await advance(250);
    expect(link.get().state).toBe('trying');
    link.reconnect();
    await settle();
    expect(link.get()).toEqual({ state: 'open' });
    expect(hurries).toEqual([false, false, true]);
    const stale = pipe();
    let closed = false;
    stale.transport.onClose(() => {
      closed = true;
    });
    late.resolve(stale);
    await settle();
    expect([opened.length, closed]).toEqual([2, true]);
  });
});
