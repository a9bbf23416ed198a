import { afterEach, describe, expect, it } from 'vitest';
import { sourceId } from '../../shared/model/ids.ts';
import type { Prediction } from '../../shared/model/queue.ts';
import {
  EngineBench as Bench,
  errorLine,
  incident,
  operatorUser,
  orders,
  setRole,
} from '../testing/engineBench.ts';

describe('createEngine', () => {
  let bench: Bench;
  afterEach(() => bench.engine.dispose());

  it('connects, finds the operator and its missing grant without a log, and leaves nothing behind', async () => {
    bench = new Bench(incident());
    expect((await bench.connect()).ok).toBe(true);
    const session = bench.engine.session();
    expect(bench.engine.connection()).toMatchObject({ phase: 'live', version: 'v1.37.2' });
    expect(session?.operators.profile()?.identity.value.user).toBe(operatorUser);
    expect(session?.verdicts.findings().findings).toMatchObject([
      {
        rule: 'rbac/missing-status-subresource',
        severity: 'warning',
        subject: 'ServiceAccount/dbops-system/database-operator',
      },
    ]);
    bench.engine.dispose();
    await bench.clock.advance(100);
    expect(bench.cluster.openWatches).toBe(0);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('reports a refusal from the log as an error, and closes it when the role grants it', async () => {
    bench = new Bench(incident());
    await bench.connect();
    bench.attachLog();
    bench.line(errorLine());
    await bench.clock.advance(1000);
    const verdicts = bench.engine.session()?.verdicts;
    expect(verdicts?.findings().findings[0]).toMatchObject({
      severity: 'error',
      basis: { kind: 'reported', from: 'log' },
    });
    setRole(bench.cluster, ['databases', 'databases/finalizers', 'databases/status']);
    await bench.clock.advance(1000);
    const [finding] = verdicts?.findings().findings ?? [];
    expect(finding?.closedAt).toBeDefined();
    expect(finding?.closedBecause).toContain('database-operator');
  });

  it('records what it predicts before it can be known, and how it came out', async () => {
    bench = new Bench(incident());
    await bench.connect();
    bench.attachLog();
    // The default limiter: 5 ms doubling. Lines come exactly when it says.
    let delay = 5;
    for (let i = 0; i < 12; i++) {
      bench.line(errorLine());
      await bench.clock.advance(delay);
      delay *= 2;
    }
    const log = bench.engine.session()?.recorder.log;
    const predictions = [...(log?.heads({ kinds: ['prediction'] }) ?? [])].map(
      (head) => JSON.parse(log?.payload(head.seq) ?? '') as Prediction,
    );
    // The object was there before us: from one line alone nobody knows how often it had failed.
    expect(predictions.map((one) => one.delayMs)).toEqual(Array.from({ length: 11 }, (_, n) => 10 * 2 ** n));
    const outcomes = [...(log?.heads({ kinds: ['outcome'] }) ?? [])].map(
      (head) => JSON.parse(log?.payload(head.seq) ?? '') as { kind: string },
    );
    expect(outcomes.map((one) => one.kind)).toEqual(Array.from({ length: 10 }, () => 'hit'));
  });

  it('doubts a limiter that does not fit what is seen, and says what failed', async () => {
    bench = new Bench(incident());
    await bench.connect();
    bench.attachLog();
    const shadows = bench.engine.session()?.shadows;
    for (const seconds of [1, 3, 9, 20, 20, 20, 20, 20, 20, 20]) {
      bench.line(errorLine());
      await bench.clock.advance(seconds * 1000);
    }
    const view = shadows?.view('database');
    expect(view?.doubt).toMatchObject({ gapsMs: [1000, 3000, 9000, 20_000] });
    expect(view?.snapshot?.failures[0]).toMatchObject({
      key: 'shop/orders',
      certain: false,
      lastError: expect.stringContaining('cannot update resource "databases/status"'),
    });
    expect(shadows?.keys('database').rows[0]).toMatchObject({
      certain: false,
      lastError: expect.stringContaining('forbidden'),
    });
    bench.engine.session()?.operators.edit({
      controller: 'database',
      field: 'limiter',
      value: { type: 'exp', base: '1s', factor: 3, max: '20s' },
    });
    expect(shadows?.view('database').doubt).toBeUndefined();
  });

  it('says that the process of the operator under debug ended, and takes it back when it starts again', async () => {
    bench = new Bench(incident());
    await bench.connect();
    const session = bench.engine.session();
    const tell = (process: object) => {
      const at = bench.clock.now();
      session?.recorder.record({
        kind: 'process',
        source: sourceId('child'),
        at: { lo: at, hi: at },
        receivedAt: at,
        payload: JSON.stringify({ pid: 7, ...process }),
      });
      return session?.operators.view().operators;
    };
    const running = { health: 'ok', detail: '1 of 1 ready' };
    expect(tell({ event: 'started' })).toMatchObject([running]);
    expect(tell({ event: 'exited', exitCode: 2 })).toMatchObject([
      { health: 'failed', detail: 'its process ended with code 2' },
    ]);
    expect(tell({ event: 'started' })).toMatchObject([running]);
    expect(tell({ event: 'exited' })).toMatchObject([{ health: 'failed', detail: 'its process was ended' }]);
    expect(tell({ event: 'exited', exitCode: 0 })).toMatchObject([{ health: 'degraded' }]);
  });

  it('takes the operator of a profile file that names a workload the cluster does not show', async () => {
    const cluster = incident();
    cluster.of('deployments.apps').delete('dbops-system/database-operator');
    bench = new Bench(cluster);
    bench.engine.setProfileFile(
      {
        format: 1,
        operator: {
          namespace: 'dbops-system',
          workload: 'Deployment/database-operator',
          serviceAccount: 'database-operator',
        },
        controllers: [{ name: 'database', for: 'databases.db.example.com', owns: ['services'] }],
      },
      'loopscope.yaml',
    );
    await bench.connect();
    const session = bench.engine.session();
    expect(session?.operators.profile()).toMatchObject({
      name: 'database-operator',
      identity: { value: { user: operatorUser } },
      controllers: [{ name: 'database', owns: { value: ['services'] } }],
    });
    expect(session?.shadows.view('database').snapshot).toBeDefined();
  });

  it('tells a window the same by the contract', async () => {
    bench = new Bench(incident());
    await bench.connect();
    const client = bench.client();
    const rows: string[] = [];
    client.table('events', { text: '', initial: false, limit: 100 }, (diff) => {
      for (const row of diff.upserts) rows.push(`${row.op} ${row.object?.name} ${row.summary}`);
    });
    await bench.clock.advance(100);
    bench.cluster.of('databases.db.example.com').update('shop/orders', { spec: { replicas: 3 } });
    await bench.clock.advance(500);
    expect(rows).toEqual(['modified orders spec.replicas 1 → 3']);
    const history = client.call('object.open', { key: orders });
    await bench.clock.advance(100);
    expect((await history).versions.map((version) => version.op)).toEqual(['modified', 'listed']);
  });

  it('says that contact was lost, and that nothing is missing once it is back', async () => {
    bench = new Bench(incident());
    await bench.connect();
    bench.cluster.down();
    await bench.clock.advance(10_000);
    expect(bench.engine.connection()).toMatchObject({ phase: 'lost', lost: { attempt: expect.any(Number) } });
    bench.cluster.up();
    await bench.clock.advance(60_000);
    expect(bench.engine.connection()).toMatchObject({ phase: 'live' });
    const gaps = bench.engine.session()?.gaps.rows ?? [];
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.every((gap) => gap.to !== undefined)).toBe(true);
  });

  it('does not call lines late that stood in the log before it was attached', async () => {
    bench = new Bench(incident());
    await bench.connect();
    bench.attachLog();
    const hourAgo = bench.clock.now() / 1000 - 3600;
    bench.backlog(...[0, 1, 2].map((n) => JSON.stringify({ level: 'info', ts: hourAgo + n, msg: 'past' })));
    const session = bench.engine.session();
    const heads = [...(session?.recorder.log.heads({ kinds: ['log'] }) ?? [])];
    expect(heads.map((head) => head.late)).toEqual([true, true, true]);
    expect(session?.stats().late).toBe(0);
  });

  it('counts a file that was read to its end as no source that is missing', async () => {
    bench = new Bench(incident());
    await bench.connect();
    const before = bench.engine.session()?.stats();
    bench.engine.attach({
      kind: 'audit',
      label: 'audit.jsonl',
      start: (sink) => {
        sink.state('ended', 'audit.jsonl');
        return { dispose: () => undefined };
      },
    });
    const { sourcesLive, sourcesTotal } = bench.engine.session()?.stats() ?? {};
    expect({ sourcesLive, sourcesTotal }).toEqual({
      sourcesLive: before?.sourcesLive,
      sourcesTotal: before?.sourcesTotal,
    });
  });

  it('keeps a failed attempt apart from the next, and forgets one that was cancelled', async () => {
    bench = new Bench(incident());
    bench.openFails = { code: 'malformed', message: 'The kubeconfig is not YAML.' };
    expect(await bench.connect()).toMatchObject({ ok: false });
    expect(bench.engine.connection()).toMatchObject({ phase: 'failed', problem: { code: 'malformed' } });
    bench.openFails = undefined;
    const first = bench.engine.connect({ context: 'test' });
    bench.engine.disconnect();
    await bench.clock.advance(3000);
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(bench.engine.connection().phase).toBe('idle');
    expect(bench.engine.session()).toBeUndefined();
  });

  it('says once that nothing can be written, when it happens', async () => {
    bench = new Bench(incident());
    await bench.connect();
    expect(bench.logs).toEqual([]);
    bench.paused = 'Recording is paused: the disk is full.';
    await bench.clock.advance(2000);
    bench.paused = undefined;
    await bench.clock.advance(2000);
    bench.paused = 'Recording is paused: the disk is full.';
    await bench.clock.advance(2000);
    expect(bench.logs).toEqual(['Recording is paused: the disk is full.']);
  });

  it('answers calls without a connection with what to do', async () => {
    bench = new Bench(incident());
    const { methods } = bench.engine.handlers;
    const context = { signal: new AbortController().signal };
    expect(await methods['connection.retry']({}, context)).toMatchObject({
      ok: false,
      problem: { code: 'not-connected' },
    });
    expect(await methods['feed.attachMetrics']({ url: 'localhost:8080' }, context)).toMatchObject({
      ok: false,
      problem: { code: 'bad-url' },
    });
    for (const url of [
      'http://user:hunter2@127.0.0.1:8080/metrics',
      'https://hunter2@host',
      'ftp://u:hunter2@host',
      'user:hunter2@host',
    ]) {
      const refused = await methods['feed.attachMetrics']({ url }, context);
      expect([url, refused.ok]).toEqual([url, false]);
      expect(JSON.stringify(refused)).not.toContain('hunter2');
    }
    expect(bench.engine.feeds.rows()).toEqual([]);
    expect(await methods['object.open']({ key: orders }, context)).toMatchObject({ versions: [] });
    expect(await methods['profile.load']({ path: 'nowhere.yaml' }, context)).toMatchObject({ ok: false });
  });
});
