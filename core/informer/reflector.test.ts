import { describe, expect, test } from 'vitest';
import type { ApiStatus } from '../source/listerWatcher.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { type ScriptedItem, ScriptedResource } from '../testing/scriptedResource.ts';
import { createBackoff } from './backoff.ts';
import type { Gap, GapStart } from './gapTracker.ts';
import { type Arrival, createReflector, type ReflectorState } from './reflector.ts';
import { type ReflectorStore, Store, summarise } from './store.ts';

/** A store that keeps heads only, and what was told on the way. */
function scene(
  options: {
    mode?: 'list' | 'watchlist';
    pageSize?: number;
    initialSilenceMs?: number;
    onError?: (error: ApiStatus) => 'retry' | 'end';
  } = {},
) {
  const clock = new FakeClock(1_000_000);
  const server = new ScriptedResource();
  const kept = new Store<{ key: string; uid: string; resourceVersion: ScriptedItem['resourceVersion'] }>();
  const opened: GapStart[] = [];
  const gaps: Gap[] = [];
  const states: ReflectorState[] = [];
  const taken: string[] = [];
  const store: ReflectorStore<ReturnType<typeof kept.list> extends IterableIterator<infer T> ? T : never> = {
    add: (item) => void kept.put(item),
    update: (item) => void kept.put(item),
    delete: (item) => void kept.remove(item.key),
    replace: (items) => summarise(kept.replaceAll(items)),
    resync() {},
  };
  const random = () => 0;
  const reflector = createReflector({
    listerWatcher: server,
    store,
    clock,
    random,
    backoff: createBackoff({ clock, random }),
    mode: options.mode ?? 'list',
    take: (item: ScriptedItem, arrival: Arrival) => {
      taken.push(`${arrival.how} ${arrival.type} ${item.key}`);
      return { key: item.key, uid: item.uid, resourceVersion: item.resourceVersion };
    },
    onGapOpened: (gap) => opened.push(gap),
    onGap: (gap) => gaps.push(gap),
    onState: (state) => states.push(state),
    ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
    ...(options.initialSilenceMs === undefined ? {} : { initialSilenceMs: options.initialSilenceMs }),
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  });
  const cached = () => Object.fromEntries([...kept.list()].map((item) => [item.key, item.resourceVersion]));
  const served = () => Object.fromEntries(server.all().map((item) => [item.key, item.resourceVersion]));
  return { clock, server, kept, opened, gaps, states, taken, reflector, cached, served };
}

describe('gaps', () => {
  test('[IN20] a 410 is a gap: what the relist found, from when nothing was heard, versions at both ends', async () => {
    const { clock, server, gaps, reflector } = scene();
    for (const key of ['ns/kept', 'ns/changed', 'ns/deleted']) server.create(key);
    reflector.start();
    await clock.advance(10_000);
    server.partition();
    server.update('ns/changed');
    server.delete('ns/deleted');
    server.create('ns/created');
    server.compact();
    await clock.advance(60_000);
    expect(gaps).toEqual([]);
    server.closeWatches();
    await clock.advance(5000);
    expect(gaps).toEqual([
      {
        cause: 'expired',
        since: 1_070_000,
        until: 1_070_800,
        fromVersion: '103',
        toVersion: '106',
        error: expect.objectContaining({ code: 410 }),
        outcome: { kind: 'relisted', created: 1, changed: 1, deleted: 1, unchanged: 1 },
      },
    ]);
  });

  test('[IN21] a lost connection that resumes at its version is a gap in which nothing was missed', async () => {
    const { clock, server, opened, gaps, states, reflector, cached, served } = scene();
    server.create('ns/a');
    reflector.start();
    await clock.advance(10_000);
    server.failWatches('refused', 4);
    server.breakWatches();
    await clock.advance(3000);
    server.update('ns/a');
    const waiting = states.at(-1);
    expect(waiting).toMatchObject({ kind: 'waiting', lostSince: 1_000_000 });
    expect(opened).toMatchObject([{ cause: 'lost', since: 1_000_000, fromVersion: '101' }]);
    await clock.advance(20_000);
    expect(gaps).toEqual([
      {
        cause: 'lost',
        since: 1_000_000,
        until: 1_022_000,
        fromVersion: '101',
        toVersion: '102',
        error: expect.objectContaining({ connectionRefused: true }),
        outcome: { kind: 'resumed' },
      },
    ]);
    expect(cached()).toEqual(served());
    expect(server.requests.filter((request) => request.verb === 'list')).toHaveLength(1);
  });

  test('[IN21] a resumed watch that stays silent counts as resumed after two seconds', async () => {
    const { clock, server, gaps, reflector } = scene();
    reflector.start();
    await clock.advance(10_000);
    server.failWatches('refused', 1);
    server.breakWatches();
    await clock.advance(2700);
    expect(gaps).toEqual([]);
    await clock.advance(200);
    expect(gaps).toMatchObject([{ cause: 'lost', outcome: { kind: 'resumed' }, until: 1_012_800 }]);
  });

  test('[IN22] a clean close that resumes at once is no gap, nor is a failure before the first list', async () => {
    const { clock, server, gaps, reflector } = scene();
    server.failLists('500', 2);
    reflector.start();
    await clock.advance(10_000);
    server.create('ns/a');
    server.closeWatches();
    await clock.advance(10_000);
    expect(gaps).toEqual([]);
    expect(server.openWatches).toBe(1);
  });
});

