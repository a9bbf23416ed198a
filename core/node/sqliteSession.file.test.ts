import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { RecordHead, RecordInput } from '../session/record.ts';
import { FakeClock } from '../testing/fakeClock.ts';
import { createWalk, logContents, seededRandom } from '../testing/sessionLogWalk.ts';
import { type CreateSessionOptions, createSqliteSession, openSqliteSession } from './sqliteSession.ts';

const start = Date.UTC(2026, 10, 30, 8);
const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function make(id: string, options: Partial<CreateSessionOptions> = {}) {
  const clock = new FakeClock(start);
  const made = createSqliteSession({ folder, clock, id, app: '0.1.0', ...options });
  if (!made.ok) throw new Error(made.error.message);
  return { clock, session: made.value };
}

function open(file: string, mode: 'read' | 'append' = 'read', clock = new FakeClock(start)) {
  const opened = openSqliteSession(file, { clock, mode });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

function refusal(file: string, mode: 'read' | 'append' = 'read') {
  const opened = openSqliteSession(file, { clock: new FakeClock(start), mode });
  if (opened.ok) throw new Error('opened');
  return opened.error;
}

function line(payload: string, at = start): RecordInput {
  return { kind: 'log', source: sourceId('log:1'), at: { lo: at, hi: at }, receivedAt: at, payload };
}

/** Text that does not compress. */
function noise(seed: number, length: number): string {
  const random = seededRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 94))).join('');
}

/** What another process that is not there any more would have left: a copy without its lock. */
function copyOf(file: string, name: string): string {
  const copy = path.join(folder, `${name}.loopscope`);
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  return copy;
}

