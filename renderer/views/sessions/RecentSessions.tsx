import { CircleDot, FileWarning, FileX, History, List, Pin } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { formatBytes, formatUtc } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWallNow } from '../../state/clock.ts';
import { setSessionsUi } from '../../state/sessionsUi.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button } from '../../widgets/controls.tsx';
import { ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { RenameField } from './RenameField.tsx';
import { SessionMenu, useSessionActions } from './SessionActions.tsx';
import { lengthOf, lengthWords, whenWords } from './sessionWords.ts';
import { useSessions } from './useSessions.ts';
import './sessions.css';

const most = 5;

/** The newest sessions of this computer, on the start page. */
export function RecentSessions(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { state, rows, error } = useSessions();
  const [removing, setRemoving] = useState<SessionRow | undefined>(undefined);
  return (
    <section aria-label={t('sessions.recent')}>
      <div className="startHead">
        <h2 className="title">{t('sessions.recent')}</h2>
        <span className="small tertiary">{t('sessions.recent.where')}</span>
      </div>
      {error !== undefined ? (
        <ProblemLine text={error} />
      ) : state === 'loading' ? (
        <Skeleton lines={4} />
      ) : rows.length === 0 ? (
        <p className="small secondary recentNone">{t('sessions.recent.none')}</p>
      ) : (
        <>
          <ul className="recentList">
            {rows.slice(0, most).map((row) => (
              <RecentLine key={row.id} row={row} onRemove={() => setRemoving(row)} />
            ))}
          </ul>
          <Button
            small
            kind="quiet"
            className="startLink"
            icon={<List size={14} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setSessionsUi(store, { dialog: 'list' })}
          >
            {t('sessions.all', { n: rows.length })}
          </Button>
        </>
      )}
      <DeleteDialog row={removing} onClose={() => setRemoving(undefined)} />
    </section>
  );
}

function RecentLine(props: { readonly row: SessionRow; readonly onRemove: () => void }): ReactNode {
  const i18n = useI18n();
  const { t } = i18n;
  const { row } = props;
  const now = useWallNow(1000);
  const [renaming, setRenaming] = useState(false);
  const { actions, problem } = useSessionActions(row, {
    rename: () => setRenaming(true),
    remove: props.onRemove,
  });
  const open = actions.find((action) => action.id === 'open');
  const facts = factsOf(row, i18n);
  const when = whenWords(row.startedAt, now, i18n);
  return (
    <li className="recentLine">
      <span className={row.state === 'unreadable' ? 'inkDegraded' : 'tertiary'}>
        <SessionIcon row={row} />
      </span>
      {renaming ? (
        <RenameField id={row.id} name={row.name} onDone={() => setRenaming(false)} />
      ) : (
        <button
          type="button"
          className="recentOpen"
          aria-disabled={open?.unavailable !== undefined}
          title={open?.unavailable ?? row.path}
          onClick={() => {
            if (open?.unavailable === undefined) open?.run();
          }}
        >
          <span className="visuallyHidden">{t('sessions.open')}: </span>
          <span className="recentRow recentFirst">
            <span className="recentName">
              <Cut className="strong" text={row.name} />
              {row.kept && <Pin size={12} strokeWidth={1.75} aria-label={t('sessions.kept')} />}
            </span>
            <span className="small tertiary recentWhen" title={formatUtc(row.startedAt)}>
              {when}
            </span>
          </span>
          <span className="recentRow">
            <Cut className="small secondary" text={facts} />
            <span className="small tertiary recentWhen">{formatBytes(row.bytes)}</span>
          </span>
        </button>
      )}
      <SessionMenu row={row} actions={actions} />
      {row.problem !== undefined && <p className="small inkDegraded recentProblem">{row.problem.message}</p>}
      {problem !== undefined && (
        <div className="recentProblem">
          <ProblemLine text={problem} />
        </div>
      )}
    </li>
  );
}

/** The second line of a session: how long and how many, or why that is not so simple. */
export function factsOf(row: SessionRow, i18n: ReturnType<typeof useI18n>): string {
  const { t } = i18n;
  if (row.state === 'unreadable' || row.state === 'elsewhere') return t(`sessions.state.${row.state}`);
  const facts = t('sessions.facts', { length: lengthWords(lengthOf(row), i18n), n: row.records });
  return row.state === 'closed' ? facts : `${facts} · ${t(`sessions.state.${row.state}`)}`;
}

export function SessionIcon({ row }: { readonly row: SessionRow }): ReactNode {
  const size = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
  switch (row.state) {
    case 'recording':
    case 'elsewhere':
      return <CircleDot {...size} className="inkFailed" />;
    case 'unreadable':
      return <FileX {...size} />;
    case 'interrupted':
      return <FileWarning {...size} />;
    case 'closed':
      return <History {...size} />;
  }
}
