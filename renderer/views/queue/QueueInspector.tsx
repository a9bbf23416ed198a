import { History as HistoryIcon } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { PredictionRow } from '../../../shared/contract/api.ts';
import type { ProcessingRow, QueueSnapshot } from '../../../shared/model/queue.ts';
import { useTable, useValueOf } from '../../client/useEngine.tsx';
import { formatDuration, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { openSpan } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { IconButton, Segmented } from '../../widgets/controls.tsx';
import { KeyValue, Section } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { ModelCheckSection } from '../history/ModelCheck.tsx';
import { RunChip, useLastRun } from '../traces/RunLink.tsx';
import { KeyName, useOpenKey } from './KeyName.tsx';
import { formatStep } from './limiterText.ts';
import { summarize } from './predictionSummary.ts';
import { SnapshotAtContext, useQueueMoment } from './queueMoment.ts';
import { Priority } from './ReadySection.tsx';
import { calm, stubborn } from './WaitingSection.tsx';

const shownPredictions = 40;

/** Beside the queue: what runs, what was predicted and how it came out, the counts. */
export function QueueInspector({ controller }: { readonly controller: string }): ReactNode {
  const snapshot = useValueOf('queue', { controller }, (s) => s.value?.snapshot);
  const doubted = useValueOf('queue', { controller }, (s) => s.value?.doubt !== undefined);
  return (
    <SnapshotAtContext value={snapshot?.at ?? 0}>
      {snapshot !== undefined && (
        <SelectedKey controller={controller} snapshot={snapshot} doubted={doubted} />
      )}
      {snapshot !== undefined && <Processing snapshot={snapshot} />}
      <ModelCheckSection controller={controller} />
      <Predictions controller={controller} />
      {snapshot !== undefined && <Totals snapshot={snapshot} />}
    </SnapshotAtContext>
  );
}

/** The key the queue has selected: how often it failed, when it runs, what one more failure costs. */
function SelectedKey(props: {
  readonly controller: string;
  readonly snapshot: QueueSnapshot;
  readonly doubted: boolean;
}): ReactNode {
  const { controller, snapshot, doubted } = props;
  const { t, number } = useI18n();
  const openKey = useOpenKey();
  const key = useWindow((s) => s.queueKey);
  const failure = snapshot.failures.find((row) => row.key === key);
  const last = useLastRun(controller, key);
  if (key === undefined || (failure === undefined && last === undefined)) return null;
  if (failure === undefined) {
    return (
      <section className="section">
        <div className="runLine selectedKey">
          <h2 className="title cut">{key}</h2>
          <IconButton small label={t('queue.key.open', { key })} onClick={() => openKey(key)}>
            <HistoryIcon size={14} strokeWidth={1.75} />
          </IconButton>
        </div>
        {last !== undefined && <RunChip row={last} role={t('span.last')} />}
      </section>
    );
  }
  return (
    <section className="section">
      <div className="runLine selectedKey">
        <StateGlyph state={failure.failures > stubborn ? 'failed' : 'degraded'} size={16} />
        <h2 className="title cut">{key}</h2>
        <IconButton small label={t('queue.key.open', { key })} onClick={() => openKey(key)}>
          <HistoryIcon size={14} strokeWidth={1.75} />
        </IconButton>
      </div>
      <KeyValue
        items={[
          [
            t('queue.key.failures'),
            failure.certain
              ? number(failure.failures)
              : t(doubted ? 'queue.key.about' : 'queue.key.atLeast', { n: failure.failures }),
          ],
          failure.lastErrorAt !== undefined && [
            t('queue.key.lastError'),
            <span key="error" className="mono">
              {formatTime(failure.lastErrorAt)}
            </span>,
          ],
          failure.lastError !== undefined && [
            t('queue.key.error'),
            <span key="text" className="keyError">
              {failure.lastError}
            </span>,
          ],
          failure.nextRunAt !== undefined && [
            t('queue.key.nextRun'),
            <span key="run">
              <span className="mono">{formatTime(failure.nextRunAt)}</span>{' '}
              <span className="tertiary">
                <Countdown at={failure.nextRunAt} />
              </span>
            </span>,
          ],
          [t('queue.key.nextDelay'), t('queue.key.delay', { time: formatStep(failure.nextDelayMs) })],
        ]}
      />
      {last !== undefined && (
        <p className="runLinks">
          <RunChip row={last} role={t('span.last')} />
        </p>
      )}
    </section>
  );
}

function Countdown({ at }: { readonly at: number }): ReactNode {
  const { t } = useI18n();
  const now = useQueueMoment(250);
  return at - now < 10 ? t('queue.outcome.due') : t('queue.outcome.open', { time: calm(at - now) });
}

function Processing({ snapshot }: { readonly snapshot: QueueSnapshot }): ReactNode {
  const { t, number } = useI18n();
  const { processing, workers } = snapshot;
  return (
    <section className="section">
      <div className="queueHead inspectorCount">
        <h2 className="queueCount">
          <span className="countBigger">{processing.length}</span> {t('queue.processing')}
        </h2>
        <span className="small secondary queueEnd">
          {t('queue.processing.busy', { busy: number(processing.length), n: workers })}
        </span>
      </div>
      {processing.length === 0 && <p className="small tertiary">{t('queue.processing.none')}</p>}
      {processing.map((row) => (
        <Run key={row.key} controller={snapshot.controller} row={row} />
      ))}
    </section>
  );
}

function Run(props: { readonly controller: string; readonly row: ProcessingRow }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const { row } = props;
  const current = useLastRun(props.controller, row.key);
  const now = useQueueMoment(250);
  const running = Math.max(0, now - row.since);
  const slow = row.usualMs !== undefined && running > row.usualMs * 2;
  const scale = Math.max(running, (row.usualMs ?? running) * 4, 1);
  return (
    <div className="run">
      <div className="runLine">
        {current !== undefined && current.end === undefined ? (
          <button type="button" className="textLink" onClick={() => openSpan(store, current)}>
            <KeyName name={row.key} />
          </button>
        ) : (
          <KeyName name={row.key} />
        )}
        <Priority value={row.priority} />
        <BasisMark basis={row.basis} show="mark" why={row.wokenBy.text} />
        <strong className="runTime">{calm(running)}</strong>
      </div>
      <div className="runLine">
        <span className="runTrack">
          <span
            className={slow ? 'runBar runSlow' : 'runBar'}
            style={{ width: `${(running / scale) * 100}%` }}
          />
          {row.usualMs !== undefined && (
            <i className="runUsual" style={{ left: `${(row.usualMs / scale) * 100}%` }} />
          )}
        </span>
        <span className="label runNote">
          {row.usualMs === undefined
            ? ''
            : t(slow ? 'queue.processing.slow' : 'queue.processing.usual', {
                time: formatDuration(row.usualMs),
              })}
        </span>
      </div>
    </div>
  );
}

function Predictions({ controller }: { readonly controller: string }): ReactNode {
  const { t, number } = useI18n();
  const { rows } = useTable('predictions', { controller });
  const key = useWindow((s) => s.queueKey);
  const [scope, setScope] = useState<'all' | 'key'>('all');
  const own = scope === 'key' && key !== undefined;
  const shown = useMemo(
    () =>
      rows
        .filter((row) => !own || row.prediction.key === key)
        .sort((a, b) => b.prediction.predictedAt - a.prediction.predictedAt),
    [rows, own, key],
  );
  const summary = summarize(shown);
  return (
    <Section
      big
      title={t('queue.predictions')}
      end={
        key === undefined || rows.length === 0 ? (
          t('queue.predictions.stored')
        ) : (
          <Segmented<'all' | 'key'>
            label={t('queue.predictions.scope')}
            value={scope}
            options={[
              { value: 'all', label: t('queue.predictions.all') },
              { value: 'key', label: t('queue.predictions.key') },
            ]}
            onChange={setScope}
          />
        )
      }
    >
      {rows.length === 0 ? (
        <p className="small tertiary">{t('queue.predictions.none')}</p>
      ) : (
        <>
          {summary.judged > 0 && (
            <p className="small predictionVerdict">
              <StateGlyph state={summary.missed > 0 ? 'degraded' : 'ok'} size={12} />
              {t('queue.predictions.verdict', {
                hit: number(summary.hit),
                n: summary.judged,
                max: formatDuration(summary.largestErrorMs),
              })}
            </p>
          )}
          <table className="predictionTable">
            <thead>
              <tr>
                <th scope="col">{t('queue.column.key')}</th>
                <th scope="col" className="number">
                  {t('queue.predictions.attempt')}
                </th>
                <th scope="col" className="number">
                  {t('queue.predictions.at')}
                </th>
                <th scope="col" className="number">
                  {t('queue.predictions.result')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, shownPredictions).map((row) => (
                <tr key={row.prediction.id}>
                  <td className="predictionKey cut">
                    <KeyName name={row.prediction.key} />
                  </td>
                  <td className="number">{row.prediction.attempt + 1}</td>
                  <td className="number mono">{formatTime(row.prediction.predictedAt)}</td>
                  <td className="number">
                    <Outcome row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  );
}

function Outcome({ row }: { readonly row: PredictionRow }): ReactNode {
  const { t } = useI18n();
  const now = useQueueMoment(1000);
  const { outcome, prediction } = row;
  if (outcome === undefined) {
    const left = prediction.predictedAt - now;
    return (
      <span className="predicted">
        {left < 10 ? t('queue.outcome.due') : t('queue.outcome.open', { time: calm(left) })}
      </span>
    );
  }
  switch (outcome.kind) {
    case 'hit':
      return <span className="inkOk">{t('queue.outcome.hit', { time: signed(outcome.errorMs) })}</span>;
    case 'missed':
      return (
        <span className="inkDegraded">{t('queue.outcome.missed', { time: signed(outcome.errorMs) })}</span>
      );
    case 'superseded':
    case 'unobserved':
      return (
        <Tip text={outcome.because}>
          <span className="tertiary">{t(`queue.outcome.${outcome.kind}`)}</span>
        </Tip>
      );
  }
}

/** `+1.2 ms`, `−40 ms`: later is plus. */
function signed(ms: number): string {
  const size = Math.abs(ms);
  // Receipt of a log line is no better than a tenth of a millisecond.
  return `${ms < 0 ? '−' : '+'}${size < 10 ? `${size.toFixed(1)} ms` : formatDuration(size)}`;
}

function Totals({ snapshot }: { readonly snapshot: QueueSnapshot }): ReactNode {
  const { t, number } = useI18n();
  const { totals, startedAt, evidence } = snapshot;
  return (
    <Section
      title={
        startedAt === undefined ? t('queue.totals') : t('queue.totals.start', { time: formatTime(startedAt) })
      }
      end={t(`queue.evidence.${evidence}`)}
    >
      <KeyValue
        items={(['adds', 'retries', 'collapsed', 'runs', 'error'] as const).map(
          (name) =>
            [
              t(`queue.totals.${name}`),
              <span key={name} className="tabular">
                {number(totals[name])}
              </span>,
            ] as const,
        )}
      />
    </Section>
  );
}
