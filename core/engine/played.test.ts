import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, errorLine, incident, orders } from '../testing/engineBench.ts';
import { type FakeClock, settlePromises } from '../testing/fakeClock.ts';
import { beginRun, scriptedRun } from '../testing/scriptedRun.ts';
import { sessionViews } from '../testing/sessionViews.ts';

const opened: EngineBench[] = [];
afterEach(() => {
  for (const bench of opened.splice(0)) bench.engine.dispose();
});

/** What the window showed in the ms of a record. */
interface Moment {
  readonly at: number;
  readonly views: unknown;
}

interface Recorded {
  readonly log: SessionLog;
  readonly moments: readonly Moment[];
}

/** A run in stretches; at the end of each, in peace, a line is read and the window is looked at. */
async function record(seed: number, stretches: readonly number[]): Promise<Recorded> {
  let log: SessionLog | undefined;
  const bench = new EngineBench(incident(), {
    openSession: (clock: FakeClock) => {
      log ??= createMemoryLog({ clock });
      return log;
    },
  });
  opened.push(bench);
  const moments: Moment[] = [];
  await beginRun(bench);
  for (const [index, steps] of stretches.entries()) {
    await scriptedRun(bench, seed * 100 + index, steps);
    bench.line(`line ${index}`);
    const session = bench.engine.live();
    session?.watching.refreshRows();
    moments.push({ at: bench.clock.now(), views: viewsOf(bench) });
    await bench.clock.advance(10);
  }
  if (log === undefined) throw new Error('the run did not connect');
  bench.engine.dispose();
  return { log, moments };
}

async function open(log: SessionLog, more: readonly [string, SessionLog][] = []): Promise<EngineBench> {
  const bench = new EngineBench(incident(), { sessions: new Map([['file', log], ...more]) });
  opened.push(bench);
  await settled(bench, bench.engine.openFile('file'));
  return bench;
}

/** Waits for it while the host's time goes on a little. */
async function settled<T>(bench: EngineBench, work: Promise<T>): Promise<T> {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  for (let turn = 0; turn < 1000 && !done; turn++) await bench.clock.advance(1);
  return work;
}

function viewsOf(bench: EngineBench): unknown {
  const session = bench.engine.session();
  if (session === undefined) throw new Error('nothing is shown');
  return sessionViews(session, ['database'], orders);
}

function seek(bench: EngineBench, at: number): Promise<void> {
  return settled(bench, bench.engine.player()?.seek(at) ?? Promise.resolve());
}

/** Its own end is recorded after the last look: how far sources had got by bookmarks. */
function lastMoment({ moments }: Recorded): Moment {
  const last = moments.at(-1);
  if (last === undefined) throw new Error('nobody looked');
  return last;
}

