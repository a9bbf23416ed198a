import { describe, expect, test } from 'vitest';
import { recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { compareHard, comparePos, overlap, sortByPos } from './order.ts';
import type { RecordHead } from './record.ts';

function head(seq: number, source: string, lo: number, more: Partial<RecordHead> = {}, hi = lo): RecordHead {
  return {
    seq: recordSeq(seq),
    kind: source.startsWith('watch:') ? 'object' : 'log',
    source: sourceId(source),
    at: { lo, hi },
    tie: 0,
    receivedAt: hi,
    metadataOnly: false,
    initial: false,
    late: false,
    ...more,
  };
}

function event(seq: number, source: string, at: number, version: string): RecordHead {
  return head(seq, source, at, { op: 'modified', resourceVersion: resourceVersion(version) });
}

function seqs(heads: readonly RecordHead[]): readonly number[] {
  return heads.map((item) => item.seq);
}

describe('order by pos', () => {
  test('[SES42] a source keeps its own order, whatever its clock says', () => {
    const [first, second] = [head(1, 'log:1', 500), head(2, 'log:1', 400)];
    expect(comparePos(first, second)).toBeLessThan(0);
    expect(seqs(sortByPos([second, first]))).toEqual([1, 2]);
  });

  test('[SES43] watch events of one etcd follow its version across kinds', () => {
    const pod = event(1, 'watch:/v1/pods', 100, '20');
    const set = event(2, 'watch:apps/v1/statefulsets', 105, '9');
    expect(compareHard(set, pod)).toBeLessThan(0);
    expect(comparePos(set, pod)).toBeLessThan(0);
    expect(seqs(sortByPos([pod, set]))).toEqual([2, 1]);
  });

  test('[SES43] versions without order, of lists or of another store say nothing across sources', () => {
    const pod = event(1, 'watch:/v1/pods', 100, '20');
    expect(compareHard(event(2, 'watch:a', 105, 'opaque'), pod)).toBeUndefined();
    expect(compareHard({ ...event(2, 'watch:a', 105, '9'), op: 'listed' }, pod)).toBeUndefined();
    expect(compareHard({ ...event(2, 'watch:a', 105, '9'), initial: true }, pod)).toBeUndefined();
    const own = (source: string) => source !== 'watch:a';
    expect(compareHard(event(2, 'watch:a', 105, '9'), pod, own)).toBeUndefined();
    expect(seqs(sortByPos([event(2, 'watch:a', 105, '9'), pod], own))).toEqual([1, 2]);
  });

  test('[SES44] time decides the rest: earlier end, then earlier start, then tie, then seq', () => {
    const second = head(1, 'log:1', 1000, {}, 1999);
    const within = head(2, 'audit:1', 1500);
    const before = head(3, 'metrics:1', 1000, { tie: 2 });
    const same = head(4, 'audit:2', 1000, { tie: 1 });
    const last = head(5, 'log:2', 1000, { tie: 2 });
    expect(seqs(sortByPos([second, within, last, before, same]))).toEqual([4, 3, 5, 2, 1]);
    expect([overlap(second, within), overlap(before, within)]).toEqual([true, false]);
  });

  test('[SES45] hard order and time in a circle: what must be earlier moves before', () => {
    // Received late, but version 5 was written before version 10, so before the log line as well.
    const ten = event(1, 'watch:/v1/pods', 100, '10');
    const line = head(2, 'log:1', 102);
    const five = event(3, 'watch:/v1/services', 105, '5');
    expect(seqs(sortByPos([ten, line, five]))).toEqual([3, 1, 2]);
  });

  test('[SES46] an etcd that was restored counts from an older version: seq decides', () => {
    const heads = [
      event(1, 'watch:/v1/pods', 100, '90'),
      event(2, 'watch:/v1/pods', 200, '10'),
      event(3, 'watch:/v1/services', 300, '11'),
    ];
    const sorted = seqs(sortByPos(heads));
    expect([...sorted].sort()).toEqual([1, 2, 3]);
    expect(sorted.indexOf(2)).toBeLessThan(sorted.indexOf(3));
  });

  test.each([1, 2, 3, 4])('[SES45] any mix: a permutation that keeps hard order, seed %i', (seed) => {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const sources = ['watch:a', 'watch:b', 'watch:c', 'log:1', 'audit:1'];
    // Each watch delivers in order of version, each with its own delay.
    const delays = sources.map(() => below(40));
    const events = Array.from({ length: 300 }, (_, index) => {
      const which = below(sources.length);
      return { source: sources[which] ?? '', at: index + (delays[which] ?? 0), version: index + 1 };
    });
    events.sort((a, b) => a.at - b.at);
    const heads = events.map(({ source, at, version }, index) =>
      source.startsWith('watch:')
        ? event(index + 1, source, at, String(version))
        : head(index + 1, source, at - below(20), {}, at + below(20)),
    );
    const sorted = sortByPos([...heads].sort(() => random() - 0.5));
    expect([...seqs(sorted)].sort((a, b) => a - b)).toEqual(seqs(heads));
    sorted.forEach((earlier, index) => {
      for (const later of sorted.slice(index + 1)) {
        expect(compareHard(earlier, later) ?? -1).toBeLessThan(0);
      }
    });
  });
});
