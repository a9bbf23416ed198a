import type { ReactNode } from 'react';
import { useTable, useValueOf } from '../client/useEngine.tsx';
import './statusStrip.css';

export interface StripRange {
  /** ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** Where a moment lies in the strip, percent of its width, never outside. */
export function stripShare({ from, to }: StripRange, at: number): number {
  return Math.max(0, Math.min(100, ((at - from) / Math.max(1, to - from)) * 100));
}

/** Records per slice as columns; the first lists are far above the rest, so the square root of the count is drawn. */
export function DensityBars({ counts }: { readonly counts: readonly number[] }): ReactNode {
  const max = Math.sqrt(Math.max(1, ...counts));
  return (
    <svg
      className="stripDensity"
      viewBox={`0 0 ${Math.max(1, counts.length)} 16`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        d={counts
          .map((count, index) => {
            const height = count <= 0 ? 0 : Math.max(1.5, (Math.sqrt(count) / max) * 15);
            return `M${index} 16v${-height.toFixed(1)}h.62v${height.toFixed(1)}z`;
          })
          .join('')}
      />
    </svg>
  );
}

/** Findings where they opened and closed: ticks, of the moment on screen. */
export function FindingTicks({ range }: { readonly range: StripRange }): ReactNode {
  const findings = useValueOf('findings', {}, (s) => s.value?.findings ?? []);
  return findings.flatMap((finding) => {
    const marks = [
      <i
        key={finding.id}
        className={`stripTick strip-${finding.severity}`}
        style={{ left: `${stripShare(range, Date.parse(finding.openedAt))}%` }}
        title={finding.title}
      />,
    ];
    if (finding.closedAt !== undefined)
      marks.push(
        <i
          key={`${finding.id} closed`}
          className="stripTick strip-closed"
          style={{ left: `${stripShare(range, Date.parse(finding.closedAt))}%` }}
        />,
      );
    return marks;
  });
}

/** What lies in the strip, counted: for its name. */
export function useStripCounts(): { readonly gaps: number; readonly findings: number } {
  const gaps = useTable('gaps', {}).rows.length;
  const findings = useValueOf('findings', {}, (s) => s.value?.findings.length ?? 0);
  return { gaps, findings };
}
