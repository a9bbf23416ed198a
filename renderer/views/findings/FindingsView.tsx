import { ListChecks } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Finding, NotEvaluated, Severity } from '../../../shared/model/finding.ts';
import { ViewFrame } from '../../app/ViewFrame.tsx';
import { useValue, useValueOf } from '../../client/useEngine.tsx';
import { formatAge, formatDuration, formatStamp } from '../../format/format.ts';
import { type I18n, useI18n } from '../../i18n/i18n.tsx';
import { findingSchema } from '../../state/listSchemas.ts';
import { useMoment } from '../../state/useConnection.ts';
import { useListFilter } from '../../state/useListFilter.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { useViewAction } from '../../state/viewActions.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { CopyIconButton, writeClipboard } from '../../widgets/Copy.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import { EmptyState, ProblemLine, Skeleton } from '../../widgets/parts.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import { useHighlight } from '../../widgets/useHighlight.ts';
import { FindingInspector } from './FindingInspector.tsx';
import './findings.css';

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };
export const severityGlyph: Readonly<Record<Severity, GlyphState>> = {
  error: 'failed',
  warning: 'degraded',
  info: 'unknown',
};

/** Open findings by severity, what could not be judged, what was true and ended. */
export function FindingsView(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const wanted = useWindow((s) => s.finding);
  const { value, state, error } = useValue('findings', {});
  const sorted = useMemo(() => [...(value?.findings ?? [])].sort(compareFindings), [value?.findings]);
  const open = sorted.filter((finding) => finding.closedAt === undefined);
  const closed = sorted.filter((finding) => finding.closedAt !== undefined);
  const filter = useListFilter('findings', findingSchema);
  const openShown = open.filter(filter.test);
  const closedShown = closed.filter(filter.test);
  const view = useRef<HTMLDivElement>(null);
  useHighlight(view, filter.words);
  const chosen = sorted.find((finding) => finding.id === wanted) ?? open[0] ?? closed[0];
  const copied = chosen?.fix.patch ?? chosen?.fix.marker ?? chosen?.title;
  useViewAction('copy', copied === undefined ? undefined : () => void writeClipboard(copied));
  function move(step: 1 | -1) {
    const at = open.findIndex((finding) => finding.id === chosen?.id);
    const next = open[Math.max(0, Math.min(open.length - 1, at + step))];
    if (next !== undefined) store.setState({ finding: next.id });
  }
  useViewAction('error.next', open.length > 1 ? () => move(1) : undefined);
  useViewAction('error.previous', open.length > 1 ? () => move(-1) : undefined);
  if (value === undefined) {
    return (
      <ViewFrame tab="findings">
        {state === 'failed' ? (
          <ProblemLine text={t('state.failed', { why: error ?? '' })} />
        ) : (
          <Skeleton lines={8} />
        )}
      </ViewFrame>
    );
  }
  const nothing = sorted.length === 0 && value.notEvaluated.length === 0;
  return (
    <ViewFrame
      tab="findings"
      inspector={chosen === undefined ? undefined : <FindingInspector finding={chosen} />}
    >
      <div className="viewScroll" ref={view}>
        {!nothing && (
          <div className="findingsHead">
            <Headline open={open} closed={closed} notEvaluated={value.notEvaluated} />
            {sorted.length > 0 && (
              <div className="findingsTools">
                <FilterField
                  fold
                  className="listFilter"
                  label={t('findings.filter')}
                  {...filter.field}
                  count={{ shown: openShown.length + closedShown.length, n: sorted.length }}
                  onList={() => view.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()}
                />
              </div>
            )}
          </div>
        )}
        {nothing && (
          <EmptyState icon={<ListChecks size={20} strokeWidth={1.75} />} title={t('findings.empty.title')}>
            {t('findings.empty')}
          </EmptyState>
        )}
        {!filter.all && openShown.length + closedShown.length === 0 && (
          <NoMatch text={filter.text} onClear={filter.clear} />
        )}
        {openShown.length > 0 && <OpenTable findings={openShown} selected={chosen?.id} />}
        {value.notEvaluated.length > 0 && filter.all && <NotEvaluatedTable rows={value.notEvaluated} />}
        {closedShown.length > 0 && <ClosedTable findings={closedShown} selected={chosen?.id} />}
      </div>
    </ViewFrame>
  );
}

