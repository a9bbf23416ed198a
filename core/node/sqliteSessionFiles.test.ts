import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listSessionFiles, removeLeftParts, sessionsFolder } from './sqliteSessionFiles.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('sessions lie in the data folder', () => {
  expect(sessionsFolder({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/loopscope/sessions');
  expect(sessionsFolder({ LOCALAPPDATA: 'C:\\L' }, 'win32')).toBe('C:\\L\\loopscope\\sessions');
});

test('files of sessions are listed, newest first; folders and other files are not', () => {
  const sessions = path.join(folder, 'sessions');
  mkdirSync(path.join(sessions, '20261101T000000Z-a-folder.loopscope'), { recursive: true });
  for (const name of ['20261102T000000Z-a.loopscope', '20261103T000000Z-b.loopscope', 'notes.txt'])
    writeFileSync(path.join(sessions, name), '');
  expect(listSessionFiles(sessions).map((file) => path.basename(file))).toEqual([
    '20261103T000000Z-b.loopscope',
    '20261102T000000Z-a.loopscope',
  ]);
  expect(listSessionFiles(path.join(folder, 'none'))).toEqual([]);
});

test('[SES53] what a crash left of a copy goes after a day, unless somebody still makes it', () => {
  const sessions = path.join(folder, 'parts');
  mkdirSync(sessions);
  const now = Date.UTC(2026, 10, 30);
  const make = (name: string, ageHours: number) => {
    const file = path.join(sessions, name);
    writeFileSync(file, '');
    utimesSync(file, now / 1000, now / 1000 - ageHours * 3600);
  };
  make('.old.loopscope.part', 25);
  make('.old.loopscope.part-journal', 25);
  make('.fresh.loopscope.part', 1);
  make('.held.loopscope.part', 25);
  writeFileSync(path.join(sessions, '.held.loopscope.part.lock'), `${process.pid}\n`);
  make('20261102T000000Z-a.loopscope', 999);
  removeLeftParts(sessions, now);
  expect(readdirSync(sessions).sort()).toEqual([
    '.fresh.loopscope.part',
    '.held.loopscope.part',
    '.held.loopscope.part.lock',
    '20261102T000000Z-a.loopscope',
  ]);
  removeLeftParts(path.join(folder, 'none'), now);
});
