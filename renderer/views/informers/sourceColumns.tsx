import { type ReactNode, useMemo } from 'react';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { formatAge, formatDuration, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import type { Column } from '../../widgets/DataGrid.tsx';
import { MiddleCut } from '../../widgets/MiddleCut.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { SourceIcon } from './SourceIcon.tsx';
import { basisOf, formatSigned, isSkewed, isWholeSeconds, sourceGlyphs } from './sourceWords.ts';

/** Every column of the list of sources; what it does not hold is in the inspector. */
export function useSourceColumns(): readonly Column<SourceRow>[] {
  const { t, number } = useI18n();
  return useMemo<readonly Column<SourceRow>[]>(() => {
    const none = <span className="tertiary">{missing}</span>;
    const zero = <span className="tertiary">0</span>;
    /** What may not be read is not evaluated: that is not none. */
    function count(row: SourceRow, value: number, ink: string): ReactNode {
      if (row.state === 'forbidden') return none;
      return value === 0 ? zero : <strong className={ink}>{number(value)}</strong>;
    }
    return [
      {
        id: 'source',
        header: t('sources.column.source'),
        track: 'minmax(176px, 1.6fr)',
        compare: (a, b) => a.label.localeCompare(b.label, 'en'),
        cell: (row) => (
          <span className="sourceName">
            <BasisMark basis={basisOf(row.kind)} show="mark" />
            <SourceIcon kind={row.kind} named />
            <strong>
              {row.kind === 'watch' ? <Cut text={row.label} /> : <MiddleCut text={row.label} />}
            </strong>
          </span>
        ),
      },
      {
        id: 'state',
        header: t('informers.column.state'),
        track: '104px',
        compare: (a, b) => a.state.localeCompare(b.state, 'en'),
        cell: (row) => (
          <span className="informerState">
            <StateGlyph state={sourceGlyphs[row.state]} size={12} />
            {t(`sources.state.${row.state}`)}
          </span>
        ),
      },
      {
        id: 'last',
        header: t('sources.column.last'),
        track: '60px',
        align: 'end',
        compare: (a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0),
        cell: (row) => (row.lastAt === undefined ? none : <Ago at={row.lastAt} />),
      },
      {
        id: 'records',
        header: t('sources.column.records'),
        track: '56px',
        align: 'end',
        compare: (a, b) => a.records - b.records,
        cell: (row) => (row.state === 'forbidden' ? none : number(row.records)),
      },
      {
        id: 'unparsed',
        header: t('sources.column.unparsed'),
        track: '88px',
        align: 'end',
        dropBelow: 1060,
        compare: (a, b) => a.unparsed - b.unparsed,
        cell: (row) => count(row, row.unparsed, 'inkDegraded'),
      },
      {
        id: 'late',
        header: t('sources.column.late'),
        track: '52px',
        align: 'end',
        dropBelow: 732,
        compare: (a, b) => a.late - b.late,
        cell: (row) => count(row, row.late, ''),
      },
      {
        id: 'skew',
        header: t('sources.column.skew'),
        track: '124px',
        align: 'end',
        dropBelow: 600,
        compare: (a, b) => Math.abs(a.skew?.ms ?? 0) - Math.abs(b.skew?.ms ?? 0),
        cell: (row) => (row.skew === undefined ? none : <Skew row={row} />),
      },
      {
        id: 'lag',
        header: t('sources.column.lag'),
        track: '100px',
        align: 'end',
        dropBelow: 960,
        compare: (a, b) => (a.lagMs?.p99 ?? 0) - (b.lagMs?.p99 ?? 0),
        cell: (row) =>
          row.lagMs === undefined ? (
            none
          ) : (
            <span className="sourceLag">
              {formatDuration(row.lagMs.p50)}
              <span className="tertiary"> · </span>
              <span className={row.lagMs.p99 > 2000 ? 'inkDegraded strong' : ''}>
                {formatDuration(row.lagMs.p99)}
              </span>
            </span>
          ),
      },
      {
        id: 'resolution',
        header: t('sources.column.resolution'),
        track: '88px',
        align: 'end',
        dropBelow: 748,
        compare: (a, b) => (a.resolutionMs ?? 0) - (b.resolutionMs ?? 0),
        cell: (row) =>
          row.resolutionMs === undefined ? (
            none
          ) : isWholeSeconds(row) ? (
            t('sources.wholeSeconds')
          ) : (
            <span className="secondary">{formatDuration(row.resolutionMs)}</span>
          ),
      },
      {
        id: 'gaps',
        header: t('sources.column.gaps'),
        track: '40px',
        align: 'end',
        compare: (a, b) => a.gaps - b.gaps,
        cell: (row) => count(row, row.gaps, 'inkGap'),
      },
      {
        id: 'basis',
        header: t('sources.column.basis'),
        track: '76px',
        dropBelow: 900,
        compare: (a, b) => basisOf(a.kind).kind.localeCompare(basisOf(b.kind).kind, 'en'),
        cell: (row) => <BasisMark basis={basisOf(row.kind)} />,
      },
    ];
  }, [t, number]);
}

function Skew({ row }: { readonly row: SourceRow }): ReactNode {
  const { skew } = row;
  if (skew === undefined) return null;
  return (
    <span className={isSkewed(row) ? 'inkDegraded' : 'secondary'}>
      <span className={isSkewed(row) ? 'strong' : ''}>{formatSigned(skew.ms)}</span>
      <span className="tertiary"> ± {formatDuration(skew.errorMs)}</span>
    </span>
  );
}

function Ago({ at }: { readonly at: number }): ReactNode {
  const now = useMoment(1000);
  return formatAge(now - at);
}