describe('a played session', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 132])(
    '[PB1] [PB31] shows at each moment what the live one showed then (seed %i)',
    async (seed) => {
      const recorded = await record(seed, [12, 12, 12]);
      const { log, moments } = recorded;
      const records = log.stats().records;
      const bench = await open(log);
      for (const { at, views } of [...moments].reverse()) {
        await seek(bench, at);
        expect(viewsOf(bench)).toEqual(views);
      }
      for (const { at, views } of moments) {
        await seek(bench, at);
        expect(viewsOf(bench)).toEqual(views);
      }
      // [PB12]
      expect(log.stats().records).toBe(records);
    },
  );

  it('[PB30] plays a demo from the end of the first sync at its speed, stands still, and begins anew', async () => {
    const recorded = await record(7, [20]);
    const bench = new EngineBench(incident(), { sessions: new Map([['demo', recorded.log]]) });
    opened.push(bench);
    await settled(bench, bench.engine.startDemo('demo'));
    const player = bench.engine.player();
    const began = player?.playback();
    expect(began).toMatchObject({ origin: 'demo', state: 'playing', rate: 1, demo: 'demo' });
    expect(bench.engine.connection()).toMatchObject({ phase: 'live', version: 'v1.37.2' });
    const { at = 0, from = 0, to = 0 } = began ?? {};
    expect(at - from).toBeLessThan(50);
    await bench.clock.advance(5000);
    expect(player?.playback().at).toBeCloseTo(at + 5000, -1);
    player?.pause();
    await bench.clock.advance(5000);
    expect(player?.playback()).toMatchObject({ state: 'paused', rate: 0 });
    expect(player?.playback().at).toBeCloseTo(at + 5000, -1);
    player?.setSpeed(10);
    player?.play();
    await bench.clock.advance(1000);
    expect(player?.playback().at).toBeCloseTo(at + 15_000, -1);
    await bench.clock.advance((to - at) / 10 + 1000);
    expect(player?.playback()).toMatchObject({ state: 'ended', rate: 0, at: to });
    // Played record by record it ends where a file opens.
    await seek(bench, lastMoment(recorded).at);
    expect(viewsOf(bench)).toEqual(lastMoment(recorded).views);
    player?.play();
    await bench.clock.advance(100);
    expect(player?.playback()).toMatchObject({ state: 'playing', rate: 10 });
    expect(player?.playback().at).toBeLessThan(from + 2000);
  });

  it('[PB32] shows the same whether it was played or folded', async () => {
    const recorded = await record(9, [25]);
    const bench = new EngineBench(incident(), { sessions: new Map([['demo', recorded.log]]) });
    opened.push(bench);
    await settled(bench, bench.engine.startDemo('demo'));
    const { at, views } = lastMoment(recorded);
    const player = bench.engine.player();
    player?.setSpeed(50);
    await bench.clock.advance((at - (player?.playback().at ?? 0)) / 50);
    player?.pause();
    await bench.clock.advance(1000);
    const shown = viewsOf(bench) as { keys: unknown; queues: unknown; findings: unknown; gaps: unknown };
    const { keys, queues, findings, gaps } = views as typeof shown;
    // Played time has fractions of a ms: what counts up to now differs by those.
    expect({ keys: shown.keys, findings: shown.findings, gaps: shown.gaps }).toEqual({
      keys,
      findings,
      gaps,
    });
    expect(JSON.stringify(shown.queues).length).toBeGreaterThan(0.9 * JSON.stringify(queues).length);
  });

  it('[PB20] keeps predictions as they were made, whatever the looker does to the profile', async () => {
    const { log } = await record(3, [25]);
    const bench = await open(log);
    const session = bench.engine.session();
    const before = session?.shadows.predictions('database').rows;
    expect(before?.length).toBeGreaterThan(0);
    const edited = session?.operators.edit({
      controller: 'database',
      field: 'limiter',
      value: { type: 'exp', base: '7s', factor: 3, max: '700s' },
    });
    expect(edited).toEqual({ ok: true, value: undefined });
    await bench.clock.advance(2000);
    expect(session?.shadows.view('database').snapshot?.limiterStepsMs[0]).toBe(7000);
    expect(session?.shadows.predictions('database').rows).toEqual(before);
    // [PB21] The edit stays while the looker goes back and forth, in memory alone.
    const records = log.stats().records;
    await seek(bench, (bench.engine.player()?.playback().to ?? 0) - 30_000);
    const again = bench.engine.session();
    expect(again).not.toBe(session);
    expect(again?.operators.profile()?.controllers[0]?.limiter.value).toMatchObject({ base: '7s' });
    expect(log.stats().records).toBe(records);
  });

  it('[PB3] opens sessions from before watching was recorded', async () => {
    const { log, moments } = await record(4, [20]);
    const old = createMemoryLog({
      clock: { now: () => moments[0]?.at ?? 0, monotonic: () => 0, setTimer: () => ({ dispose() {} }) },
    });
    for (const head of log.heads({})) {
      const payload = log.payload(head.seq) ?? '';
      const isOld =
        !['connection', 'discovery', 'access'].includes(head.kind) && !payload.includes('"inferred"');
      if (!isOld) continue;
      const { seq: _seq, tie: _tie, late: _late, ...input } = head;
      const { seq } = old.append({ ...input, payload });
      const facts = log.facts(head.seq) as { seq: number }[] | undefined;
      if (facts !== undefined)
        old.putFacts(
          seq,
          facts.map((fact) => ({ ...fact, seq })),
        );
    }
    const bench = await open(old);
    const session = bench.engine.session();
    expect(bench.engine.connection()).toMatchObject({ phase: 'live', context: 'test' });
    expect(session?.operators.profile()?.name).toBe('database-operator');
    expect(session?.shadows.view('database').snapshot).toBeDefined();
    expect(session?.verdicts.findings().findings.length).toBeGreaterThan(0);
    expect(session?.informers.rows.find((row) => row.resource === 'databases')).toMatchObject({
      state: 'live',
    });
  });
});

