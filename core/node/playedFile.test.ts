import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceId } from '../../shared/model/ids.ts';
import type { Recovery } from '../engine/recovery.ts';
import { PlayedLog } from '../session/playedLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, errorLine, incident, orders, setRole } from '../testing/engineBench.ts';
import type { FakeClock } from '../testing/fakeClock.ts';
import { beginRun, scriptedRun } from '../testing/scriptedRun.ts';
import { sessionViews } from '../testing/sessionViews.ts';
import { copySession } from './sqliteCopy.ts';
import { createSqliteSession, openSqliteSession, type SqliteSession } from './sqliteSession.ts';

let folder: string;
const benches: EngineBench[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-played-'));
});
afterEach(() => {
  for (const bench of benches.splice(0)) bench.engine.dispose();
  rmSync(folder, { recursive: true });
});

function newFile(clock: FakeClock): SqliteSession {
  const made = createSqliteSession({
    folder,
    clock,
    id: 'test',
    limits: { segmentRecords: 64, blockBytes: 8192 },
  });
  if (!made.ok) throw new Error(made.error.message);
  made.value.stampCluster({ context: 'test', server: 'https://scripted' });
  return made.value;
}

function recordingBench(): EngineBench {
  const bench = new EngineBench(incident(), { openSession: (clock) => newFile(clock) });
  benches.push(bench);
  return bench;
}

function viewsOf(bench: EngineBench): unknown {
  const session = bench.engine.session();
  if (session === undefined) throw new Error('nothing is shown');
  return sessionViews(session, ['database'], orders);
}

describe('a session file', () => {
  it.each([11, 12, 13, 14])('[PB1] shows, opened, what the live session showed (seed %i)', async (seed) => {
    const live = recordingBench();
    await beginRun(live);
    await scriptedRun(live, seed, 30);
    live.line('the last line');
    live.engine.live()?.watching.refreshRows();
    const at = live.clock.now();
    const shown = viewsOf(live);
    const file = live.engine.live()?.recorder.log.file ?? '';
    await live.clock.advance(10);
    live.engine.dispose();
    const opened = openSqliteSession(file, { clock: live.clock });
    if (!opened.ok) throw new Error(opened.error.message);
    const bench = new EngineBench(incident(), { sessions: new Map([['file', opened.value]]) });
    benches.push(bench);
    const opening = bench.engine.openFile('file');
    await bench.clock.advance(100);
    expect(await opening).toEqual({ ok: true, value: undefined });
    const seeking = bench.engine.player()?.seek(at);
    await bench.clock.advance(100);
    await seeking;
    expect(viewsOf(bench)).toEqual(shown);
    opened.value.close();
  });
});

describe('what is shown of a file', () => {
  it('[PB10] is saved as it is at that moment, with where it came from', async () => {
    const live = recordingBench();
    await beginRun(live);
    await scriptedRun(live, 3, 10);
    const file = live.engine.live()?.recorder.log.file ?? '';
    live.engine.dispose();
    const whole = openSqliteSession(file, { clock: live.clock });
    if (!whole.ok) throw new Error(whole.error.message);
    const played = new PlayedLog(whole.value);
    for (const head of whole.value.heads({ limit: 50 })) played.advance(head);
    const copied = await copySession(played, path.join(folder, 'copy.loopscope'), {}, { clock: live.clock });
    if (!copied.ok) throw new Error(copied.error.message);
    expect(copied.value.records).toBe(50);
    const copy = openSqliteSession(copied.value.path, { clock: live.clock });
    if (!copy.ok) throw new Error(copy.error.message);
    expect(copy.value.clusterStamp()).toEqual(whole.value.clusterStamp());
    const all = (log: SessionLog) =>
      [...log.heads({})].map((head) => [head, log.payload(head.seq), log.facts(head.seq)]);
    expect(all(copy.value)).toEqual(all(played));
    for (const one of [whole, copy]) one.value.close();
  });
});

