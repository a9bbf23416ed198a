import { useEffect, useRef, useState } from 'react';

/**
 * Sorted rows that hold still: they are ordered again at most once a second, and not at all while `held` (the pointer
 * or focus is on them). New rows come at the end until then, removed ones go at once.
 */
export function useStableOrder<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  compare: (a: T, b: T) => number,
  held: boolean,
): readonly T[] {
  const order = useRef<readonly string[]>([]);
  const sortedAt = useRef(Number.NEGATIVE_INFINITY);
  const [, again] = useState(0);
  const now = performance.now();
  const due = now - sortedAt.current >= 1000;
  const first = order.current.length === 0 && rows.length > 0;
  if (first || (!held && due)) {
    order.current = [...rows].sort(compare).map(keyOf);
    sortedAt.current = now;
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows start the wait for the next sort
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => again((n) => n + 1), 1000);
    return () => clearTimeout(timer);
  }, [held, rows]);
  return arrange(rows, keyOf, order.current);
}

/** `rows` in the order of `keys`; those that it does not name follow as they are. */
export function arrange<T, K extends string | number>(
  rows: readonly T[],
  keyOf: (row: T) => K,
  keys: readonly K[],
): readonly T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const arranged: T[] = [];
  for (const key of keys) {
    const row = byKey.get(key);
    if (row === undefined) continue;
    arranged.push(row);
    byKey.delete(key);
  }
  return [...arranged, ...byKey.values()];
}
