import { afterEach, describe, expect, it } from 'vitest';
import type { Span } from '../../shared/model/trace.ts';
import type { Fact } from '../session/facts.ts';
import { createMemoryLog } from '../session/memoryLog.ts';
import type { SessionLog } from '../session/record.ts';
import { EngineBench, errorLine, incident, operatorUser, orders } from '../testing/engineBench.ts';
import type { FakeClock } from '../testing/fakeClock.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { createTraceBook } from '../trace/traceBook.ts';
import { createObjectIndex } from './objectIndex.ts';
import { parse } from './objectViews.ts';
import { buildModel, createTraceModel, keptFrom, tellFact } from './traceModel.ts';

const databases = 'databases.db.example.com';
const benches: EngineBench[] = [];
afterEach(() => {
  for (const bench of benches.splice(0)) bench.engine.dispose();
});

interface Run {
  readonly bench: EngineBench;
  readonly log: () => SessionLog;
  /** What the operator logged, and the audit log of its requests: attached or not. */
  readonly lines: string[];
  readonly audit: string[];
  /** Lines are followed as they are written. */
  follows: boolean;
  /** When it wrote the status last. */
  wroteAt: number;
}

function begin(): Run {
  let log: SessionLog | undefined;
  const bench = new EngineBench(incident(), {
    openSession: (clock: FakeClock) => {
      log ??= createMemoryLog({ clock });
      return log;
    },
  });
  benches.push(bench);
  return {
    bench,
    log: () => {
      if (log === undefined) throw new Error('not connected');
      return log;
    },
    lines: [],
    audit: [],
    follows: false,
    wroteAt: bench.clock.now() - 60_000,
  };
}

const time = (ms: number) => new Date(ms).toISOString();
const second = (ms: number) => `${time(ms).slice(0, 19)}Z`;

