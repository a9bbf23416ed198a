import type { ReactNode } from 'react';
import { formatStep } from './limiterText.ts';
import { type LogScale, labelledSteps } from './logScale.ts';

/** Labels above, the limiter's own steps as small ticks. */
export function AxisHead(props: {
  readonly scale: LogScale;
  readonly stepsMs: readonly number[];
}): ReactNode {
  const { scale, stepsMs } = props;
  const labels = labelledSteps(stepsMs, scale, 11);
  return (
    <span className="axisHead">
      {labels.map((step, index) => {
        const place = index === labels.length - 1 ? ' axisLabelEnd' : index === 0 ? ' axisLabelStart' : '';
        const spare = index % 2 === 1 && index < labels.length - 1 ? ' axisLabelSpare' : '';
        return (
          <span key={step} className={`axisLabel${place}${spare}`} style={{ left: `${scale.x(step)}%` }}>
            {formatStep(step)}
          </span>
        );
      })}
      {[...new Set(stepsMs)].map((step) => (
        <i key={step} className="axisTick" style={{ left: `${scale.x(step)}%` }} />
      ))}
    </span>
  );
}

export interface AxisLineProps {
  readonly scale: LogScale;
  readonly leftMs: number;
  readonly delayMs: number;
  readonly tone: 'progressing' | 'degraded' | 'failed';
  readonly label: string;
}

/** Long tick: the delay that was given. Dashed ring: what is left; it moves left to "due". */
export function AxisLine({ scale, leftMs, delayMs, tone, label }: AxisLineProps): ReactNode {
  const left = scale.x(leftMs);
  const given = scale.x(delayMs);
  return (
    <svg className={`axisLine axis-${tone}`} width="100%" height="28" role="img" aria-label={label}>
      <path d="M0 14l5-4v8z" fill="currentColor" />
      <line x1="6" x2={`${left}%`} y1="14" y2="14" className="axisDots" />
      {given > left && <line x1={`${left}%`} x2={`${given}%`} y1="14" y2="14" className="axisBar" />}
      <line x1={`${given}%`} x2={`${given}%`} y1="8" y2="20" stroke="currentColor" strokeWidth="2" />
      <circle cx={`${left}%`} cy="14" r="4.5" className="axisRing" />
    </svg>
  );
}
