/** Files that the desktop asks the window to open. Once the window is drawn it says so, and what waited is told. */
import { useEffect } from 'react';
import { useEngine } from '../client/useEngine.tsx';
import { useShell } from '../client/useShell.ts';
import { openSession } from '../state/sessionsUi.ts';
import { useWindowStore } from '../state/useWindow.tsx';

/** `drawn`: the page shows what it has to show. Commands of the menu and links are useMenu's. */
export function useShellEvents(drawn: boolean): void {
  const shell = useShell();
  const engine = useEngine();
  const store = useWindowStore();
  useEffect(() => {
    const subscription = shell.on((event) => {
      if (event.type === 'open') void openSession(engine, store, event.path);
    });
    return () => subscription.dispose();
  }, [shell, engine, store]);
  useEffect(() => {
    if (!drawn) return;
    // Two frames: the first is computed, the second says that it was painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => void shell.call('ready', {}).catch(() => undefined));
    });
    return () => cancelAnimationFrame(frame);
  }, [shell, drawn]);
}
