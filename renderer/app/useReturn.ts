import { useEffect, useRef } from 'react';
import { returnToPlace } from '../state/sessionsUi.ts';
import { useIsRecording } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';

/** When a session or demo leaves the screen, by whatever way, the window is where it was before. */
export function useReturn(): void {
  const store = useWindowStore();
  const recording = useIsRecording();
  const was = useRef(recording);
  useEffect(() => {
    if (was.current && !recording) returnToPlace(store);
    was.current = recording;
  }, [recording, store]);
}
