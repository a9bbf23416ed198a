import { createContext, type ReactNode, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { EngineLink, LinkState } from '../client/engineLink.ts';
import { useShell } from '../client/useShell.ts';
import { formatClock, formatTime } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { ClockContext, useNow } from '../state/clock.ts';
import { Button } from '../widgets/controls.tsx';
import { Banner } from '../widgets/parts.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';

/** Absent where the engine cannot be lost: scripted windows, the gallery. */
export const EngineLinkContext = createContext<EngineLink | undefined>(undefined);

const open: LinkState = { state: 'open' };

/** After so many tries a browser's host is more likely stopped than busy. */
const triesBeforeAdvice = 4;

/** The state of the window's hold on its engine. */
export function useEngineLink(): LinkState {
  const link = useContext(EngineLinkContext);
  return useSyncExternalStore(link?.subscribe ?? never, link?.get ?? (() => open));
}

/** Above everything while the engine is gone: since when, the next try, and a way to hurry it. What was there stays. */
export function EngineBanner({ announce }: { readonly announce: (text: string) => void }): ReactNode {
  const { t } = useI18n();
  const link = useContext(EngineLinkContext);
  const state = useEngineLink();
  const wasLost = useRef(false);
  const lost = state.state !== 'open';
  useEffect(() => {
    if (lost !== wasLost.current) announce(t(lost ? 'engine.lost.title' : 'engine.back'));
    wasLost.current = lost;
  }, [lost, announce, t]);
  if (state.state === 'open') return null;
  return (
    <Banner
      kind="failed"
      icon={<StateGlyph state="failed" size={16} />}
      end={
        state.state === 'over' ? undefined : (
          <Button small disabled={state.state === 'trying'} onClick={() => link?.reconnect()}>
            {t('engine.reconnect')}
          </Button>
        )
      }
    >
      <strong>{t('engine.lost.title')}</strong>
      <LinkWords state={state} />
      <span className="small secondary">{t('engine.lost.keeps', { time: formatTime(state.since) })}</span>
    </Banner>
  );
}

/** What happens now, with a countdown. */
export function LinkWords({ state }: { readonly state: LinkState }): ReactNode {
  const { t } = useI18n();
  const shell = useShell();
  // A countdown of this computer's own clock; the window's may show a recorded moment.
  useNow(250);
  const { frozen } = useContext(ClockContext);
  if (state.state === 'open') return null;
  if (state.state === 'over') return <span className="small secondary">{t(`app.link.${state.why}`)}</span>;
  const left = Math.max(0, (state.nextTryAt ?? 0) - (frozen ? (state.nextTryAt ?? 0) : Date.now()));
  return (
    <>
      <span className="small secondary tabular">
        {state.state === 'trying' || left === 0
          ? t('engine.lost.trying', { n: state.attempt })
          : t('engine.lost.waiting', { n: state.attempt, time: formatClock(left) })}
      </span>
      {shell.kind === 'browser' && state.attempt > triesBeforeAdvice && (
        <span className="small secondary">{t('engine.lost.host')}</span>
      )}
    </>
  );
}

function never(): () => void {
  return () => {};
}
