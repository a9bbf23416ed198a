/** The columns of the Timeline. What is about a version has no cell in a line of refused writes. */
import { type ReactNode, useMemo } from 'react';
import type { ObjectVersion } from '../../../shared/contract/views/objects.ts';
import { formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { Column } from '../../widgets/DataGrid.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { OwnerChip } from '../../widgets/StructuralDiff.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { changeWords, OpWord, writerName } from '../objectWords.tsx';
import type { TimelineRow } from './timelineRows.ts';

export function useTimelineColumns(): readonly Column<TimelineRow>[] {
  const { t, number } = useI18n();
  return useMemo<readonly Column<TimelineRow>[]>(
    () => [
      {
        id: 'time',
        header: t('timeline.column.time'),
        track: '120px',
        cell: (row) =>
          row.kind === 'version' ? (
            <VersionTime version={row.version} />
          ) : (
            <span className="mono">{stretchTime(row.stretch.from, row.stretch.to)}</span>
          ),
      },
      {
        id: 'op',
        header: t('timeline.column.op'),
        track: '84px',
        cell: (row) =>
          row.kind === 'version' ? (
            <OpWord op={row.version.op} />
          ) : (
            <span className="refusedWord">
              <StateGlyph state="failed" size={12} />
              {t('timeline.refused')}
            </span>
          ),
      },
      {
        id: 'writers',
        header: t('timeline.column.writers'),
        track: 'minmax(164px, 0.7fr)',
        cell: (row) => (row.kind === 'version' ? <Writers version={row.version} /> : null),
      },
      {
        id: 'changes',
        header: t('timeline.column.changes'),
        track: '40px',
        align: 'end',
        dropBelow: 620,
        cell: (row) => (row.kind === 'version' ? number(row.version.changes) : null),
      },
      {
        id: 'summary',
        header: t('timeline.column.summary'),
        track: 'minmax(150px, 1.5fr)',
        cell: (row) =>
          row.kind === 'version' ? (
            <Summary version={row.version} />
          ) : (
            <span className="inkFailed">
              {t(row.stretch.more ? 'timeline.refused.what.least' : 'timeline.refused.what', {
                n: row.stretch.writes.length,
              })}
            </span>
          ),
      },
      {
        id: 'generation',
        header: t('timeline.column.generation'),
        track: '48px',
        align: 'end',
        dropBelow: 704,
        cell: (row) => (row.kind === 'version' ? <Generation row={row} /> : null),
      },
      {
        id: 'rv',
        header: t('events.column.rv'),
        track: '64px',
        align: 'end',
        dropBelow: 800,
        cell: (row) =>
          row.kind === 'version' ? (
            <span className="mono tertiary">{row.version.resourceVersion}</span>
          ) : null,
      },
    ],
    [t, number],
  );
}

/** `14:03:52–09:20`; the hour stands again only when it is another. */
function stretchTime(from: number, to: number): string {
  const [first, last] = [formatTime(from), formatTime(to)];
  if (first === last) return first;
  return `${first}–${first.slice(0, 3) === last.slice(0, 3) ? last.slice(3) : last}`;
}

function VersionTime({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t } = useI18n();
  const { lo, hi } = version.at;
  return (
    <span className="versionTime">
      {version.afterGap && (
        <Tip text={t('timeline.afterGap')}>
          <i className="gapMark" role="img" aria-label={t('timeline.afterGap.short')} />
        </Tip>
      )}
      <span className="mono" title={t('timeline.between', { from: formatTimeMs(lo), to: formatTimeMs(hi) })}>
        {hi - lo < 1 ? formatTimeMs(hi) : stretchTime(lo, hi)}
      </span>
    </span>
  );
}

/** The first whole, the others counted: names cut short say nothing. */
function Writers({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t, number } = useI18n();
  const [first, ...others] = version.writers;
  if (first === undefined) return <span className="tertiary">{t('timeline.noWriter')}</span>;
  return (
    <span className="writerRow">
      <OwnerChip writer={first} />
      {others.length > 0 && (
        <span className="tertiary writerMore" title={others.map(writerName).join('\n')}>
          {t('timeline.writers.more', { n: number(others.length) })}
        </span>
      )}
    </span>
  );
}

function Summary({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t } = useI18n();
  return (
    <span className="secondary" title={version.summary}>
      {version.metadataOnly && <span className="tertiary">{t('events.metadataOnly')} · </span>}
      {version.summary === '' ? t(`timeline.what.${version.op}`) : changeWords(version.summary)}
    </span>
  );
}

/** The number stands out where it rose: there the spec was changed. */
function Generation({ row }: { readonly row: Extract<TimelineRow, { kind: 'version' }> }): ReactNode {
  const { t, number } = useI18n();
  const { generation } = row.version;
  if (row.raisedFrom === undefined || generation === undefined)
    return <span className="tertiary">{number(generation)}</span>;
  const words = t('timeline.raised', { from: `${row.raisedFrom}`, to: `${generation}` });
  return (
    <span className="generationRaised" title={words}>
      <i role="img" aria-label={words} />
      {number(generation)}
    </span>
  );
}
