/** What each kind of source is, in glyphs and bases; the order of the list; what its clock says. Pure. */
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import type { FilterSchema } from '../../../shared/model/filter.ts';
import { formatDuration } from '../../format/format.ts';
import type { GlyphState } from '../../widgets/StateGlyph.tsx';

export type SourceKind = SourceRow['kind'];

export const sourceGlyphs: Readonly<Record<SourceRow['state'], GlyphState>> = {
  waiting: 'progressing',
  live: 'ok',
  lost: 'gap',
  ended: 'none',
  failed: 'failed',
  forbidden: 'unknown',
};

/** How what a source tells is known. */
export function basisOf(kind: SourceKind): Basis {
  switch (kind) {
    case 'watch':
    case 'lease':
    case 'managedFields':
      return { kind: 'observed', from: 'watch' };
    case 'audit':
      return { kind: 'observed', from: 'audit' };
    case 'metrics':
    case 'podMetrics':
      return { kind: 'reported', from: 'metrics' };
    case 'events':
      return { kind: 'reported', from: 'event' };
    case 'log':
    case 'podLog':
    case 'stdin':
    case 'child':
      return { kind: 'reported', from: 'log' };
  }
}

/** Whether the operator itself, or a file of the API server, tells it: what the user brought, not our own watches. */
export function isFeed(kind: SourceKind): boolean {
  return kind !== 'watch' && kind !== 'lease' && kind !== 'managedFields' && kind !== 'events';
}

/** Whether it is counted among the sources: an own feed or watch. The other rows are what these tell of besides. */
export function isCounted({ kind }: Pick<SourceRow, 'kind'>): boolean {
  return kind === 'watch' || isFeed(kind);
}

/** Beyond this the clock of a source is worth a word (ui.md, "Numbers, time, words"). */
const skewSaidMs = 500;

/** True when the clock of a source is so far off that its stamps mislead whoever reads them as they are. */
export function isSkewed(row: Pick<SourceRow, 'skew'>): boolean {
  return row.skew !== undefined && Math.abs(row.skew.ms) > skewSaidMs;
}

/** `+1.2 s`, `−40 ms`, `0 ms`. */
export function formatSigned(ms: number): string {
  const text = formatDuration(Math.abs(ms));
  if (ms === 0) return text;
  return `${ms > 0 ? '+' : '−'}${text}`;
}

/** Stamps that name a second and no more. */
export function isWholeSeconds(row: Pick<SourceRow, 'resolutionMs'>): boolean {
  return row.resolutionMs !== undefined && row.resolutionMs >= 1000;
}

/** What went wrong stands first, then what the user brought, then our own watches; what may not be read is last. */
export function compareSources(a: SourceRow, b: SourceRow): number {
  return rank(a) - rank(b) || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || byLabel(a, b);
}

function byLabel(a: SourceRow, b: SourceRow): number {
  return a.label.localeCompare(b.label, 'en') || (a.id < b.id ? -1 : 1);
}

const kindOrder: readonly SourceKind[] = [
  'child',
  'stdin',
  'podLog',
  'log',
  'podMetrics',
  'metrics',
  'audit',
  'events',
  'lease',
  'managedFields',
  'watch',
];

function rank(row: SourceRow): number {
  if (row.state === 'failed') return 0;
  if (row.state === 'forbidden') return isFeed(row.kind) ? 0 : 5;
  if (isSkewed(row)) return 1;
  if (isFeed(row.kind)) return 2;
  return row.gaps > 0 || row.state === 'lost' ? 3 : 4;
}

/** What the sentence above the list is about, worst first. */
export type SourceVerdict =
  | { readonly kind: 'failed'; readonly row: SourceRow }
  | { readonly kind: 'skewed'; readonly row: SourceRow }
  | { readonly kind: 'lost'; readonly n: number }
  | { readonly kind: 'noFeed' }
  | { readonly kind: 'forbidden'; readonly n: number }
  | { readonly kind: 'heard'; readonly n: number }
  | { readonly kind: 'none' };

export function verdictOf(all: readonly SourceRow[]): SourceVerdict {
  const rows = all.filter(isCounted);
  if (rows.length === 0) return { kind: 'none' };
  const failed = rows.find((row) => row.state === 'failed');
  if (failed !== undefined) return { kind: 'failed', row: failed };
  const lost = rows.filter((row) => row.state === 'lost').length;
  if (lost > 0) return { kind: 'lost', n: lost };
  const skewed = all
    .filter(isSkewed)
    .sort((a, b) => Math.abs(b.skew?.ms ?? 0) - Math.abs(a.skew?.ms ?? 0))[0];
  if (skewed !== undefined) return { kind: 'skewed', row: skewed };
  const forbidden = rows.filter((row) => row.state === 'forbidden').length;
  if (forbidden === rows.length) return { kind: 'forbidden', n: forbidden };
  if (!rows.some((row) => isFeed(row.kind))) return { kind: 'noFeed' };
  if (forbidden > 0) return { kind: 'forbidden', n: forbidden };
  return { kind: 'heard', n: rows.filter((row) => row.state !== 'ended').length };
}

/** Fields of the filter over sources. */
export const sourceSchema: FilterSchema<SourceRow> = {
  fields: [
    { name: 'kind', kind: 'word', of: (row) => row.kind, example: 'podLog' },
    { name: 'state', kind: 'word', of: (row) => row.state, example: 'live' },
    { name: 'basis', kind: 'word', of: (row) => basisOf(row.kind).kind, example: 'reported' },
    { name: 'records', kind: 'number', of: (row) => row.records, example: '1000' },
    { name: 'unparsed', kind: 'number', of: (row) => row.unparsed, example: '1' },
    { name: 'late', kind: 'number', of: (row) => row.late, example: '1' },
    { name: 'gaps', kind: 'number', of: (row) => row.gaps, example: '1' },
    {
      name: 'skew',
      kind: 'duration',
      of: (row) => (row.skew === undefined ? undefined : Math.abs(row.skew.ms)),
      example: '500ms',
    },
    { name: 'lag', kind: 'duration', of: (row) => row.lagMs?.p99, example: '1s' },
  ],
  text: (row) => [row.label, row.kind, row.state, row.detail, row.problem?.message],
};
