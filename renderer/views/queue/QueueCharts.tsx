import { ChartLine, Table2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import {
  Area,
  AreaChart,
  CartesianGrid,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  XAxis,
  type XAxisProps,
  YAxis,
} from 'recharts';
import type { GapRow } from '../../../shared/contract/views/sources.ts';
import type { BackoffSample, DepthSample } from '../../../shared/model/queue.ts';
import { formatDuration, formatMinute, formatTime } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useMoment } from '../../state/useConnection.ts';
import { IconButton } from '../../widgets/controls.tsx';
import { KeyName } from './KeyName.tsx';
import { formatStep } from './limiterText.ts';

const windowMs = 600_000;
const tick = { fill: 'var(--ink-tertiary)', fontSize: 11 };

export interface QueueChartsProps {
  readonly history: readonly DepthSample[];
  readonly backoff: readonly BackoffSample[];
  readonly gaps: readonly GapRow[];
  readonly selected: string | undefined;
}

function evenAbove(value: number): number {
  return 2 * Math.ceil(value / 2);
}

/** Depth over the last ten minutes, and every delay the limiter gave. */
export default function QueueCharts(props: QueueChartsProps): ReactNode {
  const now = useMoment(1000);
  const domain: readonly [number, number] = [now - windowMs, now];
  return (
    <div className="charts">
      <DepthChart {...props} domain={domain} />
      <BackoffChart {...props} domain={domain} />
    </div>
  );
}

interface ChartProps extends QueueChartsProps {
  readonly domain: readonly [number, number];
}

function DepthChart({ history, gaps, domain }: ChartProps): ReactNode {
  const { t, number } = useI18n();
  const [table, setTable] = useState(false);
  const data = useMemo(() => upToNow(history, domain), [history, domain]);
  // Even, so that the half of it is a whole number too.
  const max = evenAbove(Math.max(4, ...data.map((sample) => Math.max(sample.depth, sample.waiting))));
  const summary = t('queue.depth.summary', {
    now: data.at(-1)?.depth ?? 0,
    max: Math.max(0, ...data.map((sample) => sample.depth)),
  });
  return (
    <figure className="chart">
      <ChartHead title={t('queue.depth')} note={t('queue.depth.last')} table={table} onTable={setTable}>
        <span className="chartKey chartKeyModel">{t('queue.depth.model')}</span>
        <span className="chartKey chartKeyWaiting">{t('queue.depth.waiting')}</span>
        {gaps.some((gap) => overlaps(gap, domain)) && (
          <span className="chartKey chartKeyGap">{t('queue.depth.gap')}</span>
        )}
      </ChartHead>
      <figcaption className="visuallyHidden">{summary}</figcaption>
      {table ? (
        <ChartTable
          columns={[t('queue.table.time'), t('queue.depth'), t('queue.waiting'), t('queue.processing')]}
          rows={data.map((sample) => [
            formatTime(sample.at),
            number(sample.depth),
            number(sample.waiting),
            number(sample.processing),
          ])}
        />
      ) : (
        <div className="chartArea" aria-hidden="true">
          <ResponsiveContainer width="100%" height="100%">
            <AreaChart
              accessibilityLayer={false}
              data={[...data]}
              margin={{ top: 6, right: 0, bottom: 0, left: 0 }}
            >
              <defs>
                <pattern
                  id="gapHatch"
                  width="6"
                  height="6"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width="6" height="6" fill="var(--gap-tint)" />
                  <rect width="2" height="6" fill="var(--gap)" />
                </pattern>
              </defs>
              <CartesianGrid vertical={false} stroke="var(--line-soft)" />
              <XAxis {...timeAxis(domain)} />
              <YAxis
                orientation="right"
                domain={[0, max]}
                allowDecimals={false}
                tickCount={3}
                tick={tick}
                tickLine={false}
                axisLine={false}
                width={28}
              />
              {gaps
                .filter((gap) => overlaps(gap, domain))
                .map((gap) => (
                  <ReferenceArea
                    key={gap.id}
                    x1={Math.max(domain[0], gap.from)}
                    x2={Math.min(domain[1], Math.max(gap.to ?? domain[1], gap.from + windowMs / 150))}
                    fill="url(#gapHatch)"
                    fillOpacity={0.9}
                  />
                ))}
              <Line
                type="stepAfter"
                dataKey="waiting"
                stroke="var(--ink-tertiary)"
                strokeWidth={1}
                strokeDasharray="3 3"
                dot={false}
                isAnimationActive={false}
              />
              <Area
                type="stepAfter"
                dataKey="depth"
                stroke="var(--accent)"
                strokeWidth={1.5}
                fill="var(--accent)"
                fillOpacity={0.1}
                dot={false}
                activeDot={false}
                isAnimationActive={false}
              />
            </AreaChart>
          </ResponsiveContainer>
        </div>
      )}
    </figure>
  );
}

