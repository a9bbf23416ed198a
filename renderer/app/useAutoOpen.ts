import { useEffect, useRef } from 'react';
import { useCall } from '../client/useCall.ts';
import { useEngine } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { openSession, setSessionsUi, startDemo } from '../state/sessionsUi.ts';
import { usePlayback } from '../state/usePlayback.ts';
import { useWindowStore } from '../state/useWindow.tsx';
import { demoInfo, isDemoId } from '../tour/demos.ts';

/** Opens once what the command line or the desktop asked for. A window that was reloaded finds it open already. */
export function useAutoOpen(): void {
  const engine = useEngine();
  const store = useWindowStore();
  const { t } = useI18n();
  const autoOpen = useCall('app.info', {}).value?.autoOpen;
  const origin = usePlayback()?.origin;
  const done = useRef(false);
  useEffect(() => {
    if (autoOpen === undefined || origin === undefined || done.current) return;
    done.current = true;
    if (origin !== 'none') return;
    if ('demos' in autoOpen) setSessionsUi(store, { demosFirst: true });
    else if ('session' in autoOpen) void openSession(engine, store, autoOpen.session);
    else {
      const { demo } = autoOpen;
      void startDemo(engine, store, demo, isDemoId(demo) ? t(demoInfo(demo).title) : demo);
    }
  }, [autoOpen, origin, engine, store, t]);
}
