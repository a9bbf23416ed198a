import {
  Activity,
  Box,
  ClipboardList,
  Crown,
  Gauge,
  type LucideIcon,
  PencilLine,
  Radio,
  ScrollText,
  SquareTerminal,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import type { SourceKind } from './sourceWords.ts';

const icons: Readonly<Record<SourceKind, LucideIcon>> = {
  watch: Radio,
  log: ScrollText,
  metrics: Gauge,
  audit: ClipboardList,
  stdin: SquareTerminal,
  child: SquareTerminal,
  podLog: Box,
  podMetrics: Gauge,
  lease: Crown,
  managedFields: PencilLine,
  events: Activity,
};

/** What kind of source it is; with `named` the word is read out, else it stands beside it. */
export function SourceIcon(props: {
  readonly kind: SourceKind;
  readonly size?: number;
  readonly named?: boolean;
}): ReactNode {
  const { t } = useI18n();
  const Icon = icons[props.kind];
  const { size = 14, named = false } = props;
  return (
    <span className="sourceIcon">
      <Icon size={size} strokeWidth={1.75} aria-hidden="true" />
      {named && <span className="visuallyHidden">{t(`sources.kind.${props.kind}`)}</span>}
    </span>
  );
}
