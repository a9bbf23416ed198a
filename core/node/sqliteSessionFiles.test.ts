import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { createSqliteSession } from './sqliteSession.ts';
import { listSessionFiles, pruneSessions, sessionsFolder } from './sqliteSessionFiles.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('sessions lie in the data folder', () => {
  expect(sessionsFolder({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/loopscope/sessions');
  expect(sessionsFolder({ LOCALAPPDATA: 'C:\\L' }, 'win32')).toBe('C:\\L\\loopscope\\sessions');
});

test('[SES40] the newest ten stay; one that is open stays whatever its age', () => {
  const sessions = path.join(folder, 'sessions');
  const make = (day: number) => {
    const clock = new FakeClock(Date.UTC(2026, 10, day));
    const made = createSqliteSession({ folder: sessions, clock, id: `day${day}` });
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  };
  const open = make(1);
  for (let day = 13; day > 1; day--) make(day).close();
  writeFileSync(path.join(sessions, 'notes.txt'), 'kept');
  mkdirSync(path.join(sessions, '00000000.loopscope'));
  const deleted = pruneSessions(sessions);
  expect(deleted.map((file) => path.basename(file))).toEqual([
    '20261103T000000Z-day3.loopscope',
    '20261102T000000Z-day2.loopscope',
  ]);
  expect(listSessionFiles(sessions).map((file) => path.basename(file).slice(6, 8))).toEqual([
    '13',
    '12',
    '11',
    '10',
    '09',
    '08',
    '07',
    '06',
    '05',
    '04',
    '01',
  ]);
  open.close();
  expect(pruneSessions(sessions)).toEqual([open.file]);
  expect(readdirSync(sessions).filter((name) => name.includes('day1.'))).toEqual([]);
  expect(readdirSync(sessions)).toContain('notes.txt');
});

test('no folder is no sessions', () => {
  expect(pruneSessions(path.join(folder, 'none'))).toEqual([]);
});
