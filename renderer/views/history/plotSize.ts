import { useLayoutEffect, useState } from 'react';

/** Left of the plots stand the labels of their axes, px. */
export const axisWidth = 64;
export const rightPad = 16;
export const plotHeight = 108;

/** Width of an element, px; 0 until it is known. */
export function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
