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

/**
 * What happened one after the other: time, glyph, words, and what opens below. Lines that open are one stop of the Tab key;
 * arrows, Home and End move among them.
 */
export function StepList(props: { readonly label: string; readonly steps: readonly StepItem[] }): ReactNode {
  const { steps } = props;
  const opening = steps.filter(({ more }) => more !== undefined).map(({ id }) => id);
  const [last, setLast] = useState<string | undefined>(undefined);
  const stop = last !== undefined && opening.includes(last) ? last : opening[0];
  const longest = Math.max(0, ...steps.map(({ at }) => at.length));
  const width = { '--step-at': `${Math.max(leastAt, longest * characterWidth)}px` } as CSSProperties;
  return (
    <ol aria-label={props.label} style={width}>
      {steps.map((step) => (
        <StepLine key={step.id} step={step} stop={step.id === stop} onFocus={() => setLast(step.id)} />
      ))}
    </ol>
  );
}

/** Moves to another line that opens, when `key` says so. */
function moveAmong(line: HTMLElement, key: string): boolean {
  const lines = [...(line.closest('ol')?.querySelectorAll<HTMLElement>('.stepOpens') ?? [])];
  const to = nextStop(lines.indexOf(line), lines.length, key);
  if (to === undefined) return false;
  lines[to]?.focus();
  return true;
}

/** Where a key leads from line `at` of `n`; undefined: it is no key of a list. */
export function nextStop(at: number, n: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(n - 1, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return n - 1;
    default:
      return undefined;
  }
}

function StepLine(props: {
  readonly step: StepItem;
  /** The Tab key stops here. */
  readonly stop: boolean;
  readonly onFocus: () => void;
}): ReactNode {
  const { step } = props;
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
          tabIndex={props.stop ? 0 : -1}
          onFocus={props.onFocus}
          onKeyDown={(event) => {
            if (moveAmong(event.currentTarget, event.key)) event.preventDefault();
          }}
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
