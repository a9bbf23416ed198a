import { Tooltip } from '@base-ui/react/tooltip';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { EngineClient } from '../client/engineClient.ts';
import { EngineContext, useValueOf } from '../client/useEngine.tsx';
import { commands } from '../commands.ts';
import { I18nProvider } from '../i18n/i18n.tsx';
import { ClockContext, type WindowClock } from '../state/clock.ts';
import { useKeptPlace } from '../state/keptPlace.ts';
import { boundKeys, hostOf } from '../state/keys.ts';
import { useMedia } from '../state/useMedia.ts';
import { type Page, useFollowPlayback, usePage } from '../state/usePlayback.ts';
import { useWindow, useWindowStore, WindowContext } from '../state/useWindow.tsx';
import { ViewActions, ViewActionsContext } from '../state/viewActions.tsx';
import type { WindowStore } from '../state/windowState.ts';
import { TourCard } from '../tour/TourCard.tsx';
import { SessionDialogs } from '../views/sessions/SessionDialogs.tsx';
import { OpeningPage, StartPage } from '../views/start/StartPage.tsx';
import { AnnounceContext } from '../widgets/Copy.tsx';
import { BoundKeysContext } from '../widgets/controls.tsx';
import { Skeleton } from '../widgets/parts.tsx';
import { DropZone } from './DropZone.tsx';
import { EngineBanner, useEngineLink } from './EngineBanner.tsx';
import { useFocusNet } from './focusNet.ts';
import { GridMemoryProvider } from './GridMemoryProvider.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { MainFrame } from './MainFrame.tsx';
import { Palette } from './Palette.tsx';
import { SettingsDialog } from './SettingsDialog.tsx';
import { useAnnouncements } from './useAnnouncements.ts';
import { useAutoOpen } from './useAutoOpen.ts';
import { useMenu } from './useMenu.ts';
import { usePendingEvidence } from './usePendingEvidence.ts';
import { usePreferences } from './usePreferences.ts';
import { useReturn } from './useReturn.ts';
import { useShellEvents } from './useShellEvents.ts';
import { useShellWords, useWindowTitle } from './useShellWords.ts';
import { useShortcuts } from './useShortcuts.ts';
import './app.css';

export interface AppProps {
  readonly engine: EngineClient;
  readonly store: WindowStore;
  readonly clock: WindowClock;
}

export function App({ engine, store, clock }: AppProps): ReactNode {
  const actions = useMemo(() => new ViewActions(), []);
  return (
    <EngineContext value={engine}>
      <WindowContext value={store}>
        <ClockContext value={clock}>
          <ViewActionsContext value={actions}>
            <Localised />
          </ViewActionsContext>
        </ClockContext>
      </WindowContext>
    </EngineContext>
  );
}

/** Theme and language come from preferences; `system` follows the host. */
function Localised(): ReactNode {
  const theme = useWindow((s) => s.preferences.theme);
  const choice = useWindow((s) => s.preferences.locale);
  const dark = useMedia('(prefers-color-scheme: dark)');
  const locale =
    choice !== 'system' ? choice : /^zh\b/i.test(navigator.language) ? ('zh-CN' as const) : ('en' as const);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme === 'system' ? (dark ? 'dark' : 'light') : theme;
    root.lang = locale;
  }, [theme, dark, locale]);
  return (
    <I18nProvider locale={locale}>
      <Tooltip.Provider delay={400}>
        <Window />
      </Tooltip.Provider>
    </I18nProvider>
  );
}

function Window(): ReactNode {
  const [announcement, setAnnouncement] = useState('');
  const page = usePage();
  const phase = useValueOf('connection', {}, (s) => s.value?.phase);
  const store = useWindowStore();
  const announce = useAnnouncements(setAnnouncement);
  const preferences = useWindow((s) => s.preferences);
  const bound = useMemo(() => boundKeys(commands, preferences, hostOf()), [preferences]);
  usePreferences();
  useShortcuts();
  useFocusNet();
  useKeptPlace();
  useMenu();
  useFollowPlayback(useEngineLink().state !== 'open');
  useAutoOpen();
  usePendingEvidence();
  useReturn();
  useShellEvents(page !== 'wait');
  useShellWords();
  useWindowTitle();
  useEffect(() => {
    if (phase === 'idle' || phase === 'connecting' || phase === 'failed')
      store.setState({ openedEarly: false });
  }, [phase, store]);
  return (
    <AnnounceContext value={announce}>
      <BoundKeysContext value={bound}>
        <EngineBanner announce={announce} />
        <ShownPage page={page} />
        <SessionDialogs />
        <TourCard />
        <DropZone />
        <Palette />
        <HelpDialog />
        <SettingsDialog />
        <div className="visuallyHidden" role="status" aria-live="polite">
          {announcement}
        </div>
      </BoundKeysContext>
    </AnnounceContext>
  );
}

/** What is opened from the start page is opened on it; from anywhere else it has a page of its own. */
function ShownPage({ page }: { readonly page: Page }): ReactNode {
  const before = useRef<Page>('start');
  useEffect(() => {
    if (page !== 'opening') before.current = page;
  }, [page]);
  switch (page) {
    case 'wait':
      return <Skeleton />;
    case 'start':
      return <StartPage />;
    case 'main':
      return (
        <GridMemoryProvider>
          <MainFrame />
        </GridMemoryProvider>
      );
    case 'opening':
      return before.current === 'main' ? <OpeningPage /> : <StartPage />;
  }
}
