import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { RequestRow } from '../../../shared/contract/views/sources.ts';
import { useTable } from '../../client/useEngine.tsx';
import { formatDuration, formatTimeMs, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { EmptyState, Skeleton, Verdict } from '../../widgets/parts.tsx';

/** The audit of ourselves: each request as it was sent. */
export function RequestsPart({ choice }: { readonly choice: ReactNode }): ReactNode {
  const { t } = useI18n();
  const table = useTable('requests', {});
  const [selected, setSelected] = useState<number | undefined>(undefined);
  const rows = useMemo(() => [...table.rows].sort((a, b) => b.id - a.id), [table.rows]);
  const columns = useMemo<readonly Column<RequestRow>[]>(
    () => [
      {
        id: 'time',
        header: t('requests.column.time'),
        track: '92px',
        cell: (row) => <span className="mono secondary">{formatTimeMs(row.at)}</span>,
      },
      {
        id: 'method',
        header: t('requests.column.method'),
        track: '48px',
        cell: (row) => <span className="mono strong">{row.method}</span>,
      },
      {
        id: 'path',
        header: t('requests.column.path'),
        track: 'minmax(200px, 1fr)',
        cell: (row) => (
          <span className="mono" title={row.path}>
            {row.path}
          </span>
        ),
      },
      {
        id: 'status',
        header: t('requests.column.status'),
        track: 'minmax(60px, 200px)',
        cell: (row) => (
          <span className={row.error !== undefined || (row.status ?? 0) >= 400 ? 'inkDegraded' : 'secondary'}>
            {row.error ?? row.status ?? t('requests.open')}
          </span>
        ),
      },
      {
        id: 'ms',
        header: t('requests.column.ms'),
        track: '64px',
        align: 'end',
        cell: (row) =>
          row.stream ? (
            // How long its headers took says nothing of a watch that stays open.
            <span className="tertiary">{t('requests.stream')}</span>
          ) : row.ms === undefined ? (
            <span className="tertiary">{missing}</span>
          ) : (
            formatDuration(row.ms)
          ),
      },
    ],
    [t],
  );
  if (table.state === 'loading') return <Skeleton lines={8} />;
  return (
    <>
      <div className="verdictLine">
        <Verdict note={<span>{t('requests.note')}</span>}>
          {t('requests.verdict', { n: table.total })}
        </Verdict>
        {choice}
      </div>
      <DataGrid
        label={t('informers.segment.requests')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        rowHeight={28}
        selected={selected}
        onSelect={(row) => setSelected(row.id)}
        empty={
          <EmptyState icon={<ShieldCheck size={20} strokeWidth={1.75} />} title={t('requests.none.title')} />
        }
      />
    </>
  );
}
