import { ArrowUp, Lock } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { QueueSnapshot, ReadyRow } from '../../../shared/model/queue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button } from '../../widgets/controls.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { KeyName, useOpenKey } from './KeyName.tsx';
import { useQueueMoment } from './queueMoment.ts';
import { calm } from './WaitingSection.tsx';

const shownAtFirst = 16;

interface NumberedRow extends ReadyRow {
  readonly place: number;
}

/** Due keys in hand-out order; locked ones stay in it with their lock. */
export function ReadySection(props: {
  readonly snapshot: QueueSnapshot;
  readonly selected: string | undefined;
}): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const openKey = useOpenKey();
  const [all, setAll] = useState(false);
  const { ready, kind } = props.snapshot;
  const rows = useMemo<readonly NumberedRow[]>(
    () => ready.map((row, index) => ({ ...row, place: index + 1 })),
    [ready],
  );
  const columns = useMemo<readonly Column<NumberedRow>[]>(() => {
    const list: Column<NumberedRow>[] = [
      {
        id: 'place',
        header: '#',
        track: '16px',
        cell: (row) => <span className="tertiary">{row.place}</span>,
      },
      {
        id: 'key',
        header: t('queue.column.key'),
        track: 'minmax(120px, 1.2fr)',
        cell: (row) => <KeyName name={row.key} />,
      },
    ];
    if (kind === 'priority') {
      list.push({
        id: 'priority',
        header: t('queue.column.priority'),
        track: '58px',
        cell: (row) => <Priority value={row.priority} />,
      });
    }
    list.push(
      {
        id: 'inQueue',
        header: t('queue.column.inQueue'),
        track: '66px',
        align: 'end',
        cell: (row) => <Since at={row.since} />,
      },
      {
        id: 'woken',
        header: t('queue.column.woken'),
        track: 'minmax(130px, 1.6fr)',
        dropBelow: 520,
        cell: (row) => (
          <span className="wokenBy" title={row.wokenBy.text}>
            <i
              className={
                row.wokenBy.kind === 'unseen' ? 'basisMark basis-inferred' : 'basisMark basis-observed'
              }
            />
            <Cut text={row.wokenBy.text} />
          </span>
        ),
      },
      {
        id: 'runs',
        header: t('queue.column.runs'),
        track: '88px',
        align: 'end',
        dropBelow: 600,
        cell: (row) => (row.events > 1 ? `${number(row.events)} → 1` : '1'),
      },
      {
        id: 'note',
        header: t('queue.column.note'),
        track: 'minmax(130px, 1.2fr)',
        dropBelow: 700,
        cell: (row) => <Note row={row} />,
      },
    );
    return list;
  }, [t, number, kind]);
  const events = ready.reduce((sum, row) => sum + row.events, 0);
  const shown = all ? rows : rows.slice(0, shownAtFirst);
  return (
    <section className="queueSection">
      <div className="queueHead">
        <h2 className="queueCount">
          <span className="countBigger">{number(ready.length)}</span> {t('queue.ready')}
        </h2>
        <p className="small secondary queueSentence">
          {ready.length === 0 ? t('queue.ready.none') : t('queue.ready.order')}
        </p>
        {events > ready.length && (
          <span className="small secondary queueEnd">
            {t('queue.ready.collapsed', { events, n: ready.length })}
          </span>
        )}
      </div>
      {ready.length > 0 && (
        <DataGrid
          fit="content"
          label={t('queue.ready')}
          columns={columns}
          rows={shown}
          rowKey={(row) => row.key}
          rowHeight={28}
          selected={props.selected}
          onSelect={(row) => store.setState({ queueKey: row.key })}
          onOpen={(row) => openKey(row.key)}
        />
      )}
      {shown.length < rows.length && (
        <div className="queueLegend">
          <Button small kind="quiet" onClick={() => setAll(true)}>
            {t('queue.more', { n: rows.length })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Above 0 a filled chip, 0 plain bold, below outlined and quiet. No hue. */
export function Priority({ value }: { readonly value: number }): ReactNode {
  const kind = value > 0 ? 'priorityRaised' : value < 0 ? 'priorityLow' : 'priorityNormal';
  return <span className={`priority ${kind}`}>{`${value}`.replace('-', '−')}</span>;
}

function Since({ at }: { readonly at: number }): ReactNode {
  const now = useQueueMoment(250);
  return calm(Math.max(0, now - at));
}

function Note({ row }: { readonly row: ReadyRow }): ReactNode {
  const { t } = useI18n();
  if (row.locked) {
    return (
      <span className="readyNote">
        <Lock size={12} strokeWidth={1.75} aria-hidden="true" />
        {t('queue.note.locked')}
      </span>
    );
  }
  if (row.raisedFrom !== undefined) {
    return (
      <span className="readyNote">
        <ArrowUp size={12} strokeWidth={1.75} aria-hidden="true" />
        {t('queue.note.raised', { n: `${row.raisedFrom}`.replace('-', '−') })}
      </span>
    );
  }
  return null;
}
