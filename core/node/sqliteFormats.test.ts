/**
 * Session files of every format we ever wrote, kept as they are: each must open for ever.
 * session-format1-testbed: 25 s of the test bed's cluster with an operator whose reconciles fail, as it was recorded.
 * session-format1: 41 records (39 of 3 objects and their log, one late), blocks of 1,500 bytes, segments of 16.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { objectKey, recordSeq } from '../../shared/model/ids.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { logContents } from '../testing/sessionLogWalk.ts';
import { migrateFile } from './sqliteReading.ts';
import { openSqliteSession } from './sqliteSession.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('[SES49] a file of format 1 says what it said', () => {
  const file = path.join(folder, 'session.loopscope');
  copyFileSync(fileURLToPath(new URL('./fixtures/session-format1.loopscope', import.meta.url)), file);
  const opened = openSqliteSession(file, { clock: new FakeClock(0) });
  if (!opened.ok) throw new Error(opened.error.message);
  const log = opened.value;
  const start = Date.UTC(2026, 10, 30, 8);
  expect(log.stats()).toMatchObject({ id: 'fixture', startedAt: start, records: 41, late: 1 });
  expect(log.clusterStamp()).toEqual({ context: 'testbed', version: 'v1.37.2' });
  const database = objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'db-2' });
  expect(log.historyOf(database)).toEqual([2, 5, 11, 14, 17, 23, 26, 29, 35, 38]);
  expect(log.head(recordSeq(38))).toEqual({
    seq: 38,
    kind: 'object',
    source: 'watch:db.example.com/v1/databases',
    at: { lo: start + 3800, hi: start + 3800 },
    tie: 0,
    receivedAt: start + 3801,
    object: database,
    uid: '6f1c02f4-98a1-4a0e-8d1c-000000000002',
    resourceVersion: '538',
    op: 'modified',
    metadataOnly: false,
    initial: false,
    late: false,
  });
  expect(JSON.parse(log.payload(recordSeq(38)) ?? '')).toMatchObject({ status: { n: 38, text: 'ä→𝄞' } });
  expect(log.facts(recordSeq(38))).toEqual([{ fact: 'object', seq: 38, n: 38 }]);
  expect([...log.heads({ kinds: ['log'] })].map((head) => head.seq)).toEqual([
    4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 41,
  ]);
  expect(log.payload(recordSeq(41))).toBe('late');
  expect(log.intervals.asOf('condition', 'db-1/Ready', 1500)?.value).toEqual({ status: 'False' });
  log.close();
});

test('[SES49] a session that format 1 recorded from a cluster is the same after the migration', () => {
  const [before, after] = ['before', 'after'].map((name) => path.join(folder, `${name}.loopscope`));
  if (before === undefined || after === undefined) throw new Error('two files');
  const original = fileURLToPath(new URL('./fixtures/session-format1-testbed.loopscope', import.meta.url));
  for (const file of [before, after]) copyFileSync(original, file);
  expect(migrateFile(after, 'test')).toEqual({ ok: true, value: undefined });
  expect(migrateFile(after, 'test')).toEqual({ ok: true, value: undefined });
  const logs = [before, after].map((file) => {
    const opened = openSqliteSession(file, { clock: new FakeClock(0) });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  });
  const [old, migrated] = logs;
  expect(migrated?.stats().records).toBe(270);
  expect(migrated && logContents(migrated)).toEqual(old && logContents(old));
  expect(migrated?.summary()).toEqual(old?.summary());
  expect(migrated?.summary()).toMatchObject({ context: 'testbed', kept: false, closed: true, records: 270 });
  for (const log of logs) log.close();
});