/** Worst first, then the longest open; closed ones by when they ended, newest first. */
export function compareFindings(a: Finding, b: Finding): number {
  if ((a.closedAt === undefined) !== (b.closedAt === undefined)) return a.closedAt === undefined ? -1 : 1;
  if (a.closedAt !== undefined && b.closedAt !== undefined) return a.closedAt < b.closedAt ? 1 : -1;
  return (
    rank[a.severity] - rank[b.severity] || (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0)
  );
}

function Headline(props: {
  readonly open: readonly Finding[];
  readonly closed: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
}): ReactNode {
  const { t } = useI18n();
  const records = useValueOf('session', {}, (s) => s.value?.records);
  return (
    <>
      <h2 className="verdict">{headline(props.open, props.closed.length, props.notEvaluated.length, t)}</h2>
      {records !== undefined && <span className="small secondary">{t('findings.from', { n: records })}</span>}
    </>
  );
}

/** `3 errors, 3 warnings`; when nothing is open, what that rests on. */
export function headline(
  open: readonly Pick<Finding, 'severity'>[],
  closed: number,
  notEvaluated: number,
  t: I18n['t'],
): string {
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const n = open.filter((finding) => finding.severity === severity).length;
    return n === 0 ? [] : [t(`findings.verdict.${severity}s`, { n })];
  });
  const [first, second, third] = parts;
  if (first !== undefined && second !== undefined) {
    const two = t('findings.verdict.both', { errors: first, warnings: second });
    return third === undefined ? two : t('findings.verdict.both', { errors: two, warnings: third });
  }
  if (first !== undefined) return first;
  if (closed > 0) return t('findings.verdict.allClosed', { n: closed });
  return notEvaluated > 0 ? t('findings.verdict.unjudged', { n: notEvaluated }) : t('findings.verdict.none');
}

function OpenTable(props: {
  readonly findings: readonly Finding[];
  readonly selected: string | undefined;
}): ReactNode {
  const { t, number } = useI18n();
  const store = useWindowStore();
  const columns = useMemo<readonly Column<Finding>[]>(
    () => [
      {
        id: 'severity',
        header: <span className="visuallyHidden">{t('informers.column.state')}</span>,
        track: '16px',
        cell: (finding) => (
          <StateGlyph
            state={severityGlyph[finding.severity]}
            size={14}
            label={t(`findings.severity.${finding.severity}`)}
          />
        ),
      },
      {
        id: 'finding',
        header: t('findings.column.finding'),
        track: 'minmax(200px, 1fr)',
        compare: (a, b) => a.title.localeCompare(b.title, 'en'),
        cell: (finding) => (
          <span className="findingCell">
            <span className="findingTitle cut" title={finding.title}>
              {finding.title}
            </span>
            <span className="cut" title={`${finding.subject}\n${finding.rule}`}>
              <span className="secondary">{finding.subject}</span>
              <span className="mono tertiary findingRule">{finding.rule}</span>
            </span>
          </span>
        ),
      },
      {
        id: 'known',
        header: t('findings.column.known'),
        track: '84px',
        dropBelow: 680,
        compare: (a, b) => a.basis.kind.localeCompare(b.basis.kind, 'en'),
        cell: (finding) => <BasisMark basis={finding.basis} />,
      },
      {
        id: 'for',
        header: t('findings.column.for'),
        track: '64px',
        align: 'end',
        compare: (a, b) => (a.openedAt < b.openedAt ? 1 : a.openedAt > b.openedAt ? -1 : 0),
        cell: (finding) => <OpenFor finding={finding} />,
      },
      {
        id: 'evidence',
        header: t('findings.column.evidence'),
        track: '60px',
        align: 'end',
        dropBelow: 720,
        compare: (a, b) => a.evidence.length - b.evidence.length,
        cell: (finding) => number(finding.evidence.length),
      },
    ],
    [t, number],
  );
  return (
    <DataGrid
      fit="content"
      id="findings"
      label={t('tab.findings')}
      columns={columns}
      rows={props.findings}
      rowKey={(finding) => finding.id}
      rowHeight={52}
      selected={props.selected}
      onSelect={(finding) => store.setState({ finding: finding.id })}
    />
  );
}

