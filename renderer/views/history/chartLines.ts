/** The four charts of a history: which lines each has, what they read of a row, how their values are written. Pure. */
import type { HistorySeries } from '../../../shared/contract/views/traces.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import { formatDuration, missing } from '../../format/format.ts';
import { errorShare, type HistoryRow, perMinute } from './historyModel.ts';

export type ChartName = 'rate' | 'errors' | 'latency' | 'depth';
export type ErrorsAs = 'count' | 'share';

export interface ChartLine {
  readonly id: string;
  readonly side: HistorySeries['from'];
  /** Of latency; undefined elsewhere. */
  readonly quantile?: 'p50' | 'p99';
  readonly basis: Basis['kind'];
  readonly of: (row: HistoryRow) => number | undefined;
}

export interface ChartSpec {
  readonly name: ChartName;
  readonly lines: readonly ChartLine[];
  readonly scale: 'linear' | 'log';
  /** The axis reaches at least to this. */
  readonly least: number;
  /** Counts of things: no half of one. */
  readonly whole: boolean;
  readonly write: (value: number | undefined) => string;
}

/** The charts, from top to bottom. A side that is not there has no lines. */
export function chartsOf(
  series: readonly HistorySeries[],
  slotMs: number,
  errorsAs: ErrorsAs,
): readonly ChartSpec[] {
  function lines(of: (side: HistorySeries['from']) => readonly Omit<ChartLine, 'side' | 'basis'>[]) {
    return series.flatMap((one) =>
      of(one.from).map((line) => ({ ...line, side: one.from, basis: one.basis.kind })),
    );
  }
  return [
    {
      name: 'rate',
      scale: 'linear',
      least: 5,
      whole: false,
      write: (value) => (value === undefined ? missing : short(value)),
      lines: lines((side) => [{ id: side, of: (row) => perMinute(row[side]?.runs, slotMs) }]),
    },
    {
      name: 'errors',
      scale: 'linear',
      least: errorsAs === 'share' ? 10 : 2,
      whole: errorsAs === 'count',
      write: (value) =>
        value === undefined ? missing : errorsAs === 'share' ? `${short(value)} %` : whole(value),
      lines: lines((side) => [
        {
          id: side,
          of: (row) => (errorsAs === 'share' ? errorShare(row[side]) : row[side]?.errors),
        },
      ]),
    },
    {
      name: 'latency',
      scale: 'log',
      least: 0,
      whole: false,
      write: (value) => formatDuration(value),
      lines: lines((side) => [
        { id: `${side}-p99`, quantile: 'p99', of: (row) => row[side]?.p99Ms },
        { id: `${side}-p50`, quantile: 'p50', of: (row) => row[side]?.p50Ms },
      ]),
    },
    {
      name: 'depth',
      scale: 'linear',
      least: 4,
      whole: true,
      write: (value) => (value === undefined ? missing : short(value)),
      lines: lines((side) => [{ id: side, of: (row) => row[side]?.depth }]),
    },
  ];
}

/** Lines of which some slot on screen is known. */
export function knownLines(spec: ChartSpec, rows: readonly HistoryRow[]): readonly ChartLine[] {
  return spec.lines.filter((line) => rows.some((row) => line.of(row) !== undefined));
}

/** A count that was spread over two slots is about one. */
function whole(value: number): string {
  return Number.isInteger(value) ? String(value) : `~${Math.round(value)}`;
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}
