/**
 * Cuts a key's evidence into stretches that are derived by themselves, each from what the one before left behind. Where a
 * cut lies depends on the evidence from the cut before up to the first piece behind it, on nothing later: what is added
 * at the end moves no cut. Spec: docs/spec/traces.md [TR24]
 */
import type { Item } from './shapes.ts';

/** From so many pieces on, a cut is made where nothing happened for so long, ms. */
const steps: readonly (readonly [pieces: number, quietMs: number])[] = [
  [24, 5_000],
  [48, 2_000],
  [96, 100],
  [160, 20],
  [256, 0],
  [1_024, -2_000],
];

/** Where the stretch that begins at `from` ends (exclusive); the length of the list where nothing cuts it. */
export function cutAfter(items: readonly Item[], from: number): number {
  let hi = -Infinity;
  let open: string | undefined;
  let last: string | undefined;
  for (let index = from; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) break;
    const quiet = index - from;
    if (quiet >= 24 && mayCut(item, open, last)) {
      const gap = item.lo - hi;
      for (const [pieces, quietMs] of steps)
        if (quiet >= pieces && gap >= quietMs && gap > -Infinity) return index;
    }
    hi = Math.max(hi, item.hi);
    const { piece } = item;
    if (piece.evidence !== 'line') continue;
    const id = piece.reconcileId ?? '';
    if (piece.says === 'ended') open = undefined;
    else if (piece.reconcileId !== undefined || piece.says === 'started') open = id;
    last = piece.reconcileId ?? last;
  }
  return items.length;
}

/** Not inside a run, nor between a run and what it wrote. */
function mayCut(next: Item, open: string | undefined, last: string | undefined): boolean {
  const { piece } = next;
  switch (piece.evidence) {
    case 'line':
      if (piece.reconcileId !== undefined && piece.reconcileId === last) return false;
      if (open === undefined) return piece.says !== 'within' || piece.reconcileId !== undefined;
      return piece.says === 'started' || (piece.reconcileId !== undefined && piece.reconcileId !== open);
    case 'woken':
      return open === undefined;
    default:
      return false;
  }
}
