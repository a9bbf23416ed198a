import { useSyncExternalStore } from 'react';

/** Below this the inspector is a sheet over the centre. */
export const sheetQuery = '(max-width: 899px)';

/** Below this the navigation is a rail of glyphs. */
export const railQuery = '(max-width: 1099px)';

/** Whether a media query matches, following changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
