/**
 * Marks what a filter looked for in the text on screen, by the CSS Custom Highlight API: no element is added, so that
 * nothing moves and no cell has to know of it. Where a browser has no such thing, nothing is marked.
 */
import { type RefObject, useEffect } from 'react';

const name = 'filter';
/** What is on screen at once; more would be colour, not help. */
const most = 2000;

export function useHighlight(root: RefObject<HTMLElement | null>, words: readonly string[]): void {
  const wanted = words.filter((word) => word !== '').join('\n');
  useEffect(() => {
    const element = root.current;
    if (element === null || wanted === '' || !('highlights' in CSS)) return;
    const shared = sharedHighlight();
    let mine: readonly Range[] = [];
    let frame = 0;
    function mark() {
      frame = 0;
      for (const range of mine) shared.delete(range);
      mine = element === null ? [] : rangesIn(element, wanted.split('\n'));
      for (const range of mine) shared.add(range);
    }
    mark();
    const observer = new MutationObserver(() => {
      if (frame === 0) frame = requestAnimationFrame(mark);
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      for (const range of mine) shared.delete(range);
    };
  }, [root, wanted]);
}

/** One for all lists: each adds and removes its own ranges. */
function sharedHighlight(): Highlight {
  const known = CSS.highlights.get(name);
  if (known !== undefined) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

function rangesIn(root: HTMLElement, words: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < most; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    // Lower case may be longer than the text: then its places mean nothing here.
    if (text === '' || text.length !== node.nodeValue?.length) continue;
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