describe('a recording whose process died', () => {
  /** The recovery of a process that is gone, and its file: what was committed, never closed. */
  function crash(bench: EngineBench): Recovery {
    const recovery = bench.engine.recovery();
    const log = bench.engine.live()?.recorder.log;
    log?.flush();
    const file = log?.file ?? '';
    const left = file.replace(/(-left)?\.loopscope$/, '-left$&');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, left + suffix);
    expect(recovery).toMatchObject({ live: { context: 'test', consented: false, session: file } });
    expect(JSON.parse(JSON.stringify(recovery))).toEqual(recovery);
    bench.engine.dispose();
    if (recovery?.live === undefined) throw new Error('there is nothing to go on with');
    return { ...recovery, live: { ...recovery.live, session: left } };
  }

  /** Another process, on the same cluster. */
  async function goOn(first: EngineBench, recovery: Recovery): Promise<EngineBench> {
    const bench = new EngineBench(first.cluster, {
      clock: first.clock,
      openSession: (clock, resume) => {
        const opened = openSqliteSession(resume ?? '', { clock, mode: 'append' });
        if (!opened.ok) throw new Error(opened.error.message);
        return opened.value;
      },
    });
    benches.push(bench);
    const recovering = bench.engine.recover(recovery);
    await bench.clock.advance(5000);
    expect(await recovering).toEqual({ ok: true, value: undefined });
    return bench;
  }

  function messages(bench: EngineBench): readonly string[] {
    const log = bench.engine.live()?.recorder.log;
    return [...(log?.heads({ kinds: ['log'] }) ?? [])].map(
      (head) => (JSON.parse(log?.payload(head.seq) ?? '') as { msg: string }).msg,
    );
  }

  it('[PB40] goes on in its file: nothing sealed is lost, the break is told, and what changed meanwhile is found', async () => {
    const first = recordingBench();
    await beginRun(first);
    // The limiter's delays: 5 ms doubling. The next line would come within the break.
    for (let delay = 5; delay < 20_000; delay *= 2) {
      first.line(errorLine());
      await first.clock.advance(delay);
    }
    first.line(errorLine());
    first.engine
      .live()
      ?.operators.edit({ controller: 'database', field: 'maxConcurrentReconciles', value: 3 });
    first.cluster.of('databases.db.example.com').create('shop/gone-meanwhile', { spec: {} });
    await first.clock.advance(3000);
    const before = first.engine.live()?.recorder.log.stats().records ?? 0;
    const died = first.clock.now();
    const findings = first.engine.live()?.verdicts.findings().findings;
    const recovery = crash(first);
    const { cluster } = first;
    cluster.of('databases.db.example.com').delete('shop/gone-meanwhile');
    cluster.of('databases.db.example.com').create('shop/new-meanwhile', { spec: {} });
    await first.clock.advance(60_000);
    const back = first.clock.now();

    const second = await goOn(first, recovery);
    const session = second.engine.live();
    const log = session?.recorder.log;
    expect(log?.file).toBe(recovery.live?.session);
    expect(log?.stats().records).toBeGreaterThan(before);
    expect([...(log?.heads({}) ?? [])].map((head) => head.seq)).toEqual(
      Array.from({ length: log?.stats().records ?? 0 }, (_, n) => n + 1),
    );
    const gaps = session?.gaps.rows.filter((gap) => gap.why === 'not-running') ?? [];
    expect(gaps.map((gap) => gap.source)).toContain('watch:db.example.com/v1/databases');
    for (const gap of gaps) {
      expect(gap.from).toBeLessThanOrEqual(died);
      expect(gap.to).toBeGreaterThanOrEqual(died + 60_000);
    }
    expect(session?.operators.profile()?.controllers[0]?.maxConcurrentReconciles.value).toBe(3);
    const names = [...(session?.index.ofKind('db.example.com', 'Database') ?? [])].map(
      ({ fact }) => fact.name,
    );
    expect(names.sort()).toEqual(['new-meanwhile', 'orders']);
    // The finding is the same one, open since it was found first.
    expect(session?.verdicts.findings().findings).toMatchObject([
      { id: findings?.[0]?.id, openedAt: findings?.[0]?.openedAt },
    ]);
    // [PB45] Each prediction has one outcome at most, and what fell into the break has no verdict.
    const rows = session?.shadows.predictions('database').rows ?? [];
    const broken = rows.filter(({ prediction: { predictedAt } }) => predictedAt > died && predictedAt < back);
    expect(broken.length).toBeGreaterThan(0);
    for (const { outcome } of broken) expect(outcome).toMatchObject({ kind: 'superseded' });
    const idsOf = (kind: 'prediction' | 'outcome') =>
      [...(log?.heads({ kinds: [kind] }) ?? [])].map((head) => {
        const said = JSON.parse(log?.payload(head.seq) ?? '') as { id?: string; predictionId?: string };
        return said.predictionId ?? said.id;
      });
    for (const ids of [idsOf('prediction'), idsOf('outcome')]) expect(new Set(ids).size).toBe(ids.length);
    setRole(cluster, ['databases', 'databases/finalizers', 'databases/status']);
    await second.clock.advance(2000);
    const [finding] = session?.verdicts.findings().findings ?? [];
    expect(finding).toMatchObject({ id: findings?.[0]?.id });
    expect(finding?.closedAt).toBeDefined();
  });

  it('[PB43] reads a followed file from its start again and records no line twice', async () => {
    const first = recordingBench();
    await first.connect();
    first.attachLog();
    const lines = ['one', 'two', 'two', 'three'].map((msg) => JSON.stringify({ level: 'info', msg }));
    for (const line of lines) first.line(line);
    await first.clock.advance(1000);
    const second = await goOn(first, crash(first));
    // As the file reads now: what was there, and what came while nobody read it.
    second.backlog(...lines, JSON.stringify({ level: 'info', msg: 'four' }));
    second.line(JSON.stringify({ level: 'info', msg: 'five' }));
    expect(messages(second)).toEqual(['one', 'two', 'two', 'three', 'four', 'five']);
    expect(second.engine.feeds.rows()).toMatchObject([{ id: 'log:1', kind: 'log', label: 'log' }]);
    expect(second.engine.feeds.positionOf(sourceId('log:1'))).toMatchObject({ line: 6 });

    // Once more, and the file is another one: all of it is new, and that lines may be lost is told.
    const third = await goOn(first, crash(second));
    third.backlog(JSON.stringify({ level: 'info', msg: 'other' }), lines[0] ?? '');
    expect(messages(third).slice(-3)).toEqual(['five', 'other', 'one']);
    expect(third.engine.live()?.gaps.rows.at(-1)).toMatchObject({
      source: 'log:1',
      text: expect.stringContaining('is not the file it was before'),
    });
  });

  it('[PB46] is shown as it was when connecting again fails, and goes on in its file when that succeeds', async () => {
    const first = recordingBench();
    await beginRun(first);
    await first.clock.advance(1000);
    first.engine.live()?.watching.refreshRows();
    const informers = first.engine.live()?.informers.rows.length ?? 0;
    const said = (bench: EngineBench) => [
      bench.engine.session()?.index.get(orders)?.fact,
      bench.engine
        .session()
        ?.verdicts.findings()
        .findings.map(({ id, title }) => [id, title]),
      bench.engine.session()?.verdicts.rbac().reason,
    ];
    const shown = said(first);
    const before = first.engine.live()?.recorder.log.stats().records ?? 0;
    const recovery = crash(first);
    const diedAt = first.clock.now();
    first.cluster.down();
    const second = new EngineBench(first.cluster, {
      clock: first.clock,
      openSession: (clock, resume) => {
        const opened = openSqliteSession(resume ?? '', { clock, mode: 'append' });
        if (!opened.ok) throw new Error(opened.error.message);
        return opened.value;
      },
    });
    benches.push(second);
    const recovering = second.engine.recover(recovery);
    await second.clock.advance(1000);
    expect(await recovering).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(second.engine.connection()).toMatchObject({
      phase: 'lost',
      context: 'test',
      server: 'https://scripted',
      version: 'v1.37.2',
      lost: { attempt: 1 },
      problem: { code: 'refused' },
    });
    const session = second.engine.session();
    expect(said(second)).toEqual(shown);
    await second.clock.advance(500);
    expect(session?.informers.rows.map(({ state }) => state)).toEqual(Array(informers).fill('lost'));
    // Should this process die as well, the next one goes on in the same file.
    expect(second.engine.recovery()?.live).toEqual(recovery.live);
    await second.clock.advance(30_000);
    expect(second.engine.connection().lost?.attempt).toBeGreaterThan(3);
    first.cluster.up();
    const upAt = second.clock.now();
    expect(second.engine.retry()).toBe(true);
    await second.clock.advance(5000);
    expect(second.engine.connection()).toMatchObject({ phase: 'live', problem: undefined });
    expect(second.engine.session()).toBe(session);
    const log = second.engine.live()?.recorder.log;
    expect(log?.file).toBe(recovery.live?.session);
    expect(log?.stats().records).toBeGreaterThan(before);
    const gaps = second.engine.live()?.gaps.rows.filter(({ source }) => source.includes('databases')) ?? [];
    expect(gaps.map(({ why, from, to }) => [why, from <= diedAt, to])).toEqual([
      ['not-running', true, diedAt],
      ['connection-lost', true, upAt],
    ]);
  });

  it('[PB46] tries again by itself, and is shown as it was while its credentials are refused', async () => {
    const first = recordingBench();
    await beginRun(first);
    const recovery = crash(first);
    const second = new EngineBench(first.cluster, {
      clock: first.clock,
      openSession: (clock, resume) => {
        const opened = openSqliteSession(resume ?? '', { clock, mode: 'append' });
        if (!opened.ok) throw new Error(opened.error.message);
        return opened.value;
      },
    });
    benches.push(second);
    second.openFails = { code: 'auth-plugin-failed', message: 'The login has expired. Log in again.' };
    const recovering = second.engine.recover(recovery);
    await second.clock.advance(1000);
    expect((await recovering).ok).toBe(false);
    expect(second.engine.connection()).toMatchObject({
      phase: 'lost',
      problem: second.openFails,
      lost: { attempt: 1, nextTryAt: expect.any(Number) },
    });
    expect(second.engine.session()?.index.get(orders)).toBeDefined();
    second.openFails = undefined;
    await second.clock.advance(310_000);
    expect(second.engine.connection()).toMatchObject({ phase: 'live' });
    // The end of the session is the end of all of it.
    second.openFails = { code: 'auth-plugin-failed', message: 'Again.' };
    second.engine.disconnect();
    await second.clock.advance(10);
    expect(second.engine.connection().phase).toBe('idle');
    second.engine.dispose();
    expect(second.clock.pendingTimers).toBe(0);
  });
});
