import { Radio } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { useTable } from '../../client/useEngine.tsx';
import { formatDurationWords } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { setPreferences } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton, Verdict } from '../../widgets/parts.tsx';
import { Splitter } from '../../widgets/Splitter.tsx';
import { AttachPane } from './AttachPane.tsx';
import { useSourceColumns } from './sourceColumns.tsx';
import { basisOf, compareSources, formatSigned, isCounted, sourceSchema, verdictOf } from './sourceWords.ts';

/** Every source of any kind: how it is heard, how far its clock is off, what it missed; and what could be attached. */
export function SourcesPart({ choice }: { readonly choice: ReactNode }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const table = useTable('sources', {});
  const selected = useChosenSource();
  const pane = useWindow((s) => s.preferences.informerPane);
  const columns = useSourceColumns();
  const grid = useRef<GridHandle>(null);
  const rows = useMemo(() => [...table.rows].sort(compareSources), [table.rows]);
  const filter = useListFilter('sources', sourceSchema);
  const shown = rows.filter(filter.test);
  if (table.state === 'loading') return <Skeleton lines={8} />;
  return (
    <>
      <div className="verdictLine">
        <SourcesVerdict rows={rows} />
        <div className="verdictTools">
          <FilterField
            fold
            className="listFilter"
            label={t('sources.filter')}
            {...filter.field}
            count={{ shown: shown.length, n: rows.length }}
            onList={() => grid.current?.focus()}
          />
          {choice}
        </div>
      </div>
      {table.state === 'failed' && <ProblemLine text={t('state.failed', { why: table.error ?? '' })} />}
      <DataGrid
        className="sourceGrid"
        id="sources"
        handle={grid}
        highlight={filter.words}
        label={t('informers.segment.sources')}
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        rowHeight={28}
        selected={selected?.id}
        onSelect={(row) => store.setState({ source: row.id })}
        empty={
          filter.all ? (
            <EmptyState icon={<Radio size={20} strokeWidth={1.75} />} title={t('sources.empty.title')}>
              {t('sources.empty')}
            </EmptyState>
          ) : (
            <NoMatch text={filter.text} onClear={filter.clear} />
          )
        }
      />
      <Splitter
        label={t('split.pane')}
        axis="y"
        edge="after"
        size={pane}
        min={140}
        max={480}
        reset={208}
        onSize={(informerPane) => setPreferences(store, { informerPane })}
      />
      <AttachPane height={pane} sources={rows} />
    </>
  );
}

/** The source the inspector tells of: the chosen one, else the one that needs a look first. */
export function useChosenSource(): SourceRow | undefined {
  const rows = useTable('sources', {}).rows;
  const id = useWindow((s) => s.source);
  return useMemo(() => rows.find((row) => row.id === id) ?? [...rows].sort(compareSources)[0], [rows, id]);
}

function SourcesVerdict({ rows }: { readonly rows: readonly SourceRow[] }): ReactNode {
  const { t, number, locale } = useI18n();
  const verdict = verdictOf(rows);
  const counted = rows.filter(isCounted);
  const skewed = verdict.kind === 'skewed' ? verdict.row : undefined;
  return (
    <Verdict
      note={
        <>
          {skewed?.skew !== undefined && (
            <>
              <BasisMark basis={basisOf(skewed.kind)} show="source" />
              <span>{t('sources.note.moved', { time: formatSigned(-skewed.skew.ms) })}</span>
            </>
          )}
          <span className="tertiary">
            {t('sources.note.counts', {
              live: counted.filter((row) => row.state === 'live').length,
              // What was read to its end is not missing.
              all: counted.filter((row) => row.state !== 'ended').length,
              records: number(counted.reduce((sum, row) => sum + row.records, 0)),
              late: counted.reduce((sum, row) => sum + row.late, 0),
            })}
          </span>
        </>
      }
    >
      {verdict.kind === 'failed'
        ? t('sources.verdict.failed', { label: verdict.row.label })
        : verdict.kind === 'skewed'
          ? t((verdict.row.skew?.ms ?? 0) > 0 ? 'sources.verdict.ahead' : 'sources.verdict.behind', {
              label: verdict.row.label,
              time: formatDurationWords(Math.abs(verdict.row.skew?.ms ?? 0), locale),
            })
          : verdict.kind === 'forbidden' || verdict.kind === 'heard' || verdict.kind === 'lost'
            ? t(`sources.verdict.${verdict.kind}`, { n: verdict.n })
            : t(`sources.verdict.${verdict.kind}`)}
    </Verdict>
  );
}
