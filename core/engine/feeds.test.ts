import { afterEach, describe, expect, it } from 'vitest';
import { EngineBench, errorLine, incident } from '../testing/engineBench.ts';
import type { FeedSink } from './host.ts';

const [a, b, c, z] = ['a', 'b', 'c', 'z'].map((name) => errorLine(`shop/${name}`)) as [
  string,
  string,
  string,
  string,
];

describe('a file that is attached again', () => {
  let bench: EngineBench;
  afterEach(() => bench.engine.dispose());

  const lines = () =>
    [...(bench.engine.session()?.recorder.log.heads({ kinds: ['log'] }) ?? [])].map(({ source }) => source);

  async function attached(): Promise<void> {
    bench = new EngineBench(incident());
    await bench.connect();
    bench.attachLog();
    bench.backlog(a, b);
  }

  it('is the source it was: lines that are on record are passed over, new ones are not', async () => {
    await attached();
    const [feed] = bench.engine.feeds.rows();
    bench.engine.feeds.detach(feed?.id ?? '');
    bench.attachLog();
    bench.backlog(a, b, c);
    bench.line(a);
    expect(lines()).toEqual(['log:1', 'log:1', 'log:1', 'log:1']);
    expect(bench.engine.feeds.rows().map(({ id }) => id)).toEqual(['log:1']);
  });

  it('says that it is another one where it does not begin with what is on record', async () => {
    await attached();
    bench.engine.feeds.detach('log:1');
    bench.attachLog();
    bench.backlog(z);
    await bench.clock.advance(1000);
    expect(lines()).toHaveLength(3);
    expect(bench.engine.session()?.gaps.rows.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('is not the file it was before'),
    );
  });

  it('is refused while it is read, in a sentence', async () => {
    bench = new EngineBench(incident());
    await bench.connect();
    const client = bench.client();
    for (const [method, kind] of [
      ['feed.attachLog', 'log'],
      ['feed.attachAudit', 'audit'],
      ['feed.importAudit', 'audit'],
    ] as const) {
      const path = `/var/${method}`;
      expect(await client.call(method, { path })).toEqual({ ok: true });
      expect(await client.call(method, { path })).toMatchObject({
        ok: false,
        problem: { code: 'already-attached', message: expect.stringContaining(path) },
      });
      expect(bench.engine.feeds.rows().filter((row) => row.kind === kind && row.label === path)).toHaveLength(
        1,
      );
    }
  });
});

describe('an audit log', () => {
  it('is recorded without the bodies of its requests, and passed over by what was recorded', async () => {
    const bench = new EngineBench(incident());
    await bench.connect();
    const body = { kind: 'Secret', metadata: { name: 'a' }, data: { password: 'canary' } };
    const text = JSON.stringify({ kind: 'Event', auditID: 'x', requestObject: body, responseObject: body });
    const spec = {
      kind: 'audit',
      label: 'audit.jsonl',
      start(sink: FeedSink) {
        sink.lines([{ text, receivedAt: bench.clock.now(), backlog: true }]);
        return { dispose: () => undefined };
      },
    } as const;
    bench.engine.attach(spec);
    bench.engine.attach(spec);
    const log = bench.engine.session()?.recorder.log;
    const texts = [...(log?.heads({ kinds: ['audit'] }) ?? [])].map(({ seq }) => log?.payload(seq));
    expect(texts).toHaveLength(1);
    expect(texts[0]).not.toContain('canary');
    bench.engine.dispose();
  });

  it('that is none says so, and is told of a few times only', async () => {
    const bench = new EngineBench(incident());
    await bench.connect();
    bench.engine.attach({
      kind: 'audit',
      label: '/var/operator.log',
      start(sink) {
        sink.lines(Array.from({ length: 50 }, (_, n) => ({ text: `${n} no`, receivedAt: 0, backlog: true })));
        sink.state('ended', '/var/operator.log');
        return { dispose: () => undefined };
      },
    });
    expect(bench.engine.feeds.rows()).toMatchObject([
      { state: 'failed', records: 50, unparsed: 50, problem: { code: 'audit-nothing' } },
    ]);
    expect(bench.logs.filter((line) => line.includes('skipped'))).toHaveLength(3);
    expect(bench.logs.at(-1)).toContain('further ones of this source are only counted');
    bench.engine.dispose();
  });
});
