import { describe, expect, it } from 'vitest';
import type { Span } from '../../shared/model/trace.ts';
import { seededRandom } from '../queue/testRandom.ts';
import { runWorld, type World, type WorldScript } from './testOperator.ts';
import { assembleTraces, type CountingTraceBook, createTraceBook } from './traceBook.ts';
import type { Evidence } from './traceTypes.ts';

function world(seed: number, more: Partial<WorldScript> = {}): World {
  return runWorld({
    random: seededRandom(seed),
    keys: 3,
    workers: 2,
    lengthMs: 20_000,
    everyMs: 900,
    failing: 0.3,
    panics: 0.2,
    log: 'all',
    statusWakes: true,
    lagMs: 1.2,
    ...more,
  });
}

const variants: readonly (readonly [string, Partial<WorldScript>])[] = [
  ['a log at V(5)', {}],
  ['a log of errors', { log: 'errors' }],
  ['no log', { log: 'none' }],
  ['a restart', { restartAt: 9_000 }],
  ['a restart and a log of errors', { restartAt: 9_000, log: 'errors' }],
];

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let index = out.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [out[index], out[other]] = [out[other] as T, out[index] as T];
  }
  return out;
}

function latest(evidence: readonly Evidence[]): number {
  return Math.max(...evidence.map((piece) => piece.at.hi));
}

/** Without the marks of revisions, which tell of the way and not of the evidence. */
function plain(spans: readonly Span[]): readonly unknown[] {
  return spans.map(({ revision: _revision, revisedBy: _by, ...span }) => span);
}

/** The table that somebody keeps who applies changes. */
class Follower {
  readonly rows = new Map<string, Span>();
  private readonly book: CountingTraceBook;
  constructor(book: CountingTraceBook) {
    this.book = book;
  }
  take(): void {
    const { upserts, removed } = this.book.changes();
    for (const id of removed) this.rows.delete(id);
    for (const span of upserts) this.rows.set(span.id, span);
  }
}

