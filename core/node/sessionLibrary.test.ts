import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { ok } from '../../shared/base/result.ts';
import type { Retention } from '../../shared/contract/views/sessions.ts';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import { PlayedLog } from '../session/playedLog.ts';
import type { SessionLog } from '../session/record.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createWalk, logContents } from '../testing/sessionLogWalk.ts';
import { createSessionLibrary } from './sessionLibrary.ts';
import { lockSession, unlockSession } from './sqliteLock.ts';
import { openForReading } from './sqliteReading.ts';
import { createSessionTables, migrate } from './sqliteSchema.ts';
import { createSqliteSession, type SqliteSession } from './sqliteSession.ts';

const start = Date.UTC(2026, 10, 30, 8);
const root = mkdtempSync(path.join(os.tmpdir(), 'loopscope-library-'));
afterAll(() => rmSync(root, { recursive: true }));
const fixture = fileURLToPath(new URL('./fixtures/session-format1-testbed.loopscope', import.meta.url));
let count = 0;

function setUp(retention: Retention = { keep: 10, maxBytes: 2 ** 31 }) {
  const folder = path.join(root, String(count++), 'sessions');
  const clock = new FakeClock(start);
  let chosen = retention;
  const lines: string[] = [];
  const library = createSessionLibrary({
    folder,
    clock,
    app: '0.2.0',
    retention: {
      get: () => chosen,
      set(next) {
        chosen = next;
        return ok(undefined);
      },
    },
    log: (line) => lines.push(line),
  });
  let changes = 0;
  library.onChange(() => changes++);
  /** A session of `records` lines begun `days` after the start. */
  function record(days: number, records = 3, at = folder): SqliteSession {
    const made = createSqliteSession({
      folder: at,
      clock: new FakeClock(start + days * 86_400_000),
      id: `kind-${days}`,
      app: '0.2.0',
      onClose: () => library.ended(session),
    });
    if (!made.ok) throw new Error(made.error.message);
    const session = made.value;
    session.stampCluster({ context: `kind-${days}`, server: 'https://127.0.0.1:6443' });
    for (let index = 0; index < records; index++) line(session, `line ${index}`, start + index * 1000);
    session.flush();
    return session;
  }
  return { folder, clock, library, record, lines, changes: () => changes };
}

function line(log: SessionLog, payload: string, at = start): void {
  log.append({ kind: 'log', source: sourceId('log:1'), at: { lo: at, hi: at }, receivedAt: at, payload });
}

function idOf(session: SqliteSession): string {
  return path.basename(session.file);
}

/** As a process that was killed leaves it. */
function leave(session: SqliteSession, folder: string, name: string): string {
  const file = path.join(folder, name);
  for (const suffix of ['', '-wal']) copyFileSync(session.file + suffix, file + suffix);
  return file;
}

/** Where modes count: as root they would not. */
function asOrdinaryUser<T>(run: () => T): T {
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    if (root) process.seteuid?.(0);
  }
}

