import { FileWarning } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction, useEngine, useValueOf } from '../../client/useEngine.tsx';
import { useShell } from '../../client/useShell.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { openSession, setSessionsUi } from '../../state/sessionsUi.ts';
import { usePlayback } from '../../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { CopyIconButton } from '../../widgets/Copy.tsx';
import { Button, TextField } from '../../widgets/controls.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { SessionsDialog } from './SessionsDialog.tsx';
import { useSessions } from './useSessions.ts';
import './sessions.css';

/** The dialogs about sessions, wherever they were asked for: list, open, save, and what could not be opened. */
export function SessionDialogs(): ReactNode {
  const store = useWindowStore();
  const { dialog } = useWindow((s) => s.sessions);
  function close() {
    setSessionsUi(store, { dialog: 'none' });
  }
  return (
    <>
      <SessionsDialog open={dialog === 'list'} onClose={close} />
      {dialog === 'open' && <OpenFile onClose={close} />}
      {dialog === 'save' && <SaveDialog onClose={close} />}
      <RefusedDialog />
    </>
  );
}

/** The host's own file dialog where there is one, else a path in words. */
function OpenFile({ onClose }: { readonly onClose: () => void }): ReactNode {
  const shell = useShell();
  return shell.can('chooseFile') ? <ChooseFile onClose={onClose} /> : <OpenPath onClose={onClose} />;
}

function ChooseFile({ onClose }: { readonly onClose: () => void }): ReactNode {
  const engine = useEngine();
  const store = useWindowStore();
  const shell = useShell();
  const asked = useRef(false);
  const closed = useRef(onClose);
  closed.current = onClose;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    shell.call('chooseFile', { what: 'session' }).then(
      ({ path }) => {
        closed.current();
        if (path !== undefined) void openSession(engine, store, path);
      },
      () => closed.current(),
    );
  }, [engine, store, shell]);
  return null;
}

function OpenPath({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const [path, setPath] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (path.trim() !== '') void openSession(engine, store, path.trim());
  }
  return (
    <Dialog
      open
      onClose={onClose}
      className="dialogSmall"
      title={t('sessions.openPath.title')}
      foot={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button kind="primary" type="submit" form="openPathForm" disabled={path.trim() === ''}>
            {t('sessions.open')}
          </Button>
        </>
      }
    >
      <form id="openPathForm" className="form" onSubmit={submit}>
        <p className="small secondary">{t('sessions.openPath.text')}</p>
        <span className="label">{t('sessions.openPath.path')}</span>
        <TextField
          mono
          autoFocus
          label={t('sessions.openPath.path')}
          placeholder={t('sessions.openPath.placeholder')}
          value={path}
          onChange={setPath}
        />
      </form>
    </Dialog>
  );
}

/** A copy of what is shown: to a place of choice where the host can ask for one, else among the sessions. */
function SaveDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useI18n();
  const shell = useShell();
  const playback = usePlayback();
  const recording = useSessions().rows.find((row) => row.state === 'recording');
  const folder = useValueOf('library', {}, (s) => s.value?.folder);
  const action = useAction('session.save');
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [saved, setSaved] = useState<string | undefined>(undefined);
  const shownName = playback?.origin === 'cluster' ? recording?.name : playback?.name;
  const name = typed ?? shownName ?? '';
  async function save() {
    const wanted = name.trim();
    if (!shell.can('saveFile')) return done(await action.run({ name: wanted }));
    const { path } = await shell.call('saveFile', { name: wanted });
    if (path !== undefined) done(await action.run({ name: wanted, path }));
  }
  function done(answer: Awaited<ReturnType<typeof action.run>>) {
    if (answer?.ok === true) setSaved(answer.path);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      className="dialogSmall"
      title={t('sessions.save.title')}
      foot={
        saved === undefined ? (
          <>
            <Button kind="quiet" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button
              kind="primary"
              type="submit"
              form="saveForm"
              disabled={name.trim() === '' || action.running}
            >
              {t(shell.can('saveFile') ? 'sessions.save.choose' : 'sessions.save.do')}
            </Button>
          </>
        ) : (
          <>
            {shell.can('showInFolder') && (
              <Button kind="quiet" onClick={() => void shell.call('showInFolder', { path: saved })}>
                {t('sessions.showInFolder')}
              </Button>
            )}
            <Button kind="primary" autoFocus onClick={onClose}>
              {t('action.close')}
            </Button>
          </>
        )
      }
    >
      {saved === undefined ? (
        <form
          id="saveForm"
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <p className="small secondary">
            {t('sessions.save.text')}{' '}
            {!shell.can('saveFile') && folder !== undefined && t('sessions.save.among', { folder })}
          </p>
          <span className="label">{t('sessions.name')}</span>
          <TextField autoFocus label={t('sessions.name')} value={name} maxLength={120} onChange={setTyped} />
          <p className="small tertiary">{t('sessions.private')}</p>
          {action.problem !== undefined && <ProblemLine text={action.problem.message} />}
        </form>
      ) : (
        <p className="savedLine" role="status">
          <span>{t('sessions.save.done', { path: saved })}</span>
          <CopyIconButton text={saved} label={t('action.copy')} />
        </p>
      )}
    </Dialog>
  );
}

/** Why a session or demo was not opened: newer, damaged, missing. What was shown before is still there. */
function RefusedDialog(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const refused = useWindow((s) => s.sessions.refused);
  const origin = usePlayback()?.origin;
  function close() {
    setSessionsUi(store, { refused: undefined });
  }
  return (
    <Dialog
      open={refused !== undefined}
      onClose={close}
      className="dialogSmall"
      title={t('sessions.refused.title', { name: refused?.name ?? '' })}
      foot={
        <Button kind="primary" autoFocus onClick={close}>
          {t('action.close')}
        </Button>
      }
    >
      <div className="refused" role="alert">
        <FileWarning size={18} strokeWidth={1.75} className="inkDegraded" aria-hidden="true" />
        <p>{refused?.problem.message}</p>
        {origin !== undefined && origin !== 'none' && (
          <p className="small secondary">{t('sessions.refused.kept')}</p>
        )}
        <p className="mono tertiary">{refused?.problem.code}</p>
      </div>
    </Dialog>
  );
}
