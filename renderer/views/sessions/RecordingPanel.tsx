import { Popover } from '@base-ui/react/popover';
import { FolderSearch, Pause, Save } from 'lucide-react';
import { type ReactElement, type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { SessionStats } from '../../../shared/contract/views/connection.ts';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { useAction, useValueOf } from '../../client/useEngine.tsx';
import { useShell } from '../../client/useShell.ts';
import { formatBytes } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { setSessionsUi } from '../../state/sessionsUi.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button, Check, TextField } from '../../widgets/controls.tsx';
import { KeyValue, ProblemLine } from '../../widgets/parts.tsx';
import { useSessions } from './useSessions.ts';
import './sessions.css';

/** The recording in the top bar: its name, whether it is kept, a copy of it, and that it is private. */
export function RecordingPanel(props: {
  readonly session: SessionStats;
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly layer: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.sessions.panel);
  return (
    <Popover.Root open={open} onOpenChange={(panel) => setSessionsUi(store, { panel })}>
      <Popover.Trigger render={props.trigger} />
      <Popover.Portal container={props.layer}>
        <Popover.Positioner className="menuLayer" positionMethod="fixed" align="end" sideOffset={6}>
          <Popover.Popup className="menuPopup recordingPanel" aria-label={t('sessions.panel')}>
            <PanelBody session={props.session} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PanelBody({ session }: { readonly session: SessionStats }): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const shell = useShell();
  const row = useSessions().rows.find((each) => each.id === session.id || each.state === 'recording');
  const folder = useValueOf('library', {}, (s) => s.value?.folder);
  return (
    <>
      <h2 className="title">{t('sessions.panel')}</h2>
      {session.paused !== undefined && (
        <p className="small panelPaused" role="status">
          <Pause size={14} strokeWidth={1.75} aria-hidden="true" />
          <span>
            {t('sessions.panel.paused', { why: session.paused })} {t('sessions.panel.pausedLive')}
          </span>
        </p>
      )}
      {row !== undefined && <NameAndKeep key={row.id} row={row} />}
      <KeyValue
        items={[
          [t('sessions.column.records'), number(session.records)],
          [t('sessions.column.size'), formatBytes(row?.bytes ?? session.bytes)],
          folder !== undefined && [
            t('sessions.folder'),
            <Cut key="folder" className="mono panelFolder" text={folder} />,
          ],
        ]}
      />
      <p className="small tertiary">{t('sessions.private')}</p>
      <div className="panelActions">
        <Button
          small
          icon={<Save size={14} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => setSessionsUi(store, { dialog: 'save', panel: false })}
        >
          {t('sessions.save')}
        </Button>
        {row !== undefined && shell.can('showInFolder') && (
          <Button
            small
            kind="quiet"
            icon={<FolderSearch size={14} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => void shell.call('showInFolder', { path: row.path })}
          >
            {t('sessions.showInFolder')}
          </Button>
        )}
        <Button small kind="quiet" onClick={() => setSessionsUi(store, { dialog: 'list', panel: false })}>
          {t('command.session.list')}
        </Button>
      </div>
    </>
  );
}

function NameAndKeep({ row }: { readonly row: SessionRow }): ReactNode {
  const { t } = useI18n();
  const rename = useAction('session.rename');
  const keep = useAction('session.keep');
  const [typed, setTyped] = useState<string | undefined>(undefined);
  // What was chosen, until the list says the same.
  const [wanted, setWanted] = useState<boolean | undefined>(undefined);
  const name = typed ?? row.name;
  const changed = name.trim() !== '' && name.trim() !== row.name;
  const problem = rename.problem ?? keep.problem;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list said it
  useEffect(() => setWanted(undefined), [row.kept]);
  async function setKept(kept: boolean) {
    setWanted(kept);
    const answer = await keep.run({ id: row.id, kept });
    if (answer?.ok !== true) setWanted(undefined);
  }
  async function save() {
    if (!changed) return;
    const answer = await rename.run({ id: row.id, name: name.trim() });
    if (answer?.ok === true) setTyped(undefined);
  }
  return (
    <>
      <form
        className="panelName"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('sessions.name')}
          value={name}
          maxLength={120}
          onChange={setTyped}
          changed={changed}
          invalid={rename.problem !== undefined}
        />
        <Button type="submit" disabled={!changed || rename.running}>
          {t('action.save')}
        </Button>
      </form>
      <Check
        label={
          <span title={t('sessions.keep.explain')}>
            {t('sessions.keep')}. <span className="tertiary">{t('sessions.keep.explain')}</span>
          </span>
        }
        checked={wanted ?? row.kept}
        onChange={(kept) => void setKept(kept)}
      />
      {problem !== undefined && <ProblemLine text={problem.message} />}
    </>
  );
}
