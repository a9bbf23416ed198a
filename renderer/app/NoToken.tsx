import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import type { EngineLink } from '../client/engineLink.ts';
import type { LinkProblem } from '../client/webSocketTransport.ts';
import { I18nProvider, useI18n } from '../i18n/i18n.tsx';
import { Button } from '../widgets/controls.tsx';
import { EmptyState } from '../widgets/parts.tsx';
import { Logo } from './Logo.tsx';

/** The browser's page until its host answers for the first time; tries by itself only where that can help. */
export function NoLink({ link }: { readonly link: EngineLink }): ReactNode {
  const state = useSyncExternalStore(link.subscribe, link.get);
  if (state.state === 'over') return <NoToken problem={state.why} onRetry={() => location.reload()} />;
  if (state.state === 'open' || state.attempt === 1) return null;
  return <NoToken problem="unreachable" onRetry={() => link.reconnect()} />;
}

/** The page before there is an engine: why not, and what to do. */
function NoToken(props: { readonly problem: LinkProblem; readonly onRetry: () => void }): ReactNode {
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, []);
  return (
    <I18nProvider locale={/^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en'}>
      <Body {...props} />
    </I18nProvider>
  );
}

function Body(props: { readonly problem: LinkProblem; readonly onRetry: () => void }): ReactNode {
  const { t } = useI18n();
  return (
    <main className="frame">
      <EmptyState
        icon={<Logo size={28} />}
        title={t('app.link.title')}
        actions={<Button onClick={props.onRetry}>{t('action.retry')}</Button>}
      >
        {t(`app.link.${props.problem}`)}
      </EmptyState>
    </main>
  );
}
