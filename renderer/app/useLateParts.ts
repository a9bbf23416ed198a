import { useEffect } from 'react';

/** After the first paint and what it asks for, ms. */
const afterMs = 1500;

/**
 * Fetches the parts of views that are not in the first file (charts, graphs) while nothing is waited for: a host that
 * stops later must not take a view with it.
 */
export function useLateParts(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // The view that needs it asks again, and says so when it cannot be had.
      for (const part of [
        import('../views/queue/QueueCharts.tsx'),
        import('../views/ownership/OwnerGraph.tsx'),
      ])
        part.catch(() => undefined);
    }, afterMs);
    return () => clearTimeout(timer);
  }, []);
}
