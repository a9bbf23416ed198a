import { type ReactNode, useCallback, useMemo } from 'react';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { setPreferences } from '../state/windowState.ts';
import { type GridLayout, GridMemoryContext } from '../widgets/gridMemory.ts';

/** Keeps widths and order of tables with the preferences. */
export function GridMemoryProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const store = useWindowStore();
  const of = useWindow((s) => s.preferences.grids);
  const keep = useCallback(
    (id: string, layout: GridLayout) => {
      const { [id]: _, ...others } = store.getState().preferences.grids;
      const isGiven = layout.sort === undefined && Object.keys(layout.widths).length === 0;
      setPreferences(store, { grids: isGiven ? others : { ...others, [id]: layout } });
    },
    [store],
  );
  const value = useMemo(() => ({ of, keep }), [of, keep]);
  return <GridMemoryContext value={value}>{children}</GridMemoryContext>;
}
