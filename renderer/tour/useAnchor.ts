import { useEffect, useState } from 'react';
import { type Box, commonPart } from './placeCard.ts';

/** How often the anchor is looked for and measured, ms: views arrive late and grow. */
const lookEveryMs = 150;

/**
 * Where the first of `selectors` that is on screen lies, px of the viewport; undefined while none is. As it first shows
 * up it is scrolled into its panel, nothing more: afterwards scrolling is the user's.
 */
export function useAnchor(selectors: readonly string[]): Box | undefined {
  const [box, setBox] = useState<Box | undefined>(undefined);
  const id = selectors.join('\n');
  useEffect(() => {
    let scrolledTo: Element | undefined;
    const look = () => {
      const element = find(id.split('\n'));
      if (element !== undefined && element !== scrolledTo) {
        scrolledTo = element;
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      const next = element === undefined ? undefined : visibleBox(element);
      setBox((before) => (sameBox(before, next) ? before : next));
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    window.addEventListener('resize', look);
    window.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', look);
      window.removeEventListener('scroll', look, { capture: true });
    };
  }, [id]);
  return box;
}

function find(selectors: readonly string[]): Element | undefined {
  for (const selector of selectors) {
    // A step that points at nothing has one empty selector.
    if (selector === '') continue;
    const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What of it can be seen: neither scrolled away in its panel nor outside of the window. */
function visibleBox(element: Element): Box | undefined {
  const window = { left: 0, top: 0, width: innerWidth, height: innerHeight };
  let box = commonPart(boxOf(element), window);
  for (let panel = element.parentElement; panel !== null && box !== undefined; panel = panel.parentElement) {
    if (getComputedStyle(panel).overflow !== 'visible') box = commonPart(box, boxOf(panel));
  }
  return box;
}

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

function sameBox(a: Box | undefined, b: Box | undefined): boolean {
  return a?.left === b?.left && a?.top === b?.top && a?.width === b?.width && a?.height === b?.height;
}