describe('rows', () => {
  test('[SES50] say what a session is, newest first, whatever became of it', () => {
    const { library, record, folder, changes } = setUp();
    expect(library.rows()).toEqual([]);
    record(1).close();
    const mine = record(3);
    library.begun(mine);
    library.noteOperator(mine, 'database-operator');
    const other = record(4);
    leave(record(2), folder, '20261202T080001Z-left.loopscope');
    library.refresh();
    const left = library.rows().filter(({ id }) => !id.includes('kind-2'));
    expect(left.map(({ state, name }) => `${state} ${name}`)).toEqual([
      'elsewhere kind-4',
      'recording kind-3 · database-operator',
      'interrupted kind-2',
      'closed kind-1',
    ]);
    expect(left[3]).toEqual({
      id: '20261201T080000Z-kind-1.loopscope',
      path: path.join(folder, '20261201T080000Z-kind-1.loopscope'),
      name: 'kind-1',
      named: false,
      state: 'closed',
      context: 'kind-1',
      startedAt: start + 86_400_000,
      endedAt: start + 2000,
      records: 3,
      bytes: statSync(left[3]?.path ?? '').size,
      kept: false,
    });
    // What is not in the file itself yet counts too.
    expect(left[2]).toMatchObject({ records: 3, endedAt: start + 2000 });
    expect(left[2]?.bytes).toBeGreaterThan(statSync(`${left[2]?.path}-wal`).size);
    const before = changes();
    line(mine, 'more', start + 9000);
    mine.flush();
    expect(library.rows()[1]).toMatchObject({ records: 4, endedAt: start + 9000 });
    mine.close();
    library.ended(mine);
    expect(changes()).toBe(before + 1);
    expect(library.rows()[1]).toMatchObject({ state: 'closed', records: 4, operator: 'database-operator' });
    other.close();
  });

  test('[SES50] read a file again only when it changed', () => {
    const { library, record, folder } = setUp();
    const one = record(1);
    one.close();
    for (let copy = 1; copy < 100; copy++)
      copyFileSync(one.file, path.join(folder, `copy-${copy}.loopscope`));
    library.refresh();
    const first = library.rows();
    expect(first).toHaveLength(100);
    const began = performance.now();
    library.refresh();
    const again = performance.now() - began;
    expect(library.rows().every((row, index) => row === first[index])).toBe(true);
    expect(again).toBeLessThan(500);
    expect(readdirSync(folder)).toHaveLength(100);
  });

  test('[SES51] what cannot be read says why, and only that file is concerned', () => {
    const { library, record, folder } = setUp();
    const good = record(1, 400);
    good.close();
    const put = (name: string, make: (file: string) => void) => make(path.join(folder, `${name}.loopscope`));
    put('empty', (file) => writeFileSync(file, ''));
    put('text', (file) => writeFileSync(file, 'hello, this is no session at all'));
    put('garbage', (file) => {
      const bytes = Buffer.from(readFileSync(good.file));
      bytes.fill(0x5a, 16, 100);
      writeFileSync(file, bytes);
    });
    put('foreign', (file) => {
      const database = new DatabaseSync(file);
      database.exec('CREATE TABLE t (x)');
      database.close();
    });
    put('cut', (file) => {
      copyFileSync(good.file, file);
      truncateSync(file, statSync(file).size - 1024);
    });
    put('newer', (file) => {
      copyFileSync(good.file, file);
      const database = new DatabaseSync(file);
      database.exec('PRAGMA user_version = 9');
      database.close();
    });
    library.refresh();
    const said = Object.fromEntries(
      library.rows().flatMap(({ id, problem, state }) => {
        if (problem === undefined) return [];
        expect(state).toBe('unreadable');
        return [
          [id.replace('.loopscope', ''), `${problem.code}: ${problem.message.replaceAll(folder, '…')}`],
        ];
      }),
    );
    expect(said).toMatchObject({
      empty: 'empty: …/empty.loopscope is empty: nothing was recorded into it. It may be deleted.',
      text: 'notASession: …/text.loopscope is not a Loopscope session.',
      foreign: 'notASession: …/foreign.loopscope is not a Loopscope session.',
      newer: expect.stringMatching(/^newer: .*newer Loopscope \(format 9.*Update Loopscope to open it\.$/),
      cut: expect.stringMatching(/^damaged: .*\d+ of \d+ bytes are there\..*copy it again\.$/),
      garbage: expect.stringMatching(/^damaged: .*is damaged/),
    });
    expect(Object.keys(said)).toHaveLength(6);
    // Only deleting is possible.
    const answer = library.rename('text.loopscope', 'x');
    expect(answer).toMatchObject({ ok: false, error: { code: 'notASession' } });
    expect(library.remove('text.loopscope')).toEqual(ok(undefined));
    expect(existsSync(path.join(folder, 'text.loopscope'))).toBe(false);
  });

  test('[SES51] a file of somebody else is a sentence', () => {
    const { library, record } = setUp();
    const session = record(1);
    session.close();
    chmodSync(root, 0o755);
    for (const part of ['.', '..']) chmodSync(path.join(path.dirname(session.file), part), 0o755);
    chmodSync(session.file, 0o000);
    const rows = asOrdinaryUser(() => {
      library.refresh();
      return library.rows();
    });
    expect(rows[0]).toMatchObject({ state: 'unreadable', problem: { code: 'unusable' } });
    expect(rows[0]?.problem?.message).toContain('you may not read it');
  });
});

describe('names', () => {
  test('[SES52] lie in the file: a copy of it carries its name', () => {
    const { library, record, folder } = setUp();
    const session = record(1);
    session.close();
    expect(library.rename(idOf(session), '  The day it broke  ')).toEqual(ok(undefined));
    expect(library.keep(idOf(session), true)).toEqual(ok(undefined));
    expect(library.rows()[0]).toMatchObject({
      name: 'The day it broke',
      named: true,
      kept: true,
      state: 'closed',
    });
    copyFileSync(session.file, path.join(folder, 'elsewhere.loopscope'));
    library.refresh();
    expect(library.rows().map(({ name }) => name)).toEqual(['The day it broke', 'The day it broke']);
    expect(library.keep(idOf(session), false)).toEqual(ok(undefined));
    expect(readdirSync(folder).sort()).toEqual([idOf(session), 'elsewhere.loopscope']);
  });

  test('[SES52] are given to a session while it is recorded', () => {
    const { library, record } = setUp();
    const session = record(1);
    library.begun(session);
    expect(library.rename(idOf(session), 'now')).toEqual(ok(undefined));
    expect(library.rows()[0]).toMatchObject({ name: 'now', state: 'recording' });
    session.close();
    expect(library.rows()[0]).toMatchObject({ name: 'now', state: 'closed' });
  });

  test('[SES52] of 1 to 120 characters on one line', () => {
    const { library, record } = setUp();
    const session = record(1);
    session.close();
    for (const bad of ['', '   ', 'x'.repeat(121), 'two\nlines', 'bell\u0007', 'line\u2028separator']) {
      const answer = library.rename(idOf(session), bad);
      expect(answer, JSON.stringify(bad)).toMatchObject({ ok: false, error: { code: 'name' } });
    }
    expect(library.rename(idOf(session), '𝄞'.repeat(120))).toEqual(ok(undefined));
    expect(library.rename('none.loopscope', 'x')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(library.rename('../preferences.json', 'x')).toMatchObject({ ok: false });
  });

  test('[SES52] are refused where another Loopscope records, and where nothing may be written', () => {
    const { library, record } = setUp();
    const other = record(1);
    const closed = record(2);
    closed.close();
    expect(library.rename(idOf(other), 'x')).toMatchObject({ ok: false, error: { code: 'elsewhere' } });
    other.close();
    for (const part of ['..', '.']) chmodSync(path.join(path.dirname(closed.file), part), 0o755);
    chmodSync(closed.file, 0o444);
    const answer = asOrdinaryUser(() => library.rename(idOf(closed), 'x'));
    expect(answer).toMatchObject({ ok: false, error: { code: 'readOnly' } });
    expect(library.rows()[0]?.named).toBe(false);
  });
});

describe('deleting', () => {
  test('[SES53] takes everything that belongs to a session, never one that is recorded or shown', async () => {
    const { library, record, folder } = setUp();
    const mine = record(1);
    library.begun(mine);
    const other = record(2);
    expect(library.remove(idOf(mine))).toMatchObject({ ok: false, error: { code: 'recording' } });
    expect(library.remove(idOf(other))).toMatchObject({ ok: false, error: { code: 'elsewhere' } });
    mine.close();
    leave(other, folder, 'left.loopscope');
    other.close();
    const shown = await library.open(mine.file);
    if (!shown.ok) throw new Error(shown.error.message);
    expect(library.remove(idOf(mine))).toMatchObject({ ok: false, error: { code: 'open' } });
    shown.value.log.close();
    for (const id of [idOf(mine), idOf(other), 'left.loopscope'])
      expect(library.remove(id), id).toEqual(ok(undefined));
    expect(readdirSync(folder)).toEqual([]);
    expect(library.rows()).toEqual([]);
  });

  test('[SES40] retention: the newest stay, kept and open ones whatever their age', async () => {
    const { library, record, lines } = setUp({ keep: 3, maxBytes: 2 ** 31 });
    const days = [1, 2, 3, 4, 5, 6].map((day) => record(day));
    for (const session of days) session.close();
    library.keep(idOf(days[0] as SqliteSession), true);
    const shown = await library.open((days[1] as SqliteSession).file);
    if (!shown.ok) throw new Error(shown.error.message);
    const mine = record(7);
    library.begun(mine);
    const names = () => library.rows().map(({ name }) => name);
    // 7 is recorded; of the unkept the newest three: 6, 5, 4. 2 is shown, 1 is kept.
    expect(names()).toEqual(['kind-7', 'kind-6', 'kind-5', 'kind-4', 'kind-2', 'kind-1']);
    expect(lines).toHaveLength(1);
    shown.value.log.close();
    library.setRetention({ keep: 1, maxBytes: 2 ** 31 });
    expect(names()).toEqual(['kind-7', 'kind-6', 'kind-1']);
    mine.close();
  });

  test('[SES40] an attempt to connect that failed leaves no session and pushes none out', () => {
    const { library, record } = setUp({ keep: 2, maxBytes: 2 ** 31 });
    for (const day of [1, 2]) record(day).close();
    const request = (session: SqliteSession) =>
      session.append({
        kind: 'request',
        source: sourceId('self'),
        at: { lo: start, hi: start },
        receivedAt: start,
        payload: '{"path":"/version"}',
      });
    const vain = record(3, 0);
    library.begun(vain);
    request(vain);
    vain.close();
    const named = record(4, 0);
    library.begun(named);
    request(named);
    library.rename(idOf(named), 'mine');
    named.close();
    const real = record(5, 1);
    library.begun(real);
    request(real);
    expect(library.rows().map(({ name }) => name)).toEqual(['kind-5', 'mine', 'kind-2']);
    real.close();
    expect(library.rows()).toHaveLength(3);
  });

  test('[SES40] retention: all together take at most so many bytes; unreadable ones are left to the user', () => {
    const { library, record, folder } = setUp();
    for (let day = 1; day <= 4; day++) record(day, 200).close();
    writeFileSync(path.join(folder, 'empty.loopscope'), '');
    // Its process was killed while it was made: what it would have held is not there, not even in part.
    const begun = path.join(folder, 'begun.loopscope');
    const database = new DatabaseSync(begun);
    expect(() =>
      createSessionTables(database, '', () => {
        throw new Error('killed');
      }),
    ).toThrow('killed');
    database.close();
    writeFileSync(path.join(folder, 'text.loopscope'), 'not a session');
    // Another Loopscope is making one just now.
    const beginning = path.join(folder, 'beginning.loopscope');
    writeFileSync(beginning, '');
    lockSession(beginning);
    library.refresh();
    expect(library.rows().find(({ path: file }) => file === begun)?.problem?.code).toBe('empty');
    const bytes = library.info().bytes;
    expect(library.info()).toEqual({ folder, bytes, retention: { keep: 10, maxBytes: 2 ** 31 } });
    library.setRetention({ keep: 10, maxBytes: Math.floor(bytes * 0.6) });
    const readable = library.rows().filter(({ state }) => state !== 'unreadable');
    expect(readable.map(({ name }) => name)).toEqual(['kind-4', 'kind-3']);
    expect(library.info().bytes).toBeLessThanOrEqual(bytes * 0.6);
    library.setRetention({ keep: 1, maxBytes: 1 });
    expect(readdirSync(folder)).toEqual([
      'beginning.loopscope',
      'beginning.loopscope.lock',
      'text.loopscope',
    ]);
  });
});

describe('opening', () => {
  test('[SES54] one that is still recorded shows what was there, and the recording goes on', async () => {
    const { library, record } = setUp();
    const mine = record(1, 500);
    library.begun(mine);
    const shown = await library.open(mine.file);
    if (!shown.ok) throw new Error(shown.error.message);
    expect(shown.value).toMatchObject({
      name: 'kind-1',
      context: 'kind-1',
      server: 'https://127.0.0.1:6443',
    });
    for (let index = 0; index < 5000; index++) line(mine, `more ${index}`);
    mine.flush();
    mine.close();
    const { log } = shown.value;
    expect(log.stats().records).toBe(500);
    expect([...log.heads({})].map(({ seq }) => log.payload(seq)).at(-1)).toBe('line 499');
    log.close();
    const again = await library.open(mine.file);
    expect(again.ok && again.value.log.stats().records).toBe(5500);
    if (again.ok) again.value.log.close();
  });

  test('[SES49] an older format is migrated in its place, once, and says what it said', async () => {
    const { library, folder } = setUp();
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'old.loopscope');
    copyFileSync(fixture, file);
    library.refresh();
    const row = library.rows()[0];
    expect(row).toMatchObject({ state: 'closed', context: 'testbed', name: 'testbed', kept: false });
    expect(row?.records).toBeGreaterThan(200);
    const shown = await library.open(file);
    if (!shown.ok) throw new Error(shown.error.message);
    expect(shown.value.log.stats().records).toBe(row?.records);
    shown.value.log.close();
    expect(library.rows()[0]).toMatchObject({
      records: row?.records,
      endedAt: row?.endedAt,
      startedAt: row?.startedAt,
    });
    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    expect(database.prepare('SELECT format, app FROM migration').all()).toEqual([
      { format: 1, app: '0.1.0' },
      { format: 2, app: '0.2.0' },
    ]);
    database.close();
    expect(readdirSync(folder)).toEqual(['old.loopscope']);
  });

  test('[SES49] where the old file may not be written a copy of it is migrated, and removed afterwards', () => {
    const { library, folder } = setUp();
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'old.loopscope');
    copyFileSync(fixture, file);
    for (const part of ['..', '.']) chmodSync(path.join(folder, part), 0o555);
    chmodSync(file, 0o444);
    const temporary = mkdtempSync(path.join(os.tmpdir(), 'loopscope-tmp-'));
    chmodSync(temporary, 0o777);
    try {
      asOrdinaryUser(() => {
        library.refresh();
        expect(library.rows()[0]).toMatchObject({ state: 'closed', context: 'testbed' });
        const opened = openForReading(file, { clock: new FakeClock(start), app: '0.2.0', temporary });
        if (!opened.ok) throw new Error(opened.error.message);
        expect(opened.value.stats().records).toBe(library.rows()[0]?.records);
        expect(opened.value.facts(recordSeq(1))).toBeDefined();
        expect(readdirSync(temporary)).toHaveLength(1);
        opened.value.close();
        expect(readdirSync(temporary)).toEqual([]);
      });
      expect(readFileSync(file).equals(readFileSync(fixture))).toBe(true);
    } finally {
      for (const part of ['..', '.']) chmodSync(path.join(folder, part), 0o755);
      rmSync(temporary, { recursive: true });
    }
  });

  test('[SES49] an older format that is still recorded elsewhere is opened as a copy', () => {
    const file = path.join(root, 'held.loopscope');
    copyFileSync(fixture, file);
    lockSession(file);
    const bytes = readFileSync(file);
    const opened = openForReading(file, { clock: new FakeClock(start), temporary: root });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.stats().records).toBe(270);
    expect(opened.value.summary()).toMatchObject({ context: 'testbed', records: 270 });
    expect(readdirSync(root).filter((name) => name.startsWith('loopscope-opened-'))).toHaveLength(1);
    opened.value.close();
    expect(readdirSync(root).filter((name) => name.startsWith('loopscope-opened-'))).toEqual([]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    unlockSession(file);
  });

  test('[SES54] one that a crash left in a folder that may not be written opens too', () => {
    const { record, folder, library } = setUp();
    const session = record(1, 50);
    const locked = path.join(folder, '..', 'locked');
    mkdirSync(locked);
    const file = leave(session, locked, 'left.loopscope');
    session.close();
    for (const suffix of ['', '-wal']) chmodSync(file + suffix, 0o444);
    for (const part of ['..', '.']) chmodSync(path.join(locked, part), 0o555);
    const temporary = mkdtempSync(path.join(os.tmpdir(), 'loopscope-tmp-'));
    chmodSync(temporary, 0o777);
    try {
      asOrdinaryUser(() => {
        const opened = openForReading(file, { clock: new FakeClock(start), temporary });
        if (!opened.ok) throw new Error(opened.error.message);
        expect(opened.value.stats().records).toBe(50);
        opened.value.close();
        expect(readdirSync(temporary)).toEqual([]);
      });
    } finally {
      for (const part of ['..', '.']) chmodSync(path.join(locked, part), 0o755);
      rmSync(temporary, { recursive: true });
    }
    library.refresh();
  });

  test('[SES49] a migration that fails leaves the file as it was', () => {
    const file = path.join(root, 'full.loopscope');
    copyFileSync(fixture, file);
    const database = new DatabaseSync(file);
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    expect(() => migrate(database, '0.2.0')).toThrow('full');
    expect(database.isTransaction).toBe(false);
    database.close();
    const again = openForReading(file, { clock: new FakeClock(start) });
    expect(again.ok && again.value.stats().records).toBeGreaterThan(200);
    if (again.ok) again.value.close();
  });

  test('[SES51] what cannot be opened is a sentence', async () => {
    const { library, record, folder } = setUp();
    record(1).close();
    for (const [name, code] of [
      [folder, 'notASession'],
      [path.join(folder, 'none.loopscope'), 'missing'],
      [path.join(folder, 'file.txt', 'x.loopscope'), 'missing'],
    ] as const) {
      const answer = await library.open(name);
      expect(answer, name).toMatchObject({ ok: false, error: { code } });
    }
  });
});

