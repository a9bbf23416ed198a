import { Check, Copy as CopyIcon } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { Button, IconButton } from './controls.tsx';

/** Says something once to assistive technology, politely. */
export const AnnounceContext = createContext<(text: string) => void>(() => {});

export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => void } {
  const { t } = useI18n();
  const announce = useContext(AnnounceContext);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = useCallback(
    (text: string) => {
      void writeClipboard(text).then((done) => {
        announce(t(done ? 'action.copied' : 'action.copyFailed'));
        setCopied(done);
      });
    },
    [announce, t],
  );
  return { copied, copy };
}

/** Clipboard where the page may use it, else the old way through a selection. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not a secure context, or refused: a hidden selection still works after a click.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visuallyHidden';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function CopyButton(props: {
  readonly text: string;
  readonly label?: string;
  readonly kind?: 'plain' | 'primary' | 'quiet';
}): ReactNode {
  const { t } = useI18n();
  const { copied, copy } = useCopy();
  const icon = copied ? <Check size={14} strokeWidth={1.75} /> : <CopyIcon size={14} strokeWidth={1.75} />;
  return (
    <Button small kind={props.kind ?? 'primary'} icon={icon} onClick={() => copy(props.text)}>
      {copied ? t('action.copied') : (props.label ?? t('action.copy'))}
    </Button>
  );
}

export function CopyIconButton({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode {
  const { copied, copy } = useCopy();
  return (
    <IconButton small label={label} onClick={() => copy(text)}>
      {copied ? <Check size={14} strokeWidth={1.75} /> : <CopyIcon size={14} strokeWidth={1.75} />}
    </IconButton>
  );
}
