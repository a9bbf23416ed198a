import { ChevronDown, ChevronRight, Radio } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { GapRow, InformerRow } from '../../../shared/contract/views/sources.ts';
import type { OperatorProfile } from '../../../shared/model/profile.ts';
import { useTable } from '../../client/useEngine.tsx';
import {
  formatAge,
  formatBytes,
  formatDuration,
  formatDurationWords,
  formatTime,
  missing,
} from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { informerSchema } from '../../state/listSchemas.ts';
import { useMoment } from '../../state/useConnection.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useProfile } from '../../state/useOperator.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { setPreferences } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { type Column, DataGrid, type GridHandle } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, Skeleton, Verdict } from '../../widgets/parts.tsx';
import { Sparkline } from '../../widgets/Sparkline.tsx';
import { Splitter } from '../../widgets/Splitter.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { shortGroup } from '../rbac/rbacWords.ts';
import { GapPane } from './GapPane.tsx';
import { blindTime, compareInformers, foldsForbidden } from './informerOrder.ts';
import { pluralKind } from './plural.ts';

const glyphs: Readonly<Record<InformerRow['state'], GlyphState>> = {
  waiting: 'unknown',
  syncing: 'progressing',
  live: 'ok',
  recovered: 'degraded',
  relisted: 'ok',
  lost: 'gap',
  forbidden: 'unknown',
  ended: 'none',
};

export function WatchesPart({ choice }: { readonly choice: ReactNode }): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const informers = useTable('informers', {});
  const gaps = useTable('gaps', {});
  const selected = useWindow((s) => s.informer);
  const pane = useWindow((s) => s.preferences.informerPane);
  const profile = useProfile();
  const rows = useMemo(() => {
    const own = profile === undefined ? [] : resourcesOf(profile);
    return [...informers.rows].sort((a, b) => compareInformers(a, b, own));
  }, [informers.rows, profile]);
  const columns = useColumns();
  const grid = useRef<GridHandle>(null);
  const chosen =
    rows.find((row) => row.id === selected) ??
    rows.find((row) => row.gapMs > 0 && row.state !== 'forbidden') ??
    rows[0];
  // Where nothing was missed and everything may be read, one line is all there is to tell.
  const calm = rows.every((row) => row.gapMs === 0 && row.state !== 'forbidden');
  const [unfolded, setUnfolded] = useState(false);
  const foldable = foldsForbidden(rows);
  // A row that is selected is never hidden.
  const open = unfolded || chosen?.state === 'forbidden';
  const filter = useListFilter('informers', informerSchema);
  const readable = foldable && !open && filter.all ? rows.filter((row) => row.state !== 'forbidden') : rows;
  const shown = readable.filter(filter.test);
  function fold() {
    setUnfolded(!open);
    if (open && chosen?.state === 'forbidden') store.setState({ informer: rows[0]?.id });
  }
  if (informers.state === 'loading') return <Skeleton lines={8} />;
  return (
    <>
      <div className="verdictLine">
        <InformerVerdict rows={rows} gaps={gaps.rows} />
        <div className="verdictTools">
          <FilterField
            fold
            className="listFilter"
            label={t('informers.filter')}
            {...filter.field}
            count={{ shown: shown.length, n: rows.length }}
            onList={() => grid.current?.focus()}
          />
          {choice}
        </div>
      </div>
      <DataGrid
        className="informerGrid"
        id="informers"
        handle={grid}
        highlight={filter.words}
        label={t('tab.informers')}
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        rowHeight={32}
        selected={chosen?.id}
        onSelect={(row) => store.setState({ informer: row.id })}
        footer={
          rows.length > 0 ? (
            <>
              {foldable && (
                <FoldLine
                  n={rows.filter((row) => row.state === 'forbidden').length}
                  open={open}
                  onFold={fold}
                />
              )}
              <Totals rows={rows} gaps={gaps.rows} />
            </>
          ) : undefined
        }
        empty={
          filter.all ? (
            <EmptyState icon={<Radio size={20} strokeWidth={1.75} />} title={t('informers.empty.title')}>
              {t('informers.empty')}
            </EmptyState>
          ) : (
            <NoMatch text={filter.text} onClear={filter.clear} />
          )
        }
      />
      {!calm && (
        <Splitter
          label={t('split.pane')}
          axis="y"
          edge="after"
          size={pane}
          min={140}
          max={480}
          reset={208}
          onSize={(informerPane) => setPreferences(store, { informerPane })}
        />
      )}
      <section
        className="informerPane"
        style={{ height: calm ? 88 : pane }}
        aria-label={t('informers.column.gap')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
        tabIndex={0}
      >
        {chosen === undefined ? (
          <p className="small secondary paneHint">{t('informers.pane.choose')}</p>
        ) : (
          <GapPane
            row={chosen}
            gaps={gaps.rows.filter((gap) => gap.source === chosen.id)}
            forbidden={rows.filter((row) => row.missing.length > 0)}
          />
        )}
      </section>
    </>
  );
}

