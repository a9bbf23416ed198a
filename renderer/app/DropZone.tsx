import { FileUp, FileWarning } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../shared/contract/views/connection.ts';
import { useEngine } from '../client/useEngine.tsx';
import { useShell } from '../client/useShell.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { attachEvidence, type EvidenceKind, openSession } from '../state/sessionsUi.ts';
import { useConnection } from '../state/useConnection.ts';
import { useIsRecording, usePage } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { Button } from '../widgets/controls.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { ProblemLine } from '../widgets/parts.tsx';
import { judgeDrop } from './dropKind.ts';
import './dropZone.css';

/** A log or profile on this computer that may be attached to what is on screen. */
interface Offer {
  readonly name: string;
  readonly path: string;
  readonly kind: 'log' | 'profile';
}

interface Refused {
  readonly name: string;
  readonly text: string;
}

/** The whole window takes files: sessions open, logs and profiles are offered to the connection, of the rest it says why not. */
export function DropZone(): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const shell = useShell();
  const recording = useIsRecording();
  const connected = usePage() === 'main' && !recording;
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  const [refused, setRefused] = useState<Refused | undefined>(undefined);

  async function take(files: readonly File[]) {
    const [file] = files;
    const name = file?.name ?? '';
    const judged = judgeDrop(
      files.map((each) => each.name),
      connected,
    );
    if ('refused' in judged) {
      setRefused({ name, text: t(`drop.refused.${judged.refused}`, { n: files.length }) });
      return;
    }
    // A desktop knows the path; a browser hands the file to its host, which may refuse it in words.
    const path = await shell.pathOf(file).catch((error: unknown) => {
      setRefused({ name, text: error instanceof Error ? error.message : String(error) });
      return null;
    });
    if (path === null) return;
    if (path === undefined) setRefused({ name, text: t('drop.refused.noPath') });
    else if (judged.kind === 'session') void openSession(engine, store, path, name);
    else setOffer({ name, path, kind: judged.kind });
  }
  const over = useFileDrag(take);
  return (
    <>
      {over && (
        <div className="dropOverlay" aria-hidden="true">
          <div className="dropFrame">
            <FileUp size={28} strokeWidth={1.5} />
            <strong className="title">{t('drop.overlay')}</strong>
            <span className="secondary">{t('drop.overlay.text')}</span>
          </div>
        </div>
      )}
      {offer !== undefined && <AttachDialog offer={offer} onClose={() => setOffer(undefined)} />}
      <Dialog
        open={refused !== undefined}
        onClose={() => setRefused(undefined)}
        className="dialogSmall"
        title={t('drop.refused.title', { name: refused?.name ?? '' })}
        foot={
          <Button kind="primary" autoFocus onClick={() => setRefused(undefined)}>
            {t('action.close')}
          </Button>
        }
      >
        <div className="dropRefused" role="alert">
          <FileWarning size={18} strokeWidth={1.75} className="inkDegraded" aria-hidden="true" />
          <p>{refused?.text}</p>
        </div>
      </Dialog>
    </>
  );
}

/** True while a file is dragged over the window. A page that is left alone would open the file itself: never here. */
function useFileDrag(take: (files: readonly File[]) => Promise<void>): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    // Enter and leave come for each element on the way: only their balance says whether the pointer is still here.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    function onEnter(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    }
    function onOver(event: DragEvent) {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    }
    function onLeave(event: DragEvent) {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    }
    function onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void latest.current([...(event.dataTransfer?.files ?? [])]);
    }
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  return over;
}

const choices = { log: ['log', 'audit'], profile: ['profile'] } as const;

/** What a dropped log or profile is, the user knows best. */
function AttachDialog({
  offer,
  onClose,
}: {
  readonly offer: Offer;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const context = useConnection()?.context ?? '';
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [running, setRunning] = useState(false);
  async function attach(kind: EvidenceKind) {
    setRunning(true);
    const refused = await attachEvidence(engine, { kind, where: offer.path });
    setRunning(false);
    setProblem(refused);
    if (refused === undefined) onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      className="dialogSmall"
      title={t('drop.attach.title', { name: offer.name })}
      foot={
        <Button kind="quiet" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      }
    >
      <div className="attachChoices">
        <p className="small secondary">{t('drop.attach.text', { context })}</p>
        {choices[offer.kind].map((kind, index) => (
          <Button
            key={kind}
            kind={index === 0 ? 'primary' : 'plain'}
            autoFocus={index === 0}
            disabled={running}
            onClick={() => void attach(kind)}
          >
            {t(`drop.as.${kind}`)}
          </Button>
        ))}
        {problem !== undefined && <ProblemLine text={problem.message} />}
      </div>
    </Dialog>
  );
}
