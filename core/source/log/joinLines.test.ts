import { describe, expect, it, test } from 'vitest';
import { createLineJoiner, type JoinedLines, type JoinOptions } from './joinLines.ts';
import { parseLogLine } from './logEntry.ts';

function join(lines: readonly string[], options?: JoinOptions): JoinedLines<number>[] {
  const joiner = createLineJoiner<number>(options);
  const out = lines.flatMap((line, index) => [...joiner.push(line, index)]);
  out.push(...joiner.flush());
  expect(joiner.held).toBe(0);
  return out;
}

const tags = (records: readonly JoinedLines<number>[]) =>
  records.map(({ parts, rest }) => [parts.map((one) => one.tag), rest.map((one) => one.tag)]);

const head =
  '2026-11-30T07:33:11Z\tERROR\tReconciler error\t{"controller": "c", "object": {"name":"n","namespace":"ns"}}';
const frames = ['main.(*R).Reconcile', '\t/src/main.go:12', 'main.main()', '\t/src/main.go:3'];

describe('[LG13] records with what follows them', () => {
  it('gathers a stack behind its line', () => {
    expect(tags(join([head, ...frames, head, 'plain text', head]))).toEqual([
      [[0], [1, 2, 3, 4]],
      [[5], []],
      [[6], []],
      [[7], []],
    ]);
  });

  it('gathers a crash: panic, signal, goroutines, the blank lines between', () => {
    const crash = [
      'panic: boom [recovered]',
      '\tpanic: boom',
      '[signal SIGSEGV: segmentation violation code=0x1]',
      '',
      'goroutine 1 [running]:',
      ...frames,
      'exit status 2',
    ];
    expect(tags(join([head, ...crash, head])).map(([parts]) => parts)).toEqual([[0], [1], [11]]);
  });

  it('gives lines before the first record as they are', () => {
    expect(tags(join(['\tframe of a record that was rotated away', head]))).toEqual([
      [[0], []],
      [[1], []],
    ]);
  });
});

describe('[LG14] lines that can only be read together', () => {
  it('joins what CRI cut, by stream', () => {
    const json =
      '{"level":"error","ts":"2026-11-30T07:33:11Z","msg":"Reconciler error","controller":"c","object":{"name":"n","namespace":"ns"}}';
    const lines = [
      `2026-11-30T07:33:11.1Z stderr P ${json.slice(0, 30)}`,
      '2026-11-30T07:33:11.1Z stdout F other stream',
      `2026-11-30T07:33:11.2Z stderr P ${json.slice(30, 60)}`,
      `2026-11-30T07:33:11.3Z stderr F ${json.slice(60)}`,
    ];
    const records = join(lines, { fold: false });
    expect(tags(records)).toEqual([
      [[1], []],
      [[0, 2, 3], []],
    ]);
    expect(parseLogLine(records[1]?.text ?? '')).toMatchObject({
      event: { kind: 'reconcilerError' },
      key: { namespace: 'ns', name: 'n' },
      prefix: { stream: 'stderr' },
    });
  });

  it('joins what docker cut', () => {
    const json =
      '{"level":"error","ts":1,"msg":"Reconciler error","controller":"c","object":{"name":"n","namespace":"ns"}}\n';
    const wrap = (log: string) => JSON.stringify({ log, stream: 'stderr', time: '2026-11-30T07:33:11.1Z' });
    const [record, ...more] = join([wrap(json.slice(0, 40)), wrap(json.slice(40))], { fold: false });
    expect(more).toEqual([]);
    expect(parseLogLine(record?.text ?? '')).toMatchObject({ key: { namespace: 'ns', name: 'n' } });
  });

  it('joins the values of klog that run over several lines', () => {
    const lines = [
      'E1130 07:33:11.250000       1 controller.go:324] "Reconciler error" err=<',
      '\tfirst line',
      '\tsecond line',
      ' > controller="machine" controllerKind="Machine" Machine="fleet/m-1" reconcileID="r-1" extra=<',
      '\tmore',
      ' >',
      'I1130 07:33:12.250000       1 controller.go:1] "next"',
    ];
    const records = join(lines, { fold: false });
    expect(tags(records)).toEqual([
      [[0, 1, 2, 3, 4, 5], []],
      [[6], []],
    ]);
    expect(parseLogLine(records[0]?.text ?? '', { nearMs: Date.UTC(2026, 10, 30) })).toMatchObject({
      error: 'first line\nsecond line',
      key: { namespace: 'fleet', name: 'm-1' },
      reconcileId: 'r-1',
      event: { kind: 'reconcilerError' },
      fields: { extra: 'more' },
    });
  });

  it('gives up a value whose end does not come, and says so', () => {
    const records = join(
      ['E1130 07:33:11.25 1 a.go:1] "m" err=<', '\tone', 'I1130 07:33:12.25 1 a.go:1] "next"'],
      { fold: false },
    );
    expect(records.map(({ open }) => open)).toEqual([true, false]);
    expect(tags(records)).toEqual([
      [[0, 1], []],
      [[2], []],
    ]);
  });
});