describe('what is shown', () => {
  it('[PB35] is a file while the live recording goes on behind it', async () => {
    const { log } = await record(2, [10]);
    const bench = new EngineBench(incident(), { sessions: new Map([['file', log]]) });
    opened.push(bench);
    await bench.connect();
    bench.attachLog();
    const live = bench.engine.live();
    const { methods } = bench.engine.handlers;
    const context = { signal: new AbortController().signal };
    const opening = settled(bench, Promise.resolve(methods['session.open']({ path: 'file' }, context)));
    expect(await opening).toEqual({ ok: true });
    expect(bench.engine.session()).not.toBe(live);
    const before = bench.engine.playback().behind?.records ?? 0;
    bench.line(errorLine());
    bench.cluster.of('databases.db.example.com').update('shop/orders', { spec: { replicas: 9 } });
    await bench.clock.advance(1000);
    expect(bench.engine.playback()).toMatchObject({ origin: 'file', behind: { context: 'test' } });
    expect(bench.engine.playback().behind?.records).toBeGreaterThan(before + 1);
    expect(await methods['feed.attachMetrics']({ url: 'http://127.0.0.1:1/metrics' }, context)).toMatchObject(
      {
        ok: false,
        problem: { code: 'recorded' },
      },
    );
    expect(await methods['session.close']({}, context)).toEqual({ ok: true });
    expect(bench.engine.session()).toBe(live);
    expect(bench.engine.connection()).toMatchObject({ phase: 'live', context: 'test' });
  });

  it('[PB36] stays when a file cannot be opened, and is replaced by a connection', async () => {
    const { log } = await record(2, [5]);
    const bench = await open(log);
    const session = bench.engine.session();
    expect(await bench.engine.openFile('nowhere')).toMatchObject({ ok: false, error: { code: 'missing' } });
    expect(bench.engine.session()).toBe(session);
    expect((await bench.connect()).ok).toBe(true);
    expect(bench.engine.session()).toBe(bench.engine.live());
    expect(bench.engine.playback()).toMatchObject({ origin: 'cluster', state: 'live' });
  });

  it('[PB33] tells how far opening is, and gives it up when asked', async () => {
    const { log } = await record(2, [60]);
    const bench = new EngineBench(incident(), { sessions: new Map([['file', long(log, 20)]]) });
    opened.push(bench);
    const told: string[] = [];
    bench.engine.onPlayback.on(() => {
      const { state, progress } = bench.engine.playback();
      told.push(`${state} ${progress?.records ?? '-'}`);
    });
    const opening = bench.engine.openFile('file');
    await settlePromises();
    expect(bench.engine.connection()).toMatchObject({ phase: 'opening' });
    expect(bench.engine.session()).toBeUndefined();
    expect(told).toContain('opening 4000');
    bench.engine.cancel();
    expect(await settled(bench, opening)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(bench.engine.connection().phase).toBe('idle');
    expect(bench.engine.playback().origin).toBe('none');
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('[PB33] of many moments asked for in a row goes to the last, and begins none in between', async () => {
    const { log } = await record(2, [60]);
    let walks = 0;
    const counted = Object.assign(Object.create(log) as SessionLog, {
      heads(query: Parameters<SessionLog['heads']>[0]) {
        walks++;
        return log.heads(query);
      },
    });
    const bench = await open(counted);
    const { from = 0, to = 0 } = bench.engine.playback();
    const one = walks;
    await seek(bench, from);
    const perSeek = walks - one;
    walks = 0;
    const seeks = Array.from({ length: 50 }, (_, place) =>
      bench.engine.player()?.seek(from + ((to - from) * (50 - place)) / 100),
    );
    await settled(bench, Promise.all(seeks));
    expect(bench.engine.playback().at).toBe(from + (to - from) / 100);
    expect(walks).toBeLessThanOrEqual(2 * perSeek);
  });

  it('[PB36] comes back when another that is being read in its place is given up', async () => {
    const { log } = await record(2, [60]);
    const bench = await open(log, [['long', long(log, 20)]]);
    const shown = bench.engine.session();
    const opening = bench.engine.openFile('long');
    await settlePromises();
    expect(bench.engine.connection()).toMatchObject({ phase: 'opening' });
    bench.engine.cancel();
    expect(await settled(bench, opening)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(bench.engine.session()).toBe(shown);
    expect(bench.engine.playback()).toMatchObject({ name: 'file', state: 'paused' });
    bench.engine.closePlayed();
    expect(bench.engine.connection().phase).toBe('idle');
    await bench.clock.advance(10);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('leaves nothing running', async () => {
    const { log } = await record(5, [10]);
    const bench = new EngineBench(incident(), { sessions: new Map([['demo', log]]) });
    await settled(bench, bench.engine.startDemo('demo'));
    expect(bench.clock.pendingTimers).toBeGreaterThan(0);
    bench.engine.dispose();
    await bench.clock.advance(10);
    expect(bench.clock.pendingTimers).toBe(0);
  });
});

/** The records of a log over and over: a long one. */
function long(log: SessionLog, times: number): SessionLog {
  const many = createMemoryLog({
    clock: { now: () => 0, monotonic: () => 0, setTimer: () => ({ dispose() {} }) },
  });
  for (let turn = 0; turn < times; turn++)
    for (const head of log.heads({})) {
      const { seq: _seq, tie: _tie, late: _late, ...input } = head;
      many.append({ ...input, payload: log.payload(head.seq) ?? '' });
    }
  return many;
}
