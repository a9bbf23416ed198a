import { ArrowDown, ArrowUp, FolderSearch, Inbox, Pin } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import { useValueOf } from '../../client/useEngine.tsx';
import { useShell } from '../../client/useShell.ts';
import { formatBytes, formatUtc } from '../../format/format.ts';
import { type I18n, useI18n } from '../../i18n/i18n.tsx';
import { useWallNow } from '../../state/clock.ts';
import { sessionSchema } from '../../state/listSchemas.ts';
import { setSessionsUi } from '../../state/sessionsUi.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button, IconButton } from '../../widgets/controls.tsx';
import { type Column, DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { FilterField, type FilterHandle } from '../../widgets/FilterField.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { SessionIcon } from './RecentSessions.tsx';
import { RenameField } from './RenameField.tsx';
import { RetentionForm } from './RetentionForm.tsx';
import { useSessionActions } from './SessionActions.tsx';
import {
  lengthOf,
  lengthWords,
  nextOrder,
  orderSessions,
  type SessionColumn,
  type SessionOrder,
  whenWords,
} from './sessionWords.ts';
import { useSessions } from './useSessions.ts';
import './sessions.css';

/** Every session of this computer: filter, order, what can be done with the chosen one, and how much is kept. */
export function SessionsDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useI18n();
  const library = useValueOf('library', open ? {} : undefined, (s) => s.value);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      className="sessionsDialog"
      title={t('sessions.title')}
      subtitle={<FolderLine folder={library?.folder} />}
    >
      {open && <SessionList />}
    </Dialog>
  );
}

function FolderLine({ folder }: { readonly folder: string | undefined }): ReactNode {
  const { t } = useI18n();
  const shell = useShell();
  if (folder === undefined) return undefined;
  return (
    <span className="folderLine">
      <Cut className="mono" text={folder} />
      {shell.can('showInFolder') && (
        <IconButton
          small
          label={t('sessions.showInFolder')}
          onClick={() => void shell.call('showInFolder', { path: folder })}
        >
          <FolderSearch size={14} strokeWidth={1.75} />
        </IconButton>
      )}
    </span>
  );
}

function SessionList(): ReactNode {
  const i18n = useI18n();
  const { t } = i18n;
  const store = useWindowStore();
  const { state, rows, error } = useSessions();
  const library = useValueOf('library', {}, (s) => s.value);
  const now = useWallNow(1000);
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<SessionOrder>({ by: 'started', down: true });
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [renaming, setRenaming] = useState(false);
  const [removing, setRemoving] = useState<SessionRow | undefined>(undefined);
  const grid = useRef<GridHandle>(null);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<FilterHandle>(null);
  useViewAction('filter', () => field.current?.focus());
  const compiled = useMemo(() => compileFilter(filter, sessionSchema), [filter]);
  const shown = useMemo(() => orderSessions(rows, order).filter(compiled.test), [rows, order, compiled]);
  const row = shown.find(({ id }) => id === chosen) ?? shown[0];
  const { actions, problem } = useSessionActions(row, {
    rename: () => setRenaming(true),
    remove: () => setRemoving(row),
  });
  const day = Math.floor(now / 60_000) * 60_000;
  const columns = useMemo(() => columnsFor(i18n, order, setOrder, day), [i18n, order, day]);
  if (error !== undefined) return <ProblemLine text={error} />;
  if (state === 'loading') return <Skeleton />;
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<Inbox size={18} strokeWidth={1.75} />}
        title={t('sessions.none.title')}
        actions={
          <Button onClick={() => setSessionsUi(store, { dialog: 'open' })}>{t('sessions.openFile')}</Button>
        }
      >
        {library?.folder === undefined ? t('sessions.none.noFolder') : t('sessions.recent.none')}
      </EmptyState>
    );
  function run(id: 'open' | 'rename' | 'delete') {
    const action = actions.find((each) => each.id === id);
    if (action !== undefined && action.unavailable === undefined) action.run();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (renaming || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'grid') return;
    if (event.key === 'F2') run('rename');
    else if (event.key === 'Delete') run('delete');
    else return;
    event.preventDefault();
  }
  return (
    <>
      <div className="sessionsTop">
        <FilterField
          className="sessionsFilter"
          label={t('sessions.filter')}
          value={filter}
          onChange={setFilter}
          fields={sessionSchema.fields}
          problems={compiled.problems}
          count={{ shown: shown.length, n: rows.length }}
          onList={() => grid.current?.focus()}
          inputRef={field}
        />
        <span className="small tertiary">
          {t('sessions.total', {
            n: rows.length,
            size: formatBytes(library?.bytes ?? rows.reduce((sum, each) => sum + each.bytes, 0)),
          })}
        </span>
        <Button className="sessionsOpenFile" onClick={() => setSessionsUi(store, { dialog: 'open' })}>
          {t('sessions.openFile')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: F2 and Delete of the grid inside */}
      <div ref={list} className="sessionsGrid" onKeyDown={onKeyDown}>
        <DataGrid
          label={t('sessions.title')}
          columns={columns}
          rows={shown}
          rowKey={(each) => each.id}
          rowHeight={32}
          selected={row?.id}
          onSelect={(each) => {
            setChosen(each.id);
            setRenaming(false);
          }}
          onOpen={() => run('open')}
          rowClass={(each) => (each.state === 'unreadable' ? 'sessionUnreadable' : '')}
          handle={grid}
          highlight={compiled.words}
          empty={<p className="small secondary sessionsNone">{t('sessions.noMatch', { text: filter })}</p>}
        />
      </div>
      {row !== undefined && (
        <div className="sessionsActions">
          {renaming ? (
            <RenameField
              key={row.id}
              id={row.id}
              name={row.name}
              onDone={() => {
                setRenaming(false);
                grid.current?.focus();
              }}
            />
          ) : (
            <Cut className="strong" text={row.name} />
          )}
          <span className="sessionsButtons">
            {actions.map((action) => (
              <Button
                key={action.id}
                small
                kind={action.id === 'open' ? 'primary' : 'plain'}
                icon={action.icon}
                unavailable={action.unavailable}
                onClick={action.run}
              >
                {action.label}
              </Button>
            ))}
          </span>
          <p className="small secondary sessionsDetail">
            {row.problem?.message ??
              (row.state === 'interrupted'
                ? t('sessions.interrupted.why')
                : row.kept
                  ? t('sessions.keep.explain')
                  : row.id)}
          </p>
          {problem !== undefined && <ProblemLine text={problem} />}
        </div>
      )}
      {library !== undefined && <RetentionForm library={library} rows={rows} />}
      <DeleteDialog
        row={removing}
        onClose={() => setRemoving(undefined)}
        after={() =>
          list.current?.querySelector<HTMLElement>('[role="grid"]') ??
          list.current?.parentElement?.querySelector<HTMLElement>('.filterBox input') ??
          null
        }
      />
    </>
  );
}