describe('TraceBook', () => {
  it.each(variants)('[TR1] gives the same spans for any order of arrival: %s', (_name, more) => {
    for (const seed of [1, 2, 3]) {
      const { evidence, knobs } = world(seed, more);
      const expected = plain(assembleTraces(evidence, knobs));
      expect(expected.length).toBeGreaterThan(10);
      expect(plain(assembleTraces(shuffled(evidence, seededRandom(seed)), knobs))).toEqual(expected);
      expect(plain(assembleTraces(evidence.toReversed(), knobs))).toEqual(expected);
    }
  });

  it.each(variants)('[TR24] gives the same bit by bit as in one go: %s', (_name, more) => {
    for (const seed of [4, 5]) {
      const { evidence, knobs } = world(seed, more);
      const random = seededRandom(seed);
      const book = createTraceBook(knobs);
      const follower = new Follower(book);
      let watermark = -Infinity;
      for (const piece of evidence) {
        book.add(piece);
        watermark = Math.max(watermark, piece.at.hi);
        if (random() < 0.2) book.settle(watermark - 2_000);
        if (random() < 0.3) book.some();
        if (random() < 0.3) follower.take();
      }
      book.settle(latest(evidence));
      follower.take();
      const expected = assembleTraces(evidence, knobs);
      expect(plain(book.spans())).toEqual(plain(expected));
      const byId = (spans: readonly Span[]) => plain(spans.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
      expect(byId([...follower.rows.values()])).toEqual(byId(expected));
    }
  });

  it.each(variants)('[TR24] takes a late piece at any position: %s', (_name, more) => {
    const { evidence, knobs } = world(6, {
      lengthMs: 4_000,
      keys: 2,
      ...more,
      ...(more.restartAt === undefined ? {} : { restartAt: 2_000 }),
    });
    const expected = plain(assembleTraces(evidence, knobs));
    for (const late of evidence) {
      const book = createTraceBook(knobs);
      for (const piece of evidence) if (piece !== late) book.add(piece);
      book.settle(latest(evidence));
      book.changes();
      book.add(late);
      expect(plain(book.spans())).toEqual(expected);
    }
  });

  it('[TR24] forgets a piece that is taken back as if it had never come', () => {
    const { evidence, knobs } = world(7, { lengthMs: 5_000 });
    const random = seededRandom(7);
    for (const gone of shuffled(evidence, random).slice(0, 60)) {
      const book = createTraceBook(knobs);
      for (const piece of evidence) book.add(piece);
      book.settle(latest(evidence));
      book.changes();
      book.remove(gone);
      const rest = evidence.filter((piece) => piece !== gone);
      expect(plain(book.spans())).toEqual(plain(assembleTraces(rest, knobs, latest(evidence))));
    }
  });

  it('[TR24] takes other knobs as if they had been there from the start', () => {
    const { evidence, knobs } = world(8);
    const skewed = { ...knobs, skewOf: () => ({ ms: 40, errorMs: 3 }) };
    const book = createTraceBook(knobs);
    for (const piece of evidence) book.add(piece);
    book.settle(latest(evidence));
    book.changes();
    book.setKnobs(skewed);
    expect(plain(book.spans())).toEqual(plain(assembleTraces(evidence, skewed)));
  });

  it('[TR25] looks at a bounded number of pieces for each one that is added at the end', () => {
    const { evidence, knobs } = world(9, { keys: 1, lengthMs: 40_000, everyMs: 100 });
    const book = createTraceBook(knobs);
    const cost: number[] = [];
    for (const piece of evidence) {
      const before = book.visited;
      book.add(piece);
      book.settle(piece.at.hi - 2_000);
      book.changes();
      cost.push(book.visited - before);
    }
    expect(evidence.length).toBeGreaterThan(2_000);
    const half = cost.length / 2;
    const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
    // Not growing with what is there already.
    expect(mean(cost.slice(half))).toBeLessThan(1.3 * mean(cost.slice(200, half)));
    expect(mean(cost)).toBeLessThan(400);
  });

  it('[TR25] derives again only what a late piece can touch', () => {
    const { evidence, knobs } = world(10, { keys: 1, lengthMs: 120_000, everyMs: 120 });
    const late = evidence[Math.floor(evidence.length / 3)];
    if (late === undefined) throw new Error('no evidence');
    const book = createTraceBook(knobs);
    for (const piece of evidence) if (piece !== late) book.add(piece);
    book.settle(latest(evidence));
    book.changes();
    const before = book.visited;
    book.add(late);
    book.changes();
    expect(book.visited - before).toBeLessThan(2_000);
  });

  it('[TR26] marks what a revision changed in a settled place, and nothing else', () => {
    const { evidence, knobs } = world(11, { log: 'none' });
    const withLog = world(11).evidence.filter((piece) => piece.evidence === 'line');
    const book = createTraceBook(knobs);
    for (const piece of evidence) book.add(piece);
    book.settle(latest(evidence));
    book.changes();
    book.revise(3, 'log:1');
    const [line] = withLog;
    if (line === undefined) throw new Error('no line');
    // Sequence numbers of the run without a log are others: the line is a record of its own.
    book.add({ ...line, seq: 1_000_000 as typeof line.seq });
    const { upserts } = book.changes();
    expect(upserts.length).toBeGreaterThan(0);
    for (const span of upserts) expect([span.revision, span.revisedBy]).toEqual([3, 'log:1']);
    const others = book.spans().filter((span) => !upserts.some((changed) => changed.id === span.id));
    expect(others.every((span) => span.revision === 0 && span.revisedBy === undefined)).toBe(true);
  });

  it('[TR23] leaves stored predictions as they were stored', () => {
    const { evidence, knobs } = world(12);
    const ended = evidence.find((piece) => piece.evidence === 'line' && piece.result === 'error');
    if (ended?.evidence !== 'line') throw new Error('no error');
    const prediction: Evidence = {
      evidence: 'prediction',
      seq: ended.seq,
      source: ended.source,
      at: ended.at,
      receivedAt: ended.receivedAt,
      ownClock: false,
      controller: ended.controller,
      key: ended.key,
      predictionId: 'p1',
      why: 'backoff',
      delayMs: 77,
      runsAt: ended.at.hi + 77,
      becauseSeq: ended.seq,
    };
    const book = createTraceBook(knobs);
    for (const piece of [...evidence.slice(0, 30), prediction]) book.add(piece);
    book.changes();
    book.revise(1, 'log:1');
    for (const piece of evidence.slice(30)) book.add(piece);
    book.settle(latest(evidence));
    const next = book.span(ended.reconcileId ?? '')?.next;
    expect(next).toMatchObject({ predictionId: 'p1', predicted: prediction.runsAt, delayMs: 77 });
    expect(next?.observed).toBeGreaterThan(ended.at.lo);
  });
});
