import { describe, expect, it } from 'vitest';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { spans } from '../../testing/incident/traces.ts';
import { newestFirst, orderRuns } from './runOrder.ts';

const [some] = spans;
if (some === undefined) throw new Error('no spans');

function run(id: string, lo: number, hi: number, more: Partial<SpanRow> = {}): SpanRow {
  return {
    ...some,
    id,
    start: { lo, hi },
    failures: 0,
    result: 'success',
    key: 'shop/a',
    ...more,
  } as SpanRow;
}
function failed(failures: number, lo: number, hi: number): SpanRow {
  return run(`attempt ${failures + 1}`, lo, hi, { failures, result: 'error' });
}

describe('the order of runs', () => {
  it('is newest first, and the same whatever order they come in', () => {
    const ids = newestFirst(spans).map(({ id }) => id);
    expect(newestFirst([...spans].reverse()).map(({ id }) => id)).toEqual(ids);
    expect(newestFirst([run('old', 1, 1), run('new', 9, 9)]).map(({ id }) => id)).toEqual(['new', 'old']);
  });
  it('follows the failures in a row where times are known to the second only', () => {
    const second = [failed(0, 0, 999), failed(1, 881, 881), failed(2, 890, 890), failed(3, 0, 999)];
    expect(newestFirst(second).map(({ failures }) => failures)).toEqual([3, 2, 1, 0]);
  });
  it('puts a run no later than the one of its key after it, among those of other keys', () => {
    const other = run('other', 950, 950, { key: 'shop/b' });
    const order = orderRuns([failed(0, 0, 999), failed(1, 900, 900), other]);
    expect(order.map(({ run: { id }, at }) => [id, at])).toEqual([
      ['other', 950],
      ['attempt 2', 900],
      ['attempt 1', 900],
    ]);
  });
  it('puts a run where it must have begun, as its first write says', () => {
    const rows = [run('coarse', 0, 999), run('other', 500, 500, { key: 'shop/b' })];
    expect(newestFirst(rows)[0]?.id).toBe('coarse');
    const order = orderRuns(rows, ({ id }) => (id === 'coarse' ? 420 : undefined));
    expect(order.map(({ run: { id }, at }) => [id, at])).toEqual([
      ['other', 500],
      ['coarse', 420],
    ]);
  });
  it('trusts time where a run went well among them, or a count stands twice', () => {
    const mixed = [failed(1, 0, 999), run('well', 100, 100), failed(0, 200, 200)];
    expect(newestFirst(mixed).map(({ id }) => id)).toEqual(['attempt 1', 'well', 'attempt 2']);
    const twice = [failed(1, 0, 999), { ...failed(1, 100, 100), id: 'again' }];
    expect(newestFirst(twice).map(({ id }) => id)).toEqual(['again', 'attempt 2']);
  });
});