function BackoffChart({ backoff, selected, domain }: ChartProps): ReactNode {
  const { t } = useI18n();
  const [table, setTable] = useState(false);
  const data = useMemo(() => inWindow(backoff, domain), [backoff, domain]);
  const own = data.filter((sample) => sample.key === selected);
  const others = data.filter((sample) => sample.key !== selected);
  const longest = Math.max(0, ...data.map((sample) => sample.delayMs));
  const top = Math.max(1000, 10 ** Math.ceil(Math.log10(Math.max(longest, 1))));
  return (
    <figure className="chart">
      <ChartHead title={t('queue.backoff')} table={table} onTable={setTable}>
        {own.length > 0 && selected !== undefined && <span className="chartKey chartKeyOwn">{selected}</span>}
        {others.length > 0 && <span className="chartKey chartKeyOther">{t('queue.backoff.others')}</span>}
      </ChartHead>
      <figcaption className="visuallyHidden">
        {t('queue.backoff.summary', { n: data.length, max: formatDuration(longest) })}
      </figcaption>
      {data.length === 0 ? (
        <p className="small tertiary chartNone">{t('queue.backoff.none')}</p>
      ) : table ? (
        <ChartTable
          columns={[
            t('queue.table.time'),
            t('queue.column.key'),
            t('queue.column.failures'),
            t('queue.table.delay'),
          ]}
          rows={data.map((sample) => [
            formatTime(sample.at),
            <KeyName key="k" name={sample.key} />,
            `${sample.failures}`,
            formatStep(sample.delayMs),
          ])}
        />
      ) : (
        <div className="chartArea" aria-hidden="true">
          <ResponsiveContainer width="100%" height="100%">
            <ScatterChart accessibilityLayer={false} margin={{ top: 6, right: 0, bottom: 0, left: 0 }}>
              <CartesianGrid vertical={false} stroke="var(--line-soft)" />
              <XAxis {...timeAxis(domain)} />
              <YAxis
                dataKey="delayMs"
                type="number"
                scale="log"
                orientation="right"
                domain={[1, top]}
                ticks={decades(top)}
                tickFormatter={formatStep}
                tick={tick}
                tickLine={false}
                axisLine={false}
                width={44}
              />
              <Scatter
                data={others}
                fill="var(--ink-tertiary)"
                shape={<Dot size={3} />}
                isAnimationActive={false}
              />
              <Scatter data={own} fill="var(--degraded)" shape={<Dot size={4} />} isAnimationActive={false} />
            </ScatterChart>
          </ResponsiveContainer>
        </div>
      )}
    </figure>
  );
}

function Dot(props: {
  readonly size: number;
  readonly cx?: number;
  readonly cy?: number;
  readonly fill?: string;
}): ReactNode {
  return <circle cx={props.cx ?? 0} cy={props.cy ?? 0} r={props.size} fill={props.fill ?? 'currentColor'} />;
}

function ChartHead(props: {
  readonly title: string;
  readonly note?: string;
  readonly table: boolean;
  readonly onTable: (table: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useI18n();
  return (
    <div className="chartHead">
      <h2 className="strong">{props.title}</h2>
      {props.note !== undefined && <span className="small secondary">{props.note}</span>}
      <span className="chartKeys">{props.children}</span>
      <IconButton
        small
        label={t(props.table ? 'queue.chart' : 'queue.table')}
        aria-pressed={props.table}
        onClick={() => props.onTable(!props.table)}
      >
        {props.table ? <ChartLine size={14} strokeWidth={1.75} /> : <Table2 size={14} strokeWidth={1.75} />}
      </IconButton>
    </div>
  );
}

function ChartTable(props: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}): ReactNode {
  return (
    <div className="chartTable">
      <table className="plainTable">
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...props.rows].reverse().map((row, index) => {
            const id = `${index}`;
            return (
              <tr key={id}>
                {row.map((cell, at) => (
                  <td key={props.columns[at]}>{cell}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function inWindow<T extends { readonly at: number }>(
  samples: readonly T[],
  domain: readonly [number, number],
): readonly T[] {
  return samples.filter((sample) => sample.at >= domain[0] && sample.at <= domain[1]);
}

/** Depth holds until something changes it: the last value reaches to now, the one before the window to its start. */
export function upToNow(
  history: readonly DepthSample[],
  domain: readonly [number, number],
): readonly DepthSample[] {
  const inside = inWindow(history, domain);
  const before = history.findLast((sample) => sample.at < domain[0]);
  const last = inside.at(-1) ?? before;
  return [
    ...(before === undefined ? [] : [{ ...before, at: domain[0] }]),
    ...inside,
    ...(last === undefined || last.at >= domain[1] ? [] : [{ ...last, at: domain[1] }]),
  ];
}

function overlaps(gap: GapRow, domain: readonly [number, number]): boolean {
  return gap.from < domain[1] && (gap.to ?? domain[1]) > domain[0];
}

/** The time axis that both charts stand on. */
function timeAxis(domain: readonly [number, number]): XAxisProps {
  return {
    dataKey: 'at',
    type: 'number',
    domain: [domain[0], domain[1]],
    ticks: minuteTicks(domain, 3),
    tickFormatter: formatMinute,
    tick,
    tickLine: false,
    axisLine: { stroke: 'var(--line-strong)' },
    height: 20,
    allowDataOverflow: true,
  };
}

/** Whole minutes inside the domain, every `step`th by the clock. */
export function minuteTicks(domain: readonly [number, number], step: number): number[] {
  const stepMs = step * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(domain[0] / stepMs) * stepMs; at < domain[1]; at += stepMs) ticks.push(at);
  return ticks;
}

function decades(top: number): number[] {
  const ticks: number[] = [];
  for (let value = 1; value <= top; value *= 100) ticks.push(value);
  return ticks;
}
