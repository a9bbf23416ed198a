import type { ReactNode } from 'react';
import type { Basis } from '../../shared/model/basis.ts';
import type { SpanResult } from '../../shared/model/trace.ts';
import './resultMark.css';

export type RunResult = SpanResult | 'running';

export interface ResultMarkProps {
  readonly result: RunResult;
  /** Solid, half filled or dashed: how it is known that it ran. */
  readonly basis?: Basis['kind'];
  /** Width in px, 14 in rows, 18 in heads. */
  readonly size?: number;
  /** A name for assistive technology; without it the mark is decoration beside a word. */
  readonly label?: string;
}

/** How a reconcile ended, by shape first: errors have a cut corner, a requeue an arrow, what runs is open at its end. */
export function ResultMark(props: ResultMarkProps): ReactNode {
  const { result, basis = 'observed', size = 14, label } = props;
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  const path = paths[result];
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden beside its word
    <svg
      className={`resultMark result-${result} mark-${basis}`}
      width={size}
      height={(size * 14) / 16}
      viewBox="0 0 16 14"
      {...named}
    >
      <path className="markLine" d={path} />
      {basis === 'reported' && <path className="markHalf" d={path} />}
    </svg>
  );
}

/** Inside 16 × 14, half a stroke from the edges. */
const paths: Readonly<Record<RunResult, string>> = {
  success: 'M1 1H15V13H1Z',
  error: 'M6.5 1H15V13H1V6.5Z',
  terminal: 'M6.5 1H15V7.5L9.5 13H1V6.5Z',
  panic: 'M5 1H11L15 5V9L11 13H5L1 9V5Z',
  requeue: 'M1 1H10L15 7L10 13H1Z',
  'requeue-after': 'M1 1H15L11.5 7L15 13H1Z',
  unknown: 'M3.5 1H12.5L15 3.5V10.5L12.5 13H3.5L1 10.5V3.5Z',
  running: 'M15 1H1V13H15',
};
