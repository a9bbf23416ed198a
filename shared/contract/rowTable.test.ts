import { describe, expect, test } from 'vitest';
import { RowTable, structurallyEqual } from './rowTable.ts';

interface Row {
  readonly id: string;
  readonly tags: readonly string[];
}

function recorded() {
  const sent: string[] = [];
  return {
    sent,
    sink: {
      upsert: (row: Row) => void sent.push(`+${row.id}`),
      remove: (key: string | number) => void sent.push(`-${key}`),
      reset: () => void sent.push('reset'),
    },
  };
}

describe('RowTable', () => {
  test('[RT1] an equal row is not sent again', () => {
    const table = new RowTable<Row>((row) => row.id);
    const { sent, sink } = recorded();
    table.subscribe(sink);
    expect(table.set({ id: 'a', tags: ['x'] })).toBe(true);
    expect(table.set({ id: 'a', tags: ['x'] })).toBe(false);
    expect(table.set({ id: 'a', tags: ['y'] })).toBe(true);
    expect(table.delete('b')).toBe(false);
    expect(sent).toEqual(['+a', '+a']);
  });

  test('[RT3] replace sends what differs and nothing else', () => {
    const table = new RowTable<Row>((row) => row.id);
    for (const id of ['a', 'b', 'c']) table.set({ id, tags: [] });
    const { sent, sink } = recorded();
    table.subscribe(sink);
    table.replace([
      { id: 'a', tags: [] },
      { id: 'c', tags: ['new'] },
      { id: 'd', tags: [] },
    ]);
    expect(sent).toEqual(['+c', '+d', '-b']);
    expect(table.rows.map((row) => row.id)).toEqual(['a', 'c', 'd']);
  });

  test('[RT2] a filtered subscriber hears of its rows only', () => {
    const table = new RowTable<Row>((row) => row.id);
    table.set({ id: 'a', tags: ['mine'] });
    table.set({ id: 'b', tags: [] });
    const { sent, sink } = recorded();
    const feed = table.subscribe(sink, { where: (row) => row.tags.includes('mine') });
    expect(feed.snapshot().map((row) => row.id)).toEqual(['a']);
    table.set({ id: 'b', tags: ['other'] });
    table.delete('b');
    table.set({ id: 'a', tags: [] });
    table.set({ id: 'a', tags: ['mine', 'again'] });
    expect(sent).toEqual(['-a', '+a']);
    expect(feed.total()).toBe(1);
  });

  test('is watched from the first subscription to the end of the last', () => {
    const table = new RowTable<Row>((row) => row.id);
    expect(table.isWatched).toBe(false);
    const feeds = [table.subscribe(recorded().sink), table.subscribe(recorded().sink)];
    feeds[0]?.dispose();
    expect(table.isWatched).toBe(true);
    feeds[1]?.dispose();
    expect(table.isWatched).toBe(false);
  });

  test('after dispose nothing is sent', () => {
    const table = new RowTable<Row>((row) => row.id);
    const { sent, sink } = recorded();
    table.subscribe(sink).dispose();
    table.set({ id: 'a', tags: [] });
    table.clear();
    expect(sent).toEqual([]);
  });
});

describe('structurallyEqual', () => {
  test.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [[1, 2], [1, 2, 3], false],
    [[], {}, false],
    [null, {}, false],
    [Number.NaN, Number.NaN, true],
    ['1', 1, false],
  ])('%j and %j: %s', (a, b, equal) => {
    expect(structurallyEqual(a, b)).toBe(equal);
  });
});