describe('session file', () => {
  test('[SES28] belongs to its user alone, with its companions', () => {
    const { session, clock } = make('mode', { folder: path.join(folder, 'new', 'sessions') });
    session.append(line('x'));
    clock.advanceSync(250);
    expect(statSync(path.dirname(session.file)).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm', '.lock']) {
      expect(statSync(session.file + suffix).mode & 0o777, suffix).toBe(0o600);
    }
    session.close();
    expect(statSync(session.file).mode & 0o777).toBe(0o600);
  });

  test('[SES29] leaves one file when it is closed', () => {
    const { session } = make('alone');
    session.append(line('x'));
    session.close();
    for (const suffix of ['-wal', '-shm', '.lock']) expect(() => statSync(session.file + suffix)).toThrow();
  });

  test('[SES27] commits within 250 ms, and only when there is something', () => {
    const { session, clock } = make('commit');
    expect(clock.pendingTimers).toBe(0);
    session.append(line('first'));
    clock.advanceSync(249);
    const before = open(copyOf(session.file, 'commit-before'));
    clock.advanceSync(1);
    const after = open(copyOf(session.file, 'commit-after'));
    expect([before.stats().records, after.stats().records]).toEqual([0, 1]);
    expect(after.payload(recordSeq(1))).toBe('first');
    expect(clock.pendingTimers).toBe(0);
    for (const log of [session, before, after]) log.close();
  });

  test('[SES30] refuses a file from the future with a sentence', () => {
    const { session } = make('future');
    session.close();
    const database = new DatabaseSync(session.file);
    database.exec('PRAGMA user_version = 7');
    database.close();
    const bytes = readFileSync(session.file);
    for (const mode of ['read', 'append'] as const) {
      expect(refusal(session.file, mode)).toEqual({
        code: 'newer',
        message:
          'This session was recorded by a newer Loopscope (format 7; this one knows up to 2). Update Loopscope to open it.',
      });
    }
    expect(readFileSync(session.file).equals(bytes)).toBe(true);
  });

  test.skipIf(process.platform === 'win32')(
    '[SES38] says that its file was deleted while it is recorded, and can still be read',
    () => {
      const { session, clock } = make('gone');
      session.append(line('one'));
      clock.advanceSync(250);
      expect(session.stats().paused).toBeUndefined();
      rmSync(session.file);
      const two = session.append(line('two'));
      clock.advanceSync(250);
      expect(session.stats().paused).toContain('was deleted or moved while it is recorded');
      expect(session.payload(two.seq)).toBe('two');
      session.close();
    },
  );

  test('[SES31] refuses what is no session', () => {
    const text = path.join(folder, 'text.loopscope');
    writeFileSync(text, 'hello');
    const foreign = path.join(folder, 'foreign.loopscope');
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE t (x)');
    database.close();
    const empty = path.join(folder, 'empty.loopscope');
    writeFileSync(empty, '');
    for (const file of [text, foreign]) expect(refusal(file).code).toBe('notASession');
    expect(refusal(empty).code).toBe('empty');
    expect(refusal(path.join(folder, 'none.loopscope')).code).toBe('missing');
  });

  test('[SES32] checks a file that was not closed, and says when it is damaged', () => {
    const { session, clock } = make('damaged', { limits: { blockBytes: 2000 } });
    for (let index = 0; index < 200; index++) session.append(line(noise(index, 300)));
    clock.advanceSync(250);
    const copy = copyOf(session.file, 'damaged-copy');
    const database = new DatabaseSync(copy);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    expect(refusal(copyAndCut(copy)).code).toBe('damaged');
    const whole = open(copy);
    expect(whole.stats().records).toBe(200);
    whole.close();
    session.close();
  });

  function copyAndCut(file: string): string {
    const cut = path.join(folder, 'cut.loopscope');
    copyFileSync(file, cut);
    truncateSync(cut, Math.floor(statSync(file).size / 2 / 2048) * 2048);
    return cut;
  }

  test('[SES33] is recorded by one process at a time', () => {
    const { session } = make('locked');
    session.append(line('x'));
    session.flush();
    expect(refusal(session.file, 'append')).toMatchObject({ code: 'unusable' });
    const reader = open(session.file);
    expect(reader.stats().records).toBe(1);
    expect(() => reader.append(line('y'))).toThrow('for reading');
    reader.close();
    session.append(line('y'));
    session.close();
    const again = open(session.file, 'append');
    expect(again.append(line('z')).seq).toBe(3);
    again.close();
  });

  test('[SES33] a lock whose process is gone counts for nothing', () => {
    const { session } = make('stale');
    session.close();
    writeFileSync(`${session.file}.lock`, '999999999\n');
    const again = open(session.file, 'append');
    again.close();
  });

  test('[SES35] one that was left without closing goes on where it was', () => {
    const { session, clock } = make('left', { limits: { blockBytes: 900, segmentRecords: 16, burstMs: 0 } });
    const walk = createWalk(11, start);
    for (let index = 0; index < 120; index++) walk.step([session]);
    session.flush();
    const copy = copyOf(session.file, 'left-copy');
    const left = open(copy, 'append', clock);
    // Which sources live is not kept: after a crash each has to connect again.
    for (const head of session.heads({}))
      for (const log of [session, left]) log.sourceState(head.source, false);
    expect(left.stats().records % 16).not.toBe(0);
    for (let index = 0; index < 120; index++) {
      walk.step([session, left]);
      clock.advanceSync(10);
    }
    expect(logContents(left)).toEqual(logContents(session));
    left.close();
    session.close();
    const [read, whole] = [open(copy), open(session.file)];
    expect(logContents(read)).toEqual(logContents(whole));
    for (const log of [read, whole]) log.close();
  });

  test('[SES36] keeps what it was recorded from', () => {
    const { session } = make('stamp');
    session.stampCluster({ context: 'kind-dev', server: 'https://127.0.0.1:6443' });
    session.stampCluster({ version: 'v1.37.2' });
    session.close();
    const read = open(session.file);
    expect(read.clusterStamp()).toEqual({
      context: 'kind-dev',
      server: 'https://127.0.0.1:6443',
      version: 'v1.37.2',
    });
    expect(read.derivedOutdated).toBe(false);
    expect(read.stats()).toMatchObject({ id: 'stamp', startedAt: start });
    read.close();
  });

  test('[SES25] without zstd and full-text search it says so and works', () => {
    const { session } = make('plain', { capabilities: { zstd: false, fullText: false } });
    const payload = 'status: True; '.repeat(100);
    session.append(line(payload));
    expect(session.stats().health).toEqual([
      expect.stringContaining('no zstd'),
      expect.stringContaining('no full-text search'),
    ]);
    session.close();
    const read = open(session.file);
    expect(read.payload(recordSeq(1))).toBe(payload);
    expect(read.stats().health).toEqual([]);
    read.close();
  });

  test('[SES48] a block that fills in a burst keeps no facts: they are decoded again', () => {
    const decoded: number[] = [];
    const decode = (head: RecordHead) => {
      decoded.push(head.seq);
      return [{ fact: 'decoded', seq: head.seq }];
    };
    const { session, clock } = make('burst', { limits: { blockBytes: 4000 }, decode });
    const seqs = Array.from({ length: 40 }, (_, index) => {
      const { seq } = session.append(line(`line ${index} `.padEnd(1000, '.')));
      // Every fifth has none.
      if (index % 5 > 0) session.putFacts(seq, [{ fact: 'put', seq }]);
      // Four records a block: the first half within 8 ms each, the others within 80.
      clock.advanceSync(index < 20 ? 2 : 20);
      return seq;
    });
    session.close();
    const opened = openSqliteSession(session.file, { clock, decode });
    if (!opened.ok) throw new Error(opened.error.message);
    const read = opened.value;
    seqs.forEach((seq, index) => {
      const fact = { fact: index < 20 ? 'decoded' : 'put', seq };
      expect(read.facts(seq)).toEqual(index % 5 > 0 ? [fact] : undefined);
      expect(read.payload(seq)).toMatch(new RegExp(`^line ${index} `));
    });
    expect(decoded.length).toBe(16);
    read.close();
  });

  test('[SES26] a record larger than a block makes its own', () => {
    const { session } = make('large');
    const large = noise(1, 700_000);
    const payloads = ['small', large, 'ü'.repeat(200_000), 'after'];
    for (const payload of payloads) session.append(line(payload));
    const read = () => payloads.map((_, index) => session.payload(recordSeq(index + 1)));
    expect(read()).toEqual(payloads);
    session.close();
    const again = open(session.file);
    expect(payloads.map((_, index) => again.payload(recordSeq(index + 1)))).toEqual(payloads);
    again.close();
  });

  test('[SES37] two sessions of one name in one second are two files, whatever the name', () => {
    const made = ['a', 'a', 'a'].map(() => make('arn:aws:eks/../prod').session);
    expect(made.map((session) => path.basename(session.file))).toEqual([
      '20261130T080000Z-arn-aws-eks-prod.loopscope',
      '20261130T080000Z-arn-aws-eks-prod-2.loopscope',
      '20261130T080000Z-arn-aws-eks-prod-3.loopscope',
    ]);
    expect(made.map((session) => session.stats().id)).toEqual(Array(3).fill('arn:aws:eks/../prod'));
    for (const session of made) session.close();
  });

  test('[SES37] a folder that cannot be made is a sentence', () => {
    const blocked = path.join(folder, 'a-file');
    writeFileSync(blocked, '');
    const made = createSqliteSession({
      folder: path.join(blocked, 'x'),
      clock: new FakeClock(start),
      id: 'no',
    });
    expect(made).toMatchObject({ ok: false, error: { code: 'unusable' } });
  });
});

