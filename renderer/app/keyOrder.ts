import type { Health, KeyRow } from '../../shared/contract/views/operators.ts';

/** Worst first; inside one state more failures first, then by name. */
const worst: Readonly<Record<Health, number>> = {
  failed: 0,
  degraded: 1,
  deleting: 3,
  progressing: 2,
  unknown: 4,
  ok: 5,
};

export function compareKeys(a: KeyRow, b: KeyRow): number {
  return worst[a.health] - worst[b.health] || b.failures - a.failures || compareText(a.key, b.key);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
