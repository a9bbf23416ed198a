import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QueueView } from '../../../shared/contract/api.ts';
import { formatDuration } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Button } from '../../widgets/controls.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';

/** The limiter of the profile does not explain what is seen: what is known of the real one, and where to say it. */
export function DoubtLine(props: {
  readonly doubt: NonNullable<QueueView['doubt']>;
  /** The limiter was given by the user or a file; else it is a guess. */
  readonly given: boolean;
}): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const { missed, of, gapsMs } = props.doubt;
  const what = t(props.given ? 'queue.doubt.given' : 'queue.doubt.guess');
  return (
    <p className="doubtLine" role="status">
      <StateGlyph state="degraded" size={12} />
      <span>
        {gapsMs.length === 0
          ? t('queue.doubt.noGaps', { what })
          : t('queue.doubt.gaps', { what, gaps: gapsMs.map(formatDuration).join(', ') })}{' '}
        <span className="secondary">{t('queue.doubt.missed', { missed: number(missed), n: of })}</span>
      </span>
      <Button
        small
        icon={<SlidersHorizontal size={14} strokeWidth={1.75} />}
        onClick={() => store.setState({ profileOpen: true })}
      >
        {t('queue.edit')}
      </Button>
    </p>
  );
}