describe('disk full', () => {
  /** Fills until nothing can be written. */
  function fill(limits = {}) {
    const made = make(`full-${Object.keys(limits).length}`, { limits: { blockBytes: 20_000, ...limits } });
    const { session, clock } = made;
    session.limitSize(400_000);
    const payloads: string[] = [];
    for (let index = 0; session.stats().paused === undefined; index++) {
      expect(index).toBeLessThan(2000);
      payloads.push(noise(index, 1000));
      expect(session.append(line(payloads.at(-1) ?? '')).seq).toBe(payloads.length);
      clock.advanceSync(50);
    }
    return { ...made, payloads };
  }

  test('[SES38] pauses with a sentence, serves what came, and goes on when there is space', () => {
    const { session, clock, payloads } = fill();
    expect(session.stats().paused).toBe(
      'Recording is paused: the disk is full. Free some space and it goes on by itself; what is shown stays live.',
    );
    for (let index = 0; index < 60; index++) {
      payloads.push(noise(5000 + index, 1000));
      session.append(line(payloads.at(-1) ?? ''));
    }
    session.intervals.open('state', 's', start, 1);
    clock.advanceSync(10_000);
    expect(session.stats().paused).toBeDefined();
    const read = (log: typeof session) => payloads.map((_, index) => log.payload(recordSeq(index + 1)));
    expect(read(session)).toEqual(payloads);
    session.limitSize(undefined);
    clock.advanceSync(2000);
    expect(session.stats()).toMatchObject({ paused: undefined, records: payloads.length, health: [] });
    session.close();
    const again = open(session.file);
    expect(read(again)).toEqual(payloads);
    expect(again.intervals.asOf('state', 's', start)?.value).toBe(1);
    again.close();
  });

  test('[SES39] past the bound it gives up texts, oldest first, never heads, and says how many', () => {
    const { session, clock, payloads } = fill({ pausedBytes: 100_000 });
    const before = payloads.length;
    const held = () => session.stats().bytes - 400_000;
    for (let index = 0; index < 400; index++) {
      session.append(line(noise(9000 + index, 1000)));
      expect(held()).toBeLessThanOrEqual(100_000);
    }
    expect(held()).toBeGreaterThan(50_000);
    session.limitSize(undefined);
    clock.advanceSync(2000);
    expect(session.stats().paused).toBeUndefined();
    const total = before + 400;
    const seqs = Array.from({ length: total }, (_, index) => recordSeq(index + 1));
    const lost = seqs.filter((seq) => session.payload(seq) === undefined);
    expect(lost.length).toBeGreaterThan(100);
    expect(session.stats().lost).toBe(lost.length);
    expect(session.stats().health).toEqual([
      `The text of ${lost.length} records was not kept: nothing could be written for too long.`,
    ]);
    // One stretch, and the newest are there.
    expect((lost.at(-1) ?? 0) - (lost[0] ?? 0)).toBe(lost.length - 1);
    expect(lost.at(-1)).toBeLessThan(total - 50);
    session.close();
    const again = open(session.file);
    expect([...again.heads({})].map((head) => head.seq)).toEqual(seqs);
    expect(seqs.filter((seq) => again.payload(seq) === undefined)).toEqual(lost);
    again.close();
  });
});
