import type { ReactNode } from 'react';
import type { ChartLine, ChartName } from './chartLines.ts';

/** Errors are red on either side; else ours is the accent and what is reported is grey. How it is known is in the stroke. */
export function inkOf(line: ChartLine, chart: ChartName): string {
  if (chart === 'errors') return 'var(--failed)';
  return line.side === 'spans' ? 'var(--accent)' : 'var(--ink-secondary)';
}

export function strokeOf(line: ChartLine): {
  readonly strokeWidth: number;
  readonly strokeDasharray?: string;
} {
  const strokeWidth = line.quantile === 'p50' ? 1 : 1.5;
  return line.basis === 'inferred' ? { strokeWidth, strokeDasharray: '4 3' } : { strokeWidth };
}

/** A reported value: the square of the basis mark, left half filled. */
export function ReportedMark(props: {
  readonly x: number;
  readonly y: number;
  readonly ink: string;
}): ReactNode {
  const { x, y, ink } = props;
  return (
    <g>
      <rect
        x={x - 3}
        y={y - 3}
        width={6}
        height={6}
        fill="var(--surface-panel)"
        stroke={ink}
        strokeWidth={1}
      />
      <rect x={x - 3} y={y - 3} width={3} height={6} fill={ink} />
    </g>
  );
}

/** The stroke of a line, for its legend. */
export function LineKey(props: { readonly line: ChartLine; readonly chart: ChartName }): ReactNode {
  const ink = inkOf(props.line, props.chart);
  return (
    <svg width={24} height={10} viewBox="0 0 24 10" aria-hidden="true" className="lineKey">
      <line x1={0} y1={5} x2={24} y2={5} stroke={ink} {...strokeOf(props.line)} />
      {props.line.basis === 'reported' && <ReportedMark x={12} y={5} ink={ink} />}
    </svg>
  );
}
