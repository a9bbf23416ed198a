/** What silence means for a key that has been failing, where the log has errors only: [SW8], [SF9], [SQ6], [SF5]. */
import { describe, expect, test } from 'vitest';
import { addScores, type Score, scoreFailing } from './failingKeysSim.ts';
import type { QueueKind } from './reconcileQueue.ts';
import { ShadowQueue } from './shadowQueue.ts';
import { profileOf } from './testOperator.ts';

const T = 1_790_000_000_000;
const KEY = 'ns/a';
/** ms after n failures in a row of the default limiter. */
const step = (failures: number) => Math.min(5 * 2 ** (failures - 1), 1_000_000);

/** A key that failed 11 times; the line of the 11th came at T and its retry is due at T + 5,120. */
function elevenFailures(kind: QueueKind, { attachedLate = false } = {}) {
  const queue = new ShadowQueue({
    profile: profileOf({ kind, limiter: { type: 'exp', base: '5ms', factor: 2, max: '1000s' }, workers: 1 }),
    at: T - 60_000,
    evidence: 'errors',
  });
  let seq = 0;
  const line = (after: number) => {
    seq += 1;
    queue.reconcileEnded({
      key: KEY,
      at: T + after,
      seq,
      result: 'error',
      basis: { kind: 'reported', from: 'log' },
    });
  };
  const event = (after: number, gone = false) =>
    queue.enqueue({
      key: KEY,
      at: T + after,
      cause: { subject: undefined, text: 'Database MODIFIED', kind: 'event' },
      ...(gone ? { gone } : {}),
    });
  if (!attachedLate) queue.workersStarted({ at: T - 60_000 });
  let at = 0;
  const before: number[] = [];
  for (let failures = 11; failures > 0; failures -= 1) {
    before.unshift(at);
    at -= step(failures - 1) + 10;
  }
  if (!attachedLate) event((before[0] ?? 0) - 10);
  for (const after of before) line(after);
  return {
    line,
    event,
    queue,
    wroteStatus: (after: number) =>
      queue.wroteStatus({ key: KEY, at: T + after, basis: { kind: 'observed', from: 'watch' } }),
    /** State of the key so many ms after T. */
    key: (after: number) => {
      const { failures } = queue.snapshot(T + after);
      const info = queue.keyInfo(KEY);
      return {
        failures: info.failures,
        waitsUntil: info.nextRunAt === undefined ? undefined : Math.round(info.nextRunAt - T),
        certain: failures.find(({ key }) => key === KEY)?.certain,
      };
    },
  };
}

