import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { type HistoryRange, type HistoryRows, type Span, zoomed } from './historyModel.ts';
import { axisWidth, rightPad } from './plotSize.ts';

/** A drag shorter than this is a click, px. */
const leastDrag = 6;

/**
 * The layer over the plots that takes pointer and keys: one crosshair for all charts, a drag selects a range, a double click
 * shows all, Ctrl and the wheel zoom. With the focus: arrows by one slot, with Shift by ten, Home and End, + and −, 0 for all.
 * It is a slider over the slots, so that each step is read out with its values.
 */
export function HistoryCursor(props: {
  readonly rows: HistoryRows;
  readonly span: Span;
  /** Start of the slot under the crosshair. */
  readonly at: number | undefined;
  readonly valueText: string;
  readonly onAt: (at: number | undefined) => void;
  readonly onSpan: (range: HistoryRange) => void;
}): ReactNode {
  const { t } = useI18n();
  const { rows, span, at, onAt, onSpan } = props;
  const layer = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Span | undefined>(undefined);
  const latest = useRef({ span, onSpan });
  latest.current = { span, onSpan };
  const share = (time: number) =>
    Math.max(0, Math.min(100, ((time - span.from) / (span.to - span.from)) * 100));

  useEffect(() => {
    const element = layer.current;
    if (element === null) return;
    // React's own wheel listener is passive: it could not keep the page from zooming.
    function onWheel(event: WheelEvent) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const now = latest.current;
      const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const time = now.span.from + ((event.clientX - box.left) / box.width) * (now.span.to - now.span.from);
      now.onSpan(zoomed(now.span, event.deltaY > 0 ? 1.25 : 0.8, time));
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  function timeOf(event: PointerEvent): number {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
    return span.from + part * (span.to - span.from);
  }
  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const time = timeOf(event);
    setDrag({ from: time, to: time });
  }
  function onPointerMove(event: PointerEvent) {
    const time = timeOf(event);
    onAt(time);
    if (drag !== undefined) setDrag({ from: drag.from, to: time });
  }
  function onPointerUp(event: PointerEvent) {
    if (drag === undefined) return;
    setDrag(undefined);
    const from = Math.min(drag.from, drag.to);
    const to = Math.max(drag.from, drag.to);
    const wide = ((to - from) / (span.to - span.from)) * event.currentTarget.getBoundingClientRect().width;
    if (wide >= leastDrag) onSpan({ from, to });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!onKey(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  function onKey(key: string, shift: boolean): boolean {
    const last = rows.rows.length - 1;
    const index = at === undefined ? last + 1 : rows.rows.findIndex((row) => row.at === at);
    const goto = (to: number) => onAt(rows.rows[Math.max(0, Math.min(last, to))]?.at);
    switch (key) {
      case 'ArrowLeft':
        goto(index - (shift ? 10 : 1));
        return true;
      case 'ArrowRight':
        goto(index + (shift ? 10 : 1));
        return true;
      case 'Home':
        goto(0);
        return true;
      case 'End':
        goto(last);
        return true;
      case '+':
      case '=':
      case '-':
        onSpan(zoomed(span, key === '-' ? 2 : 0.5, at ?? span.to));
        return true;
      case '0':
        onSpan('all');
        return true;
      case 'Escape':
        if (at === undefined) return false;
        onAt(undefined);
        return true;
      default:
        return false;
    }
  }
  const index = at === undefined ? -1 : rows.rows.findIndex((row) => row.at === at);
  return (
    <div
      ref={layer}
      className="historyCursor"
      style={{ left: axisWidth, right: rightPad }}
      role="slider"
      tabIndex={0}
      aria-label={t('history.cursor')}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, rows.rows.length - 1)}
      aria-valuenow={Math.max(0, index)}
      aria-valuetext={props.valueText}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => {
        if (drag === undefined) onAt(undefined);
      }}
      onDoubleClick={() => onSpan('all')}
    >
      {at !== undefined && (
        <i className="historyCross" style={{ left: `${share(at + rows.slotMs / 2)}%` }} aria-hidden="true" />
      )}
      {drag !== undefined && (
        <i
          className="historyDrag"
          style={{
            left: `${share(Math.min(drag.from, drag.to))}%`,
            width: `${Math.abs(share(drag.to) - share(drag.from))}%`,
          }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}