describe('saving', () => {
  function walked(log: SessionLog, clock: FakeClock): void {
    const walk = createWalk(5, start);
    for (let index = 0; index < 3000; index++) {
      walk.step([log]);
      if (index % 50 === 0) clock.advanceSync(7);
    }
  }

  test('[SES55] a running recording: the copy has all of it, compact, and the recording goes on', async () => {
    const { library, folder, clock } = setUp();
    const made = createSqliteSession({
      folder,
      clock,
      id: 'kind',
      limits: { blockBytes: 3000, segmentRecords: 512 },
    });
    if (!made.ok) throw new Error(made.error.message);
    const session = made.value;
    session.stampCluster({ context: 'kind', server: 'https://127.0.0.1' });
    library.begun(session);
    walked(session, clock);
    const wanted = logContents(session);
    const { records } = session.stats();
    const saving = library.save(session, 'saved', path.join(root, 'copy'));
    line(session, 'after the copy was begun');
    const saved = await saving;
    expect(saved).toEqual(ok(path.join(root, 'copy.loopscope')));
    expect(statSync(path.join(root, 'copy.loopscope')).mode & 0o777).toBe(0o600);
    const opened = await library.open(path.join(root, 'copy.loopscope'));
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.name).toBe('saved');
    expect(logContents(opened.value.log)).toEqual(wanted);
    opened.value.log.close();
    expect(existsSync(path.join(root, 'copy.loopscope-wal'))).toBe(false);
    session.close();
    expect(statSync(path.join(root, 'copy.loopscope')).size).toBeLessThan(statSync(session.file).size);
    expect(session.stats().records).toBe(records + 1);
  });

  test('[SES55] what lives in memory only becomes a session of the folder, kept', async () => {
    const { library, clock } = setUp({ keep: 1, maxBytes: 1 });
    const memory = createMemoryLog({ clock, id: 'kind-dev' });
    walked(memory, clock);
    const saved = await library.save(memory, 'From memory', undefined);
    if (!saved.ok) throw new Error(saved.error.message);
    expect(library.rows()).toHaveLength(1);
    expect(library.rows()[0]).toMatchObject({
      path: saved.value,
      name: 'From memory',
      kept: true,
      state: 'closed',
    });
    const opened = await library.open(saved.value);
    if (!opened.ok) throw new Error(opened.error.message);
    // Intervals are derived: they are made again.
    const contents = (log: SessionLog) => ({ ...(logContents(log) as object), intervals: undefined });
    expect(contents(opened.value.log)).toEqual(contents(memory));
    expect((opened.value.log as SqliteSession).derivedOutdated).toBe(true);
    opened.value.log.close();
    const second = await library.save(memory, 'From memory', undefined);
    expect(second.ok && path.basename(second.value)).toMatch(/-From-memory-2\.loopscope$/);
  });

  test('[SES55] never over a file that is not an earlier copy of the same session', async () => {
    const { library, record } = setUp();
    const [one, two] = [record(1), record(2)];
    for (const session of [one, two]) session.close();
    const target = path.join(root, 'mine.loopscope');
    const open = async (session: SqliteSession) => {
      const opened = await library.open(session.file);
      if (!opened.ok) throw new Error(opened.error.message);
      return opened.value.log;
    };
    const [logOne, logTwo] = [await open(one), await open(two)];
    expect(await library.save(logOne, 'first', target)).toEqual(ok(target));
    expect(await library.save(logOne, 'again', target)).toEqual(ok(target));
    const bytes = readFileSync(target);
    expect(await library.save(logTwo, 'other', target)).toMatchObject({
      ok: false,
      error: { code: 'exists' },
    });
    expect(await library.save(logOne, 'self', one.file)).toMatchObject({
      ok: false,
      error: { code: 'exists' },
    });
    writeFileSync(path.join(root, 'notes.loopscope'), 'mine');
    expect(await library.save(logOne, 'x', path.join(root, 'notes.loopscope'))).toMatchObject({ ok: false });
    expect(readFileSync(path.join(root, 'notes.loopscope'), 'utf8')).toBe('mine');
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect(await library.save(logOne, 'x', path.join(root, 'none', 'x'))).toMatchObject({
      ok: false,
      error: { code: 'no-folder' },
    });
    expect(await library.save(logOne, 'bad\nname', target)).toMatchObject({
      ok: false,
      error: { code: 'name' },
    });
    // What is played is saved up to the moment shown, with all that the file says of itself, and over nothing that has more.
    const played = new PlayedLog(logOne);
    for (const head of logOne.heads({ limit: 2 })) played.advance(head);
    expect(await library.save(played, '', target)).toMatchObject({ ok: false, error: { code: 'exists' } });
    expect(await library.save(played, '', one.file)).toMatchObject({ ok: false, error: { code: 'exists' } });
    const part = path.join(root, 'part.loopscope');
    expect(await library.save(played, '', part)).toEqual(ok(part));
    const opened = openForReading(part, { clock: new FakeClock(start) });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.summary()).toMatchObject({ records: 2, context: 'kind-1' });
    opened.value.close();
    for (const log of [logOne, logTwo]) log.close();
    expect(readdirSync(root).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