describe.each(['priority', 'classic'] as const)('%s queue', (kind) => {
  /** When the key waits to be run, `failures` lines after an error of which the last came at `after`. */
  function due(failures: number, after: number): number {
    // On a classic queue the delay of the line at T stays, whatever events and errors come before it ends.
    return kind === 'classic' ? step(11) : after + step(failures);
  }

  test('the key that is begun with', () => {
    const { key } = elevenFailures(kind);
    expect(key(1)).toEqual({ failures: 11, waitsUntil: 5_120, certain: true });
  });

  test('two quick changes, four lines, events first', () => {
    const { event, line, key } = elevenFailures(kind);
    for (const after of [2_000, 2_012, 2_024, 2_036]) event(after);
    for (const after of [2_060, 2_072, 2_084]) line(after);
    for (const after of [2_090, 2_095]) event(after);
    line(2_096);
    expect(key(3_200)).toEqual({ failures: 15, waitsUntil: due(15, 2_096), certain: true });
  });

  test('two quick changes, four lines, lines first', () => {
    const { event, line, key } = elevenFailures(kind);
    for (const after of [2_000, 2_020, 2_040, 2_060]) line(after);
    for (const after of [2_065, 2_066, 2_067, 2_068]) event(after);
    expect(key(3_200)).toMatchObject({ failures: 15, waitsUntil: due(15, 2_060) });
  });

  test('lines and events by turns, some of the events covered by a run under way', () => {
    const { event, line, key } = elevenFailures(kind);
    event(2_000);
    line(2_010);
    line(2_022);
    event(2_023);
    event(2_024);
    event(2_040);
    line(2_048);
    event(2_300);
    line(2_305);
    event(2_306);
    expect(key(3_400)).toMatchObject({ failures: 15, waitsUntil: due(15, 2_305) });
  });

  test('a line half a second after another, before its event: its distance is not read as a small count', () => {
    const { event, line, key } = elevenFailures(kind);
    event(1_000);
    line(1_008);
    line(1_658);
    event(1_662);
    line(2_310);
    event(2_312);
    expect(key(2_320)).toMatchObject({ failures: 14, waitsUntil: due(14, 2_310) });
    expect(key(4_000)).toMatchObject({ failures: 14, waitsUntil: due(14, 2_310) });
  });

  test('an event that a predicate dropped: nothing changes, and the line at its time makes the count certain again', () => {
    const { event, line, key } = elevenFailures(kind);
    event(2_000);
    expect(key(2_900)).toEqual({ failures: 11, waitsUntil: 5_120, certain: false });
    line(5_130);
    expect(key(5_131)).toEqual({ failures: 12, waitsUntil: 5_130 + step(12), certain: true });
  });

  test('the line of a slow run comes after it was given up: one more failure, certain again', () => {
    const { event, line, key } = elevenFailures(kind);
    event(2_000);
    expect(key(2_160)).toMatchObject({ failures: 11, certain: false });
    line(2_500);
    expect(key(2_501)).toMatchObject({ failures: 12, waitsUntil: due(12, 2_500), certain: true });
  });

  test('a real heal shows in a status write', () => {
    const { event, wroteStatus, key } = elevenFailures(kind);
    event(2_000);
    wroteStatus(2_010);
    expect(key(3_000).failures).toBe(0);
  });

  test('a status write that comes after the run was given up heals as well', () => {
    const { event, wroteStatus, key } = elevenFailures(kind);
    event(2_000);
    expect(key(2_900).failures).toBe(11);
    wroteStatus(3_000);
    expect(key(4_000).failures).toBe(0);
  });

  test('the status write of the run that failed heals nothing', () => {
    const { event, wroteStatus, key } = elevenFailures(kind);
    wroteStatus(3);
    event(3);
    expect(key(1_000)).toEqual({ failures: 11, waitsUntil: 5_120, certain: false });
  });

  test('a heal without any trace is believed once the retry has passed in silence too', () => {
    const { event, key } = elevenFailures(kind);
    event(2_000);
    expect(key(5_100)).toEqual({ failures: 11, waitsUntil: 5_120, certain: false });
    expect(key(6_000)).toEqual({ failures: 0, waitsUntil: undefined, certain: undefined });
  });

  test('after a heal without a trace, new failures are counted from where they began', () => {
    const { event, line, key } = elevenFailures(kind);
    event(2_000);
    expect(key(6_000).failures).toBe(0);
    event(20_000);
    line(20_010);
    expect(key(20_011)).toMatchObject({ failures: 1, waitsUntil: 20_015 });
  });

  test('a line that was lost unnoticed: the next one is as far away as the longer delay, and counts for both', () => {
    const { line, key } = elevenFailures(kind);
    expect(key(6_000).failures).toBe(0);
    line(10_250);
    expect(key(10_251)).toMatchObject({ failures: 13, waitsUntil: 10_250 + step(13) });
  });

  test('lines were lost: silence at the retry of a count that may be too low is no health', () => {
    const { queue, line, key } = elevenFailures(kind);
    queue.setEvidence({ at: T + 100, evidence: 'errors', linesLost: true });
    expect(key(6_000)).toEqual({ failures: 11, waitsUntil: undefined, certain: false });
    line(20_490);
    expect(key(20_491)).toMatchObject({ failures: 14, waitsUntil: 20_490 + step(14) });
  });

  test('a deleted object has nothing to fail at', () => {
    const { event, key } = elevenFailures(kind);
    event(2_000, true);
    expect(key(3_000).failures).toBe(0);
  });

  test('attached in the middle, with one line seen: an event and silence do not make it healthy', () => {
    const late = elevenFailures(kind, { attachedLate: true });
    late.queue.reconcileEnded({
      key: 'ns/late',
      at: T,
      result: 'error',
      basis: { kind: 'reported', from: 'log' },
    });
    late.queue.enqueue({
      key: 'ns/late',
      at: T + 100,
      cause: { subject: undefined, text: 'Database MODIFIED', kind: 'event' },
    });
    expect(late.queue.snapshot(T + 2_000).failures).toContainEqual(
      expect.objectContaining({ key: 'ns/late', failures: 1, certain: false }),
    );
  });
});

test('attached in the middle of a burst: near lines make a doubtful count, which silence does not turn into health', () => {
  const { queue } = elevenFailures('priority', { attachedLate: true });
  queue.advanceTo(T + 60_000);
  const late = (after: number) =>
    queue.reconcileEnded({
      key: 'ns/b',
      at: T + after,
      result: 'error',
      basis: { kind: 'reported', from: 'log' },
    });
  const row = (after: number) => queue.snapshot(T + after).failures.find((one) => one.key === 'ns/b');
  for (const after of [60_000, 60_090, 60_180]) late(after);
  expect(row(60_181)).toMatchObject({ certain: false });
  expect(row(70_000)).toMatchObject({ certain: false });
  expect(row(70_000)?.failures).toBeGreaterThan(0);
  late(60_180 + 81_920);
  expect(row(60_180 + 81_921)).toMatchObject({ failures: 16, certain: true });
});

describe('1 s after the last line, over 40 random operators with bursts of changes', () => {
  function scores(kind: QueueKind, how: { readonly heals: number; readonly writesStatus: boolean }): Score {
    return addScores(
      Array.from({ length: 40 }, (_, index) => scoreFailing({ kind, seed: index + 1, ...how })),
    );
  }

  test.each(['priority', 'classic'] as const)('%s queue, keys that never heal', (kind) => {
    const score = scores(kind, { heals: 0, writesStatus: true });
    expect(score.samples).toBeGreaterThan(800);
    expect(score.looksHealthy).toBe(0);
    expect(score.wrongFailures / score.samples).toBeLessThan(0.01);
    expect(score.wrongWait / score.samples).toBeLessThan(kind === 'priority' ? 0.01 : 0.03);
  });

  test.each(['priority', 'classic'] as const)('%s queue, a third of the changes heal', (kind) => {
    for (const writesStatus of [true, false]) {
      const score = scores(kind, { heals: 0.3, writesStatus });
      expect(score.looksHealthy).toBe(0);
      expect(score.wronglyCertain / score.samples).toBeLessThan(0.015);
      if (writesStatus) expect(score.wrongFailures / score.samples).toBeLessThan(0.02);
    }
  });
});
