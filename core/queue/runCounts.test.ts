import { describe, expect, it, test } from 'vitest';
import { RunCounts, type RunLine, type RunResult } from './runCounts.ts';
import { T0 } from './testOperator.ts';
import { pick, seededRandom } from './testRandom.ts';

const key = 'ns/a';
let ids = 0;

function line(at: number, says: RunLine['says'], more: Partial<RunLine> = {}): RunLine {
  return { key, reconcileId: undefined, at, precisionMs: 0, says, result: undefined, ...more };
}

/** A run whose start and end are logged. */
function run(counts: RunCounts, from: number, to: number, result: RunResult = 'success', of = key): void {
  const reconcileId = `r${ids++}`;
  counts.line(line(from, 'started', { reconcileId, key: of }));
  counts.line(line(to, 'ended', { reconcileId, key: of, result }));
}

const at = (ms: number) => ({ lo: ms, hi: ms });
const exactly = (value: number) => ({ lo: value, hi: value, doubts: {} });

describe('counts as intervals', () => {
  it('[QC1] every logged run is one add, every error and requeue one retry', () => {
    const counts = new RunCounts(0, () => 'priority');
    counts.woken(key, 1_000);
    run(counts, 1_001, 1_020, 'error');
    run(counts, 1_030, 1_050, 'requeueAfter');
    run(counts, 3_050, 3_060, 'requeue');
    run(counts, 3_070, 3_080, 'terminal');
    run(counts, 5_000, 5_010);
    expect(counts.between(at(-1), at(10_000))).toEqual({
      adds: exactly(5),
      retries: exactly(3),
      depth: exactly(0),
      success: exactly(1),
      error: exactly(2),
      requeue: exactly(1),
      requeueAfter: exactly(1),
    });
    expect(counts.between(at(1_025), at(3_065)).retries).toEqual(exactly(2));
  });

  it('[QC1] events that collapsed are no adds of their own', () => {
    const counts = new RunCounts(0, () => 'priority');
    run(counts, 500, 2_000);
    for (const time of [1_000, 1_200, 1_400]) counts.woken(key, time);
    run(counts, 2_001, 2_010);
    expect(counts.between(at(-1), at(9_000)).adds).toEqual(exactly(2));
    // It waited for the run before it: queued, and added when the first of them came.
    expect(counts.between(at(-1), at(1_500)).depth).toEqual(exactly(1));
    expect(counts.between(at(-1), at(1_500)).adds).toEqual(exactly(2));
  });

  it('[QC3] an edge between event and run makes the width, and says so', () => {
    const counts = new RunCounts(0, () => 'priority');
    counts.woken(key, 1_000);
    run(counts, 1_010, 1_020);
    expect(counts.between(at(-1), at(1_005))).toMatchObject({
      adds: { lo: 0, hi: 1, doubts: { edge: 1 } },
      depth: { lo: 0, hi: 1, doubts: { edge: 1 } },
    });
    // The time of a scrape that is known to the second.
    expect(counts.between(at(-1), { lo: 900, hi: 1_899 }).success).toEqual({
      lo: 0,
      hi: 1,
      doubts: { edge: 1 },
    });
  });

  it('[QC3] time stamps of whole seconds widen only where a stretch ends within one', () => {
    const counts = new RunCounts(0, () => 'priority');
    const reconcileId = 'r';
    counts.line(line(1_499.5, 'within', { reconcileId, precisionMs: 999 }));
    counts.line(line(1_499.5, 'ended', { reconcileId, precisionMs: 999, result: 'error' }));
    expect(counts.between(at(-1), at(3_000)).error).toEqual(exactly(1));
    expect(counts.between(at(-1), at(1_400)).error).toEqual({ lo: 0, hi: 1, doubts: { edge: 1 } });
  });

  it('[QC4] an event without a run: queued for a while, then none where starts are logged', () => {
    const counts = new RunCounts(0, () => 'priority');
    run(counts, 500, 510);
    counts.woken(key, 1_000);
    expect(counts.between(at(-1), at(1_010)).adds).toEqual({ lo: 1, hi: 2, doubts: { queued: 1 } });
    expect(counts.between(at(-1), at(1_500)).adds).toEqual(exactly(1));
    // While a run goes on it may wait for that.
    counts.line(line(2_000, 'started', { reconcileId: 'long', key: 'ns/b' }));
    counts.woken(key, 2_100);
    expect(counts.between(at(-1), at(60_000)).depth).toEqual({ lo: 0, hi: 1, doubts: { queued: 1 } });
  });

  it('[QC4] where starts are not logged, it may have led to a run without a line', () => {
    const counts = new RunCounts(0, () => 'priority');
    counts.line(line(2_500, 'ended', { result: 'error' }));
    counts.woken(key, 20_000);
    counts.woken(key, 40_000);
    expect(counts.between(at(-1), at(60_000)).adds).toEqual({ lo: 1, hi: 3, doubts: { 'no-line': 2 } });
    expect(counts.between(at(-1), at(60_000)).error).toEqual(exactly(1));
    expect(counts.between(at(-1), at(60_000)).success).toEqual({ lo: 0, hi: 2, doubts: { 'no-line': 2 } });
    counts.linesLost(40_500);
    expect(counts.between(at(-1), at(60_000)).adds.doubts).toEqual({ 'no-line': 1, 'lines-lost': 1 });
  });

  it('[QC2] lines with a reconcileID are runs; how they ended is not known unless it is logged', () => {
    const counts = new RunCounts(0, () => 'priority');
    for (const [index, time] of [2_000, 3_000, 4_000].entries())
      counts.line(line(time, 'within', { reconcileId: `x${index}` }));
    counts.line(line(4_000, 'ended', { reconcileId: 'x2', result: 'error' }));
    expect(counts.between(at(-1), at(9_000))).toMatchObject({
      adds: { lo: 3, hi: 3 },
      error: { lo: 1, hi: 1 },
      retries: { lo: 1, hi: 3, doubts: { 'result-not-logged': 2 } },
    });
  });

  it('[QC5] an event that reaches us just after the start that it explains is not taken for another', () => {
    const counts = new RunCounts(0, () => 'priority');
    run(counts, 1_000, 1_005);
    counts.woken(key, 1_020);
    run(counts, 1_900, 1_905);
    expect(counts.between(at(-1), at(1_500)).adds).toEqual(exactly(1));
  });

  it('[QC6] a new process counts from zero; nothing before it is asked for', () => {
    const counts = new RunCounts(0, () => 'priority');
    run(counts, 1_000, 1_005);
    counts.reset(5_000, 5_000);
    expect(counts.since).toBe(5_000);
    expect(counts.processStartedAt).toBe(5_000);
    expect(counts.between(at(-1), at(9_000)).adds).toEqual(exactly(0));
  });

  it('[QC7] bounded: the oldest runs go, and `since` tells', () => {
    const counts = new RunCounts(0, () => 'priority');
    counts.reset(0, 0);
    for (let index = 0; index < 60_000; index += 1) run(counts, index * 10 + 1, index * 10 + 2);
    expect(counts.since).toBeGreaterThan(200_000);
    expect(counts.processStartedAt).toBeUndefined();
    const from = at(500_000);
    const { lo, hi } = counts.between(from, at(550_000)).adds;
    expect([lo, hi]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.abs(lo - 5_000)).toBeLessThanOrEqual(6);
    expect(hi - lo).toBeLessThanOrEqual(12);
  });
});

