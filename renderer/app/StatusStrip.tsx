import type { ReactNode } from 'react';
import { useTable, useValueOf } from '../client/useEngine.tsx';
import { formatDuration, formatTime, formatTimeMs } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useConnection, useMoment } from '../state/useConnection.ts';
import { useMedia } from '../state/useMedia.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { Pill } from '../widgets/controls.tsx';
import { Tip } from '../widgets/Tip.tsx';
import './statusStrip.css';

/** The bottom of the window: the recording as a strip with its gaps and findings, and what is live. */
export function StatusStrip(): ReactNode {
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
          <>
            <span className="small secondary statusFact">{t('status.objects', { n: session.objects })}</span>
            {session.late > 0 && (
              <span className="small secondary statusFact">{t('status.late', { n: session.late })}</span>
            )}
          </>
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
function RecordingStrip({ from, to }: { readonly from: number; readonly to: number }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const gaps = useTable('gaps', {}).rows;
  const findings = useValueOf('findings', {}, (s) => s.value?.findings ?? []);
  const span = Math.max(60_000, to - from);
  function at(ms: number): string {
    return `${Math.max(0, Math.min(100, ((ms - from) / span) * 100))}%`;
  }
  const summary = t('status.strip', {
    from: formatTime(from),
    to: formatTime(to),
    n: gaps.length,
    found: findings.length,
  });
  return (
    <section className="strip" aria-label={summary}>
      <div className="stripTrack" style={{ width: at(to) }} />
      {gaps.map((gap) => {
        const end = gap.to ?? to;
        const text =
          gap.to === undefined
            ? t('status.gap.open', { source: gap.source, time: formatTime(gap.from), why: gap.text })
            : t('status.gap', { source: gap.source, time: formatDuration(end - gap.from), why: gap.text });
        return (
          <Tip key={gap.id} text={text}>
            <button
              type="button"
              className="stripGap"
              aria-label={text}
              style={{ left: at(gap.from), width: `max(6px, ${((end - gap.from) / span) * 100}%)` }}
              onClick={() => {
                store.setState({ informer: gap.source, informerSegment: 'informers' });
                goTo(store, { tab: 'informers' });
              }}
            />
          </Tip>
        );
      })}
      {findings.map((finding) => (
        <i
          key={finding.id}
          className={`stripTick strip-${finding.severity}`}
          style={{ left: at(Date.parse(finding.openedAt)) }}
          title={finding.title}
        />
      ))}
      {findings.map((finding) =>
        finding.closedAt === undefined ? null : (
          <i
            key={finding.id}
            className="stripTick strip-closed"
            style={{ left: at(Date.parse(finding.closedAt)) }}
          />
        ),
      )}
      <span className="stripStart label">{formatTime(from)}</span>
    </section>
  );
}
