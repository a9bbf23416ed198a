/** The columns of the reconcile list. Also where a run stands among other lines: its result and its length. */
import { type ReactNode, useMemo } from 'react';
import type { SpanRow, Within } from '../../../shared/model/trace.ts';
import { formatDuration, missing } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import type { Column } from '../../widgets/DataGrid.tsx';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { KeyName } from '../queue/KeyName.tsx';
import { barOf, isFailure, lengthWords, resultOf, timeWords } from './spanWords.ts';
import { useSpanWords } from './useSpanWords.tsx';

export function useReconcileColumns(): readonly Column<SpanRow>[] {
  const { t, number } = useI18n();
  const words = useSpanWords();
  return useMemo<readonly Column<SpanRow>[]>(
    () => [
      {
        id: 'time',
        header: t('reconciles.column.time'),
        track: '98px',
        cell: (row) => <span className="mono secondary">{timeWords(row.start)}</span>,
      },
      {
        id: 'key',
        header: t('reconciles.column.key'),
        track: 'minmax(104px, 1fr)',
        compare: (a, b) => a.key.localeCompare(b.key),
        cell: (row) => <KeyName name={row.key} />,
      },
      {
        id: 'result',
        header: t('reconciles.column.result'),
        track: 'minmax(108px, 0.8fr)',
        compare: (a, b) => resultOf(a).localeCompare(resultOf(b)),
        cell: (row) => <ResultCell row={row} />,
      },
      {
        id: 'trigger',
        header: t('reconciles.column.trigger'),
        track: 'minmax(120px, 1.3fr)',
        dropBelow: 622,
        cell: (row) => (
          <span className="runTrigger secondary" title={row.trigger?.text}>
            <span className="cut">{words.trigger(row.trigger)}</span>
            {row.triggers > 1 && (
              <span className="tertiary whole">{t('reconciles.events', { n: row.triggers })}</span>
            )}
          </span>
        ),
      },
      {
        id: 'wait',
        header: t('reconciles.column.wait'),
        track: '64px',
        align: 'end',
        dropBelow: 814,
        compare: (a, b) => (a.waitMs?.hi ?? -1) - (b.waitMs?.hi ?? -1),
        cell: (row) => <span className="secondary">{lengthWords(row.waitMs)}</span>,
      },
      {
        id: 'duration',
        header: t('reconciles.column.duration'),
        track: '126px',
        align: 'end',
        compare: (a, b) => (a.durationMs?.hi ?? -1) - (b.durationMs?.hi ?? -1),
        cell: (row) =>
          resultOf(row) === 'running' ? (
            <SoFar since={row.start.hi} />
          ) : (
            <Length length={row.durationMs} failed={isFailure(row.result)} />
          ),
      },
      {
        id: 'writes',
        header: t('reconciles.column.writes'),
        track: '48px',
        align: 'end',
        dropBelow: 682,
        compare: (a, b) => a.writes + a.notStored - (b.writes + b.notStored),
        cell: (row) => <Writes row={row} />,
      },
      {
        id: 'failures',
        header: t('reconciles.column.failures'),
        track: '52px',
        align: 'end',
        dropBelow: 878,
        compare: (a, b) => a.failures - b.failures,
        cell: (row) =>
          row.failures === 0 ? (
            <span className="tertiary">{missing}</span>
          ) : (
            <span className={row.failures > 10 ? 'inkFailed' : ''}>{number(row.failures)}</span>
          ),
      },
      {
        id: 'known',
        header: t('reconciles.column.known'),
        track: '44px',
        dropBelow: 738,
        cell: (row) => <Known row={row} />,
      },
    ],
    [t, number, words],
  );
}

export function ResultCell({ row }: { readonly row: SpanRow }): ReactNode {
  const words = useSpanWords();
  return (
    <span className={isFailure(row.result) ? 'runResult inkFailed' : 'runResult'} title={row.error}>
      <ResultMark result={resultOf(row)} basis={row.basis.kind} />
      <span className="cut">{words.result(row)}</span>
    </span>
  );
}

/** The bar on an axis of decades, the number beside it: what is certain solid, what is possible lighter. */
function Length(props: { readonly length: Within | undefined; readonly failed: boolean }): ReactNode {
  const { length, failed } = props;
  if (length === undefined) return <span className="tertiary">{missing}</span>;
  const [sure, most] = [barOf(length.lo), barOf(length.hi)];
  return (
    <span className={failed ? 'runLength runLengthFailed' : 'runLength'}>
      <span className="runLengthTrack" aria-hidden="true">
        <i className="runLengthMost" style={{ width: `${most * 100}%` }} />
        <i style={{ width: `${sure * 100}%` }} />
      </span>
      <span className="runLengthText">{lengthWords(length)}</span>
    </span>
  );
}

/** Of what still runs. */
function SoFar({ since }: { readonly since: number }): ReactNode {
  const now = useMoment(250);
  // Not connected, the moment stands before what came last.
  return <span className="inkProgressing">{now < since ? missing : formatDuration(now - since)}</span>;
}

function Writes({ row }: { readonly row: SpanRow }): ReactNode {
  const { t, number } = useI18n();
  if (row.writes + row.notStored === 0) return <span className="tertiary">{missing}</span>;
  const said = t('reconciles.writes', { stored: number(row.writes), refused: number(row.notStored) });
  return (
    <span title={said}>
      <span aria-hidden="true">
        {row.writes > 0 && number(row.writes)}
        {row.notStored > 0 && (
          <span className="inkFailed runRefused">
            {'✕'}
            {number(row.notStored)}
          </span>
        )}
      </span>
      <span className="visuallyHidden">{said}</span>
    </span>
  );
}

/** How it is known; that late records changed it. */
function Known({ row }: { readonly row: SpanRow }): ReactNode {
  const { t } = useI18n();
  return (
    <span className="runKnown">
      <BasisMark basis={row.basis} show="mark" />
      {row.revisedBy !== undefined && (
        <Tip text={t('span.revised.why', { source: row.revisedBy, revision: row.revision })}>
          <span className="runRevised">
            <span aria-hidden="true">r{row.revision}</span>
            <span className="visuallyHidden">{t('span.revised', { source: row.revisedBy })}</span>
          </span>
        </Tip>
      )}
    </span>
  );
}