function columnsFor(
  i18n: I18n,
  order: SessionOrder,
  setOrder: (order: SessionOrder) => void,
  now: number,
): readonly Column<SessionRow>[] {
  const { t, number } = i18n;
  function head(by: SessionColumn): ReactNode {
    const column = t(`sessions.column.${by}`);
    const on = order.by === by;
    const label = t(!on ? 'sessions.sort.none' : order.down ? 'sessions.sort.down' : 'sessions.sort.up', {
      column,
    });
    return (
      <button
        type="button"
        className="sortHead"
        aria-label={label}
        onClick={() => setOrder(nextOrder(order, by))}
      >
        {column}
        {on &&
          (order.down ? (
            <ArrowDown size={12} aria-hidden="true" />
          ) : (
            <ArrowUp size={12} aria-hidden="true" />
          ))}
      </button>
    );
  }
  return [
    {
      id: 'name',
      header: head('name'),
      track: 'minmax(180px, 2fr)',
      cell: (row) => (
        <span className="sessionName">
          <SessionIcon row={row} />
          <Cut className="strongish" text={row.name} />
          {row.kept && <Pin size={12} strokeWidth={1.75} aria-label={t('sessions.kept')} />}
        </span>
      ),
    },
    {
      id: 'context',
      header: head('context'),
      track: 'minmax(90px, 1fr)',
      dropBelow: 820,
      cell: (row) => <Cut className="secondary" text={row.context ?? '–'} />,
    },
    {
      id: 'operator',
      header: head('operator'),
      track: 'minmax(90px, 1fr)',
      dropBelow: 960,
      cell: (row) => <Cut className="secondary" text={row.operator ?? '–'} />,
    },
    {
      id: 'started',
      header: head('started'),
      track: '130px',
      cell: (row) => <span title={formatUtc(row.startedAt)}>{whenWords(row.startedAt, now, i18n)}</span>,
    },
    {
      id: 'length',
      header: head('length'),
      track: '90px',
      align: 'end',
      dropBelow: 640,
      cell: (row) => (row.state === 'unreadable' ? '–' : lengthWords(lengthOf(row), i18n)),
    },
    {
      id: 'records',
      header: head('records'),
      track: '84px',
      align: 'end',
      dropBelow: 720,
      cell: (row) => (row.state === 'unreadable' ? '–' : number(row.records)),
    },
    { id: 'size', header: head('size'), track: '64px', align: 'end', cell: (row) => formatBytes(row.bytes) },
    {
      id: 'state',
      header: t('sessions.column.state'),
      track: 'minmax(96px, 148px)',
      cell: (row) => (
        <Cut
          className={row.state === 'unreadable' ? 'inkDegraded' : 'secondary'}
          text={t(`sessions.state.${row.state}`)}
        />
      ),
    },
  ];
}
