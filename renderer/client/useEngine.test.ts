import { expect, it } from 'vitest';
import { selectFrom } from './useEngine.tsx';

interface Snapshot {
  readonly rows: readonly object[];
}

function whole(snapshot: Snapshot): Snapshot {
  return snapshot;
}

/** A row that counts how often somebody looks into it. */
function watched(id: number, looks: { n: number }): object {
  return new Proxy(
    { id },
    {
      ownKeys(target) {
        looks.n += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
}

it('passes a whole snapshot, or its rows, on without looking at one of them', () => {
  const looks = { n: 0 };
  const rows = (count: number) => Array.from({ length: count }, (_, id) => watched(id, looks));
  const first = { rows: rows(50) };
  const next = { rows: rows(51) };
  expect(selectFrom(selectFrom(undefined, first, whole), next, whole).value).toBe(next);
  const rowsOf = (snapshot: Snapshot) => snapshot.rows;
  expect(selectFrom(selectFrom(undefined, first, rowsOf), next, rowsOf).value).toBe(next.rows);
  expect(looks.n).toBe(0);
});

it('selects once from one snapshot, however often it is asked', () => {
  let asked = 0;
  const count = ({ rows }: Snapshot) => {
    asked += 1;
    return { n: rows.length };
  };
  const snapshot = { rows: [{}] };
  const first = selectFrom(undefined, snapshot, count);
  expect(selectFrom(first, snapshot, count)).toBe(first);
  expect(asked).toBe(1);
});

it('keeps the reference of a part that a selector makes anew and that is equal', () => {
  const names = ({ rows }: Snapshot) => ({ n: rows.length });
  const first = selectFrom(undefined, { rows: [{}] }, names);
  expect(selectFrom(first, { rows: [{}] }, names).value).toBe(first.value);
  const more = selectFrom(first, { rows: [{}, {}] }, names);
  expect(more.value).toEqual({ n: 2 });
});

it('looks again with another selector', () => {
  const snapshot = { rows: [{}, {}] };
  const first = selectFrom<Snapshot, number>(undefined, snapshot, ({ rows }) => rows.length);
  expect(selectFrom<Snapshot, number>(first, snapshot, ({ rows }) => rows.length * 10).value).toBe(20);
});
