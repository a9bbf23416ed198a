import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { contractStart, describeSessionLog } from '../testing/sessionLogContract.ts';
import { createSqliteSession } from './sqliteSession.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-session-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

describeSessionLog('sqlite', () => {
  const clock = new FakeClock(contractStart);
  const made = createSqliteSession({ folder, clock, id: `contract-${count++}` });
  if (!made.ok) throw new Error(made.error.message);
  return { clock, log: made.value };
});

describeSessionLog('sqlite with blocks of 3 records and segments of 4', () => {
  const clock = new FakeClock(contractStart);
  const limits = { blockBytes: 240, segmentRecords: 4, burstMs: 0 };
  const made = createSqliteSession({ folder, clock, id: `small-${count++}`, limits });
  if (!made.ok) throw new Error(made.error.message);
  return { clock, log: made.value };
});
