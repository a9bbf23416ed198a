/** Sessions of which a part cannot be read: said, never fatal, and what was on screen stays. */
import { afterEach, describe, expect, it } from 'vitest';
import { DamagedLog } from '../session/damagedLog.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, incident } from '../testing/engineBench.ts';
import type { FakeClock } from '../testing/fakeClock.ts';
import { beginRun, scriptedRun } from '../testing/scriptedRun.ts';

const benches: EngineBench[] = [];
afterEach(() => {
  for (const bench of benches.splice(0)) bench.engine.dispose();
});

async function record(): Promise<SessionLog> {
  let log: SessionLog | undefined;
  const bench = new EngineBench(incident(), {
    openSession: (clock: FakeClock) => {
      log ??= createMemoryLog({ clock });
      return log;
    },
  });
  await beginRun(bench);
  await scriptedRun(bench, 3, 30);
  bench.engine.dispose();
  if (log === undefined) throw new Error('the run did not connect');
  return log;
}

/** The same log, of which nothing after a part of its records can be read. */
function damagedAfter(log: SessionLog, part: number): SessionLog {
  const last = Math.floor(log.stats().records * part);
  return Object.assign(Object.create(log) as SessionLog, {
    facts(seq: Parameters<SessionLog['facts']>[0]) {
      if (seq > last) throw new DamagedLog(new Error('Data corruption detected'));
      return log.facts(seq);
    },
  });
}

async function benchOf(sessions: Readonly<Record<string, SessionLog>>): Promise<EngineBench> {
  const bench = new EngineBench(incident(), { sessions: new Map(Object.entries(sessions)) });
  benches.push(bench);
  return bench;
}

async function settled<T>(bench: EngineBench, work: Promise<T>): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  work.then(end, end);
  for (let turn = 0; turn < 2000 && !done; turn++) await bench.clock.advance(1);
  return work;
}

const sentence =
  'The session broken is damaged: Data corruption detected. Take another copy of it if there is one.';

describe('a damaged session', () => {
  it('[PB36] is refused with a sentence, and nothing is shown of it', async () => {
    const bench = await benchOf({ broken: damagedAfter(await record(), 0.5) });
    const opened = await settled(bench, bench.engine.openFile('broken'));
    expect(opened).toEqual({ ok: false, error: { code: 'damaged', message: sentence } });
    expect(bench.engine.connection().phase).toBe('idle');
    expect(bench.engine.playback()).toMatchObject({ origin: 'none', state: 'live' });
  });

  it('[PB36] leaves what was shown before on screen', async () => {
    const whole = await record();
    const bench = await benchOf({ whole, broken: damagedAfter(whole, 0.5) });
    await settled(bench, bench.engine.openFile('whole'));
    const shown = bench.engine.session();
    const { at } = bench.engine.playback();
    expect((await settled(bench, bench.engine.openFile('broken'))).ok).toBe(false);
    expect(bench.engine.session()).toBe(shown);
    expect(bench.engine.playback()).toMatchObject({ name: 'whole', state: 'paused', at });
    const { from = 0 } = bench.engine.playback();
    await settled(bench, bench.engine.player()?.seek(from) ?? Promise.resolve());
    expect(bench.engine.playback().at).toBe(from);
  });

  it('[PB38] that is played stands still before what cannot be read', async () => {
    const bench = await benchOf({ broken: damagedAfter(await record(), 0.9) });
    expect((await settled(bench, bench.engine.startDemo('broken'))).ok).toBe(true);
    const player = bench.engine.player();
    player?.setSpeed(50);
    await bench.clock.advance(60_000);
    expect(bench.engine.playback()).toMatchObject({ state: 'paused', rate: 0 });
    expect(bench.logs).toContain(sentence);
  });

  it('[PB38] says so of a moment that cannot be reached, and the earlier ones can', async () => {
    const bench = await benchOf({ broken: damagedAfter(await record(), 0.9) });
    await settled(bench, bench.engine.startDemo('broken'));
    bench.engine.player()?.pause();
    const { from = 0, to = 0 } = bench.engine.playback();
    const signal = new AbortController().signal;
    const { methods } = bench.engine.handlers;
    const beyond = await settled(bench, Promise.resolve(methods['playback.seek']({ at: to }, { signal })));
    expect(beyond).toEqual({ ok: false, problem: { code: 'damaged', message: sentence } });
    expect(bench.engine.playback().progress).toBeUndefined();
    const back = await settled(bench, Promise.resolve(methods['playback.seek']({ at: from }, { signal })));
    expect(back).toEqual({ ok: true });
    expect(bench.engine.playback()).toMatchObject({ state: 'paused', at: from });
  });
});
