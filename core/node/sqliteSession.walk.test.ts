import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryLog } from '../session/memoryLog.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createWalk, logContents } from '../testing/sessionLogWalk.ts';
import { createSqliteSession, openSqliteSession, type SqliteSession } from './sqliteSession.ts';

const start = Date.UTC(2026, 10, 30, 8);
const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-walk-'));
afterAll(() => rmSync(folder, { recursive: true }));

function reopened(file: string, clock: FakeClock, mode: 'read' | 'append'): SqliteSession {
  const opened = openSqliteSession(file, { clock, mode, limits: { blockBytes: 700, burstMs: 0 } });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

describe('session file against the log in memory', () => {
  test.each([1, 2, 3, 4, 5, 6])('[SES34] the same walk gives the same log, seed %i', (seed) => {
    const clock = new FakeClock(start);
    const memory = createMemoryLog({ clock });
    const limits = { blockBytes: 700, segmentRecords: 32, burstMs: 0 };
    const made = createSqliteSession({ folder, clock, id: `walk-${seed}`, limits });
    if (!made.ok) throw new Error(made.error.message);
    let session = made.value;
    const walk = createWalk(seed, start);
    for (let count = 1; count <= 1500; count++) {
      walk.step([memory, session]);
      clock.advanceSync(count % 7 === 0 ? 60 : 1);
      if (count % 25 === 0) {
        const query = walk.query();
        expect([...session.heads(query)], JSON.stringify(query)).toEqual([...memory.heads(query)]);
        expect(session.watermark()).toBe(memory.watermark());
        expect(session.intervals.allAsOf('state', start + count)).toEqual(
          memory.intervals.allAsOf('state', start + count),
        );
      }
      if (count % 500 === 0) expect(logContents(session)).toEqual(logContents(memory));
      if (count === 1000) {
        session.close();
        session = reopened(session.file, clock, 'append');
        // A reopened session knows its sources, none of them live; so must the one it is compared with.
        for (const log of [memory, session]) {
          for (const head of memory.heads({})) log.sourceState(head.source, false);
        }
      }
    }
    session.close();
    const read = reopened(session.file, clock, 'read');
    expect(logContents(read)).toEqual(logContents(memory));
    expect(clock.pendingTimers).toBe(0);
    read.close();
  });
});
