import { History as HistoryIcon, SearchX } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ObjectHistory, ObjectVersion } from '../../../shared/contract/views/objects.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useEngine, useValue } from '../../client/useEngine.tsx';
import { formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { versionSchema } from '../../state/listSchemas.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import type { HistoryMode } from '../../state/windowState.ts';
import { CopyIconButton, writeClipboard } from '../../widgets/Copy.tsx';
import { Button, Kbd, Pill, Segmented } from '../../widgets/controls.tsx';
import { type Column, DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { changeWords, OpWord, WriterName } from '../objectWords.tsx';
import { FailingLine } from './FailingLine.tsx';
import { modeShown } from './historyWords.ts';
import { VersionInspector } from './VersionInspector.tsx';
import './history.css';

/** Every version of one object, who wrote it and what changed. */
export function HistoryView(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const key = useWindow((s) => s.place.object);
  if (key === undefined) {
    return (
      <ViewFrame tab="timeline">
        <EmptyState
          icon={<HistoryIcon size={20} strokeWidth={1.75} />}
          title={t('history.none.title')}
          actions={
            <Button onClick={() => store.setState({ paletteOpen: true })}>
              {t('history.none.search')}
              <Kbd keys="Mod+K" />
            </Button>
          }
        >
          {t('history.none')}
        </EmptyState>
      </ViewFrame>
    );
  }
  return <ObjectHistoryView key={key} objectKey={key} />;
}

function ObjectHistoryView({ objectKey }: { readonly objectKey: string }): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const snapshot = useValue('history', { key: objectKey });
  const wanted = useWindow((s) => s.version);
  const wantedMode = useWindow((s) => s.historyMode);
  const [asked, setAsked] = useState(false);
  const grid = useRef<GridHandle>(null);
  const columns = useColumns();
  // Opening is what upgrades a kind that was watched as metadata only; the stream shows how that goes.
  useEffect(() => {
    engine.call('object.open', { key: objectKey }).catch(() => undefined);
  }, [engine, objectKey]);
  // In the order they were received, whatever order they come in.
  const history = useMemo(() => snapshot.value && oldestFirst(snapshot.value), [snapshot.value]);
  const newestFirst = useMemo(() => [...(history?.versions ?? [])].reverse(), [history?.versions]);
  const filter = useListFilter('timeline', versionSchema);
  const shown = useMemo(() => newestFirst.filter(filter.test), [newestFirst, filter]);
  const chosen = newestFirst.find((version) => version.seq === wanted) ?? newestFirst[0];
  const mode = modeShown(wantedMode, newestFirst.length, asked);
  function setMode(historyMode: HistoryMode) {
    setAsked(true);
    store.setState({ historyMode });
  }
  function show(next: HistoryMode) {
    return () => setMode(next);
  }
  useViewAction('diff', show('diff'));
  useViewAction('yaml', show('yaml'));
  useViewAction('owners', show('owners'));
  useViewAction('copy', chosen === undefined ? undefined : () => void writeClipboard(versionText(chosen)));
  return (
    <ViewFrame
      tab="timeline"
      inspectorWidth={440}
      head={
        history === undefined ? (
          <span className="tertiary">{objectKey}</span>
        ) : (
          <HistoryHead
            history={history}
            mode={mode}
            onMode={setMode}
            filter={
              <FilterField
                fold
                className="listFilter"
                label={t('history.filter')}
                {...filter.field}
                count={{ shown: shown.length, n: newestFirst.length }}
                onList={() => grid.current?.focus()}
              />
            }
          />
        )
      }
      inspector={
        chosen === undefined || history === undefined ? undefined : (
          <VersionInspector history={history} version={chosen} mode={mode} />
        )
      }
    >
      {snapshot.state === 'failed' && <ProblemLine text={t('state.failed', { why: snapshot.error ?? '' })} />}
      {history !== undefined && <FailingLine object={history.object} />}
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
          rows={shown}
          highlight={filter.words}
          rowKey={(version) => version.seq}
          rowHeight={32}
          selected={chosen?.seq}
          onSelect={(version) => store.setState({ version: version.seq })}
          rowClass={(version) => (version.afterGap ? 'versionAfterGap' : '')}
          empty={
            filter.all ? (
              <EmptyState icon={<SearchX size={20} strokeWidth={1.75} />} title={t('history.empty.title')}>
                {t('history.empty')}
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

function oldestFirst(history: ObjectHistory): ObjectHistory {
  return { ...history, versions: [...history.versions].sort((a, b) => a.seq - b.seq) };
}

function HistoryHead(props: {
  readonly history: ObjectHistory;
  readonly mode: HistoryMode;
  readonly onMode: (mode: HistoryMode) => void;
  readonly filter: ReactNode;
}): ReactNode {
  const { t } = useI18n();
  const { object, versions, detail, upgrading } = props.history;
  const last = versions.at(-1);
  const gone = last !== undefined && (last.op === 'deleted' || last.op === 'vanished') ? last : undefined;
  return (
    <>
      <nav className="crumbs">
        <span className="secondary">{object.kind}</span>
        {object.namespace !== '' && (
          <>
            <i>/</i>
            <span className="secondary">{object.namespace}</span>
          </>
        )}
        <i>/</i>
        <h2 className="title cut" title={object.name}>
          {object.name}
        </h2>
        <CopyIconButton text={object.name} label={t('history.copyName')} />
      </nav>
      {gone !== undefined && (
        <Pill tone="unknown" glyph="deleting">
          {t('history.deleted', { time: formatTime(gone.at.hi) })}
        </Pill>
      )}
      {upgrading ? (
        <Tip text={t('history.upgrading.why')}>
          <span>
            <Pill tone="progressing" glyph="progressing">
              {t('history.upgrading')}
            </Pill>
          </span>
        </Tip>
      ) : (
        detail === 'metadata' && (
          <Tip text={t('history.metadata.why')}>
            <span>
              <Pill tone="neutral">{t('history.metadata')}</Pill>
            </span>
          </Tip>
        )
      )}
      <span className="small secondary versionsCount">{t('history.versions', { n: versions.length })}</span>
      <div className="viewHeadEnd">
        {props.filter}
        <Segmented<HistoryMode>
          label={t('history.mode')}
          value={props.mode}
          options={[
            { value: 'diff', label: t('history.diff') },
            { value: 'yaml', label: t('history.yaml') },
            { value: 'owners', label: t('history.owners') },
          ]}
          onChange={props.onMode}
        />
      </div>
    </>
  );
}

function useColumns(): readonly Column<ObjectVersion>[] {
  const { t, number } = useI18n();
  return useMemo<readonly Column<ObjectVersion>[]>(
    () => [
      {
        id: 'time',
        header: t('history.column.time'),
        track: '118px',
        cell: (version) => <VersionTime version={version} />,
      },
      {
        id: 'op',
        header: t('history.column.op'),
        track: '78px',
        cell: (version) => <OpWord op={version.op} />,
      },
      {
        id: 'writers',
        header: t('history.column.writers'),
        track: 'minmax(150px, 1.3fr)',
        cell: (version) => <Writers version={version} />,
      },
      {
        id: 'changes',
        header: t('history.column.changes'),
        track: '38px',
        align: 'end',
        dropBelow: 620,
        cell: (version) => number(version.changes),
      },
      {
        id: 'summary',
        header: t('history.column.summary'),
        track: 'minmax(150px, 2fr)',
        cell: (version) => (
          <span className="secondary" title={version.summary}>
            {version.metadataOnly && <span className="tertiary">{t('events.metadataOnly')} · </span>}
            {version.summary === '' ? t(`history.what.${version.op}`) : changeWords(version.summary)}
          </span>
        ),
      },
      {
        id: 'generation',
        header: t('history.column.generation'),
        track: '44px',
        align: 'end',
        dropBelow: 680,
        cell: (version) => number(version.generation),
      },
      {
        id: 'rv',
        header: t('events.column.rv'),
        track: '52px',
        align: 'end',
        dropBelow: 744,
        cell: (version) => <span className="mono tertiary">{version.resourceVersion}</span>,
      },
    ],
    [t, number],
  );
}

function VersionTime({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t } = useI18n();
  const exact = version.at.hi - version.at.lo < 1;
  return (
    <span className="versionTime">
      {version.afterGap && (
        <Tip text={t('history.afterGap')}>
          <i className="gapMark" role="img" aria-label={t('history.afterGap.short')} />
        </Tip>
      )}
      <span
        className="mono"
        title={t('history.between', { from: formatTimeMs(version.at.lo), to: formatTimeMs(version.at.hi) })}
      >
        {exact
          ? formatTimeMs(version.at.hi)
          : `${formatTime(version.at.lo)}–${formatTime(version.at.hi).slice(3)}`}
      </span>
    </span>
  );
}

function Writers({ version }: { readonly version: ObjectVersion }): ReactNode {
  const { t } = useI18n();
  if (version.writers.length === 0) return <span className="tertiary">{t('history.noWriter')}</span>;
  const names = version.writers.map(({ manager, subresource = '' }) =>
    subresource === '' ? manager : `${manager} · ${subresource}`,
  );
  return (
    <span className="cut" title={names.join(', ')}>
      {version.writers.map((writer, index) => (
        <Fragment key={`${writer.manager} ${writer.subresource ?? ''} ${writer.operation}`}>
          {index > 0 && ', '}
          <WriterName writer={writer} />
        </Fragment>
      ))}
    </span>
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
