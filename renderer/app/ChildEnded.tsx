import type { ReactNode } from 'react';
import type { FeedRow } from '../../shared/contract/views/sources.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { formatTime } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';

/** The child process of `loopscope run`, once it ended; undefined while it runs, or when there is none. */
export function endedChild(feeds: readonly FeedRow[]): FeedRow | undefined {
  const children = feeds.filter((feed) => feed.kind === 'child');
  return children.every((feed) => feed.state === 'ended') ? children.at(-1) : undefined;
}

/** One line: the operator is gone, so what is on screen is its last state and nothing more will come. */
export function ChildEnded({ className = '' }: { readonly className?: string }): ReactNode {
  const { t } = useI18n();
  const child = useValueOf('feeds', {}, (s) => endedChild(s.value?.feeds ?? []));
  if (child === undefined) return null;
  const { detail, lastAt } = child;
  return (
    <p className={`childEnded small ${className}`} role="status">
      <StateGlyph state="failed" size={12} />
      <span>
        {t('child.ended', { how: detail })}{' '}
        {lastAt !== undefined && (
          <span className="secondary">{t('child.ended.last', { time: formatTime(lastAt) })}</span>
        )}
      </span>
    </p>
  );
}
