/** The columns of the Timeline. What is about a version has no cell in a line of refused writes or of a run. */
import { type ReactNode, useMemo } from 'react';
import type { ObjectVersion } from '../../../shared/contract/views/objects.ts';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { Column } from '../../widgets/DataGrid.tsx';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { OwnerChip } from '../../widgets/StructuralDiff.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { changeWords, OpWord, writerName } from '../objectWords.tsx';
import { isFailure, lengthWords, resultOf, stretchTime, timeWords } from '../traces/spanWords.ts';
import { useSpanWords } from '../traces/useSpanWords.tsx';
import type { RunRow } from './timelineRuns.ts';

/** `runs`: there are lines of runs among them. */
export function useTimelineColumns(runs: boolean): readonly Column<RunRow>[] {
  const { t, number } = useI18n();
  return useMemo<readonly Column<RunRow>[]>(
    () => [
      {
        id: 'time',
        header: t('timeline.column.time'),
        track: '120px',
        cell: (row) => {
          switch (row.kind) {
            case 'version':
              return <VersionTime version={row.version} nested={row.run !== undefined} />;
            case 'refused':
              return <span className="mono">{stretchTime(row.stretch.from, row.stretch.to)}</span>;
            case 'run':
              return <span className="mono">{timeWords(row.run.start)}</span>;
          }
        },
      },
      {
        id: 'op',
        header: t('timeline.column.op'),
        track: runs ? '112px' : '84px',
        cell: (row) => {
          switch (row.kind) {
            case 'version':
              return <OpWord op={row.version.op} />;
            case 'refused':
              return (
                <span className="refusedWord">
                  <StateGlyph state="failed" size={12} />
                  {t('timeline.refused')}
                </span>
              );
            case 'run':
              return <RunTitle run={row.run} />;
          }
        },
      },
      {
        id: 'writers',
        header: t(runs ? 'timeline.column.writersOrWoken' : 'timeline.column.writers'),
        track: 'minmax(164px, 0.7fr)',
        cell: (row) =>
          row.kind === 'version' ? (
            <Writers version={row.version} />
          ) : row.kind === 'run' ? (
            <RunTrigger run={row.run} />
          ) : null,
      },
      {
        id: 'changes',
        header: t('timeline.column.changes'),
        track: '40px',
        align: 'end',
        dropBelow: runs ? 700 : 620,
        cell: (row) => (row.kind === 'version' ? number(row.version.changes) : null),
      },
      {
        id: 'summary',
        header: t('timeline.column.summary'),
        track: 'minmax(150px, 1.5fr)',
        cell: (row) =>
          row.kind === 'version' ? (
            <Summary version={row.version} />
          ) : row.kind === 'run' ? (
            <RunSummary run={row.run} />
          ) : (
            <span className="inkFailed">
              {t(row.stretch.more ? 'timeline.refused.what.least' : 'timeline.refused.what', {
                n: row.stretch.writes.length,
              })}
            </span>
          ),
      },
      {
        id: 'generation',
        header: t('timeline.column.generation'),
        track: '48px',
        align: 'end',
        dropBelow: runs ? 860 : 704,
        cell: (row) => (row.kind === 'version' ? <Generation row={row} /> : null),
      },
      {
        id: 'rv',
        header: t('events.column.rv'),
        track: '64px',
        align: 'end',
        dropBelow: runs ? 920 : 800,
        cell: (row) =>
          row.kind === 'version' ? (
            <span className="mono tertiary">{row.version.resourceVersion}</span>
          ) : null,
      },
    ],
    [t, number, runs],
  );
}

function RunTitle({ run }: { readonly run: SpanRow }): ReactNode {
  const words = useSpanWords();
  return (
    <span className="runTitle" title={`${words.title(run)}, ${words.result(run)}`}>
      <ResultMark result={resultOf(run)} basis={run.basis.kind} label={words.result(run)} />
      <span className="cut">{words.title(run)}</span>
    </span>
  );
}