/** A queue of one worker, counted exactly, and what a log and a watch tell of it with some delay. */
function walk(seed: number) {
  const random = seededRandom(seed);
  const keys = ['ns/a', 'ns/b', 'ns/c'];
  const told: { at: number; tell: (counts: RunCounts) => void }[] = [];
  const adds: number[] = [];
  const starts: number[] = [];
  const ends: { at: number; result: RunResult }[] = [];
  const dirty = new Map<string, number>();
  const timers: { at: number; key: string }[] = [];
  const events = Array.from({ length: 60 }, () => ({ at: T0 + random() * 60_000, key: pick(random, keys) }));
  events.sort((a, b) => a.at - b.at);
  for (const event of events) {
    const seen = event.at + random() * 30;
    told.push({ at: seen, tell: (counts) => counts.woken(event.key, seen) });
  }
  let now = T0;
  let id = 0;
  const queue = () => [...dirty].sort((a, b) => a[1] - b[1])[0];
  const arrive = (until: number) => {
    const due = [
      ...events.filter((one) => one.at > now && one.at <= until),
      ...timers.filter((one) => one.at > now && one.at <= until),
    ];
    for (const one of due.sort((a, b) => a.at - b.at)) {
      if (dirty.has(one.key)) continue;
      dirty.set(one.key, one.at);
      adds.push(one.at);
    }
    now = until;
  };
  while (now < T0 + 60_000) {
    const next = queue();
    if (next === undefined) {
      const at = Math.min(
        ...events.filter((one) => one.at > now).map((one) => one.at),
        ...timers.filter((one) => one.at > now).map((one) => one.at),
        T0 + 60_001,
      );
      arrive(at);
      continue;
    }
    const [of] = next;
    dirty.delete(of);
    const start = now;
    starts.push(start);
    arrive(start + 1 + random() * 300);
    const end = now;
    const result = pick(random, ['success', 'success', 'error', 'requeueAfter'] as const);
    ends.push({ at: end, result });
    if (result !== 'success') timers.push({ at: end + 500 + random() * 2_000, key: of });
    const reconcileId = `s${seed}-${id++}`;
    told.push({
      at: start + 2,
      tell: (counts) => counts.line(line(start + 2, 'started', { key: of, reconcileId })),
    });
    told.push({
      at: end + 2,
      tell: (counts) => counts.line(line(end + 2, 'ended', { key: of, reconcileId, result })),
    });
  }
  return { told: told.sort((a, b) => a.at - b.at), adds, starts, ends };
}

