import { describe, expect, it } from 'vitest';
import type { ObjectVersion } from '../../../shared/contract/views/objects.ts';
import type { StatusWrite } from '../../../shared/contract/views/structure.ts';
import { timelineRows } from './timelineRows.ts';

function version(seq: number, at: number, generation?: number): ObjectVersion {
  return {
    seq,
    at: { lo: at, hi: at },
    op: 'modified',
    resourceVersion: `${seq}`,
    uid: 'u',
    ...(generation === undefined ? {} : { generation }),
    writers: [],
    changes: 1,
    summary: '',
    metadataOnly: false,
    afterGap: false,
  };
}

function write(at: number, refused = true): StatusWrite {
  return { at, refused, basis: { kind: 'observed', from: 'audit' } };
}

function told(rows: ReturnType<typeof timelineRows>) {
  return rows.map((row) =>
    row.kind === 'version' ? row.id : `${row.stretch.writes.length}${row.stretch.more ? '+' : ''}`,
  );
}

describe('timelineRows', () => {
  it('puts refused writes between the versions they came between, newest first, one line a stretch', () => {
    const rows = timelineRows(
      [version(1, 100), version(2, 200), version(3, 300)],
      [write(100, false), write(110), write(120), write(200, false), write(310), write(320), write(330)],
      7,
    );
    expect(told(rows)).toEqual(['3', 3, 2, '2', 1]);
    expect(rows[0]).toMatchObject({ stretch: { from: 310, to: 330, more: false } });
  });
  it('keeps the name of a stretch while it grows', () => {
    const ids = (writes: readonly StatusWrite[]) => timelineRows([version(1, 1)], writes, 9)[0]?.id;
    expect(ids([write(5), write(6)])).toBe(ids([write(5), write(6), write(7)]));
  });
  it('says that a count is the least it can be where older writes are no longer listed', () => {
    expect(told(timelineRows([version(1, 1)], [write(5), write(6)], 400))).toEqual(['2+', 1]);
    expect(told(timelineRows([version(1, 1)], [write(4, false), write(5)], 400))).toEqual(['1', 1]);
  });
  it('marks the version that raised the generation, and none whose predecessor is not known', () => {
    const rows = timelineRows([version(1, 1, 3), version(2, 2, 4), version(3, 3, 4), version(4, 4)], [], 0);
    expect(rows.map((row) => row.kind === 'version' && row.raisedFrom)).toEqual([
      undefined,
      undefined,
      3,
      undefined,
    ]);
  });
  it('tells of refused writes also where no version was seen', () => {
    expect(told(timelineRows([], [write(1), write(2)], 2))).toEqual(['2']);
  });
});
