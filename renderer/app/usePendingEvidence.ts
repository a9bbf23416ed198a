import { useEffect } from 'react';
import { useEngine } from '../client/useEngine.tsx';
import { attachEvidence, setSessionsUi } from '../state/sessionsUi.ts';
import { useIsRecording, usePage } from '../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';

/** Attaches what the start page was told, once a cluster is on screen. What is refused is said, and not tried again. */
export function usePendingEvidence(): void {
  const engine = useEngine();
  const store = useWindowStore();
  const evidence = useWindow((s) => s.sessions.evidence);
  const recording = useIsRecording();
  const connected = usePage() === 'main' && !recording;
  useEffect(() => {
    if (!connected || evidence.length === 0) return;
    setSessionsUi(store, { evidence: [] });
    void (async () => {
      for (const piece of evidence) {
        const problem = await attachEvidence(engine, piece);
        if (problem !== undefined) setSessionsUi(store, { refused: { name: piece.where, problem } });
      }
    })();
  }, [connected, evidence, engine, store]);
}
