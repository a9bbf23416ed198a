import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { createDemoShelf } from './demoShelf.ts';

const format1 = fileURLToPath(new URL('./fixtures/session-format1-testbed.loopscope', import.meta.url));
const manifest = {
  id: 'one',
  ms: 1000,
  records: 5,
  bytes: 10,
  recordedAt: 1_757_600_000_000,
  kubernetes: 'v1.37.2',
};

describe('createDemoShelf', () => {
  let folder: string;
  let temporary: string;
  const before = process.env.TMPDIR;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'demo-shelf-'));
    temporary = path.join(folder, 'temporary');
    mkdirSync(temporary);
    process.env.TMPDIR = temporary;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  });

  const shelf = () => createDemoShelf({ clock: new FakeClock(), folder });
  function put(id: string, text = JSON.stringify({ ...manifest, id })): void {
    writeFileSync(path.join(folder, `${id}.json`), text);
    copyFileSync(format1, path.join(folder, `${id}.loopscope`));
  }

  it('[DM1] lists demos by their manifests, ours first, the others by name', () => {
    for (const id of ['zebra', 'hot-loop', 'apple', 'status-forbidden']) put(id);
    expect(
      shelf()
        .list()
        .map(({ id }) => id),
    ).toEqual(['status-forbidden', 'hot-loop', 'apple', 'zebra']);
    expect(shelf().list().at(-1)).toEqual({ ...manifest, id: 'zebra' });
  });
  it('has none where there is no folder', async () => {
    const none = createDemoShelf({ clock: new FakeClock(), folder: path.join(folder, 'none') });
    expect(none.list()).toEqual([]);
    expect(await none.open('one')).toMatchObject({ ok: false, error: { code: 'no-demo' } });
  });
  it('[DM5] keeps a demo that cannot be played in the list, with a sentence', () => {
    put('no-json', '{');
    put('no-field', '{"id":"no-field"}');
    put('other-id', JSON.stringify({ ...manifest, id: 'one' }));
    put('no-session');
    rmSync(path.join(folder, 'no-session.loopscope'));
    const problems = shelf()
      .list()
      .map(({ id, problem }) => `${id}: ${problem?.code} ${problem?.message}`);
    expect(problems).toHaveLength(4);
    for (const problem of problems) expect(problem).toMatch(/: demo-broken .+\. Install Loopscope again\.$/);
  });
  it('[DM4] opens a copy, whatever its format, and leaves nothing of it when it is closed', async () => {
    put('one');
    const bytes = readFileSync(path.join(folder, 'one.loopscope'));
    const opened = await shelf().open('one');
    if (!opened.ok) throw new Error(opened.error.message);
    expect(readdirSync(temporary).length).toBeGreaterThan(0);
    expect(opened.value.name).toBe('one');
    const { log } = opened.value;
    expect([...log.heads({})].length).toBe(log.stats().records);
    expect(log.stats().records).toBeGreaterThan(10);
    log.close();
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['one.json', 'one.loopscope', 'temporary']);
    expect(readFileSync(path.join(folder, 'one.loopscope')).equals(bytes)).toBe(true);
  });
  it('[DM4] leaves nothing when the process ends without closing it', () => {
    put('one');
    const code = [
      `const { createDemoShelf } = await import(${JSON.stringify(new URL('./demoShelf.ts', import.meta.url).href)});`,
      `const { systemClock } = await import(${JSON.stringify(new URL('./systemClock.ts', import.meta.url).href)});`,
      `const shelf = createDemoShelf({ clock: systemClock, folder: ${JSON.stringify(folder)} });`,
      `const opened = await shelf.open('one');`,
      `process.stdout.write(opened.ok ? 'opened' : opened.error.message);`,
      'process.exit(130);',
    ].join('\n');
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary },
    });
    expect({ status, stdout }).toEqual({ status: 130, stdout: 'opened' });
    expect(readdirSync(temporary)).toEqual([]);
  });
  it('[DM4] two windows may play one demo', async () => {
    put('one');
    const [first, second] = await Promise.all([shelf().open('one'), shelf().open('one')]);
    if (!first.ok || !second.ok) throw new Error('not opened');
    first.value.log.close();
    expect([...second.value.log.heads({ limit: 1 })]).toHaveLength(1);
    second.value.log.close();
    expect(readdirSync(temporary)).toEqual([]);
  });
  it('[DM5] refuses what is no session, and a name that leads elsewhere', async () => {
    put('one');
    writeFileSync(path.join(folder, 'one.loopscope'), 'no session');
    const damaged = await shelf().open('one');
    expect(damaged.ok ? '' : damaged.error.message).toMatch(
      /^The recorded incident one cannot be played: .*one\.loopscope.*Install Loopscope again\.$/,
    );
    expect(damaged.ok ? '' : damaged.error.message).not.toContain(temporary);
    expect(readdirSync(temporary)).toEqual([]);
    for (const id of ['../one', '..', '', 'two', path.join(folder, 'one')])
      expect(await shelf().open(id)).toMatchObject({ ok: false, error: { code: 'no-demo' } });
  });
  it('[DM5] says so when nothing can be copied', async () => {
    put('one');
    process.env.TMPDIR = path.join(folder, 'not-there');
    expect(await shelf().open('one')).toMatchObject({ ok: false, error: { code: 'demo-unusable' } });
  });
});
