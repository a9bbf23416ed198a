/** `loopscope sessions` as a process. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSqliteSession, type SqliteSession } from '../core/node/sqliteSession.ts';
import { FakeClock } from '../core/testing/fakeClock.ts';
import { sourceId } from '../shared/model/ids.ts';
import { loopscope } from './testing.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

let home = '';
let folder = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loopscope-sessions-'));
  folder = join(home, 'data', 'loopscope', 'sessions');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: readonly string[]) => loopscope(home, ['sessions', ...args]);

function record(day: number, context: string): SqliteSession {
  const start = Date.UTC(2026, 10, day, 8, 37, 2);
  const made = createSqliteSession({ folder, clock: new FakeClock(start), id: context });
  if (!made.ok) throw new Error(made.error.message);
  const session = made.value;
  session.stampCluster({ context });
  session.describe({ operator: 'database-operator' });
  for (let index = 0; index < 200; index++) {
    const at = start + index * 1000;
    session.append({
      kind: 'log',
      source: sourceId('log:1'),
      at: { lo: at, hi: at },
      receivedAt: at,
      payload: `line ${index}`,
    });
  }
  return session;
}

test('lists what there is, newest first, for people and for programs', async () => {
  expect(await run()).toEqual({ code: 0, out: `No sessions yet. They will lie in ${folder}.\n`, err: '' });
  record(28, 'kind-dev').close();
  record(29, 'kind-prod').close();
  writeFileSync(join(folder, 'notes.loopscope'), 'hello');
  const { code, out, err } = await run('list');
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n').filter((line) => line.startsWith('2026-11-2'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^2026-11-29 08:37:02 {2}3m 19s {6}200 +[\d.]+ kB {2}closed +kind-prod · database-operator {2}20261129T083702Z-kind-prod$/,
  );
  expect(out).toContain(`! ${join(folder, 'notes.loopscope')} is not a Loopscope session.`);
  expect(out).toMatch(
    /3 sessions, [\d.]+ kB in .*\. Times are UTC\.\nThe newest 10 stay, up to 2\.0 GB in all;/,
  );
  const json = JSON.parse((await run('--json')).out);
  expect(json).toMatchObject({ format: 1, folder, retention: { keep: 10, maxBytes: 2_000_000_000 } });
  const readable = json.sessions.filter(({ state }: { state: string }) => state === 'closed');
  expect(readable.map(({ id }: { id: string }) => id)).toEqual([
    '20261129T083702Z-kind-prod.loopscope',
    '20261128T083702Z-kind-dev.loopscope',
  ]);
});

test('names, keeps and deletes a session; says which it was', async () => {
  record(28, 'kind-dev').close();
  expect(await run('rename', '20261128', 'The day it broke')).toEqual({
    code: 0,
    out: 'kind-dev · database-operator is now called The day it broke.\n',
    err: '',
  });
  const kept = await run('keep', 'The day it broke', '--json');
  expect(JSON.parse(kept.out)).toMatchObject({
    format: 1,
    session: { name: 'The day it broke', named: true, kept: true, records: 200 },
  });
  expect((await run()).out).toContain('closed, kept  The day it broke');
  expect((await run('unkeep', '20261128T083702Z-kind-dev')).out).toContain('no longer kept');
  expect(await run('delete', '20261128T083702Z-kind-dev.loopscope')).toEqual({
    code: 0,
    out: 'The day it broke was deleted.\n',
    err: '',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('saves a copy, of a running recording too, and nothing over another file', async () => {
  record(28, 'kind-dev').close();
  const running = record(29, 'kind-prod');
  running.flush();
  const saved = await run('save', '20261129', 'copy.loopscope', '--json');
  expect(JSON.parse(saved.out)).toEqual({ format: 1, path: join(home, 'copy.loopscope') });
  expect(statSync(join(home, 'copy.loopscope')).mode & 0o777).toBe(0o600);
  const over = await run('save', '20261128', 'copy.loopscope');
  expect(over.code).toBe(2);
  expect(over.err).toContain('no earlier copy of this session');
  expect((await run('save', '20261129', 'copy')).code).toBe(0);
  // Into a folder, under the name of its file.
  mkdirSync(join(home, 'copies'));
  await run('save', '20261128', 'copies');
  expect(readdirSync(join(home, 'copies'))).toEqual(['20261128T083702Z-kind-dev.loopscope']);
  expect((await run()).out).toMatch(/ recording +kind-prod · database-operator /);
  expect((await run('save', '20261128', 'none/copy')).err).toContain('There is no folder');
  // What is recorded cannot be deleted or named from here.
  for (const args of [
    ['delete', '20261129'],
    ['rename', '20261129', 'x'],
  ]) {
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^loopscope: Another Loopscope .*\.\n$/);
  }
  running.close();
  expect(existsSync(running.file)).toBe(true);
});

test.each([
  [['frobnicate'], /sessions has no frobnicate; it has list, rename, keep, unkeep, delete, save\./],
  [['rename'], /sessions rename needs ID and NAME\./],
  [['rename', 'x'], /sessions rename needs NAME\./],
  [['keep', 'a', 'b'], /sessions keep takes ID; "b" is too much\./],
  [['rename', 'a', 'b', 'c'], /sessions takes at most 3 arguments; "c" is one too many\./],
  [['delete', 'none'], /There is no session none\./],
  [['keep', '2026'], /2026 could be 2026112/],
  [['rename', '20261128', ' '], /A name has 1 to 120 characters/],
  [['list', '--all'], /sessions has no flag --all\./],
])('%j is a sentence and exit code 2', async (args, sentence) => {
  record(28, 'kind-dev').close();
  record(29, 'kind-prod').close();
  const { code, out, err } = await run(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('help tells what there is to do', async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  for (const action of ['rename ID NAME', 'keep ID', 'unkeep ID', 'delete ID', 'save ID PATH'])
    expect(out).toContain(action);
  expect((await loopscope(home, ['--help'])).out).toContain('sessions');
});

test('what names no session, or something elsewhere, touches nothing', async () => {
  record(28, 'kind-dev').close();
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(home, 'precious.loopscope'), 'mine');
  for (const id of ['', '.', '..', '../../../precious', '../../../precious.loopscope', '/etc/passwd', '%']) {
    const { code, err } = await run('delete', id);
    expect([id, code]).toEqual([id, 2]);
    expect(err).toMatch(/There is no session|An argument is empty/);
  }
  expect(readdirSync(folder)).toEqual([file]);
  expect(existsSync(join(home, 'precious.loopscope'))).toBe(true);
});
