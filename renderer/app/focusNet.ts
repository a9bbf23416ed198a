/**
 * Where the focus goes when what had it leaves the page: to the list or first control of the same region, else of the
 * view. Without this it falls to the page itself, and who works by keys starts again at the top. Dialogs and menus give
 * it back themselves; only when what they would give it to is gone as well does it come here.
 */
import { useEffect } from 'react';

/** Long enough for a dialog that closes to give the focus back, ms. */
const settleMs = 60;

export function useFocusNet(): void {
  useEffect(() => {
    let held: { readonly element: Element; readonly region: string | undefined } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onFocusIn({ target }: FocusEvent) {
      clearTimeout(timer);
      if (!(target instanceof Element) || isLayered(target)) return;
      held = { element: target, region: regionOf(target)?.dataset.region };
    }
    function onFocusOut(event: FocusEvent) {
      clearTimeout(timer);
      if (event.relatedTarget === null) timer = setTimeout(settle, settleMs);
    }
    function settle() {
      // The window itself may have lost it, or something took it: neither is a loss.
      if (document.activeElement !== document.body || !document.hasFocus()) return;
      const before = held;
      held = undefined;
      if (before === undefined || (before.element.isConnected && !before.element.matches(':disabled')))
        return;
      const region = document.querySelector<HTMLElement>(`[data-region="${before.region ?? 'view'}"]`);
      const view = document.querySelector<HTMLElement>('[data-region="view"]');
      const target = region ?? view;
      if (target !== null) landingOf(target).focus({ preventScroll: true });
    }
    window.addEventListener('focusin', onFocusIn);
    window.addEventListener('focusout', onFocusOut);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focusin', onFocusIn);
      window.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}

function isLayered(element: Element): boolean {
  return element.closest('[role="dialog"], .menuPopup') !== null;
}

function regionOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('[data-region]');
}

/**
 * The list or chosen tab of a region, else the region itself: that is the calmest place. In its first field letters would
 * be no keys, and on its first mark a tooltip would open that nobody asked for and that takes the next Esc.
 */
function landingOf(region: HTMLElement): HTMLElement {
  const list = listOf(region);
  if (list !== null) return list;
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  return region;
}

function listOf(region: HTMLElement): HTMLElement | null {
  return region.querySelector<HTMLElement>('[data-region-list], [role="tab"][aria-selected="true"]');
}

/**
 * What a region gives the focus to: its list or chosen tab, else its first control; a field only where there is nothing
 * else, because in it letters are text and no keys. undefined when it has none.
 */
export function entryOf(region: HTMLElement): HTMLElement | undefined {
  return (
    listOf(region) ??
    region.querySelector<HTMLElement>(
      'button:enabled, a[href], [tabindex="0"]:not(input, select, textarea)',
    ) ??
    region.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled') ??
    undefined
  );
}
