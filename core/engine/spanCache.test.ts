import { describe, expect, it } from 'vitest';
import {
  type ObjectKey,
  objectKey,
  type RecordSeq,
  type ResourceVersion,
  recordSeq,
} from '../../shared/model/ids.ts';
import type { Span, TraceWrite } from '../../shared/model/trace.ts';
import type { ObjectOp, RecordHead } from '../session/record.ts';
import { cacheAtStart } from './spanCache.ts';

const database = objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'orders' });
const secret = objectKey({ group: '', kind: 'Secret', namespace: 'shop', name: 'orders' });

/** A log with these versions: object, arrival in ms, version. */
function logOf(rows: readonly (readonly [ObjectKey, number, string, ObjectOp?])[]) {
  const heads = rows.map(([object, receivedAt, version, op = 'modified'], index) => ({
    seq: recordSeq(index + 1),
    object,
    receivedAt,
    resourceVersion: version as ResourceVersion,
    op,
  }));
  return {
    head: (seq: RecordSeq) => heads[seq - 1] as unknown as RecordHead | undefined,
    historyOf: (object: ObjectKey) => heads.filter((head) => head.object === object).map(({ seq }) => seq),
  };
}

function spanAt(lo: number, hi: number, writes: readonly ObjectKey[] = []): Span {
  const writeList = writes.map((object) => ({ object }) as unknown as TraceWrite);
  return { object: database, start: { lo, hi }, readList: [], writeList } as unknown as Span;
}

describe('what the cache held', () => {
  const log = logOf([
    [database, 100, '7', 'added'],
    [secret, 120, '8', 'added'],
    [database, 300, '9'],
    [secret, 400, '10', 'deleted'],
    [database, 500, '11'],
  ]);

  it('is the newest version that arrived before the start, with its age', () => {
    expect(cacheAtStart(spanAt(310, 310, [secret, secret]), log)).toEqual([
      {
        object: database,
        subject: 'Database/shop/orders',
        seq: 3,
        resourceVersion: '9',
        ageMs: 10,
        basis: { kind: 'inferred', by: 'cache', because: [3] },
      },
      expect.objectContaining({ object: secret, resourceVersion: '8', ageMs: 190 }),
    ]);
  });

  it('has nothing of what was not seen yet, nor of what was gone', () => {
    expect(cacheAtStart(spanAt(50, 50), log)).toEqual([]);
    expect(cacheAtStart(spanAt(450, 450, [secret]), log).map(({ object }) => object)).toEqual([database]);
  });
});
