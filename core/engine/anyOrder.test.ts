/** Whatever is asked for, in whatever order and before the last thing was done: nothing breaks, nothing is left running. */
import { afterEach, expect, it } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, errorLine, incident } from '../testing/engineBench.ts';
import type { FakeClock } from '../testing/fakeClock.ts';
import { beginRun, scriptedRun } from '../testing/scriptedRun.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import type { Recovery } from './recovery.ts';

const benches: EngineBench[] = [];
afterEach(() => {
  for (const bench of benches.splice(0)) bench.engine.dispose();
});

async function recording(): Promise<SessionLog> {
  let log: SessionLog | undefined;
  const bench = new EngineBench(incident(), {
    openSession: (clock: FakeClock) => {
      log ??= createMemoryLog({ clock });
      return log;
    },
  });
  await beginRun(bench);
  await scriptedRun(bench, 5, 20);
  bench.engine.dispose();
  if (log === undefined) throw new Error('the run did not connect');
  return log;
}

it.each([1, 2, 3, 4, 5, 6])('takes what is asked for in any order (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const log = await recording();
  const bench = new EngineBench(incident(), {
    sessions: new Map([
      ['one', log],
      ['two', log],
    ]),
  });
  benches.push(bench);
  const { engine, cluster } = bench;
  const { methods } = engine.handlers;
  const context = { signal: new AbortController().signal };
  const told: Promise<unknown>[] = [];
  let recovery: Recovery | undefined;
  const moment = () => {
    const { from = 0, to = 0 } = engine.playback();
    return from + (random() * 1.4 - 0.2) * (to - from);
  };
  const actions: readonly (() => unknown)[] = [
    () => engine.connect({ context: 'test' }),
    () => engine.connect({ context: 'test' }),
    () => engine.disconnect(),
    () => engine.cancel(),
    () => engine.retry(),
    () => engine.openFile(random() < 0.5 ? 'one' : 'two'),
    () => engine.openFile('missing'),
    () => engine.startDemo('one'),
    () => engine.closePlayed(),
    () => methods['playback.seek']({ at: moment() }, context),
    () => methods['playback.seek']({ at: moment() }, context),
    () => methods['playback.set']({ playing: random() < 0.5, speed: 0.5 + random() * 99 }, context),
    () => cluster.down(),
    () => cluster.up(),
    () => bench.line(errorLine()),
    () => {
      recovery = engine.recovery() ?? recovery;
    },
    () => recovery && engine.recover(recovery),
    () => {
      bench.openFails = random() < 0.5 ? { code: 'auth-plugin-failed', message: 'Log in.' } : undefined;
    },
  ];
  for (let step = 0; step < 250; step++) {
    const done = actions[Math.floor(random() * actions.length)]?.();
    if (done instanceof Promise) told.push(done);
    const { phase } = engine.connection();
    if (phase === 'idle' || phase === 'failed' || phase === 'opening')
      expect([phase, engine.session()]).toEqual([phase, undefined]);
    else if (phase !== 'connecting') expect([phase, engine.session() !== undefined]).toEqual([phase, true]);
    if (random() < 0.5) await bench.clock.advance(Math.floor(random() ** 3 * 4000));
  }
  bench.openFails = undefined;
  cluster.up();
  engine.disconnect();
  engine.closePlayed();
  engine.closePlayed();
  await bench.clock.advance(3000);
  await Promise.all(told);
  engine.disconnect();
  expect(engine.connection().phase).toBe('idle');
  const connecting = engine.connect({ context: 'test' });
  await bench.clock.advance(5000);
  expect((await connecting).ok).toBe(true);
  expect(engine.connection().phase).toBe('live');
  engine.dispose();
  await bench.clock.advance(10);
  expect(bench.clock.pendingTimers).toBe(0);
});