describe('the loop', () => {
  test('[IN23] the tap sees every item in order with the way it came; the store gets what it returns', async () => {
    const { clock, server, kept, taken, reflector } = scene({ mode: 'watchlist' });
    server.create('ns/a');
    reflector.start();
    await clock.advance(0);
    server.update('ns/a');
    server.delete('ns/a');
    server.create('ns/b');
    await clock.advance(0);
    expect(taken).toEqual([
      'initial ADDED ns/a',
      'watch MODIFIED ns/a',
      'watch DELETED ns/a',
      'watch ADDED ns/b',
    ]);
    expect([...kept.list()]).toEqual([{ key: 'ns/b', uid: 'u2', resourceVersion: '104' }]);
  });

  test('[IN24] pages are followed at their own version; a page that expired restarts without a limit', async () => {
    const { clock, server, states, reflector, cached, served } = scene({ pageSize: 2 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) server.create(key);
    reflector.start();
    await clock.advance(0);
    const lists = server.requests.flatMap((request) => (request.verb === 'list' ? [request.options] : []));
    expect(lists).toEqual([
      { resourceVersion: '', limit: 2 },
      { limit: 2, continueToken: '2' },
      { limit: 2, continueToken: '4' },
    ]);
    expect(states).toContainEqual({
      kind: 'listing',
      how: 'list',
      items: 4,
      remaining: 1,
      lostSince: undefined,
    });
    expect(cached()).toEqual(served());
  });

  test('[IN25] onError may end it for good: nothing is asked again', async () => {
    const { clock, server, states, reflector } = scene({
      onError: (error) => (error.code === 404 ? 'end' : 'retry'),
    });
    server.failLists('500', 1);
    server.failLists('404', 1);
    reflector.start();
    await clock.advance(600_000);
    expect(server.requests.map((request) => request.answer)).toEqual(['500', '404']);
    expect(states.at(-1)).toMatchObject({ kind: 'ended', error: { code: 404 } });
    expect(clock.pendingTimers).toBe(0);
  });

  test('[IN28] a server that never ends the initial events is listed instead, from then on', async () => {
    const { clock, server, reflector, cached, served } = scene({
      mode: 'watchlist',
      initialSilenceMs: 10_000,
    });
    server.knowsStreamedLists = false;
    server.create('ns/a');
    reflector.start();
    await clock.advance(9000);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1000);
    server.create('ns/b');
    await clock.advance(0);
    expect(cached()).toEqual(served());
    expect([server.requests.map((request) => request.verb), server.openWatches]).toEqual([
      ['watch', 'list', 'watch'],
      1,
    ]);
    server.errorEvent('500');
    await clock.advance(5000);
    expect(server.requests.slice(3).map((request) => request.verb)).toEqual(['list', 'watch']);
    reflector.dispose();
    await clock.advance(0);
    expect([clock.pendingTimers, server.openWatches]).toEqual([0, 0]);
  });

  test.each(['watching', 'waiting'])('[IN26] after dispose while %s nothing is left', async (when) => {
    const { clock, server, states, reflector } = scene();
    if (when === 'waiting') server.failLists('500', 100);
    reflector.start();
    await clock.advance(3000);
    expect(states.at(-1)?.kind).toBe(when);
    reflector.dispose();
    const asked = server.requests.length;
    await clock.advance(600_000);
    expect([clock.pendingTimers, server.openWatches, server.requests.length]).toEqual([0, 0, asked]);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  '[IN27] seeded walk %i: the cache ends equal to the server',
  async (seed) => {
    const { clock, server, reflector, cached, served, gaps } = scene({
      mode: seed % 2 ? 'list' : 'watchlist',
    });
    let state = seed;
    const pick = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    const kinds = ['410', '429', '500', 'refused', 'tooLargeRV'] as const;
    reflector.start();
    for (let step = 0; step < 300; step++) {
      const key = `ns${pick(2)}/${pick(8)}`;
      const action = pick(12);
      if (action < 3) server.create(key);
      else if (action < 6) server.update(key);
      else if (action < 7) server.delete(key);
      else if (action === 7) server.partition();
      else if (action === 8) server.breakWatches();
      else if (action === 9) server.closeWatches();
      else if (action === 10) server.compact();
      else {
        server.failWatches(kinds[pick(5)] ?? '500', pick(3));
        server.failLists(kinds[pick(5)] ?? '500', pick(3));
      }
      await clock.advance(pick(2000));
    }
    server.closeWatches();
    await clock.advance(600_000);
    expect(cached()).toEqual(served());
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.every((gap) => gap.since <= gap.until)).toBe(true);
    reflector.dispose();
  },
);
