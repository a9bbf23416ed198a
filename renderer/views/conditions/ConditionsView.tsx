import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { EmptyState } from '../../widgets/parts.tsx';

export function ConditionsView(): ReactNode {
  const { t } = useI18n();
  return (
    <ViewFrame tab="conditions">
      <EmptyState icon={<CircleHelp size={20} strokeWidth={1.75} />} title={t('object.none.title')}>
        {t('object.none')}
      </EmptyState>
    </ViewFrame>
  );
}
