import { useMemo } from 'react';
import { formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { BandWords } from './bandRows.ts';

/** The words of bands in the window's language. */
export function useBandWords(): BandWords {
  const { t } = useI18n();
  return useMemo(
    () => ({
      value: (status, reason) => (reason === '' ? status : t('conditions.value', { status, reason })),
      held: (value) => t('conditions.held', { value }),
      name: (span, value) => {
        const text = span.message === '' ? value : `${value}. ${span.message}`;
        const from = formatTime(span.from);
        if (span.to !== undefined)
          return t('conditions.span', { value: text, from, to: formatTime(span.to) });
        return t(span.openStart ? 'conditions.span.before' : 'conditions.span.open', { value: text, from });
      },
      generation: (observed, generation) =>
        t('conditions.generation', { observed: `${observed}`, generation: `${generation}` }),
      generationLabel: t('conditions.generation.label'),
    }),
    [t],
  );
}