test('[LG14] bounded: lines, characters, sources', () => {
  const many = join([head, ...Array.from({ length: 10 }, () => '\tframe')], { maxLines: 4 });
  expect(many.map(({ parts, rest }) => parts.length + rest.length)).toEqual([4, 4, 3]);
  const long = join([head, '\tx'.repeat(100), '\tx'.repeat(100)], { maxChars: 350 });
  expect(long).toHaveLength(2);
  const joiner = createLineJoiner<number>({ maxSources: 3 });
  const given = Array.from({ length: 10 }, (_, pod) => joiner.push(`[pod/p-${pod}/m] ${head}`, pod)).flat();
  expect(given.map(({ parts }) => parts[0]?.tag)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(joiner.held).toBe(3);
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const corpus = [
  '{"level":"error","ts":"2026-11-30T07:33:11Z","msg":"Reconciler error","controller":"widget","controllerGroup":"acme.example.com","controllerKind":"Widget","Widget":{"name":"front","namespace":"shop"},"namespace":"shop","name":"front","reconcileID":"6d1f2f4e","error":"boom \\"x\\""}',
  '2026-11-30T07:33:11Z\tERROR\twidget\tReconciler error\t{"controller": "widget", "controllerKind": "Widget", "Widget": {"name":"front","namespace":"shop"}, "reconcileID": "6d1f2f4e"}',
  'E1130 07:33:11.250000       1 controller.go:324] "Reconciler error" err="boom" controller="widget" controllerKind="Widget" Widget="shop/front" namespace="shop" name="front" reconcileID="6d1f2f4e"',
  `E1130 07:33:11.250000       1 controller.go:1] error syncing 'shop/front': boom, requeuing`,
  'E1130 07:33:11.250000       1 controller.go:163] cert/controller/x "msg"="re-queuing item due to error processing" "error"="no" "key"="shop/front"',
  '"level"=0 "msg"="Reconciler error" "error"="boom" "controller"="widget" "Widget"={"name":"front","namespace":"shop"} "controllerKind"="Widget"',
  'time=2026-11-30T07:33:11.25Z level=ERROR msg="Reconciler error" controller=widget object="shop/front" reconcileID="6d1f2f4e"',
  '{"severity":"ERROR","timestamp":"2026-11-30T07:33:11.7Z","message":"Reconcile error","knative.dev/controller":"c","knative.dev/traceid":"6d1f2f4e","knative.dev/key":"shop/front","error":"no"}',
  '2026-11-30 07:33:11 INFO  Op:254 - Reconciliation #336(timer) Kafka(shop/front): checked',
  ...frames,
  'plain words of no format',
];

test('[LG15] fuzz: a cut anywhere throws nothing, loses nothing and never names another object', () => {
  const random = seeded(7);
  for (let round = 0; round < 6_000; round += 1) {
    const line = corpus[Math.floor(random() * corpus.length)] ?? '';
    const at = Math.floor(random() * (line.length + 1));
    for (const piece of [line.slice(0, at), line.slice(at)]) {
      const entry = parseLogLine(piece, { nearMs: Date.UTC(2026, 10, 30) });
      if (entry.key !== undefined)
        expect([piece, entry.key]).toEqual([piece, { namespace: 'shop', name: 'front' }]);
      if (entry.reconcileId !== undefined) expect(['6d1f2f4e', '#336']).toContain(entry.reconcileId);
      if (entry.format === 'text') expect(entry.msg).toBe(piece);
    }
  }
});

test('[LG14] fuzz: replicas interleaved in one file keep their order each, and lose nothing', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = seeded(seed);
    const pods = ['widget-7d9f8b6c5-aaaaa', 'widget-7d9f8b6c5-bbbbb', 'widget-7d9f8b6c5-ccccc'];
    const left = pods.map(() => 60);
    const lines: string[] = [];
    const own = new Map<string, string[]>(pods.map((pod) => [pod, []]));
    while (left.some((count) => count > 0)) {
      const which = Math.floor(random() * pods.length);
      if (left[which] === 0) continue;
      left[which] = (left[which] ?? 0) - 1;
      const pod = pods[which] ?? '';
      const line = `[pod/${pod}/manager] ${corpus[Math.floor(random() * corpus.length)]}`;
      own.get(pod)?.push(line);
      lines.push(line);
    }
    const seen = new Map<string, string[]>(pods.map((pod) => [pod, []]));
    for (const { parts, rest } of join(lines)) {
      const all = [...parts, ...rest];
      const pod = /^\[pod\/([^/]+)/.exec(all[0]?.text ?? '')?.[1] ?? '';
      for (const { text, tag } of all) {
        expect(text.startsWith(`[pod/${pod}/`)).toBe(true);
        expect(lines[tag]).toBe(text);
        seen.get(pod)?.push(text);
      }
    }
    expect(seen).toEqual(own);
  }
});

test('[LG14] fuzz: pieces of any length come together again to the line that was cut', () => {
  const random = seeded(3);
  for (let round = 0; round < 500; round += 1) {
    const line = corpus[Math.floor(random() * 9)] ?? '';
    const lines: string[] = [];
    let at = 0;
    while (at < line.length) {
      const next = Math.min(line.length, at + 1 + Math.floor(random() * 60));
      lines.push(`2026-11-30T07:33:11.25Z stderr ${next < line.length ? 'P' : 'F'} ${line.slice(at, next)}`);
      at = next;
    }
    const records = join(lines, { fold: false });
    expect(records).toHaveLength(1);
    const {
      prefix,
      at: _at,
      ...joined
    } = parseLogLine(records[0]?.text ?? '', { nearMs: Date.UTC(2026, 10, 30) });
    const { at: _own, ...alone } = parseLogLine(line, { nearMs: Date.UTC(2026, 10, 30) });
    expect(prefix?.stream).toBe('stderr');
    expect(joined).toEqual(alone);
  }
});
