import { useEffect, useMemo, useRef, useState } from 'react';
import { arrange } from '../state/useStableOrder.ts';

const everyMs = 1000;

/**
 * Rows in an order the user chose. They are ordered again at most once a second, and not at all while `held` (the
 * pointer or the focus is on them), so that nothing moves away under a hand. `id` names the order: a new one counts at once.
 */
export function useSorted<T>(
  rows: readonly T[],
  keyOf: (row: T) => string | number,
  order: { readonly id: string; readonly compare: (a: T, b: T) => number } | undefined,
  held: boolean,
): readonly T[] {
  const last = useRef<{
    readonly id: string;
    readonly at: number;
    readonly keys: readonly (string | number)[];
  }>(undefined);
  const [, again] = useState(0);
  if (order === undefined) last.current = undefined;
  else {
    const now = performance.now();
    if (last.current?.id !== order.id || (!held && now - last.current.at >= everyMs)) {
      last.current = { id: order.id, at: now, keys: [...rows].sort(order.compare).map(keyOf) };
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed rows start the wait for the next sort
  useEffect(() => {
    if (order === undefined || held) return;
    const timer = setTimeout(() => again((n) => n + 1), everyMs);
    return () => clearTimeout(timer);
  }, [order?.id, held, rows]);
  const keys = last.current?.keys;
  // biome-ignore lint/correctness/useExhaustiveDependencies: keyOf names rows, it is the same question in each render
  return useMemo(() => (keys === undefined ? rows : arrange(rows, keyOf, keys)), [rows, keys]);
}
