import { LoaderCircle, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAction } from '../client/useEngine.tsx';
import { formatClock, formatDurationWords, formatTime } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useWallNow } from '../state/clock.ts';
import { useConnection } from '../state/useConnection.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { Cut } from '../widgets/Cut.tsx';
import { Button } from '../widgets/controls.tsx';
import { Banner } from '../widgets/parts.tsx';

/** One banner at a time: lost connection, then a first sync that still runs. What was there stays under it. */
export function LostBanner(): ReactNode {
  const { t, locale } = useI18n();
  const store = useWindowStore();
  const connection = useConnection();
  const now = useWallNow(1000);
  const recording = useIsRecording();
  const retry = useAction('connection.retry');
  // What is on screen is no cluster: nothing is said of one.
  if (recording) return null;
  if (connection?.phase === 'lost' && connection.lost !== undefined) {
    const { since, attempt, nextTryAt } = connection.lost;
    const seconds = Math.max(0, Math.floor((now - since) / 1000)) * 1000;
    return (
      <Banner
        kind="gap"
        icon={<Unplug size={16} strokeWidth={1.75} aria-hidden="true" />}
        end={
          <Button small disabled={retry.running} onClick={() => void retry.run({})}>
            {t('action.tryNow')}
          </Button>
        }
      >
        <strong>{t('lost.title', { time: formatDurationWords(Math.max(1000, seconds), locale) })}</strong>
        <span className="small secondary">
          {nextTryAt === undefined || nextTryAt <= now
            ? t('lost.trying', { n: attempt })
            : t('lost.try', { n: attempt, time: formatClock(nextTryAt - now) })}
        </span>
        <Cut
          className="small secondary bannerDetail"
          text={`${connection.problem?.message ?? ''} ${t('lost.explain', { time: formatTime(since) })}`.trim()}
        />
      </Banner>
    );
  }
  if (connection?.phase === 'syncing' && connection.sync !== undefined) {
    const { objects, resourcesReady, resourcesTotal } = connection.sync;
    return (
      <Banner
        kind="notice"
        icon={<LoaderCircle size={16} strokeWidth={1.75} className="inkProgressing" aria-hidden="true" />}
        end={
          <Button small kind="quiet" onClick={() => store.setState({ openedEarly: false })}>
            {t('sync.show')}
          </Button>
        }
      >
        <span className="small">
          {t('sync.banner', { done: resourcesReady, n: resourcesTotal, objects })}
        </span>
      </Banner>
    );
  }
  return null;
}
