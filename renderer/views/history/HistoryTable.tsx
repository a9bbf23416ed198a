import { type ReactNode, useMemo, useState } from 'react';
import type {
  ControllerHistory,
  HistoryPoint,
  HistorySeries,
} from '../../../shared/contract/views/traces.ts';
import { formatDuration, formatTime, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { type HistoryRow, type HistoryRows, perMinute, type Span, seriesOf } from './historyModel.ts';

interface TableRow extends HistoryRow {
  readonly marks: string;
}

/** The charts as lines of a table, newest first: what the screen draws, for who reads it. */
export function HistoryTable(props: {
  readonly history: ControllerHistory;
  readonly rows: HistoryRows;
  readonly span: Span;
}): ReactNode {
  const { t, number } = useI18n();
  const { history } = props;
  const { rows, slotMs } = props.rows;
  const [selected, setSelected] = useState<number | undefined>(undefined);
  const lines = useMemo<readonly TableRow[]>(
    () =>
      rows
        .map((row) => ({
          ...row,
          marks: history.marks
            .filter((mark) => mark.at >= row.at && mark.at < row.at + slotMs)
            .map((mark) => mark.text)
            .join('; '),
        }))
        .reverse(),
    [rows, history.marks, slotMs],
  );
  const columns = useMemo<readonly Column<TableRow>[]>(() => {
    function side(
      from: HistorySeries['from'],
      id: string,
      header: string,
      write: (point: HistoryPoint) => string,
      dropBelow?: number,
    ): Column<TableRow> {
      return {
        id: `${from}-${id}`,
        header: t(`history.table.${from}`, { what: header }),
        track: 'minmax(92px, 1fr)',
        align: 'end',
        ...(dropBelow === undefined ? {} : { dropBelow }),
        cell: (row) => {
          const point = row[from];
          const text = point === undefined ? missing : write(point);
          return text === missing ? <span className="tertiary">{missing}</span> : text;
        },
      };
    }
    const count = (value: number | undefined) =>
      value === undefined ? missing : number(Math.round(value * 10) / 10);
    return [
      {
        id: 'time',
        header: t('history.table.time'),
        track: '76px',
        cell: (row) => <span className="mono">{formatTime(row.at)}</span>,
      },
      ...(['metrics', 'spans'] as const)
        .filter((from) => seriesOf(history, from) !== undefined)
        .flatMap((from) => [
          side(from, 'rate', t('history.table.rate'), (point) => count(perMinute(point.runs, slotMs))),
          side(from, 'errors', t('history.errors'), (point) => count(point.errors)),
          side(from, 'p50', 'p50', (point) => formatDuration(point.p50Ms), 1100),
          side(from, 'p99', 'p99', (point) => formatDuration(point.p99Ms), 760),
          ...(from === 'metrics'
            ? [side(from, 'depth', t('history.table.depth'), (point) => count(point.depth), 900)]
            : [side(from, 'writes', t('history.table.writes'), (point) => count(point.writes), 1000)]),
        ]),
      {
        id: 'marks',
        header: t('history.table.mark'),
        track: 'minmax(120px, 2fr)',
        dropBelow: 860,
        cell: (row) => <span className="secondary">{row.marks}</span>,
      },
    ];
  }, [t, number, history, slotMs]);
  return (
    <DataGrid
      label={t('history.table')}
      id="history"
      columns={columns}
      rows={lines}
      rowKey={(row) => row.at}
      rowHeight={28}
      selected={selected}
      onSelect={(row) => setSelected(row.at)}
    />
  );
}
