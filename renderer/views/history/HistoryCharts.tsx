import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ControllerHistory } from '../../../shared/contract/views/traces.ts';
import { formatDuration, formatTime } from '../../format/format.ts';
import { type I18n, useI18n } from '../../i18n/i18n.tsx';
import { Segmented } from '../../widgets/controls.tsx';
import { ChartPlot } from './ChartPlot.tsx';
import { type ChartLine, type ChartSpec, chartsOf, type ErrorsAs, knownLines } from './chartLines.ts';
import { HistoryCursor } from './HistoryCursor.tsx';
import { HistoryRuler } from './HistoryRuler.tsx';
import type { HistoryRange, HistoryRow, HistoryRows, Span } from './historyModel.ts';
import { mergedMarks, timeTicks } from './historyModel.ts';
import { LineKey } from './LineKey.tsx';
import { axisWidth, rightPad, useWidth } from './plotSize.ts';

/** Four charts over one axis of time, one crosshair through all of them. Default export: it is loaded when it is shown. */
export default function HistoryCharts(props: {
  readonly history: ControllerHistory;
  readonly rows: HistoryRows;
  readonly span: Span;
  readonly onSpan: (range: HistoryRange) => void;
}): ReactNode {
  const { history, rows, span, onSpan } = props;
  const i18n = useI18n();
  const stack = useRef<HTMLDivElement>(null);
  const width = useWidth(stack);
  const plotWidth = Math.max(0, width - axisWidth - rightPad);
  const [errorsAs, setErrorsAs] = useState<ErrorsAs>('count');
  const [at, setAt] = useState<number | undefined>(undefined);
  const charts = useMemo(
    () => chartsOf(history.series, rows.slotMs, errorsAs),
    [history.series, rows.slotMs, errorsAs],
  );
  const marks = useMemo(() => mergedMarks(history.marks, span.to), [history.marks, span.to]);
  const ticks = useMemo(() => timeTicks(span, plotWidth), [span, plotWidth]);
  const row =
    at === undefined ? undefined : rows.rows.find((one) => at >= one.at && at < one.at + rows.slotMs);
  return (
    <div className="historyCharts" ref={stack}>
      <HistoryRuler span={span} ticks={ticks} marks={marks} width={plotWidth} at={row && middle(row, rows)} />
      {charts.map((spec) => (
        <figure key={spec.name} className="historyChart">
          <ChartHead spec={spec} rows={rows} row={row}>
            {spec.name === 'errors' && (
              <Segmented<ErrorsAs>
                label={i18n.t('history.errors.as')}
                value={errorsAs}
                options={(['count', 'share'] as const).map((value) => ({
                  value,
                  label: i18n.t(`history.errors.${value}`),
                }))}
                onChange={setErrorsAs}
              />
            )}
          </ChartHead>
          <figcaption className="visuallyHidden">{summaryText(spec, rows, i18n)}</figcaption>
          {knownLines(spec, rows.rows).length === 0 ? (
            <p className="small tertiary historyNothing">{i18n.t(`history.none.${spec.name}`)}</p>
          ) : (
            <ChartPlot spec={spec} rows={rows} span={span} ticks={ticks} marks={marks} width={width} />
          )}
        </figure>
      ))}
      <HistoryCursor
        rows={rows}
        span={span}
        at={row?.at}
        valueText={row === undefined ? i18n.t('history.cursor.none') : cursorText(charts, row, i18n)}
        onAt={setAt}
        onSpan={onSpan}
      />
      <p className="small tertiary historyHint">{i18n.t('history.hint')}</p>
    </div>
  );
}

function middle(row: HistoryRow, { slotMs }: HistoryRows): number {
  return row.at + slotMs / 2;
}

/** Name, unit and, for each line, how it is known and its value at the crosshair, else its newest one. */
function ChartHead(props: {
  readonly spec: ChartSpec;
  readonly rows: HistoryRows;
  readonly row: HistoryRow | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useI18n();
  const { spec, rows } = props;
  const lines = knownLines(spec, rows.rows);
  const row = props.row ?? newestOfAll(lines, rows);
  return (
    <div className="historyChartHead">
      <h3 className="strong">{t(`history.${spec.name}`)}</h3>
      <span className="small tertiary historyUnit">{unitOf(spec, rows, t)}</span>
      {props.children}
      <div className="historyKeys">
        {lines.map((line) => {
          const value = row === undefined ? newest(line, rows) : valueAt(line, row, spec, rows);
          return (
            <span key={line.id} className="historyKey">
              <LineKey line={line} chart={spec.name} />
              <span>{nameOf(line, t)}</span>
              <span className="historyValue">{spec.write(value)}</span>
            </span>
          );
        })}
      </div>
    </div>
  );
}

function unitOf(spec: ChartSpec, rows: HistoryRows, t: I18n['t']): string {
  if (spec.name !== 'errors') return t(`history.${spec.name}.unit`);
  return spec.least === 10
    ? t('history.errors.unit.share')
    : t('history.errors.unit.count', { time: formatDuration(rows.slotMs) });
}

function nameOf({ side, quantile }: ChartLine, t: I18n['t']): string {
  return quantile === undefined ? t(`history.side.${side}`) : t(`history.side.${side}.${quantile}`);
}

function newest(line: ChartLine, { rows }: HistoryRows): number | undefined {
  const last = rows.findLast((row) => line.of(row) !== undefined);
  return last && line.of(last);
}

/** Slots without a scrape that a depth is held over, as its line is drawn. */
const heldSlots = 6;

function valueAt(
  line: ChartLine,
  row: HistoryRow,
  spec: ChartSpec,
  { rows }: HistoryRows,
): number | undefined {
  const value = line.of(row);
  if (value !== undefined || spec.name !== 'depth') return value;
  const index = rows.indexOf(row);
  const before = rows
    .slice(Math.max(0, index - heldSlots), index)
    .findLast((one) => line.of(one) !== undefined);
  return before && line.of(before);
}

/** The newest slot that every line knows: values of different times are no comparison. */
function newestOfAll(lines: readonly ChartLine[], { rows }: HistoryRows): HistoryRow | undefined {
  return rows.findLast((row) => lines.every((line) => line.of(row) !== undefined));
}

/** One sentence of a chart, for who does not see it: of the line that is told first. */
function summaryText(spec: ChartSpec, rows: HistoryRows, { t }: I18n): string {
  const chart = t(`history.${spec.name}`);
  const [line] = knownLines(spec, rows.rows);
  if (line === undefined) return t('history.summary.none', { chart });
  let top: { readonly row: HistoryRow; readonly value: number } | undefined;
  for (const row of rows.rows) {
    const value = line.of(row);
    if (value !== undefined && (top === undefined || value > top.value)) top = { row, value };
  }
  return t('history.summary', {
    chart,
    top: spec.write(top?.value),
    time: formatTime(top?.row.at ?? 0),
    last: spec.write(newest(line, rows)),
  });
}

function cursorText(charts: readonly ChartSpec[], row: HistoryRow, { t }: I18n): string {
  const values = charts.flatMap((spec) =>
    spec.lines.flatMap((line) => {
      const value = line.of(row);
      if (value === undefined) return [];
      const name = `${t(`history.${spec.name}`)}, ${nameOf(line, t)}`;
      return [t('history.value', { name, value: spec.write(value) })];
    }),
  );
  return t('history.cursor.at', {
    time: formatTime(row.at),
    values: values.length === 0 ? t('history.verdict.unknown') : values.join('; '),
  });
}