/** One reconcile of shop/orders that writes its status; its lines and its request are kept in `run`. */
async function reconcile(run: Run, n: number): Promise<void> {
  const { bench, lines, audit } = run;
  const { clock, cluster } = bench;
  const resource = cluster.of(databases);
  const id = `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const write = (msg: string) => {
    lines.push(line(msg));
    if (run.follows) bench.line(lines.at(-1) ?? '');
  };
  const line = (msg: string) =>
    JSON.stringify({
      level: 'Level(-5)',
      ts: time(clock.now()),
      msg,
      controller: 'database',
      controllerGroup: 'db.example.com',
      controllerKind: 'Database',
      Database: { name: 'orders', namespace: 'shop' },
      namespace: 'shop',
      name: 'orders',
      reconcileID: id,
    });
  const writers = (status: number) => [
    { manager: 'kubectl', operation: 'Update', apiVersion: 'db.example.com/v1', time: second(started) },
    {
      manager: 'y',
      operation: 'Update',
      apiVersion: 'db.example.com/v1',
      subresource: 'status',
      time: second(status),
    },
  ];
  const started = clock.now();
  resource.update('shop/orders', {
    metadata: { generation: n + 1, managedFields: writers(run.wroteAt) },
    spec: { n },
  });
  await clock.advance(20);
  write('Reconciling');
  await clock.advance(30);
  const asked = clock.now();
  await clock.advance(5);
  run.wroteAt = clock.now();
  resource.update('shop/orders', {
    metadata: { generation: n + 1, managedFields: writers(run.wroteAt) },
    spec: { n },
    status: { n },
  });
  const version = resource.all().find(({ key }) => key === 'shop/orders')?.resourceVersion;
  audit.push(
    JSON.stringify({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      auditID: `a-${n}`,
      stage: 'ResponseComplete',
      verb: 'update',
      user: { username: operatorUser, groups: [] },
      userAgent: 'y/v1',
      requestURI: '/apis/db.example.com/v1/namespaces/shop/databases/orders/status',
      objectRef: {
        apiGroup: 'db.example.com',
        apiVersion: 'v1',
        resource: 'databases',
        subresource: 'status',
        namespace: 'shop',
        name: 'orders',
      },
      responseStatus: { code: 200 },
      responseObject: { kind: 'Database', metadata: { name: 'orders', resourceVersion: version } },
      requestReceivedTimestamp: time(asked),
      stageTimestamp: time(clock.now()),
    }),
  );
  await clock.advance(5);
  write('Reconcile successful');
  await clock.advance(4000 + n);
}

async function reconciles(run: Run, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await reconcile(run, n);
}

function spansOf({ bench }: Run): readonly Span[] {
  return bench.engine.live()?.traces.spans({}) ?? [];
}

/** What follows from the evidence: not when it came to be shown. */
function plain(spans: readonly Span[]): unknown {
  return spans.map(({ revision: _revision, revisedBy: _by, provisional: _provisional, ...span }) => span);
}

async function connected(): Promise<Run> {
  const run = begin();
  await run.bench.connect();
  await run.bench.clock.advance(5000);
  return run;
}

/** A run whose log and audit are attached when all is over. */
async function afterTheFact(): Promise<Run> {
  const run = await connected();
  await reconciles(run, 1, 6);
  await run.bench.clock.advance(10_000);
  return run;
}

/** The log is attached now: all that it holds is from before. */
function attachLines({ bench, lines }: Run): void {
  bench.attachLog();
  bench.backlog(...lines);
}

function importAudit({ bench, audit }: Run): void {
  bench.engine.attach({
    kind: 'audit',
    label: 'audit.jsonl',
    start: (sink) => {
      sink.lines(audit.map((text) => ({ text, receivedAt: bench.clock.now(), backlog: true })));
      sink.state('ended', 'audit.jsonl');
      return { dispose: () => undefined };
    },
  });
}

describe('late records', () => {
  it('[REV1] [REV3] a log attached after the fact makes one revision, and marks what it changed', async () => {
    const run = await afterTheFact();
    const { bench } = run;
    const traces = bench.engine.live()?.traces;
    const before = spansOf(run);
    const shown: number[] = [];
    traces?.onChange.on(() => shown.push(traces.shown().filter(({ reconcileId }) => reconcileId).length));
    attachLines(run);
    expect(spansOf(run)).toEqual(before);
    await bench.clock.advance(2000);
    expect(traces?.revision()).toMatchObject({ revision: 1, state: 'idle', source: 'log', cancelled: false });
    const logged = spansOf(run).filter(({ reconcileId }) => reconcileId?.startsWith('1'));
    expect(logged).toHaveLength(6);
    for (const span of logged) {
      expect(span).toMatchObject({
        result: 'success',
        revision: 1,
        revisedBy: 'log',
        controller: 'database',
      });
      expect(span.writeList).toMatchObject([{ subresource: 'status', outcome: 'stored' }]);
    }
    // In one step: never some of them.
    expect(new Set(shown.filter((count) => count > 1))).toEqual(new Set([6]));
  });

  it('[REV6] ends where it would have been had the log been followed', async () => {
    const late = await afterTheFact();
    attachLines(late);
    await late.bench.clock.advance(3000);
    const early = await connected();
    early.follows = true;
    early.bench.attachLog();
    await reconciles(early, 1, 6);
    await early.bench.clock.advance(13_000);
    const times = (run: Run) =>
      spansOf(run)
        .filter(({ reconcileId }) => reconcileId?.startsWith('1'))
        .map(({ id, start, end, result, writes }) => ({ id, start, end, result, writes }));
    expect(times(late)).toHaveLength(6);
    expect(times(late)).toEqual(times(early));
  });

  it('[REV1] an audit file that is imported gives exact times, with progress', async () => {
    const run = await afterTheFact();
    const { bench } = run;
    const states: string[] = [];
    bench.engine.live()?.traces.onRevision.on(({ state, source }) => states.push(`${state} ${source}`));
    importAudit(run);
    await bench.clock.advance(3000);
    expect(states).toContain('deriving audit.jsonl');
    expect(bench.engine.live()?.traces.revision()).toMatchObject({ revision: 1, state: 'idle' });
    const writes = spansOf(run).flatMap(({ writeList }) => writeList);
    expect(writes).toHaveLength(6);
    for (const write of writes) {
      expect(write).toMatchObject({ outcome: 'stored', code: 200, verb: 'update', manager: 'y' });
      expect(write.at.hi - write.at.lo).toBe(5);
    }
    expect(spansOf(run).filter(({ revisedBy }) => revisedBy === 'audit.jsonl').length).toBeGreaterThan(0);
  });

  it('[REV4] cancelled, spans stay as they were; taken up again, it is made', async () => {
    const run = await afterTheFact();
    const { bench } = run;
    const traces = bench.engine.live()?.traces;
    const before = plain(spansOf(run));
    attachLines(run);
    traces?.cancelRevision();
    await bench.clock.advance(3000);
    expect(traces?.revision()).toMatchObject({ revision: 0, state: 'idle', cancelled: true });
    expect(plain(spansOf(run))).toEqual(before);
    // What comes in time is still told.
    await reconciles(run, 7, 7);
    await bench.clock.advance(5000);
    expect(spansOf(run).length).toBeGreaterThan((before as unknown[]).length);
    traces?.reviseAgain();
    await bench.clock.advance(3000);
    expect(traces?.revision()).toMatchObject({ revision: 1, state: 'idle', cancelled: false });
    expect(spansOf(run).filter(({ reconcileId }) => reconcileId?.startsWith('1'))).toHaveLength(6);
  });

  it('[REV5] stored predictions stay as they were made', async () => {
    const run = await connected();
    const { bench } = run;
    bench.attachLog();
    for (let n = 0; n < 6; n++) {
      bench.line(errorLine());
      await bench.clock.advance(1000 * n);
    }
    const stored = () =>
      [...run.log().heads({ kinds: ['prediction'] })].map(({ seq }) => run.log().payload(seq));
    const before = stored();
    expect(before.length).toBeGreaterThan(0);
    const past = bench.clock.now() / 1000 - 600;
    bench.attachLog('older.log');
    bench.backlog(errorLine().replace('{', `{"ts":${past},`));
    await bench.clock.advance(3000);
    expect(bench.engine.live()?.traces.revision().revision).toBe(1);
    expect(stored().slice(0, before.length)).toEqual(before);
  });
});

describe('the same spans', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('[REV6] whatever came first (seed %i)', async (seed) => {
    const run = await afterTheFact();
    const { bench } = run;
    attachLines(run);
    importAudit(run);
    await bench.clock.advance(5000);
    const session = bench.engine.live();
    const profile = session?.operators.profile();
    if (session === undefined || profile === undefined) throw new Error('no operator');
    const log = run.log();
    const bySource = new Map<string, Fact[]>();
    for (const { seq, source } of log.heads({ kinds: ['object', 'log', 'audit'] })) {
      const list = bySource.get(source) ?? [];
      list.push(...((log.facts(seq) ?? []) as readonly Fact[]));
      bySource.set(source, list);
    }
    const told = (order: Iterable<Fact>, often: boolean) => {
      const index = createObjectIndex();
      const read = (seq: number) => parse(log, seq as never);
      const model = createTraceModel(profile, {
        log,
        resolve: (name) => session.watching.resolve(name),
        resources: () => session.watching.resources(),
        read,
        createBook: createTraceBook,
      });
      model.follow((key) => index.get(key)?.fact);
      let count = 0;
      for (const fact of order) {
        tellFact(model, fact, (object) => index.apply(object), read);
        if (often && ++count % 3 === 0) {
          model.gather();
          model.changes(log.watermark());
        }
      }
      model.gather();
      model.changes(log.watermark());
      return plain([...model.spans.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
    };
    const expected = told([...bySource.values()].flat(), false);
    expect((expected as unknown[]).length).toBeGreaterThanOrEqual(6);
    expect(told(interleaved(bySource, seed), seed % 2 === 0)).toEqual(expected);
  });

  it('in a session that is opened and at each of its moments, and after Loopscope came back', async () => {
    const run = await afterTheFact();
    const { bench } = run;
    attachLines(run);
    importAudit(run);
    await bench.clock.advance(5000);
    const at = bench.clock.now();
    const live = spansOf(run);
    const marks = live.map(({ id, revision, revisedBy }) => [id, revision, revisedBy]);
    const recovery = bench.engine.recovery();
    const log = run.log();

    const player = new EngineBench(incident(), { sessions: new Map([['file', log]]) });
    benches.push(player);
    void player.engine.openFile('file');
    await player.clock.advance(500);
    void player.engine.player()?.seek(at - 30_000);
    await player.clock.advance(500);
    void player.engine.player()?.seek(at);
    await player.clock.advance(500);
    const traces = player.engine.session()?.traces;
    expect(traces?.revision()).toMatchObject({ state: 'idle', first: undefined });
    expect(traces?.shown()).toHaveLength(live.length);
    expect(plain(traces?.spans({}) ?? [])).toEqual(plain(live));
    expect(traces?.spans({}).map(({ id, revision, revisedBy }) => [id, revision, revisedBy])).toEqual(marks);

    const again = new EngineBench(bench.cluster, { openSession: () => log, clock: bench.clock });
    benches.push(again);
    if (recovery !== undefined) void again.engine.recover(recovery);
    await bench.clock.advance(3000);
    const old = new Set(live.map(({ id }) => id));
    const resumed = again.engine.session()?.traces.spans({}) ?? [];
    expect(plain(resumed.filter(({ id }) => old.has(id)))).toEqual(plain(live));
  });
});

/** The facts of all sources, each in its own order. */
function* interleaved(bySource: ReadonlyMap<string, readonly Fact[]>, seed: number): Generator<Fact> {
  const random = seededRandom(seed);
  const rest = [...bySource.values()].map((list) => [...list]);
  while (rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    const next = rest[at]?.shift();
    if (next === undefined) rest.splice(at, 1);
    else yield next;
  }
}

it('shows the rows of a query newest first, with all that match counted', async () => {
  const run = await afterTheFact();
  attachLines(run);
  await run.bench.clock.advance(3000);
  const traces = run.bench.engine.live()?.traces;
  const table = traces?.rows({ object: orders, text: 'result:success', limit: 2 });
  const feed = table?.subscribe({ upsert: () => undefined, remove: () => undefined, reset: () => undefined });
  expect(feed?.total()).toBe(6);
  const newest = feed?.snapshot() ?? [];
  expect(newest).toHaveLength(2);
  expect(newest[0]?.start.lo).toBeGreaterThan(newest[1]?.start.lo ?? 0);
  const view = traces?.view(newest[0]?.id ?? '');
  expect(view).toMatchObject({ state: 'found', earlier: { id: newest[1]?.id } });
  expect(view?.span?.writeList[0]).toMatchObject({ fields: ['status.n'], changes: 1 });
  expect(traces?.view('nowhere').state).toBe('unknown');
  feed?.dispose();
});

it('tells a span that a revision merged into another as gone', async () => {
  const run = await afterTheFact();
  const traces = run.bench.engine.live()?.traces;
  const guessed = spansOf(run).filter(({ basis }) => basis.kind === 'inferred');
  expect(guessed.length).toBeGreaterThan(0);
  attachLines(run);
  await run.bench.clock.advance(3000);
  const gone = guessed.find(({ id }) => traces?.view(id).state === 'gone');
  expect(gone).toBeDefined();
  expect(traces?.view(gone?.id ?? '').span?.reconcileId).toBeDefined();
});

describe('the walks', () => {
  it('says which step keeps a key from running, and that what may not be read is not known', async () => {
    const run = await connected();
    const { bench } = run;
    const session = bench.engine.live();
    const ask = (key: string) => session?.traces.walk({ controller: 'database', key }).walk;
    expect(ask('shop/nothing')).toMatchObject({
      question: 'notRan',
      answer: expect.stringContaining('no object'),
    });
    session?.operators.edit({ controller: 'database', field: 'predicates', value: ['generationChanged'] });
    bench.cluster
      .of(databases)
      .update('shop/orders', { metadata: { labels: { a: 'b' } }, spec: { replicas: 1 } });
    await bench.clock.advance(3000);
    const walk = ask('shop/orders');
    expect(walk?.steps[walk.decides ?? -1]).toMatchObject({ step: 'predicate', verdict: 'no' });
    expect(walk?.answer).toContain('generationChanged');
    expect(session?.traces.walk({ controller: 'other', key: 'a' })).toEqual({ reason: 'no-controller' });
  });

  it('says why a run happened', async () => {
    const run = await afterTheFact();
    attachLines(run);
    await run.bench.clock.advance(3000);
    const traces = run.bench.engine.live()?.traces;
    const [span] = spansOf(run).filter(({ reconcileId }) => reconcileId !== undefined);
    const walk = traces?.walk({ controller: 'database', key: 'shop/orders', span: span?.id ?? '' }).walk;
    expect(walk).toMatchObject({ question: 'ran', span: span?.id, decides: 0 });
    expect(walk?.answer).toContain('shop/orders ran because of Database MODIFIED');
  });
});

it('lists every source with its clock, its lag and what came late', async () => {
  const run = await afterTheFact();
  attachLines(run);
  await run.bench.clock.advance(3000);
  const rows = run.bench.engine.live()?.traces.sources.rows ?? [];
  const log = rows.find(({ kind }) => kind === 'log');
  expect(log).toMatchObject({
    state: 'waiting',
    late: run.lines.length,
    records: run.lines.length,
    resolutionMs: 1,
  });
  const managed = rows.find(({ kind }) => kind === 'managedFields');
  expect(managed?.resolutionMs).toBe(1000);
  expect(Math.abs(managed?.skew?.ms ?? 9999)).toBeLessThan(1000);
  expect(rows.filter(({ kind }) => kind === 'watch').length).toBeGreaterThan(5);
});

it('counts history from spans', async () => {
  const run = await afterTheFact();
  attachLines(run);
  await run.bench.clock.advance(3000);
  const history = run.bench.engine.live()?.traces.history('database');
  const points = history?.series.find(({ from }) => from === 'spans')?.points ?? [];
  expect(points.reduce((sum, { runs = 0 }) => sum + runs, 0)).toBe(
    spansOf(run).filter(({ end }) => end).length,
  );
  expect(run.bench.engine.live()?.traces.history('other').reason).toBe('no-controller');
});

describe('what memory has room for', () => {
  it('[REV10] keeps the newest records, from a place that follows from their number', () => {
    const kept = { most: 80, step: 20 };
    expect([1, 80, 81, 100, 101, 181].map((records) => keptFrom(records, kept))).toEqual([
      1, 1, 21, 21, 41, 121,
    ]);
    expect(keptFrom(500_000)).toBe(1);
  });

  it('[REV10] builds spans of them as if all were there, and tells from when on', async () => {
    const run = await connected();
    run.follows = true;
    run.bench.attachLog();
    await reconciles(run, 1, 30);
    await run.bench.clock.advance(5000);
    const session = run.bench.engine.live();
    const profile = session?.operators.profile();
    if (session === undefined || profile === undefined) throw new Error('no operator is under debug');
    const log = run.log();
    const build = (kept: { most: number; step: number } | undefined) => {
      const work = buildModel(
        profile,
        {
          log,
          resolve: (name) => session.watching.resolve(name),
          resources: () => session.watching.resources(),
          read: (seq) => parse(log, seq),
          createBook: createTraceBook,
        },
        { labelOf: (source) => source, skips: () => false, progress: () => undefined, kept },
      );
      for (;;) {
        const step = work.next();
        if (step.done === true) return step.value;
      }
    };
    const all = build(undefined);
    const newest = build({ most: 60, step: 10 });
    expect(all).toMatchObject({ from: 1, fromAt: undefined });
    expect(newest.from).toBe(keptFrom(log.stats().records, { most: 60, step: 10 }));
    const { fromAt = 0 } = newest;
    // Those that began some runs later have all that they had.
    const later = ({ model }: typeof all, ms: number) =>
      plain([...model.spans.values()].filter(({ start }) => start.lo > fromAt + ms));
    expect(later(newest, 5000)).toEqual(later(all, 5000));
    expect((later(newest, 5000) as unknown[]).length).toBeGreaterThan(3);
    expect(newest.model.spans.size).toBeLessThan(all.model.spans.size - 10);
    expect([...newest.model.spans.values()].every(({ start }) => start.hi >= fromAt)).toBe(true);
  });
});
