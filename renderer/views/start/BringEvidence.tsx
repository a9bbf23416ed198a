import { Plus, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useShell } from '../../client/useShell.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { type EvidenceKind, setSessionsUi } from '../../state/sessionsUi.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button, IconButton, TextField } from '../../widgets/controls.tsx';

const kinds = ['log', 'metrics', 'audit', 'profile'] as const;
const placeholders = {
  log: 'feeds.log.placeholder',
  metrics: 'feeds.metrics.placeholder',
  audit: 'feeds.audit.placeholder',
  profile: 'connect.evidence.profile.placeholder',
} as const;

/** What the operator itself can tell: chosen here, attached as soon as a cluster is on screen. Nothing is read before. */
export function BringEvidence(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const evidence = useWindow((s) => s.sessions.evidence);
  const [adding, setAdding] = useState<EvidenceKind | undefined>(undefined);
  function add(kind: EvidenceKind, where: string) {
    setSessionsUi(store, { evidence: [...evidence.filter((piece) => piece.kind !== kind), { kind, where }] });
    setAdding(undefined);
  }
  return (
    <section className="evidence" aria-label={t('connect.evidence.title')}>
      <h2 className="strong">{t('connect.evidence.title')}</h2>
      <p className="small secondary">{t('connect.evidence.text')}</p>
      <ul>
        {kinds.map((kind) => {
          const piece = evidence.find((each) => each.kind === kind);
          return (
            <li key={kind}>
              {adding === kind ? (
                <EvidenceForm kind={kind} onAdd={add} onCancel={() => setAdding(undefined)} />
              ) : piece === undefined ? (
                <button type="button" className="evidenceAdd" onClick={() => setAdding(kind)}>
                  <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
                  <span>{t(`connect.evidence.${kind}`)}</span>
                  <Cut className="small tertiary" text={t(`connect.evidence.${kind}.why`)} />
                </button>
              ) : (
                <span className="evidenceAdded">
                  <span>{t(`connect.evidence.${kind}`)}</span>
                  <Cut className="mono secondary" text={piece.where} />
                  <IconButton
                    small
                    label={t('connect.evidence.remove', { where: piece.where })}
                    onClick={() =>
                      setSessionsUi(store, { evidence: evidence.filter((each) => each.kind !== kind) })
                    }
                  >
                    <X size={14} strokeWidth={1.75} />
                  </IconButton>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {evidence.length > 0 && (
        <p className="small tertiary" role="status">
          {t('connect.evidence.waits')}
        </p>
      )}
    </section>
  );
}

function EvidenceForm(props: {
  readonly kind: EvidenceKind;
  readonly onAdd: (kind: EvidenceKind, where: string) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { t } = useI18n();
  const shell = useShell();
  const { kind } = props;
  const [text, setText] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() !== '') props.onAdd(kind, text.trim());
  }
  async function choose(what: 'log' | 'audit' | 'profile') {
    const { path } = await shell.call('chooseFile', { what });
    if (path !== undefined) props.onAdd(kind, path);
  }
  return (
    <form className="evidenceForm" onSubmit={submit}>
      <TextField
        small
        mono
        autoFocus
        label={t(`connect.evidence.${kind}`)}
        placeholder={t(placeholders[kind])}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          props.onCancel();
        }}
      />
      {kind !== 'metrics' && shell.can('chooseFile') && (
        <Button small onClick={() => void choose(kind)}>
          {t('drop.choose')}
        </Button>
      )}
      <Button small type="submit" disabled={text.trim() === ''}>
        {t('connect.evidence.add')}
      </Button>
      <IconButton small label={t('action.cancel')} onClick={props.onCancel}>
        <X size={14} strokeWidth={1.75} />
      </IconButton>
    </form>
  );
}
