import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ContextSummary } from '../../../shared/contract/views/connection.ts';
import { Logo } from '../../app/Logo.tsx';
import { ReadOnlyBadge, TopButtons } from '../../app/TopBar.tsx';
import { useCall } from '../../client/useCall.ts';
import { useAction, useEngine, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { usePlayback } from '../../state/usePlayback.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { KeyHint } from '../../widgets/controls.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { RecentSessions } from '../sessions/RecentSessions.tsx';
import { BringEvidence } from './BringEvidence.tsx';
import { ConnectFailed, ConnectProgress } from './ConnectProgress.tsx';
import { ContextList } from './ContextList.tsx';
import { FromTerminal } from './FromTerminal.tsx';
import { OpeningProgress } from './OpeningProgress.tsx';
import { TryColumn } from './TryColumn.tsx';
import { flaggedFile, useContexts } from './useContexts.ts';
import { WhatLeaves } from './WhatLeaves.tsx';
import './start.css';

/**
 * Where the window begins: contexts of the merged kubeconfig, recorded incidents and a place for files, what was recorded
 * before. Without a kubeconfig the incidents come first. Work in progress takes the middle.
 */
export function StartPage(): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const connection = useValueOf('connection', {}, (s) => s.value);
  const playback = usePlayback();
  const asked = useWindow((s) => s.sessions.demosFirst);
  const contexts = useContexts();
  const connect = useAction('connection.connect');
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [namespaces, setNamespaces] = useState('');
  const list = contexts.value?.contexts ?? [];
  const selected =
    list.find((c) => c.name === (chosen ?? connection?.context)) ?? list.find((c) => c.current) ?? list[0];
  const wanted = useAutoConnect(list, (context, names) => {
    setChosen(context);
    setNamespaces(names.join(' '));
    void connect.run({ context, ...(names.length > 0 ? { namespaces: names } : {}) });
  });

  function start(context: ContextSummary, consent?: 'once' | 'always') {
    setChosen(context.name);
    store.setState({ openedEarly: false });
    const names = namespaces.split(/[\s,]+/).filter(Boolean);
    void connect.run({
      context: context.name,
      ...(names.length > 0 ? { namespaces: names } : {}),
      ...(consent === undefined ? {} : { consent }),
    });
  }
  const phase = connection?.phase ?? 'idle';
  const waitsForConsent = connection?.consent !== undefined;
  const busy = (phase === 'connecting' || phase === 'syncing') && !waitsForConsent;
  const failure = phase === 'failed' ? connection?.problem : connect.problem;
  const demosFirst = asked || (contexts.value !== undefined && list.length === 0);
  const connectPart = (
    <section key="connect" className="startConnect" data-region="view" aria-label={t('connect.title')}>
      <ContextList
        contexts={contexts}
        selected={selected}
        consent={connection?.consent}
        consentFor={connection?.context ?? selected?.name}
        busy={busy}
        namespaces={namespaces}
        onNamespaces={setNamespaces}
        onSelect={(context) => setChosen(context.name)}
        onConnect={start}
        onCancel={() => void engine.call('connection.cancel', {})}
      />
    </section>
  );
  const rest = (
    <div key="rest" className="startRest">
      <div className="startCentre" data-region="centre">
        {playback?.state === 'opening' ? (
          <OpeningProgress playback={playback} />
        ) : busy ? (
          <ConnectProgress />
        ) : (
          <>
            {failure !== undefined && !waitsForConsent && (
              <ConnectFailed
                context={connection?.context ?? selected?.name ?? wanted ?? ''}
                problem={failure}
                onRetry={() => {
                  if (selected !== undefined) start(selected);
                }}
              />
            )}
            <TryColumn focusFirst={demosFirst && failure === undefined} />
            <FromTerminal context={selected?.name} kubeconfig={flaggedFile(contexts.value)} />
          </>
        )}
      </div>
      <aside
        className="startAside"
        data-region="aside"
        aria-label={t('sessions.recent')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
        tabIndex={0}
      >
        <RecentSessions />
        <BringEvidence />
      </aside>
    </div>
  );
  return (
    <div className="startPage">
      <StartBar />
      <main className={demosFirst ? 'startColumns startDemosFirst' : 'startColumns'}>
        <h1 className="visuallyHidden">{t('app.name')}</h1>
        {demosFirst ? [rest, connectPart] : [connectPart, rest]}
      </main>
    </div>
  );
}

/** While a session is opened over another thing: its progress alone, and that only when it takes a while. */
export function OpeningPage(): ReactNode {
  const { t } = useI18n();
  const playback = usePlayback();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="startPage">
      <StartBar />
      <main className="openingMain" data-region="view">
        <h1 className="visuallyHidden">{t('app.name')}</h1>
        {late && playback?.state === 'opening' && <OpeningProgress playback={playback} />}
      </main>
    </div>
  );
}

function StartBar(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const [leaves, setLeaves] = useState(false);
  return (
    <header className="topBar startBar" data-region="top">
      <div className="topStart">
        <Logo />
        <strong className="startName">{t('app.name')}</strong>
        <ReadOnlyBadge />
        <button type="button" className="small secondary startLeaves" onClick={() => setLeaves(true)}>
          {t('connect.leaves')}
        </button>
      </div>
      <div className="topEnd">
        <button type="button" className="topStat" onClick={() => store.setState({ paletteOpen: true })}>
          <KeyHint keys="Mod+K" />
          <span className="visuallyHidden">{t('command.palette')}</span>
        </button>
        <TopButtons />
      </div>
      <Dialog
        open={leaves}
        onClose={() => setLeaves(false)}
        className="dialogSmall"
        title={t('connect.leave.title')}
      >
        <WhatLeaves />
      </Dialog>
    </header>
  );
}

/** Connects once when the command line named a context. Returns that context. */
function useAutoConnect(
  contexts: readonly ContextSummary[],
  start: (context: string, namespaces: readonly string[]) => void,
): string | undefined {
  const engine = useEngine();
  const wanted = useCall('app.info', {}).value?.autoConnect;
  const done = useRef(false);
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    if (wanted === undefined || done.current || contexts.length === 0) return;
    done.current = true;
    // A window that was reloaded finds the engine connected already.
    const phase = engine.value('connection', {}).get().value?.phase;
    const context = wanted.context ?? contexts.find((c) => c.current)?.name;
    if (context !== undefined && phase === 'idle') latest.current(context, wanted.namespaces);
  }, [wanted, contexts, engine]);
  return wanted?.context;
}
