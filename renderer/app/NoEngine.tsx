import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { EngineLink } from '../client/engineLink.ts';
import { I18nProvider, useI18n } from '../i18n/i18n.tsx';
import { ClockContext, hostClock } from '../state/clock.ts';
import { Button } from '../widgets/controls.tsx';
import { EmptyState } from '../widgets/parts.tsx';
import { LinkWords } from './EngineBanner.tsx';
import { Logo } from './Logo.tsx';

/** The desktop's page until its engine answers for the first time. An engine that starts as usual shows nothing of it. */
export function NoEngine({ link }: { readonly link: EngineLink }): ReactNode {
  const [clock] = useState(hostClock);
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, []);
  return (
    <I18nProvider locale={/^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en'}>
      <ClockContext value={clock}>
        <Body link={link} />
      </ClockContext>
    </I18nProvider>
  );
}

function Body({ link }: { readonly link: EngineLink }): ReactNode {
  const { t } = useI18n();
  const state = useSyncExternalStore(link.subscribe, link.get);
  if (state.state === 'open' || (state.state === 'trying' && state.attempt === 1)) return null;
  return (
    <main className="frame">
      <EmptyState
        icon={<Logo size={28} />}
        title={t('engine.notStarted')}
        actions={
          <Button disabled={state.state === 'trying'} onClick={() => link.reconnect()}>
            {t('action.retry')}
          </Button>
        }
      >
        {t('engine.notStarted.what')} <LinkWords state={state} />
      </EmptyState>
    </main>
  );
}