test('[QC1] [QC3] random walks: what truly was counted lies inside, and with all runs logged the width stays small', () => {
  let width = 0;
  let total = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = seededRandom(seed + 1_000);
    const { told, adds, starts, ends } = walk(seed);
    const counts = new RunCounts(T0, () => 'classic');
    counts.reset(T0, T0);
    for (const { tell } of told) tell(counts);
    for (let check = 0; check < 10; check += 1) {
      const from = T0 + random() * 20_000;
      const to = from + 20_000 + random() * 18_000;
      const between = counts.between(at(from), at(to));
      const within = (time: number) => time > from && time <= to;
      const truth = {
        adds: adds.filter(within).length,
        depth: adds.filter((one) => one <= to).length - starts.filter((one) => one <= to).length,
        retries: ends.filter((one) => within(one.at) && one.result !== 'success').length,
        error: ends.filter((one) => within(one.at) && one.result === 'error').length,
        success: ends.filter((one) => within(one.at) && one.result === 'success').length,
      };
      for (const [name, value] of Object.entries(truth)) {
        const { lo, hi, doubts } = between[name as keyof typeof truth];
        // Lines come two milliseconds late: an end exactly there may fall to the other side.
        const slack = name === 'adds' || name === 'depth' ? 0 : 1;
        expect([seed, check, name, value, lo, hi, value >= lo - slack && value <= hi + slack]).toEqual([
          seed,
          check,
          name,
          value,
          lo,
          hi,
          true,
        ]);
        expect(Object.values(doubts).reduce((sum, one) => sum + one, 0)).toBe(hi - lo);
      }
      width += between.adds.hi - between.adds.lo;
      total += truth.adds;
    }
  }
  expect(width / total).toBeLessThan(0.05);
});
