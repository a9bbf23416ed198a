import { ChartLine, Gauge, Table2, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { ControllerHistory } from '../../../shared/contract/views/traces.ts';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import { useValue } from '../../client/useEngine.tsx';
import { formatDuration, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { useForbidden } from '../../state/useForbidden.ts';
import { useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { goTo } from '../../state/windowState.ts';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button, IconButton, Segmented } from '../../widgets/controls.tsx';
import { EmptyState, ProblemLine, Skeleton, Verdict } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { reasonWord } from '../reasonWords.ts';
import { HistoryTable } from './HistoryTable.tsx';
import {
  type HistoryRange,
  type HistoryRows,
  type RangeName,
  rowsOf,
  type Span,
  seriesOf,
  spanOf,
  summaryOf,
} from './historyModel.ts';
import './history.css';

// recharts is a third of a megabyte: it comes when a chart is on screen.
const loadCharts = () => import('./HistoryCharts.tsx');
const HistoryCharts = lazy(loadCharts);

/** Rate, errors, latency and depth of one controller over time: what its metrics report beside what was counted. */
export function HistorySegment(props: { readonly controller: ControllerProfile }): ReactNode {
  const { t } = useI18n();
  const controller = props.controller.name;
  const { value, state, error } = useValue('controllerHistory', { controller });
  // Beside the first value, not after it. Where it fails, the lazy part asks again and says so.
  useEffect(() => void loadCharts().catch(() => undefined), []);
  if (value === undefined) {
    return state === 'failed' ? (
      <ProblemLine text={t('state.failed', { why: error ?? '' })} />
    ) : (
      <Skeleton lines={8} />
    );
  }
  if (!value.series.some(({ points }) => points.length > 0)) {
    return <NoHistory reason={value.reason} kind={props.controller.for.value} />;
  }
  return <History key={controller} history={value} />;
}

function History({ history }: { readonly history: ControllerHistory }): ReactNode {
  const { t } = useI18n();
  const now = useMoment(1000);
  const [range, setRange] = useState<HistoryRange>('1h');
  const [table, setTable] = useState(false);
  useViewAction('table', () => setTable(!table));
  useViewAction('leave', typeof range === 'string' ? undefined : () => setRange('all'));
  const { from, to } = spanOf(range, history, now);
  const span = useMemo(() => ({ from, to }), [from, to]);
  const rows = useMemo(() => rowsOf(history, span), [history, span]);
  return (
    <>
      <div className="verdictLine historyHead">
        <HistoryVerdict history={history} rows={rows} span={span} />
        <div className="verdictTools">
          {typeof range !== 'string' && (
            <span className="historyChosen small">
              <span className="mono">
                {t('history.range.chosen', { from: formatTime(from), to: formatTime(to) })}
              </span>
              <IconButton small label={t('history.range.clear')} onClick={() => setRange('all')}>
                <X size={14} strokeWidth={1.75} />
              </IconButton>
            </span>
          )}
          <Segmented<RangeName | 'chosen'>
            label={t('history.range')}
            value={typeof range === 'string' ? range : 'chosen'}
            options={(['5m', '1h', 'all'] as const).map((value) => ({
              value,
              label: t(`history.range.${value}`),
            }))}
            onChange={(next) => {
              if (next !== 'chosen') setRange(next);
            }}
          />
          <IconButton
            label={t(table ? 'history.table.hide' : 'history.table.show')}
            keys="T"
            aria-pressed={table}
            onClick={() => setTable(!table)}
          >
            {table ? <ChartLine size={16} strokeWidth={1.75} /> : <Table2 size={16} strokeWidth={1.75} />}
          </IconButton>
        </div>
      </div>
      {seriesOf(history, 'metrics') === undefined && <NoMetrics />}
      {table ? (
        <HistoryTable history={history} rows={rows} span={span} />
      ) : (
        <div className="viewScroll">
          <Suspense fallback={<Skeleton lines={6} />}>
            <HistoryCharts history={history} rows={rows} span={span} onSpan={setRange} />
          </Suspense>
        </div>
      )}
    </>
  );
}

function HistoryVerdict(props: {
  readonly history: ControllerHistory;
  readonly rows: HistoryRows;
  readonly span: Span;
}): ReactNode {
  const { t, number } = useI18n();
  const summary = useMemo(() => summaryOf(props.rows), [props.rows]);
  const from = formatTime(props.span.from);
  const basis = summary && seriesOf(props.history, summary.from)?.basis;
  return (
    <Verdict
      note={
        <>
          {basis !== undefined && <BasisMark basis={basis} show="source" />}
          {summary?.p99Ms !== undefined && (
            <span>{t('history.note.p99', { time: formatDuration(summary.p99Ms) })}</span>
          )}
          {summary?.depth !== undefined && <span>{t('history.note.depth', { n: summary.depth })}</span>}
          <span className="tertiary">{t('history.slot', { time: formatDuration(props.rows.slotMs) })}</span>
        </>
      }
    >
      {summary === undefined
        ? t('history.verdict.unknown')
        : summary.runs === 0
          ? t('history.verdict.none', { from })
          : summary.errors === 0
            ? t('history.verdict.fine', { n: summary.runs, from })
            : summary.errors === summary.runs
              ? t('history.verdict.all', { n: summary.runs, from })
              : t('history.verdict', {
                  n: summary.runs,
                  from,
                  errors: number(summary.errors),
                  share: percent(summary.share ?? 0),
                })}
    </Verdict>
  );
}

/** Three significant digits at most: 0.4 %, 12 %, 100 %. */
function percent(share: number): string {
  const value = share * 100;
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} %`;
}

function NoMetrics(): ReactNode {
  const { t } = useI18n();
  return (
    <div className="historyNone small">
      <Gauge size={14} strokeWidth={1.75} className="tertiary" aria-hidden="true" />
      <span className="secondary">{t('history.nometrics')}</span>
      <AttachButton />
    </div>
  );
}

function AttachButton(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  return (
    <Button
      small
      onClick={() => {
        store.setState({ informerSegment: 'sources' });
        goTo(store, { tab: 'informers' });
      }}
    >
      {t('history.attach')}
    </Button>
  );
}

function NoHistory(props: { readonly reason: string | undefined; readonly kind: string }): ReactNode {
  const { t } = useI18n();
  const { reason, kind } = props;
  const word = reasonWord(reason);
  const forbidden = useForbidden(kind);
  return (
    <EmptyState
      icon={forbidden ? <StateGlyph state="unknown" size={20} /> : <ChartLine size={20} strokeWidth={1.75} />}
      title={t(forbidden ? 'state.notEvaluated' : 'history.empty.title')}
      actions={<AttachButton />}
    >
      {forbidden
        ? t('history.empty.forbidden', { kind })
        : word === undefined
          ? t('history.empty')
          : t(word.key, { list: word.list })}
    </EmptyState>
  );
}
