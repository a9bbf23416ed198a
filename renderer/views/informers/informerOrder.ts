import type { GapRow, InformerRow } from '../../../shared/contract/views/sources.ts';

/**
 * What can be read stands first: of it what went wrong, then the operator's own kinds, then by count. Then what could
 * not be listed yet, then what may not be read.
 */
export function compareInformers(a: InformerRow, b: InformerRow, own: readonly string[]): number {
  return (
    rank(a) - rank(b) || ownRank(a, own) - ownRank(b, own) || b.objects - a.objects || (a.id < b.id ? -1 : 1)
  );
}

function ownRank(row: InformerRow, own: readonly string[]): number {
  const at = own.indexOf(row.group === '' ? row.resource : `${row.resource}.${row.group}`);
  return at < 0 ? own.length : at;
}

function rank({ state, lastResourceVersion }: InformerRow): number {
  switch (state) {
    case 'lost':
      // Lost after it was listed is what went wrong; never listed is what we do not have.
      return lastResourceVersion === undefined ? 4 : 0;
    case 'recovered':
      return 1;
    case 'live':
    case 'relisted':
    case 'ended':
      return 2;
    case 'syncing':
    case 'waiting':
      return 3;
    case 'forbidden':
      return 5;
  }
}

/** More rows than these that may not be read are folded, where anything else can be. */
const forbiddenShown = 3;

/** True when the rows that may not be read would push the others out of sight. */
export function foldsForbidden(rows: readonly InformerRow[]): boolean {
  const forbidden = rows.filter((row) => row.state === 'forbidden').length;
  return forbidden > forbiddenShown && forbidden < rows.length;
}

/** Time in ms during which at least one of `sources` was blind; an open gap lasts until `now`. */
export function blindTime(gaps: readonly GapRow[], sources: ReadonlySet<string>, now: number): number {
  const spans = gaps
    .filter((gap) => sources.has(gap.source))
    .map((gap) => ({ from: gap.from, to: gap.to ?? now }))
    .sort((a, b) => a.from - b.from);
  let sum = 0;
  let seenTo = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans) {
    sum += Math.max(0, to - Math.max(from, seenTo));
    seenTo = Math.max(seenTo, to);
  }
  return sum;
}