function OpenFor({ finding }: { readonly finding: Finding }): ReactNode {
  const now = useMoment(1000);
  const ms = Math.max(0, now - Date.parse(finding.openedAt));
  return ms < 60_000 ? formatAge(ms) : formatDuration(Math.floor(ms / 1000) * 1000);
}

function NotEvaluatedTable({ rows }: { readonly rows: readonly NotEvaluated[] }): ReactNode {
  const { t } = useI18n();
  return (
    <section className="findingsPart">
      <h2 className="findingsPartHead">
        <strong>{t('findings.notEvaluated.title')}</strong>{' '}
        <span className="small secondary">{t('findings.notEvaluated.explain')}</span>
      </h2>
      <table className="plainTable">
        <thead>
          <tr>
            <th scope="col">{t('findings.column.rule')}</th>
            <th scope="col">{t('findings.column.why')}</th>
            <th scope="col">{t('findings.column.allow')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.rule} ${row.reason}`}>
              <th scope="row">
                <span className="ruleCell">
                  <StateGlyph state="unknown" size={14} />
                  <code>{row.rule}</code>
                </span>
              </th>
              <td className="secondary">{row.reason}</td>
              <td>
                {row.permission !== undefined && (
                  <span className="permissionCell">
                    {row.permission}
                    <CopyIconButton text={row.permission} label={`${t('action.copy')}: ${row.permission}`} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClosedTable(props: {
  readonly findings: readonly Finding[];
  readonly selected: string | undefined;
}): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const columns = useMemo<readonly Column<Finding>[]>(
    () => [
      {
        id: 'state',
        header: <span className="visuallyHidden">{t('informers.column.state')}</span>,
        track: '16px',
        cell: () => <StateGlyph state="ok" size={14} />,
      },
      {
        id: 'finding',
        header: t('findings.column.finding'),
        track: 'minmax(160px, 1.4fr)',
        cell: (finding) => <span title={finding.title}>{finding.title}</span>,
      },
      {
        id: 'why',
        header: t('findings.column.ended'),
        track: 'minmax(140px, 1.4fr)',
        dropBelow: 640,
        cell: (finding) => (
          <span className="secondary" title={finding.closedBecause}>
            {finding.closedBecause}
          </span>
        ),
      },
      {
        id: 'from',
        header: t('findings.column.from'),
        track: '64px',
        align: 'end',
        cell: (finding) => <span className="mono">{formatStamp(finding.openedAt).slice(0, 8)}</span>,
      },
      {
        id: 'until',
        header: t('findings.column.until'),
        track: '64px',
        align: 'end',
        cell: (finding) => <span className="mono">{formatStamp(finding.closedAt ?? '').slice(0, 8)}</span>,
      },
    ],
    [t],
  );
  return (
    <section className="findingsPart">
      <h2 className="findingsPartHead">
        <strong>{t('findings.closed.title')}</strong>{' '}
        <span className="small secondary">{t('findings.closed.explain')}</span>
      </h2>
      <DataGrid
        fit="content"
        label={t('findings.closed.title')}
        columns={columns}
        rows={props.findings}
        rowKey={(finding) => finding.id}
        rowHeight={32}
        selected={props.selected}
        onSelect={(finding) => store.setState({ finding: finding.id })}
      />
    </section>
  );
}
