/**
 * Which rows of a long list are drawn. All rows are equally high, so the place of a row is a product and a list of any
 * length costs the same. The window moves in steps of some rows: most frames of a scroll change nothing.
 */
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

export interface RowWindow {
  /** Index of the first drawn row and of the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Rows that are drawn at once at most; stays the same while the list is scrolled. */
  readonly slots: number;
  /** Scrolls as little as shows the row. */
  readonly show: (index: number) => void;
}

export interface RowWindowOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the sticky head above the rows. */
  readonly head: number;
  /** Rows that are drawn above and below what is seen. */
  readonly spare: number;
  readonly enabled: boolean;
}

interface Range {
  readonly first: number;
  readonly end: number;
}

export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowHeight, head, spare, enabled }: RowWindowOptions,
): RowWindow {
  const [height, setHeight] = useState(600);
  const [start, setStart] = useState(0);
  const slots = Math.ceil(height / rowHeight) + 1 + 2 * spare;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !enabled) return;
    const measure = () => setHeight(element.clientHeight);
    const look = () => {
      const seen = Math.floor(element.scrollTop / rowHeight);
      const move = (before: number) => moved(before, seen, spare);
      // In the frame of the scroll itself: a frame later there would be nothing where the rows belong.
      flushSync(() => setStart(move));
    };
    measure();
    setStart((before) => moved(before, Math.floor(element.scrollTop / rowHeight), spare));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, rowHeight, spare, enabled]);
  const show = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element === null) return;
      const top = index * rowHeight;
      const room = element.clientHeight - head - rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top > element.scrollTop + room) element.scrollTop = top - room;
    },
    [scroller, rowHeight, head],
  );
  return { ...rangeOf(start, slots, count), slots, show };
}

/** The first drawn row once `seen` is the first that is seen; the same as before while it is far enough from both ends. */
export function moved(before: number, seen: number, spare: number): number {
  const above = seen - before;
  const least = Math.floor(spare / 4);
  if (above >= least && above <= 2 * spare - least) return before;
  return Math.max(0, seen - spare);
}

/** Rows that are drawn; a list that became shorter ends where it ends. */
export function rangeOf(start: number, slots: number, count: number): Range {
  const first = Math.max(0, Math.min(start, count - slots));
  return { first, end: Math.min(count, first + slots) };
}
