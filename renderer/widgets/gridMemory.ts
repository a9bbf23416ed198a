/** Widths and order that a user gave to tables. Where no window keeps them, a table remembers them while it is mounted. */
import { createContext, useCallback, useContext, useState } from 'react';

export interface GridSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface GridLayout {
  /** Pixels by column id. */
  readonly widths: Readonly<Record<string, number>>;
  /** Absent: the order the view gives. */
  readonly sort?: GridSort;
}

export interface GridMemories {
  readonly of: Readonly<Record<string, GridLayout>>;
  readonly keep: (id: string, layout: GridLayout) => void;
}

export const GridMemoryContext = createContext<GridMemories | undefined>(undefined);

const asGiven: GridLayout = { widths: {} };

/** The layout of the table `id`, and how to change it. Without an id it is forgotten with the table. */
export function useGridLayout(id: string | undefined): readonly [GridLayout, (layout: GridLayout) => void] {
  const memories = useContext(GridMemoryContext);
  const [local, setLocal] = useState<GridLayout>(asGiven);
  const kept = memories !== undefined && id !== undefined;
  const change = useCallback(
    (layout: GridLayout) => {
      if (memories !== undefined && id !== undefined) memories.keep(id, layout);
      else setLocal(layout);
    },
    [memories, id],
  );
  return [kept ? (memories.of[id] ?? asGiven) : local, change];
}
