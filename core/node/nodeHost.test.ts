/** Where the host puts sessions, and what it does where it cannot. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sourceId } from '../../shared/model/ids.ts';
import type { SessionLog } from '../session/record.ts';
import { createNodeHost, type NodeHostOptions } from './nodeHost.ts';
import type { SqliteSession } from './sqliteSession.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'loopscope-host-'));
afterAll(() => rmSync(root, { recursive: true }));
const stamp = { context: 'kind-dev', server: 'https://127.0.0.1:6443' };
let count = 0;

function setUp(options: Partial<NodeHostOptions> = {}) {
  const home = path.join(root, String(count++));
  const lines: string[] = [];
  const env = {
    HOME: home,
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
  };
  const host = createNodeHost({ version: '0.1.0', env, log: (line) => lines.push(line), ...options });
  return { host, lines, folder: path.join(home, 'data', 'loopscope', 'sessions') };
}

function line(log: SessionLog, payload: string): number {
  const at = Date.now();
  const record = { kind: 'log', source: sourceId('log:1'), at: { lo: at, hi: at }, receivedAt: at } as const;
  return log.append({ ...record, payload }).seq;
}

test('a session goes to the data folder and is listed while it is recorded and after', () => {
  const { host, folder } = setUp();
  const log = host.openSession(stamp);
  line(log, 'one');
  log.flush();
  expect(host.library.rows()).toMatchObject([{ state: 'recording', context: 'kind-dev', records: 1 }]);
  expect(host.library.info().folder).toBe(folder);
  log.close();
  expect(host.library.rows()).toMatchObject([{ state: 'closed', records: 1 }]);
});

test('one that a crash left behind goes on where it was; where it cannot, a new one begins and says so', () => {
  const { host, lines, folder } = setUp();
  const log = host.openSession(stamp) as SqliteSession;
  for (const text of ['one', 'two', 'three']) line(log, text);
  log.flush();
  const left = path.join(folder, 'left.loopscope');
  for (const suffix of ['', '-wal']) copyFileSync(log.file + suffix, left + suffix);
  log.close();
  const resumed = host.openSession(stamp, left) as SqliteSession;
  expect(resumed.file).toBe(left);
  expect(line(resumed, 'four')).toBe(4);
  expect(host.library.rows().find(({ path: file }) => file === left)?.state).toBe('recording');
  resumed.close();
  expect(lines).toEqual([]);
  writeFileSync(left, 'damaged');
  const fresh = host.openSession(stamp, left) as SqliteSession;
  expect(fresh.file).not.toBe(left);
  expect(fresh.stats()).toMatchObject({ records: 0, paused: undefined });
  expect(lines).toEqual([`a new session is begun: ${left} is not a Loopscope session.`]);
  fresh.close();
});

test('where no file can be made watching goes on, and the session says that nothing is kept', () => {
  const blocked = path.join(root, 'a-file');
  writeFileSync(blocked, '');
  const { host } = setUp({ sessions: path.join(blocked, 'sessions') });
  const log = host.openSession(stamp);
  expect(line(log, 'one')).toBe(1);
  expect(log.stats().paused).toMatch(
    /^No session can be recorded in .*\. Make room there, or make it writable, and connect again\.$/,
  );
  expect(host.library.rows()).toEqual([]);
});

test('in memory nothing is left behind, and can be saved all the same', async () => {
  const { host, folder } = setUp({ sessions: 'memory' });
  const log = host.openSession(stamp);
  line(log, 'one');
  expect(host.library.rows()).toEqual([]);
  host.library.noteOperator(log, 'database-operator');
  const saved = await host.library.save(log, '', undefined);
  expect(saved.ok).toBe(true);
  expect(host.library.rows()).toMatchObject([
    { name: 'kind-dev · database-operator', named: false, context: 'kind-dev', kept: true, records: 1 },
  ]);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a file that is no page of text is not read to its end', async () => {
  const { host } = setUp();
  const file = path.join(root, 'profile.yaml');
  writeFileSync(file, 'format: 1\n# é\n');
  expect(await host.readText(file)).toEqual({ ok: true, value: 'format: 1\n# é\n' });
  writeFileSync(file, Buffer.alloc(4_000_001, 'x'));
  const tooLarge = { ok: false, error: { code: 'too-large' } };
  expect(await host.readText(file)).toMatchObject(tooLarge);
  if (process.platform !== 'win32') expect(await host.readText('/dev/zero')).toMatchObject(tooLarge);
  expect(await host.readText(root)).toMatchObject({ error: { message: `${root} cannot be read (EISDIR).` } });
  expect(await host.readText(`${root}\0`)).toMatchObject({ error: { code: 'unreadable' } });
});

test('a path that no file can have is refused when something is saved to it', async () => {
  const { host } = setUp();
  const log = host.openSession(stamp);
  line(log, 'one');
  const saved = await host.library.save(log, '', path.join(root, 'a\0b'));
  expect(saved).toMatchObject({ ok: false, error: { code: 'name' } });
  log.close();
});
