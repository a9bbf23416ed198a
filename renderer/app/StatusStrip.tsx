import type { ReactNode } from 'react';
import { useTable, useValueOf } from '../client/useEngine.tsx';
import { formatDuration, formatTime, formatTimeMs } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection, useMoment } from '../state/useConnection.ts';
import { useMedia } from '../state/useMedia.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { Pill } from '../widgets/controls.tsx';
import { Tip } from '../widgets/Tip.tsx';
import { DensityBars, FindingTicks, type StripRange, stripShare, useStripCounts } from './MomentStrip.tsx';
import { PlaybackBar } from './PlaybackBar.tsx';
import './statusStrip.css';

/** The bottom of the window: of a cluster, what is live; of a session or demo, the moment and its controls. */
export function StatusStrip(): ReactNode {
  return useIsRecording() ? <PlaybackBar /> : <LiveStrip />;
}

/** The recording as a strip with its gaps and findings, and what is live. */
function LiveStrip(): ReactNode {
  const { t, number } = useI18n();
  const connection = useConnection();
  const session = useValueOf('session', {}, (s) => s.value);
  const now = useMoment(1000);
  const narrow = useMedia('(max-width: 1099px)');
  const phase = connection?.phase;
  const skew = connection?.skewMs;
  return (
    <section className="status" data-region="status" aria-label={t('region.status')}>
      {session !== undefined && <RecordingStrip from={session.startedAt} to={now} />}
      <div className="statusLine">
        {phase === 'lost' ? (
          <Pill tone="gap" glyph="gap">
            {t('status.lost')}
          </Pill>
        ) : phase === 'syncing' ? (
          <Pill tone="progressing" glyph="progressing">
            {t('status.syncing')}
          </Pill>
        ) : (
          <Pill tone="neutral" icon={<i className="recordDot" />}>
            {t('status.live')}
          </Pill>
        )}
        <span className="statusMoment">
          <span className="mono">{formatTimeMs(now).slice(0, 8)}</span>
          {session !== undefined && (
            <span className="label">
              {t(phase === 'lost' ? 'status.last' : 'status.now', { n: session.records })}
            </span>
          )}
        </span>
        {session !== undefined && !narrow && (
          <span className="small secondary statusFact">{t('status.objects', { n: session.objects })}</span>
        )}
        <span className="statusEnd">
          {skew !== undefined && (
            <span className="small inkDegraded">
              {t(skew > 0 ? 'status.skew' : 'status.skew.behind', { time: formatDuration(Math.abs(skew)) })}
            </span>
          )}
          {session !== undefined && session.health.length > 0 && (
            <Tip text={session.health.join('\n')}>
              <button type="button" className="topStat secondary">
                {t('status.health', { n: session.health.length })}
              </button>
            </Tip>
          )}
          {session?.paused !== undefined && (
            <span className="small inkDegraded">{t('top.paused', { why: session.paused })}</span>
          )}
          <span className="visuallyHidden">{number(session?.records)}</span>
        </span>
      </div>
    </section>
  );
}

/** From the start of the recording to now: gaps hatched violet, findings as ticks where they opened and closed. */
function RecordingStrip({ from, to }: StripRange): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const gaps = useTable('gaps', {}).rows;
  const density = useValueOf('playback', {}, (s) => s.value?.density);
  const counts = useStripCounts();
  const range = { from, to: Math.max(to, from + 60_000) };
  const summary = t('status.strip', {
    from: formatTime(from),
    to: formatTime(to),
    n: counts.gaps,
    found: counts.findings,
  });
  return (
    <section className="strip" aria-label={summary}>
      {density === undefined ? (
        <div className="stripTrack" style={{ width: `${stripShare(range, to)}%` }} />
      ) : (
        <DensityBars counts={density} />
      )}
      {gaps.map((gap) => {
        const end = gap.to ?? to;
        const text =
          gap.to === undefined
            ? t('status.gap.open', { source: gap.source, time: formatTime(gap.from), why: gap.text })
            : t('status.gap', { source: gap.source, time: formatDuration(end - gap.from), why: gap.text });
        const left = stripShare(range, gap.from);
        return (
          <Tip key={gap.id} text={text}>
            <button
              type="button"
              className="stripGap"
              aria-label={text}
              style={{ left: `${left}%`, width: `max(6px, ${stripShare(range, end) - left}%)` }}
              onClick={() => {
                store.setState({ informer: gap.source, informerSegment: 'informers' });
                goTo(store, { tab: 'informers' });
              }}
            />
          </Tip>
        );
      })}
      <FindingTicks range={range} />
      <span className="stripStart label">{formatTime(from)}</span>
    </section>
  );
}
