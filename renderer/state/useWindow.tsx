import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { WindowState, WindowStore } from './windowState.ts';

export const WindowContext = createContext<WindowStore | undefined>(undefined);

export function useWindowStore(): WindowStore {
  const store = useContext(WindowContext);
  if (store === undefined) throw new Error('no window state around this component');
  return store;
}

export function useWindow<T>(select: (state: WindowState) => T): T {
  return useStore(useWindowStore(), select);
}
