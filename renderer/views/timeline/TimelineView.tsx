import { ArrowUp, History as HistoryIcon, SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ObjectHistory, ObjectVersion } from '../../../shared/contract/views/objects.ts';
import type { SpanRow } from '../../../shared/model/trace.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useEngine, useTableOf, useValue, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { versionSchema } from '../../state/listSchemas.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { type HistoryMode, selectSpan } from '../../state/windowState.ts';
import { writeClipboard } from '../../widgets/Copy.tsx';
import { Button, KeyHint, Pill, Segmented } from '../../widgets/controls.tsx';
import { DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { NoObject } from '../NoObject.tsx';
import { ObjectHead } from '../ObjectHead.tsx';
import { useHeld } from '../traces/held.ts';
import { newestFirst } from '../traces/runOrder.ts';
import { SpanInspector } from '../traces/SpanInspector.tsx';
import { useRunSteps } from '../traces/useRunSteps.ts';
import { AskedInspector, type AskedKey } from './AskedInspector.tsx';
import { FailingLine } from './FailingLine.tsx';
import { RefusedInspector } from './RefusedInspector.tsx';
import { useTimelineColumns } from './timelineColumns.tsx';
import { type RunRow, runChosenFirst, timelineRuns } from './timelineRuns.ts';
import { modeShown } from './timelineWords.ts';
import { VersionInspector } from './VersionInspector.tsx';
import './timeline.css';

/** Runs that are asked for; the list of the controller has the others. */
const runLimit = 1000;

/** Every version of one object, who wrote it and what changed; between them, writes that were refused. */
export function TimelineView(): ReactNode {
  const key = useWindow((s) => s.place.object);
  if (key === undefined)
    return (
      <ViewFrame tab="timeline">
        <NoObject tab="timeline" icon={<HistoryIcon size={20} strokeWidth={1.75} />} />
      </ViewFrame>
    );
  return <ObjectTimeline key={key} objectKey={key} />;
}

function ObjectTimeline({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const snapshot = useValue('history', { key: objectKey });
  const wanted = useWindow((s) => s.version);
  const wantedMode = useWindow((s) => s.historyMode);
  const [asked, setAsked] = useState(false);
  const grid = useRef<GridHandle>(null);
  const [wantedStretch, setStretch] = useState<string | undefined>(undefined);
  const writes = useValue('conditions', { key: objectKey }).value;
  const spans = useTableOf('spans', { object: objectKey, text: '', limit: runLimit }, ({ rows }) => rows);
  const runs = useMemo(() => newestFirst(spans), [spans]);
  const columns = useTimelineColumns(runs.length > 0);
  const [asking, setAsking] = useState<AskedKey | undefined>(undefined);
  // Opening is what upgrades a kind that was watched as metadata only; the stream shows how that goes.
  useEffect(() => {
    engine.call('object.open', { key: objectKey }).catch(() => undefined);
  }, [engine, objectKey]);
  // In the order they were received, whatever order they come in.
  const history = useMemo(() => snapshot.value && oldestFirst(snapshot.value), [snapshot.value]);
  const versions = useMemo(() => [...(history?.versions ?? [])].reverse(), [history?.versions]);
  const filter = useListFilter('timeline', versionSchema);
  const shown = useMemo(() => versions.filter(filter.test), [versions, filter]);
  // A filter asks for versions: what was refused is none.
  const lines = useMemo(() => {
    const all = timelineRuns(
      objectKey,
      history?.versions ?? [],
      writes?.writes ?? [],
      writes?.writesTotal ?? 0,
      runs,
    );
    return filter.all ? all : all.filter((row) => row.kind === 'version' && filter.test(row.version));
  }, [objectKey, history?.versions, writes, runs, filter]);
  const [away, setAway] = useState(false);
  const { rows, fresh } = useHeld<RunRow>(lines, away);
  const toLive = () => {
    setAway(false);
    grid.current?.scrollToIndex(0);
  };
  useViewAction('live', away ? toLive : undefined);
  const stretch = rows.find((row) => row.kind === 'refused' && row.id === wantedStretch);
  const chosen = versions.find((version) => version.seq === wanted) ?? versions[0];
  const chosenRun = useChosenRun(objectKey, runs);
  const runId =
    chosenRun ?? (wanted === undefined && !asked ? runChosenFirst(rows, versions.length) : undefined);
  const mode = modeShown(wantedMode, versions.length, asked);
  function setMode(historyMode: HistoryMode) {
    setAsked(true);
    setStretch(undefined);
    setAsking(undefined);
    store.setState({ historyMode, span: undefined });
  }
  function show(next: HistoryMode) {
    return () => setMode(next);
  }
  useViewAction('diff', show('diff'));
  useViewAction('yaml', show('yaml'));
  useViewAction('owners', show('owners'));
  useRunSteps(runs, runId, (row) => {
    setStretch(undefined);
    setAsking(undefined);
    selectSpan(store, row.id);
    grid.current?.scrollToIndex(rows.findIndex((line) => line.id === row.id));
  });
  // Of a run its inspector copies the link.
  useViewAction(
    'copy',
    chosen === undefined || runId !== undefined ? undefined : () => void writeClipboard(versionText(chosen)),
  );
  return (
    <ViewFrame
      tab="timeline"
      inspectorWidth={400}
      head={
        <ObjectHead
          objectKey={objectKey}
          end={
            history !== undefined && (
              <>
                {fresh > 0 && (
                  <Button small icon={<ArrowUp size={14} strokeWidth={1.75} />} onClick={toLive}>
                    {t('events.new', { n: fresh })}
                    <KeyHint keys="L" />
                  </Button>
                )}
                <FilterField
                  fold
                  className="listFilter"
                  label={t('timeline.filter')}
                  {...filter.field}
                  count={{ shown: shown.length, n: versions.length }}
                  onList={() => grid.current?.focus()}
                />
                <Segmented<HistoryMode>
                  label={t('timeline.mode')}
                  value={mode}
                  options={[
                    { value: 'diff', label: t('timeline.diff') },
                    { value: 'yaml', label: t('timeline.yaml') },
                    { value: 'owners', label: t('timeline.owners') },
                  ]}
                  onChange={setMode}
                />
              </>
            )
          }
        >
          {history !== undefined && <Marks history={history} runs={runs.length} />}
        </ObjectHead>
      }
      inspector={
        asking !== undefined ? (
          <AskedInspector asked={asking} onClose={() => setAsking(undefined)} />
        ) : stretch?.kind === 'refused' ? (
          <RefusedInspector objectKey={objectKey} stretch={stretch.stretch} />
        ) : runId !== undefined ? (
          <SpanInspector id={runId} />
        ) : chosen === undefined || history === undefined ? undefined : (
          <VersionInspector history={history} version={chosen} mode={mode} />
        )
      }
    >
      {snapshot.state === 'failed' && <ProblemLine text={t('state.failed', { why: snapshot.error ?? '' })} />}
      {history !== undefined && (
        <FailingLine
          object={history.object}
          last={runs[0]}
          asking={asking !== undefined}
          onAsk={(key) => setAsking(asking === undefined ? key : undefined)}
        />
      )}
      {history === undefined ? (
        snapshot.state === 'failed' ? null : (
          <Skeleton lines={8} />
        )
      ) : (
        <DataGrid
          handle={grid}
          label={t('tab.timeline')}
          id="timeline"
          columns={columns}
          rows={rows}
          highlight={filter.words}
          rowKey={(row) => row.id}
          rowHeight={32}
          selected={stretch?.id ?? runId ?? chosen?.seq}
          onSelect={(row) => {
            setStretch(row.kind === 'refused' ? row.id : undefined);
            setAsking(undefined);
            if (row.kind === 'version') store.setState({ version: row.id, span: undefined });
            if (row.kind === 'run') selectSpan(store, row.id);
          }}
          rowClass={rowClass}
          onScrollTop={(top) => setAway(top > 2)}
          empty={
            filter.all ? (
              <EmptyState icon={<SearchX size={20} strokeWidth={1.75} />} title={t('timeline.empty.title')}>
                {t('timeline.empty')}
              </EmptyState>
            ) : (
              <NoMatch text={filter.text} onClear={filter.clear} />
            )
          }
        />
      )}
    </ViewFrame>
  );
}

/**
 * The run that is chosen in the window, unless it is one of another object. One that is not among the newest is shown all
 * the same: a link or the list of the controller led to it.
 */
function useChosenRun(objectKey: string, runs: readonly SpanRow[]): string | undefined {
  const id = useWindow((s) => s.span);
  const known = runs.some((run) => run.id === id);
  const elsewhere = useValueOf('span', id === undefined || known ? undefined : { id }, ({ value }) => {
    const object = value?.span?.object;
    return object !== undefined && object !== objectKey;
  });
  return elsewhere ? undefined : id;
}

function rowClass(row: RunRow): string {
  if (row.kind === 'run') return 'timelineRun';
  return row.kind === 'version' && row.version.afterGap ? 'versionAfterGap' : '';
}

function oldestFirst(history: ObjectHistory): ObjectHistory {
  return { ...history, versions: [...history.versions].sort((a, b) => a.seq - b.seq) };
}

/** How many versions there are, and what of the object is not read. */
function Marks(props: { readonly history: ObjectHistory; readonly runs: number }): ReactNode {
  const { t } = useI18n();
  const { versions, detail, upgrading } = props.history;
  return (
    <>
      {upgrading ? (
        <Tip text={t('timeline.upgrading.why')}>
          <span className="pillTip">
            <Pill tone="progressing" glyph="progressing">
              {t('timeline.upgrading')}
            </Pill>
          </span>
        </Tip>
      ) : (
        detail === 'metadata' && (
          <Tip text={t('timeline.metadata.why')}>
            <span className="pillTip">
              <Pill tone="neutral">{t('timeline.metadata')}</Pill>
            </span>
          </Tip>
        )
      )}
      <span className="small secondary versionsCount">{t('timeline.versions', { n: versions.length })}</span>
      {props.runs > 0 && (
        <span className="small secondary versionsCount">{t('timeline.runs', { n: props.runs })}</span>
      )}
    </>
  );
}

function versionText(version: ObjectVersion): string {
  const writers = version.writers.map((writer) => writer.manager).join(', ');
  return [
    new Date(version.at.hi).toISOString(),
    version.op,
    version.resourceVersion,
    writers,
    version.summary,
  ].join('\t');
}