function RunTrigger({ run }: { readonly run: SpanRow }): ReactNode {
  const { t } = useI18n();
  const words = useSpanWords();
  return (
    <span className="runTrigger secondary" title={run.trigger?.text}>
      <span className="cut">{words.trigger(run.trigger)}</span>
      {run.triggers > 1 && (
        <span className="tertiary whole">{t('reconciles.events', { n: run.triggers })}</span>
      )}
    </span>
  );
}

/** How long it took; what it wrote, what was not stored, or what went wrong. */
function RunSummary({ run }: { readonly run: SpanRow }): ReactNode {
  const { t } = useI18n();
  const words = useSpanWords();
  const running = resultOf(run) === 'running';
  return (
    <span className="runSummary" title={run.error ?? words.ended(run)}>
      <span className="runTook secondary">{running ? '' : lengthWords(run.durationMs)}</span>
      <RunWords run={run} />
      {run.revisedBy !== undefined && (
        <span
          className="runRevised whole"
          title={t('span.revised.why', { source: run.revisedBy, revision: run.revision })}
        >
          <span aria-hidden="true">r{run.revision}</span>
          <span className="visuallyHidden">{t('span.revised', { source: run.revisedBy })}</span>
        </span>
      )}
    </span>
  );
}

/** The worst first: not stored, failed, how it ended where that is worth a word, then what it wrote. */
function RunWords({ run }: { readonly run: SpanRow }): ReactNode {
  const { t } = useI18n();
  const words = useSpanWords();
  if (run.notStored > 0)
    return <span className="inkFailed cut">{t('timeline.run.refused', { n: run.notStored })}</span>;
  if (isFailure(run.result)) return <span className="inkFailed cut">{run.error ?? words.result(run)}</span>;
  if (run.writes > 0)
    return <span className="secondary cut">{t('timeline.run.wrote', { n: run.writes })}</span>;
  const quiet = run.result === 'success';
  return (
    <span className={quiet ? 'tertiary cut' : 'secondary cut'}>
      {quiet ? t('timeline.run.quiet') : words.result(run)}
    </span>
  );
}

function VersionTime(props: { readonly version: ObjectVersion; readonly nested: boolean }): ReactNode {
  const { t } = useI18n();
  const { version, nested } = props;
  const { lo, hi } = version.at;
  return (
    <span className={nested ? 'versionTime versionNested' : 'versionTime'}>
      {version.afterGap && (
        <Tip text={t('timeline.afterGap')}>
          <i className="gapMark" role="img" aria-label={t('timeline.afterGap.short')} />
        </Tip>
      )}
      <span className="mono" title={t('timeline.between', { from: formatTimeMs(lo), to: formatTimeMs(hi) })}>
        {hi - lo < 1 ? formatTimeMs(hi) : stretchTime(lo, hi)}
      </span>
    </span>
  );
}

/** The first whole, the others counted: names cut short say nothing. */
function Writers({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t, number } = useI18n();
  const [first, ...others] = version.writers;
  if (first === undefined) return <span className="tertiary">{t('timeline.noWriter')}</span>;
  return (
    <span className="writerRow">
      <OwnerChip writer={first} />
      {others.length > 0 && (
        <span className="tertiary writerMore" title={others.map(writerName).join('\n')}>
          {t('timeline.writers.more', { n: number(others.length) })}
        </span>
      )}
    </span>
  );
}

function Summary({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t } = useI18n();
  return (
    <span className="secondary" title={version.summary}>
      {version.metadataOnly && <span className="tertiary">{t('events.metadataOnly')} · </span>}
      {version.summary === '' ? t(`timeline.what.${version.op}`) : changeWords(version.summary)}
    </span>
  );
}

/** The number stands out where it rose: there the spec was changed. */
function Generation({ row }: { readonly row: Extract<RunRow, { kind: 'version' }> }): ReactNode {
  const { t, number } = useI18n();
  const { generation } = row.version;
  if (row.raisedFrom === undefined || generation === undefined)
    return <span className="tertiary">{number(generation)}</span>;
  const words = t('timeline.raised', { from: `${row.raisedFrom}`, to: `${generation}` });
  return (
    <span className="generationRaised" title={words}>
      <i role="img" aria-label={words} />
      {number(generation)}
    </span>
  );
}
