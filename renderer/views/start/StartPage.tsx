import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ContextSummary } from '../../../shared/contract/views/connection.ts';
import { Logo } from '../../app/Logo.tsx';
import { ReadOnlyBadge, TopButtons } from '../../app/TopBar.tsx';
import { useAction, useEngine, useValueOf } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindowStore } from '../../state/useWindow.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Kbd } from '../../widgets/controls.tsx';
import { ConnectFailed, ConnectProgress } from './ConnectProgress.tsx';
import { ContextList } from './ContextList.tsx';
import { FromTerminal } from './FromTerminal.tsx';
import { flaggedFile, useContexts } from './useContexts.ts';
import { WhatLeaves } from './WhatLeaves.tsx';
import './start.css';

/** Start: contexts of the merged kubeconfig on the left; how to begin, or the connection in progress, in the middle. */
export function StartPage(): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const store = useWindowStore();
  const connection = useValueOf('connection', {}, (s) => s.value);
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
  return (
    <div className="connectPage">
      <header className="topBar connectBar" data-region="top">
        <div className="topStart">
          <Logo />
          <strong className="connectName">{t('app.name')}</strong>
          <ReadOnlyBadge />
          <Cut className="small secondary" text={t('connect.leaves')} />
        </div>
        <div className="topEnd connectEnd">
          <button type="button" className="topStat" onClick={() => store.setState({ paletteOpen: true })}>
            <Kbd keys="Mod+K" />
            <span className="visuallyHidden">{t('command.palette')}</span>
          </button>
          <TopButtons />
        </div>
      </header>
      <main className="connectColumns">
        <section className="connectLeft" data-region="view" aria-label={t('connect.title')}>
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
        <section className="connectCentre" data-region="centre">
          {busy ? (
            <ConnectProgress />
          ) : failure !== undefined && !waitsForConsent ? (
            <ConnectFailed
              context={connection?.context ?? selected?.name ?? wanted ?? ''}
              problem={failure}
              onRetry={() => {
                if (selected !== undefined) start(selected);
              }}
            />
          ) : (
            <FromTerminal context={selected?.name} kubeconfig={flaggedFile(contexts.value)} />
          )}
        </section>
        <aside
          className="connectRight"
          data-region="aside"
          aria-label={t('connect.leave.title')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key
          tabIndex={0}
        >
          <WhatLeaves />
        </aside>
      </main>
    </div>
  );
}

/** Connects once when the command line named a context. Returns that context. */
function useAutoConnect(
  contexts: readonly ContextSummary[],
  start: (context: string, namespaces: readonly string[]) => void,
): string | undefined {
  const engine = useEngine();
  const [wanted, setWanted] = useState<
    { context?: string | undefined; namespaces: readonly string[] } | undefined
  >();
  const done = useRef(false);
  useEffect(() => {
    engine.call('app.info', {}).then(
      (info) => setWanted(info.autoConnect),
      () => undefined,
    );
  }, [engine]);
  useEffect(() => {
    if (wanted === undefined || done.current || contexts.length === 0) return;
    done.current = true;
    // A window that was reloaded finds the engine connected already.
    const phase = engine.value('connection', {}).get().value?.phase;
    const context = wanted.context ?? contexts.find((c) => c.current)?.name;
    if (context !== undefined && phase === 'idle') start(context, wanted.namespaces);
  });
  return wanted?.context;
}
