import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, incident, orders } from '../testing/engineBench.ts';
import type { FakeClock } from '../testing/fakeClock.ts';
import { scriptedRun } from '../testing/scriptedRun.ts';
import { sessionViews } from '../testing/sessionViews.ts';

const opened: EngineBench[] = [];
afterEach(() => {
  for (const bench of opened.splice(0)) bench.engine.dispose();
});

interface Recorded {
  readonly log: SessionLog;
  readonly live: unknown;
}

/** A run, its log, and what the window showed in the ms of its last record. */
async function record(seed: number, steps: number): Promise<Recorded> {
  let log: SessionLog | undefined;
  const bench = new EngineBench(incident(), {
    openSession: (clock: FakeClock) => {
      log ??= createMemoryLog({ clock });
      return log;
    },
  });
  opened.push(bench);
  await scriptedRun(bench, seed, steps);
  bench.line('the last line');
  const session = bench.engine.live();
  if (session === undefined || log === undefined) throw new Error('the run did not connect');
  session.watching.refreshRows();
  const live = sessionViews(session, ['database'], orders);
  return { log, live };
}

async function open(log: SessionLog): Promise<EngineBench> {
  const bench = new EngineBench(incident(), { sessions: new Map([['file', log]]) });
  opened.push(bench);
  const opening = bench.engine.openFile('file');
  await bench.clock.advance(1000);
  expect(await opening).toEqual({ ok: true, value: undefined });
  return bench;
}

function viewsOf(bench: EngineBench): unknown {
  const session = bench.engine.session();
  if (session === undefined) throw new Error('nothing is shown');
  return sessionViews(session, ['database'], orders);
}

describe('a played session', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    '[PB1] shows at its end what the live one showed (seed %i)',
    async (seed) => {
      const { log, live } = await record(seed, 40);
      const before = log.stats().records;
      const bench = await open(log);
      expect(viewsOf(bench)).toEqual(live);
      expect(log.stats().records).toBe(before);
    },
  );
});
