/**
 * Actions of the view on screen for commands of the table: copy, next gap, YAML … A view offers them while it is
 * mounted; the newest offer wins, so that a dialog or inspector goes before the view under it.
 */
import { createContext, useContext, useEffect, useRef } from 'react';

export class ViewActions {
  private readonly offers = new Map<string, (() => void)[]>();
  private readonly listeners = new Set<() => void>();

  offer(id: string, run: () => void): () => void {
    const list = this.offers.get(id) ?? [];
    list.push(run);
    this.offers.set(id, list);
    this.tell();
    return () => {
      const at = list.indexOf(run);
      if (at >= 0) list.splice(at, 1);
      this.tell();
    };
  }

  /** Called when something can or can no longer be done. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  has(id: string): boolean {
    return (this.offers.get(id)?.length ?? 0) > 0;
  }

  run(id: string): void {
    this.offers.get(id)?.at(-1)?.();
  }
}

export const ViewActionsContext = createContext(new ViewActions());

/**
 * What Esc leaves, outermost last: the tour's card lies above all of the window; of the rest (a sheet, the overlay of the
 * rail, an opening that can be cancelled) the newest goes first. Dialogs, menus and fields take their Esc before.
 */
export const escapeLayers = ['leave.tour', 'leave'] as const;

/** Offers `run` for the command `id` while mounted; undefined: not now. */
export function useViewAction(id: string, run: (() => void) | undefined): void {
  const actions = useContext(ViewActionsContext);
  const latest = useRef(run);
  latest.current = run;
  const offered = run !== undefined;
  useEffect(() => {
    if (!offered) return;
    return actions.offer(id, () => latest.current?.());
  }, [actions, id, offered]);
}