/** What the operator reconciles, owns and watches, as `resource.group`, in that order. */
function resourcesOf(profile: OperatorProfile): readonly string[] {
  const { controllers } = profile;
  return [
    ...controllers.map((controller) => controller.for.value),
    ...controllers.flatMap((controller) => controller.owns.value),
    ...controllers.flatMap((controller) => controller.watches.value.map((watch) => watch.resource)),
  ];
}

function InformerVerdict(props: {
  readonly rows: readonly InformerRow[];
  readonly gaps: readonly GapRow[];
}): ReactNode {
  const { t, rich, number, locale } = useI18n();
  const { rows, gaps } = props;
  const forbidden = rows.filter((row) => row.state === 'forbidden').length;
  const syncing = rows.filter((row) => row.state === 'syncing' || row.state === 'waiting').length;
  const objects = rows.reduce((sum, row) => sum + row.objects, 0);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const worst = worstGap(gaps);
  const owner = rows.find((row) => row.id === worst?.source);
  const kind = (
    <span className="inkGap">{owner === undefined ? worst?.source : pluralKind(owner.kind, locale)}</span>
  );
  return (
    <Verdict
      note={
        <>
          <BasisMark basis={{ kind: 'observed', from: 'watch' }} show="source" />
          <span>
            {t('informers.note.held', { bytes: formatBytes(bytes), n: objects })}
            {worst !== undefined && forbidden > 0 && ` ${t('informers.note.forbidden', { n: forbidden })}`}
          </span>
        </>
      }
    >
      {worst === undefined
        ? rows.length === 0
          ? t('informers.verdict.none')
          : forbidden > 0
            ? t('informers.verdict.forbidden', { n: forbidden, all: number(rows.length) })
            : syncing > 0
              ? t('informers.verdict.syncing', { n: syncing, all: number(rows.length) })
              : t('informers.verdict.fine')
        : worst.to === undefined
          ? rich('informers.verdict.openGap', { kind, at: formatTime(worst.from) })
          : (worst.found?.deleted ?? 0) > 0
            ? rich('informers.verdict.gapDeleted', {
                kind,
                time: formatDurationWords(worst.to - worst.from, locale),
                at: formatTime(worst.from),
                n: worst.found?.deleted ?? 0,
              })
            : rich('informers.verdict.gap', {
                kind,
                time: formatDurationWords(worst.to - worst.from, locale),
                at: formatTime(worst.from),
              })}
    </Verdict>
  );
}

/** An open gap first, else the longest. */
export function worstGap(gaps: readonly GapRow[]): GapRow | undefined {
  return [...gaps].sort((a, b) => length(b) - length(a))[0];
}

function length(gap: GapRow): number {
  return gap.to === undefined ? Number.POSITIVE_INFINITY : gap.to - gap.from;
}

function useColumns(): readonly Column<InformerRow>[] {
  const { t, number } = useI18n();
  return useMemo<readonly Column<InformerRow>[]>(() => {
    function count(value: number, row: InformerRow): ReactNode {
      if (row.state === 'forbidden') return <span className="tertiary">{missing}</span>;
      return value === 0 ? <span className="tertiary">0</span> : <strong>{number(value)}</strong>;
    }
    return [
      {
        id: 'resource',
        header: t('informers.column.resource'),
        track: 'minmax(188px, 1.6fr)',
        compare: (a, b) => a.kind.localeCompare(b.kind, 'en'),
        cell: (row) => <ResourceName row={row} />,
      },
      {
        id: 'state',
        header: t('informers.column.state'),
        track: '140px',
        compare: (a, b) => a.state.localeCompare(b.state, 'en'),
        cell: (row) => <State row={row} />,
      },
      {
        id: 'mode',
        header: t('informers.column.mode'),
        track: '86px',
        dropBelow: 1130,
        cell: (row) => (
          <span className="secondary">
            {row.state === 'forbidden'
              ? t('informers.mode.denied', { verb: row.missing[0]?.verb ?? 'list' })
              : (row.mode ?? missing)}
          </span>
        ),
      },
      {
        id: 'objects',
        header: t('informers.column.objects'),
        track: '56px',
        align: 'end',
        compare: (a, b) => a.objects - b.objects,
        cell: (row) => (row.state === 'forbidden' ? missing : number(row.objects)),
      },
      {
        id: 'rv',
        header: t('informers.column.rv'),
        track: '60px',
        align: 'end',
        dropBelow: 800,
        cell: (row) => <span className="mono">{row.lastResourceVersion ?? missing}</span>,
      },
      {
        id: 'event',
        header: t('informers.column.event'),
        track: '64px',
        align: 'end',
        compare: (a, b) => (b.lastEventAt ?? 0) - (a.lastEventAt ?? 0),
        cell: (row) => (row.lastEventAt === undefined ? missing : <Ago at={row.lastEventAt} />),
      },
      {
        id: 'spark',
        header: t('informers.column.spark'),
        track: '96px',
        dropBelow: 880,
        cell: (row) => (row.spark.length === 0 ? missing : <Sparkline counts={row.spark} />),
      },
      {
        id: 'rate',
        header: t('informers.column.rate'),
        track: '52px',
        align: 'end',
        dropBelow: 700,
        compare: (a, b) => a.perMinute - b.perMinute,
        cell: (row) => (row.state === 'forbidden' ? missing : number(Math.round(row.perMinute))),
      },
      {
        id: 'reconnects',
        header: t('informers.column.reconnects'),
        track: '68px',
        align: 'end',
        dropBelow: 1032,
        compare: (a, b) => a.reconnects - b.reconnects,
        cell: (row) => count(row.reconnects, row),
      },
      {
        id: 'relists',
        header: t('informers.column.relists'),
        track: '48px',
        align: 'end',
        dropBelow: 1032,
        compare: (a, b) => a.relists - b.relists,
        cell: (row) => count(row.relists, row),
      },
      {
        id: 'gap',
        header: t('informers.column.gap'),
        track: '48px',
        align: 'end',
        compare: (a, b) => a.gapMs - b.gapMs,
        cell: (row) =>
          row.gapMs > 0 && row.state !== 'forbidden' ? (
            <strong className="inkGap">{formatDuration(row.gapMs)}</strong>
          ) : (
            <span className="tertiary">{missing}</span>
          ),
      },
      {
        id: 'memory',
        header: t('informers.column.memory'),
        track: '60px',
        align: 'end',
        dropBelow: 720,
        compare: (a, b) => a.bytes - b.bytes,
        cell: (row) => (row.state === 'forbidden' ? missing : formatBytes(row.bytes)),
      },
      {
        id: 'each',
        header: t('informers.column.each'),
        track: '64px',
        align: 'end',
        dropBelow: 1205,
        compare: (a, b) => a.bytes / Math.max(1, a.objects) - b.bytes / Math.max(1, b.objects),
        cell: (row) =>
          row.objects === 0 ? (
            missing
          ) : (
            <span className="secondary">{formatBytes(row.bytes / row.objects)}</span>
          ),
      },
    ];
  }, [t, number]);
}

