import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import './layout.css';

export interface SplitterProps {
  readonly label: string;
  /** `x`: a vertical line that changes a width. `edge`: the sized panel lies before or after the line. */
  readonly axis: 'x' | 'y';
  readonly edge: 'before' | 'after';
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly reset: number;
  readonly onSize: (size: number) => void;
  /** Enter on the line: puts the panel away. */
  readonly onCollapse?: () => void;
}

/** 1-px line, 8-px hit area; arrows move by 16, Home and End go to the ends, Enter puts away, double click resets. */
export function Splitter(props: SplitterProps): ReactNode {
  const drag = useRef<{ readonly from: number; readonly size: number } | undefined>(undefined);
  const sign = props.edge === 'before' ? 1 : -1;
  function set(size: number) {
    props.onSize(Math.round(Math.max(props.min, Math.min(props.max, size))));
  }
  function at(event: PointerEvent) {
    return props.axis === 'x' ? event.clientX : event.clientY;
  }
  function onKeyDown(event: KeyboardEvent) {
    const [less, more] = props.axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const step = event.key === more ? 16 : event.key === less ? -16 : 0;
    if (step !== 0) set(props.size + step * sign);
    else if (event.key === 'Home') set(props.min);
    else if (event.key === 'End') set(props.max);
    else if (event.key === 'Enter' && props.onCollapse !== undefined) props.onCollapse();
    else return;
    event.preventDefault();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is a widget, <hr> is not
    <div
      className={`splitter splitter-${props.axis}`}
      role="separator"
      aria-label={props.label}
      aria-orientation={props.axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={props.size}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => set(props.reset)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: at(event), size: props.size };
      }}
      onPointerMove={(event) => {
        if (drag.current !== undefined) set(drag.current.size + (at(event) - drag.current.from) * sign);
      }}
      // Also when it is cancelled: a drag that nobody ends would follow the pointer for ever.
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}
