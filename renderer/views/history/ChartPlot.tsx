import { memo, type ReactNode, useId, useMemo } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts';
import type { ControllerHistory } from '../../../shared/contract/views/traces.ts';
import { type ChartLine, type ChartSpec, knownLines } from './chartLines.ts';
import {
  decadesOf,
  evenAbove,
  type HistoryRow,
  type HistoryRows,
  niceAbove,
  type Span,
} from './historyModel.ts';
import { inkOf, ReportedMark, strokeOf } from './LineKey.tsx';
import { axisWidth, plotHeight, rightPad } from './plotSize.ts';

const tick = { fill: 'var(--ink-tertiary)', fontSize: 11 };
/** Marks of a line stand at least this far apart, px. */
const markEvery = 26;

interface ChartPlotProps {
  readonly spec: ChartSpec;
  readonly rows: HistoryRows;
  readonly span: Span;
  readonly ticks: readonly number[];
  readonly marks: ControllerHistory['marks'];
  readonly width: number;
}

/** Lines of one chart. It knows nothing of the crosshair, so that moving it draws no line again. */
export const ChartPlot = memo(function ChartPlot(props: ChartPlotProps): ReactNode {
  const { spec, rows, span, ticks, marks, width } = props;
  const hatch = `hatch${useId().replace(/[^a-zA-Z0-9]/g, '')}`;
  const lines = useMemo(() => knownLines(spec, rows.rows), [spec, rows]);
  const data = useMemo(
    () =>
      rows.rows.map((row) => ({
        x: row.at + rows.slotMs / 2,
        ...Object.fromEntries(lines.map((line) => [line.id, drawn(line, row, spec)])),
      })),
    [rows, lines, spec],
  );
  const yTicks = useMemo(() => ticksOf(spec, lines, rows.rows), [spec, lines, rows]);
  if (width === 0) return <div style={{ height: plotHeight }} />;
  const every = Math.max(
    1,
    Math.ceil((markEvery * rows.rows.length) / Math.max(1, width - axisWidth - rightPad)),
  );
  return (
    <div className="historyPlot" aria-hidden="true">
      <ComposedChart
        accessibilityLayer={false}
        width={width}
        height={plotHeight}
        data={data}
        margin={{ top: 7, right: rightPad, bottom: 7, left: 0 }}
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill="var(--gap-tint)" />
            <rect width="1.5" height="6" fill="var(--gap)" />
          </pattern>
        </defs>
        <CartesianGrid stroke="var(--line-soft)" />
        <XAxis
          dataKey="x"
          type="number"
          domain={[span.from, span.to]}
          allowDataOverflow
          ticks={[...ticks]}
          tick={false}
          tickLine={false}
          axisLine={{ stroke: 'var(--line-strong)' }}
          height={1}
        />
        <YAxis
          width={axisWidth}
          scale={spec.scale}
          domain={[yTicks[0] ?? 0, yTicks.at(-1) ?? 1]}
          allowDataOverflow
          ticks={[...yTicks]}
          tickFormatter={spec.write}
          tick={tick}
          tickLine={false}
          axisLine={false}
          interval={0}
        />
        {marks.map((mark) =>
          mark.kind === 'gap' && mark.to !== undefined ? (
            <ReferenceArea
              key={`${mark.kind} ${mark.at}`}
              x1={Math.max(span.from, mark.at)}
              // At least 6 px, so that it is seen at every zoom.
              x2={Math.min(span.to, Math.max(mark.to, mark.at + (6 * (span.to - span.from)) / width))}
              fill={`url(#${hatch})`}
              fillOpacity={0.3}
              ifOverflow="hidden"
            />
          ) : (
            <ReferenceLine
              key={`${mark.kind} ${mark.at}`}
              x={mark.at}
              stroke={mark.kind === 'gap' ? 'var(--gap)' : 'var(--ink-tertiary)'}
              strokeDasharray="2 3"
              ifOverflow="hidden"
            />
          ),
        )}
        {lines.map((line) =>
          line.side === 'spans' && line.quantile === undefined ? (
            <Area
              key={`${line.id} fill`}
              dataKey={line.id}
              type="linear"
              stroke="none"
              fill={inkOf(line, spec.name)}
              fillOpacity={0.07}
              baseValue={yTicks[0] ?? 0}
              dot={false}
              activeDot={false}
              isAnimationActive={false}
            />
          ) : null,
        )}
        {lines.map((line) => (
          <Line
            key={line.id}
            dataKey={line.id}
            // A depth is a gauge: it is what it was until it is looked at again.
            type={spec.name === 'depth' ? 'stepAfter' : 'linear'}
            stroke={inkOf(line, spec.name)}
            {...strokeOf(line)}
            dot={(dot: DotProps) => (
              <Mark key={dot.index} dot={dot} line={line} spec={spec} rows={rows.rows} every={every} />
            )}
            activeDot={false}
            connectNulls={spec.name === 'depth'}
            isAnimationActive={false}
          />
        ))}
      </ComposedChart>
    </div>
  );
});

interface DotProps {
  readonly index?: number;
  readonly cx?: number;
  readonly cy?: number;
}

/** The square of what is reported, now and then; and a dot where a point has no neighbours, which no line would show. */
function Mark(props: {
  readonly dot: DotProps;
  readonly line: ChartLine;
  readonly spec: ChartSpec;
  readonly rows: readonly HistoryRow[];
  readonly every: number;
}): ReactNode {
  const { line, rows, every } = props;
  const { index, cx, cy } = props.dot;
  const row = index === undefined ? undefined : rows[index];
  if (index === undefined || row === undefined || cx === undefined || cy === undefined) return null;
  if (line.of(row) === undefined || !Number.isFinite(cx + cy)) return null;
  const ink = inkOf(line, props.spec.name);
  if (line.basis === 'reported' && index % every === 0) return <ReportedMark x={cx} y={cy} ink={ink} />;
  const before = rows[index - 1];
  const after = rows[index + 1];
  const lone =
    (before === undefined || line.of(before) === undefined) &&
    (after === undefined || line.of(after) === undefined);
  return lone && props.spec.name !== 'depth' ? <circle cx={cx} cy={cy} r={2} fill={ink} /> : null;
}

/** A logarithmic axis has no place for zero: a tenth of a millisecond stands at its foot. */
function drawn(line: ChartLine, row: HistoryRow, spec: ChartSpec): number | null {
  const value = line.of(row);
  if (value === undefined) return null;
  return spec.scale === 'log' ? Math.max(0.1, value) : value;
}

function ticksOf(
  spec: ChartSpec,
  lines: readonly ChartLine[],
  rows: readonly HistoryRow[],
): readonly number[] {
  const values = lines.flatMap((line) => rows.map(line.of).filter((value) => value !== undefined));
  if (spec.scale === 'log') return decadesOf(values.map((value) => Math.max(0.1, value)));
  const most = Math.max(0, ...values);
  const top = spec.whole ? evenAbove(most, spec.least) : niceAbove(most, spec.least);
  return [0, top / 2, top];
}
