import { useContext, useEffect, useMemo } from 'react';
import { useEngine, useValueOf } from '../client/useEngine.tsx';
import { type CommandContext, commands } from '../commands.ts';
import { activeKeys, chordOf, hostOf, isSingle, isTyping, ownsSpace } from '../state/keys.ts';
import { railQuery, sheetQuery, useMedia } from '../state/useMedia.ts';
import { isRecording, shownPlayback, usePage } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { escapeLayers, ViewActionsContext } from '../state/viewActions.tsx';
import { isMac } from '../widgets/controls.tsx';
import { entryOf } from './focusNet.ts';

/** What commands act on, for keys, palette and buttons alike. */
export function useCommandContext(): CommandContext {
  const engine = useEngine();
  const store = useWindowStore();
  const actions = useContext(ViewActionsContext);
  const phase = useValueOf('connection', {}, (s) => s.value?.phase);
  const page = usePage();
  const sheet = useMedia(sheetQuery);
  const narrow = useMedia(railQuery);
  // Commands read what is shown by themselves; who lists them has to look again when it changes.
  const shown = useValueOf('playback', {}, ({ value }) =>
    value === undefined ? '' : `${value.origin} ${value.state} ${value.behind === undefined}`,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown makes a new context
  return useMemo(
    () => ({
      engine,
      store,
      actions,
      connected: page === 'main',
      lost: phase === 'lost' && !isRecording(shownPlayback(engine)),
      sheet,
      narrow,
      focusRegion,
    }),
    [engine, store, actions, phase, page, shown, sheet, narrow],
  );
}

export function useShortcuts(): void {
  const context = useCommandContext();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // What an input method is still turning into a word is no key of ours.
      if (event.defaultPrevented || event.isComposing) return;
      const chord = chordOf(event, isMac());
      if (chord === undefined) return;
      const { preferences } = context.store.getState();
      if (isSingle(chord) && isTyping(event.target)) return;
      // Enter and the copy key belong to the focused control and to selected text first.
      if (chord === 'Enter' && event.target !== document.body) return;
      if (chord === 'Space' && ownsSpace(event.target)) return;
      if (chord === 'Mod+C' && (isTyping(event.target) || hasSelection())) return;
      // A dialog that fades away takes no keys any more.
      const layered = document.querySelector('.dialogScrim:not([data-closed], [data-ending-style])') !== null;
      if (chord === 'Escape') {
        const layer = layered ? undefined : escapeLayers.find((id) => context.actions.has(id));
        // In a field Esc is the field's: it does not leave a tour that is read beside it.
        if (layer === undefined || (layer === 'leave.tour' && isTyping(event.target))) return;
        event.preventDefault();
        context.actions.run(layer);
        return;
      }
      for (const command of commands) {
        if (!activeKeys(command, preferences, hostOf()).includes(chord)) continue;
        // A dialog has its own keys; only what opens another layer goes through it.
        if (layered && command.id !== 'palette' && !(command.id === 'filter' && isFiltered())) continue;
        if (command.when !== undefined && !command.when(context)) continue;
        event.preventDefault();
        command.run(context);
        return;
      }
      if (!layered && event.target === document.body && (preferences.singleKeys || !isSingle(chord))) {
        if (/^(J|K|ArrowUp|ArrowDown)$/.test(chord) && toList(event.key)) event.preventDefault();
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [context]);
}

/** Row keys while nothing has the focus: they go to the list of the view. False where the view has none. */
function toList(key: string): boolean {
  const list = document.querySelector<HTMLElement>('[data-region="view"] [data-region-list]');
  if (list === null) return false;
  list.focus();
  list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  return true;
}

/** The dialog on top has a list with a filter of its own; it offers it, so the newest offer is the dialog's. */
function isFiltered(): boolean {
  return [...document.querySelectorAll('[role="dialog"]')].at(-1)?.querySelector('.filterBox') != null;
}

function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? '') !== '';
}

/** Regions in the order of the page; inside one the list takes the focus when there is one. */
function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetParent !== null || region.getClientRects().length > 0,
  );
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  for (let n = 1; n <= regions.length; n += 1) {
    const region =
      regions[(Math.max(at, step === 1 ? -1 : 0) + step * n + regions.length * 2) % regions.length];
    const target = region && entryOf(region);
    if (target === undefined) continue;
    target.focus();
    return;
  }
}
