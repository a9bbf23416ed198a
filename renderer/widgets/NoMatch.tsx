import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { Button } from './controls.tsx';
import { EmptyState } from './parts.tsx';

/** A list that its filter emptied: what was asked for, and the way back. */
export function NoMatch(props: { readonly text: string; readonly onClear: () => void }): ReactNode {
  const { t } = useI18n();
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.75} />}
      title={t('filter.none.title')}
      actions={<Button onClick={props.onClear}>{t('filter.clear')}</Button>}
    >
      {t('filter.none', { text: props.text })}
    </EmptyState>
  );
}
