import { Inbox, Search } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { eventSchema } from '../../../shared/contract/views/eventFilter.ts';
import type { EventRow } from '../../../shared/contract/views/objects.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useTable, useTableOf } from '../../client/useEngine.tsx';
import { formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { goTo, openObject } from '../../state/windowState.ts';
import { writeClipboard } from '../../widgets/Copy.tsx';
import { Button } from '../../widgets/controls.tsx';
import { type Column, DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { changeWords, ObjectName, OpWord, WriterName } from '../objectWords.tsx';
import { EventInspector } from './EventInspector.tsx';
import { EventsHead } from './EventsHead.tsx';
import { filterOf } from './heartbeats.ts';
import { nextWhere, useHeldRows } from './heldRows.ts';
import { useSettled } from './useSettled.ts';
import './events.css';

const limit = 2000;

/** Every change as it comes, newest first. Scrolling away from the top holds the list still. */
export function EventsView(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const filter = useWindow((s) => s.eventFilter);
  const initial = useWindow((s) => s.eventInitial);
  const heartbeats = useWindow((s) => s.eventHeartbeats);
  const selected = useWindow((s) => s.eventSeq);
  const settled = useSettled(filter, 150);
  const table = useTable('events', { text: filterOf(settled, heartbeats), initial, limit });
  const newestFirst = useMemo(() => [...table.rows].sort((a, b) => b.seq - a.seq), [table.rows]);
  const [away, setAway] = useState(false);
  const { rows, fresh } = useHeldRows(newestFirst, away);
  const grid = useRef<GridHandle>(null);
  const columns = useColumns();
  const words = useMemo(() => compileFilter(settled, eventSchema).words, [settled]);
  const chosen = rows.find((row) => row.seq === selected);

  function select(row: EventRow) {
    store.setState({ eventSeq: row.seq });
  }
  function open(row: EventRow) {
    if (row.object !== undefined) openObject(store, row.object.key, row.seq);
  }
  function toLive() {
    setAway(false);
    grid.current?.scrollToIndex(0);
  }
  function jump(step: 1 | -1, wanted: (row: EventRow) => boolean) {
    const at = rows.findIndex((row) => row.seq === selected);
    // "Next" is later in time, and the newest stand first.
    const index = nextWhere(rows, at, step === 1 ? -1 : 1, wanted);
    const row = index === undefined ? undefined : rows[index];
    if (row === undefined || index === undefined) return;
    select(row);
    grid.current?.scrollToIndex(index);
  }
  const hasGap = rows.some((row) => row.type === 'gap');
  const hasWarning = rows.some((row) => row.warning);
  useViewAction('live', away ? toLive : undefined);
  useViewAction('gap.next', hasGap ? () => jump(1, (row) => row.type === 'gap') : undefined);
  useViewAction('gap.previous', hasGap ? () => jump(-1, (row) => row.type === 'gap') : undefined);
  useViewAction('error.next', hasWarning ? () => jump(1, (row) => row.warning) : undefined);
  useViewAction('error.previous', hasWarning ? () => jump(-1, (row) => row.warning) : undefined);
  const about = chosen?.about ?? chosen?.object;
  useViewAction('owners', about === undefined ? undefined : () => openObject(store, about.key));
  useViewAction('open', chosen?.object === undefined ? undefined : () => open(chosen));
  useViewAction('copy', chosen === undefined ? undefined : () => void writeClipboard(lineText(chosen)));

  return (
    <ViewFrame
      tab="events"
      inspector={<EventInspector row={chosen} />}
      head={
        <EventsHead
          shown={rows.length}
          total={table.total}
          dropped={table.dropped}
          away={away}
          fresh={fresh}
          onLive={toLive}
          onList={() => grid.current?.focus()}
        />
      }
    >
      {table.state === 'failed' && <ProblemLine text={t('state.failed', { why: table.error ?? '' })} />}
      {table.state === 'loading' ? (
        <Skeleton lines={8} />
      ) : (
        <DataGrid
          handle={grid}
          id="events"
          label={t('tab.events')}
          highlight={words}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.seq}
          rowHeight={28}
          selected={selected}
          onSelect={select}
          onOpen={open}
          rowClass={(row) => (row.type === 'gap' ? 'eventGap' : row.warning ? 'eventWarning' : '')}
          onScrollTop={(top) => setAway(top > 2)}
          empty={<NoEvents filter={settled.trim()} />}
        />
      )}
    </ViewFrame>
  );
}

function useColumns(): readonly Column<EventRow>[] {
  const { t } = useI18n();
  return useMemo<readonly Column<EventRow>[]>(
    () => [
      {
        id: 'time',
        header: t('events.column.time'),
        track: '84px',
        cell: (row) => <span className="mono secondary">{formatTimeMs(row.at)}</span>,
      },
      {
        id: 'op',
        header: t('events.column.op'),
        track: '96px',
        cell: (row) => <Change row={row} />,
      },
      {
        id: 'object',
        header: t('events.column.object'),
        track: 'minmax(184px, 1.8fr)',
        cell: (row) => <RowObject row={row} />,
      },
      {
        id: 'writer',
        header: t('events.column.writer'),
        track: 'minmax(156px, 1.1fr)',
        dropBelow: 724,
        cell: (row) => (row.writer === undefined ? null : <WriterName writer={row.writer} />),
      },
      {
        id: 'summary',
        header: t('events.column.summary'),
        track: 'minmax(150px, 2.4fr)',
        cell: (row) => (
          <span
            className={row.type === 'gap' ? 'inkGap' : row.warning ? 'inkDegraded' : 'secondary'}
            title={row.summary}
          >
            {row.metadataOnly && <span className="tertiary">{t('events.metadataOnly')} · </span>}
            {row.type === 'object' ? changeWords(row.summary) : row.summary}
          </span>
        ),
      },
      {
        id: 'rv',
        header: t('events.column.rv'),
        track: '64px',
        align: 'end',
        dropBelow: 860,
        cell: (row) => <span className="mono tertiary">{row.resourceVersion}</span>,
      },
    ],
    [t],
  );
}

/** What the row is about: of a Kubernetes Event the object it regards, its own name says nothing. */
function RowObject({ row }: { readonly row: EventRow }): ReactNode {
  const object = row.about ?? row.object;
  return object === undefined ? null : <ObjectName object={object} />;
}

function Change({ row }: { readonly row: EventRow }): ReactNode {
  const { t } = useI18n();
  if (row.type === 'gap') {
    return (
      <span className="op inkGap">
        <StateGlyph state="gap" size={10} />
        {t('op.gap')}
      </span>
    );
  }
  if (row.type === 'event') {
    return (
      <span className={row.warning ? 'op inkDegraded' : 'op'}>
        {row.warning ? (
          <StateGlyph state="degraded" size={10} />
        ) : (
          <i className="eventRing" aria-hidden="true" />
        )}
        {t('op.event')}
      </span>
    );
  }
  return row.op === undefined ? null : <OpWord op={row.op} />;
}

function NoEvents({ filter }: { readonly filter: string }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const initial = useWindow((s) => s.eventInitial);
  const heartbeats = useWindow((s) => s.eventHeartbeats);
  const sources = useTableOf('informers', {}, ({ rows }) => ({
    all: rows.length,
    forbidden: rows.filter((row) => row.state === 'forbidden').length,
    syncing: rows.filter((row) => row.state === 'syncing' || row.state === 'waiting').length,
  }));
  if (filter !== '') {
    return (
      <EmptyState
        icon={<Search size={20} strokeWidth={1.75} />}
        title={t('events.noMatch.title')}
        actions={<Button onClick={() => store.setState({ eventFilter: '' })}>{t('action.clear')}</Button>}
      >
        {t('events.noMatch', { text: filter })}
      </EmptyState>
    );
  }
  if (sources.all > 0 && sources.forbidden === sources.all) {
    return (
      <EmptyState
        icon={<StateGlyph state="unknown" size={20} />}
        title={t('state.notEvaluated')}
        actions={<Button onClick={() => goTo(store, { tab: 'informers' })}>{t('events.missing')}</Button>}
      >
        {t('events.forbidden', { n: sources.all })}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Inbox size={20} strokeWidth={1.75} />}
      title={t(sources.syncing > 0 ? 'events.syncing.title' : 'events.empty.title')}
      actions={
        initial ? undefined : (
          <Button onClick={() => store.setState({ eventInitial: true })}>{t('events.empty.initial')}</Button>
        )
      }
    >
      {sources.syncing > 0
        ? t('events.syncing', { n: sources.syncing })
        : t(heartbeats ? 'events.empty' : 'events.empty.heartbeats')}
      {sources.forbidden > 0 && ` ${t('events.empty.partly', { n: sources.forbidden })}`}
    </EmptyState>
  );
}

function lineText(row: EventRow): string {
  const of = row.about ?? row.object;
  const object = of === undefined ? '' : `${of.kind} ${of.namespace}/${of.name}`;
  return [
    new Date(row.at).toISOString(),
    row.op ?? row.type,
    object,
    row.writer?.manager ?? '',
    row.summary,
  ].join('\t');
}