/** The namespace before the group: rows of one kind differ in it alone. */
function ResourceName({ row }: { readonly row: InformerRow }): ReactNode {
  const { t, locale } = useI18n();
  const note = row.detail === 'metadata' ? t('informers.metadata') : shortGroup(row.group);
  const where = row.namespace === undefined || row.namespace === '' ? '' : ` · ${row.namespace}`;
  return (
    <span title={`${row.resource}.${row.group} ${row.version}${where}`}>
      <strong>{pluralKind(row.kind, locale)}</strong>
      {row.namespace !== undefined && <span className="secondary"> {row.namespace}</span>}
      {note !== '' && (
        <span className="tertiary">
          {row.namespace === undefined ? ' ' : ' · '}
          {note}
        </span>
      )}
    </span>
  );
}

/** What may not be read, in one line: it is much, and says the same in each row. */
function FoldLine(props: {
  readonly n: number;
  readonly open: boolean;
  readonly onFold: () => void;
}): ReactNode {
  const { t } = useI18n();
  return (
    <button type="button" className="informerFold small" aria-expanded={props.open} onClick={props.onFold}>
      {props.open ? (
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <ChevronRight size={14} strokeWidth={1.75} aria-hidden="true" />
      )}
      <StateGlyph state="unknown" size={12} />
      <span>{t('informers.fold', { n: props.n })}</span>
    </button>
  );
}

function State({ row }: { readonly row: InformerRow }): ReactNode {
  const { t } = useI18n();
  const stamped =
    row.state === 'recovered' || row.state === 'relisted' || row.state === 'lost' || row.state === 'ended';
  return (
    <span className="informerState">
      <StateGlyph state={glyphs[row.state]} size={12} />
      {t(`informers.state.${row.state}`)}
      {stamped && <span className="secondary">{formatTime(row.stateSince)}</span>}
    </span>
  );
}

function Ago({ at }: { readonly at: number }): ReactNode {
  const now = useMoment(1000);
  return formatAge(now - at);
}

function Totals(props: {
  readonly rows: readonly InformerRow[];
  readonly gaps: readonly GapRow[];
}): ReactNode {
  const { t, rich, number } = useI18n();
  const now = useMoment(1000);
  const { rows } = props;
  const readable = rows.filter((row) => row.state !== 'forbidden');
  function sum(of: (row: InformerRow) => number): number {
    return rows.reduce((total, row) => total + of(row), 0);
  }
  const gap = blindTime(props.gaps, new Set(readable.map((row) => row.id)), now);
  return (
    <div className="informerTotals small">
      <span>{t('informers.foot', { n: rows.length })}</span>
      <span>{t('informers.foot.readable', { n: readable.length })}</span>
      <strong>{t('status.objects', { n: sum((row) => row.objects) })}</strong>
      <span>
        {rich('informers.foot.rate', {
          n: <strong key="n">{number(Math.round(sum((row) => row.perMinute)))}</strong>,
        })}
      </span>
      {gap > 0 && (
        <span className="inkGap">
          {rich('informers.foot.gap', { time: <strong key="time">{formatDuration(gap)}</strong> })}
        </span>
      )}
      <strong className="informerTotalBytes">{formatBytes(sum((row) => row.bytes))}</strong>
    </div>
  );
}
