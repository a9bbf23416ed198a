import { Network, ScrollText, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { Button } from '../../widgets/controls.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';

/** Asked before the one request that reaches into the cluster's network; a refusal of the engine stays in the dialog. */
export function ConsentDialog(props: {
  readonly open: boolean;
  readonly label: string;
  readonly running: boolean;
  readonly problem: string | undefined;
  readonly onClose: () => void;
  readonly onAllow: () => void;
}): ReactNode {
  const { t } = useI18n();
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={t('sources.consent.title', { label: props.label })}
      className="dialogSmall"
      foot={
        <>
          <Button kind="quiet" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Button kind="primary" disabled={props.running} onClick={props.onAllow}>
            {t('sources.consent.allow')}
          </Button>
        </>
      }
    >
      <ul className="consentList">
        <li className="consentLine">
          <Network size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>{t('sources.consent.reach')}</span>
        </li>
        <li className="consentLine">
          <ShieldCheck size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>{t('sources.consent.only')}</span>
        </li>
        <li className="consentLine">
          <ScrollText size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>{t('sources.consent.recorded')}</span>
        </li>
      </ul>
      {props.problem !== undefined && <ProblemLine text={props.problem} />}
    </Dialog>
  );
}
