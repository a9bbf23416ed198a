import { ChevronRight } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import './stepList.css';

export interface StepItem {
  readonly id: string;
  /** When, short and right aligned: `+31.8 ms`. Empty: at no time of its own. */
  readonly at: string;
  readonly icon: ReactNode;
  readonly text: ReactNode;
  /** Red: it failed or was refused. Quiet: only what was said. */
  readonly tone?: 'plain' | 'failed' | 'quiet';
  /** At the far end: a version, a code. */
  readonly end?: ReactNode;
  /** Opens below the line. */
  readonly more?: () => ReactNode;
  /** Open until it is closed. */
  readonly open?: boolean;
}

/** Of the column of times, px: `+31.8 ms` fits; an interval of clock times needs more. */
const leastAt = 58;
const characterWidth = 7;

/** What happened one after the other: time, glyph, words, and what opens below. */
export function StepList(props: { readonly label: string; readonly steps: readonly StepItem[] }): ReactNode {
  const longest = Math.max(0, ...props.steps.map(({ at }) => at.length));
  const width = { '--step-at': `${Math.max(leastAt, longest * characterWidth)}px` } as CSSProperties;
  return (
    <ol aria-label={props.label} style={width}>
      {props.steps.map((step) => (
        <StepLine key={step.id} step={step} />
      ))}
    </ol>
  );
}

function StepLine({ step }: { readonly step: StepItem }): ReactNode {
  const [open, setOpen] = useState(step.open === true);
  const id = useId();
  const line = (
    <>
      <span className="stepAt mono">{step.at}</span>
      <span className="stepIcon" aria-hidden="true">
        {step.icon}
      </span>
      <span className="stepText">{step.text}</span>
      {step.end !== undefined && <span className="stepEnd mono">{step.end}</span>}
    </>
  );
  return (
    <li className={`stepItem step-${step.tone ?? 'plain'}`}>
      {step.more === undefined ? (
        <div className="stepLine">{line}</div>
      ) : (
        <button
          type="button"
          className="stepLine stepOpens"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {line}
          <ChevronRight className="stepChevron" size={12} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
      {step.more !== undefined && (
        <div id={id} className="stepMore" hidden={!open}>
          {open && step.more()}
        </div>
      )}
    </li>
  );
}
