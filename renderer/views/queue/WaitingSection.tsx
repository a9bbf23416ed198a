import { type ReactNode, useMemo, useState } from 'react';
import type { QueueSnapshot, WaitingRow } from '../../../shared/model/queue.ts';
import { formatCountdown, formatDuration, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button } from '../../widgets/controls.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { KeyName, useOpenKey } from './KeyName.tsx';
import { AxisHead, AxisLine } from './LogAxis.tsx';
import { createLogScale } from './logScale.ts';
import { useQueueMoment } from './queueMoment.ts';

const shownAtFirst = 12;
/** Above this many failures a key is red: it does not get better by itself. */
export const stubborn = 10;

export interface WaitingSectionProps {
  readonly snapshot: QueueSnapshot;
  readonly selected: string | undefined;
}

/** Delayed keys, earliest first, on a logarithmic axis that runs towards "due". */
export function WaitingSection({ snapshot, selected }: WaitingSectionProps): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const openKey = useOpenKey();
  const [all, setAll] = useState(false);
  const { waiting, limiterStepsMs, failures } = snapshot;
  const guessed = useMemo(
    () => new Set(failures.flatMap((row) => (row.certain ? [] : [row.key]))),
    [failures],
  );
  const scale = useMemo(() => createLogScale(limiterStepsMs), [limiterStepsMs]);
  const columns = useMemo<readonly Column<WaitingRow>[]>(
    () => [
      {
        id: 'state',
        header: <span className="visuallyHidden">{t('informers.column.state')}</span>,
        track: '12px',
        cell: (row) => (
          <StateGlyph
            state={row.failures > stubborn ? 'failed' : row.failures > 0 ? 'degraded' : 'ok'}
            size={12}
          />
        ),
      },
      {
        id: 'key',
        header: t('queue.column.key'),
        track: 'minmax(120px, 0.9fr)',
        cell: (row) => <KeyName name={row.key} />,
      },
      {
        id: 'failures',
        header: t('queue.column.failures'),
        track: '52px',
        align: 'end',
        cell: (row) => <Failures row={row} guessed={guessed.has(row.key)} onOpen={openKey} />,
      },
      {
        id: 'runsIn',
        header: t('queue.column.runsIn'),
        track: '64px',
        align: 'end',
        cell: (row) => <Left at={row.readyAt} />,
      },
      {
        id: 'why',
        header: t('queue.column.why'),
        track: '58px',
        cell: (row) => <span className="secondary">{t(`queue.why.${row.why}`)}</span>,
      },
      {
        id: 'axis',
        header: <AxisHead scale={scale} stepsMs={limiterStepsMs} />,
        track: 'minmax(190px, 2.1fr)',
        dropBelow: 520,
        cell: (row) => <WaitingAxis row={row} scale={scale} />,
      },
    ],
    [t, scale, limiterStepsMs, guessed, openKey],
  );
  const rows = all ? waiting : waiting.slice(0, shownAtFirst);
  return (
    <section className="queueSection">
      <div className="queueHead">
        <h2 className="queueCount">
          <span className="countBigger">{number(waiting.length)}</span> {t('queue.waiting')}
        </h2>
        <p className="small secondary queueSentence">
          <NextSentence waiting={waiting} />
          <Failing waiting={waiting} />
        </p>
      </div>
      {waiting.length > 0 && (
        <>
          <DataGrid
            fit="content"
            className="waitingGrid"
            label={t('queue.waiting')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.key}
            rowHeight={28}
            selected={selected}
            onSelect={(row) => store.setState({ queueKey: row.key })}
            onOpen={(row) => openKey(row.key)}
          />
          <div className="queueLegend label">
            {rows.length < waiting.length && (
              <Button small kind="quiet" onClick={() => setAll(true)}>
                {t('queue.more', { n: waiting.length })}
              </Button>
            )}
            <span className="queueLegendEnd">
              <span>{t('queue.axis.due')}</span>
              <Cut text={t('queue.axis.legend')} />
            </span>
          </div>
        </>
      )}
    </section>
  );
}

/** The count leads to the last of them: the run that the Timeline of the key begins with. */
function Failures(props: {
  readonly row: WaitingRow;
  readonly guessed: boolean;
  readonly onOpen: (key: string) => void;
}): ReactNode {
  const { t } = useI18n();
  const { row, guessed, onOpen } = props;
  if (row.failures === 0) return missing;
  return (
    <button
      type="button"
      // The grid is one stop: by key the row is opened.
      tabIndex={-1}
      className={row.failures > stubborn ? 'textLink inkFailed' : 'textLink'}
      title={t('queue.failures.open', { key: row.key })}
      onClick={() => onOpen(row.key)}
    >
      {`${guessed ? '~' : ''}${row.failures}`}
    </button>
  );
}

function NextSentence({ waiting }: { readonly waiting: readonly WaitingRow[] }): ReactNode {
  const { t } = useI18n();
  const now = useQueueMoment(250);
  const [next] = waiting;
  if (next === undefined) return t('queue.waiting.none');
  const left = next.readyAt - now;
  return left < 10
    ? t('queue.waiting.due', { key: next.key })
    : t('queue.waiting.next', { key: next.key, time: calm(left) });
}

/** The red half of the sentence: keys that fail again and again, keys at the cap. */
function Failing({ waiting }: { readonly waiting: readonly WaitingRow[] }): ReactNode {
  const { t } = useI18n();
  const failing = waiting.filter((row) => row.failures > stubborn);
  const parked = waiting.filter((row) => row.why === 'atCap');
  if (failing.length === 0 && parked.length === 0) return null;
  const parts = [
    failing.length === 0
      ? ''
      : failing.length === 1
        ? t('queue.failing.one', { key: failing[0]?.key ?? '' })
        : t('queue.failing.many', { n: failing.length }),
    parked.length === 0
      ? ''
      : parked.length === 1
        ? t('queue.parked.one', { key: parked[0]?.key ?? '' })
        : t('queue.parked.many', { n: parked.length }),
  ];
  return <span className="inkFailed"> {parts.filter((part) => part !== '').join(' ')}</span>;
}

function Left({ at }: { readonly at: number }): ReactNode {
  const { t } = useI18n();
  const now = useQueueMoment(250);
  const left = at - now;
  return <strong>{left < 10 ? t('nav.key.due') : formatCountdown(left)}</strong>;
}

function WaitingAxis(props: {
  readonly row: WaitingRow;
  readonly scale: ReturnType<typeof createLogScale>;
}): ReactNode {
  const { t } = useI18n();
  const now = useQueueMoment(250);
  const { row, scale } = props;
  const left = Math.max(0, row.readyAt - now);
  const tone = row.why === 'after' ? 'progressing' : row.failures > stubborn ? 'failed' : 'degraded';
  return (
    <AxisLine
      scale={scale}
      leftMs={left}
      delayMs={row.delayMs}
      tone={tone}
      label={t('queue.axis.label', { left: calm(left), delay: formatDuration(row.delayMs) })}
    />
  );
}

/** What runs down on screen: tenths below ten seconds, then whole seconds, so that it never flickers. */
export function calm(ms: number): string {
  if (ms < 1000) return formatDuration(Math.round(ms));
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s`;
  return formatDuration(Math.floor(ms / 1000) * 1000);
}
