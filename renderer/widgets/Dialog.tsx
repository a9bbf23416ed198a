import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import './overlays.css';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
  readonly className?: string;
  /** The body has nothing that takes the focus: it takes it itself, so that keys can scroll it. */
  readonly reads?: boolean;
  /** Where the focus goes when it closes; null: back to where it came from. */
  readonly finalFocus?: () => HTMLElement | null;
}

/** Modal: traps focus and gives it back; Esc and the scrim close it. */
export function Dialog(props: DialogProps): ReactNode {
  const { t } = useI18n();
  return (
    <BaseDialog.Root
      open={props.open}
      onOpenChange={(open) => {
        if (!open) props.onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialogScrim" />
        <BaseDialog.Popup
          className={`dialogPopup ${props.className ?? ''}`}
          {...(props.finalFocus === undefined ? {} : { finalFocus: props.finalFocus })}
        >
          <div className="dialogHead">
            <BaseDialog.Title className="title">{props.title}</BaseDialog.Title>
            {props.subtitle !== undefined && <span className="small secondary">{props.subtitle}</span>}
            <BaseDialog.Close className="iconButton" aria-label={t('action.close')}>
              <X size={16} strokeWidth={1.75} />
            </BaseDialog.Close>
          </div>
          <div className="dialogBody" {...(props.reads === true ? { tabIndex: 0 } : {})}>
            {props.children}
          </div>
          {props.foot !== undefined && <div className="dialogFoot">{props.foot}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
