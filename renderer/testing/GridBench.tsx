import { type ReactNode, useMemo, useState } from 'react';
import type { EventRow } from '../../shared/contract/views/objects.ts';
import { formatTimeMs } from '../format/format.ts';
import { ObjectName, OpWord, WriterName } from '../views/objectWords.tsx';
import { type Column, DataGrid } from '../widgets/DataGrid.tsx';
import { manyEvents } from './incident/tooMuch.ts';

/** `scripted.html?grid=100000`: the rows of Events in one table, as many as asked for. For measuring how it scrolls. */
export function GridBench({ n }: { readonly n: number }): ReactNode {
  const rows = useMemo(() => manyEvents(n), [n]);
  const [selected, setSelected] = useState<number | undefined>(undefined);
  return (
    <main style={{ display: 'flex', height: '100%' }}>
      <DataGrid
        label="Bench"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.seq}
        rowHeight={28}
        selected={selected}
        onSelect={(row) => setSelected(row.seq)}
      />
    </main>
  );
}

const columns: readonly Column<EventRow>[] = [
  {
    id: 'time',
    header: 'Time',
    track: '84px',
    cell: (row) => <span className="mono">{formatTimeMs(row.at)}</span>,
  },
  { id: 'op', header: 'Change', track: '96px', cell: (row) => row.op && <OpWord op={row.op} /> },
  {
    id: 'object',
    header: 'Object',
    track: 'minmax(190px, 2fr)',
    cell: (row) => row.object && <ObjectName object={row.object} />,
  },
  {
    id: 'writer',
    header: 'Written by',
    track: 'minmax(120px, 1fr)',
    cell: (row) => row.writer && <WriterName writer={row.writer} />,
  },
  {
    id: 'summary',
    header: 'What',
    track: 'minmax(150px, 2fr)',
    cell: (row) => <span title={row.summary}>{row.summary}</span>,
  },
  {
    id: 'record',
    header: 'Record',
    track: '72px',
    align: 'end',
    compare: (a, b) => a.seq - b.seq,
    cell: (row) => <span className="mono">{row.seq}</span>,
  },
];
