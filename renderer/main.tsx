/** The window, in the desktop program or in a browser: opens the pipe to the engine, draws, and holds on to the engine. */
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { engineApi } from '../shared/contract/api.ts';
import { createClient } from '../shared/contract/client.ts';
import type { Shell } from '../shared/contract/shell.ts';
import type { Transport } from '../shared/contract/transport.ts';
import { App } from './app/App.tsx';
import { EngineLinkContext } from './app/EngineBanner.tsx';
import { NoEngine } from './app/NoEngine.tsx';
import { NoLink } from './app/NoToken.tsx';
import { browserClock } from './client/browserClock.ts';
import { openDesktopEngine } from './client/desktopTransport.ts';
import { EngineClient } from './client/engineClient.ts';
import { EngineLink, type OpenedPipe } from './client/engineLink.ts';
import { browserFrames } from './client/frameScheduler.ts';
import { createBrowserShell, createDesktopShell, desktopBridge } from './client/shell.ts';
import { ShellContext } from './client/useShell.ts';
import { openEngine } from './client/webSocketTransport.ts';
import { hostClock } from './state/clock.ts';
import { createWindowStore } from './state/windowState.ts';
import './theme/base.css';

interface Host {
  readonly shell: Shell;
  readonly open: (hurry: boolean) => Promise<OpenedPipe>;
  /** Before the first pipe is there. */
  readonly waiting: (link: EngineLink) => ReactNode;
}

function start(): void {
  const element = document.getElementById('root');
  if (element === null) throw new Error('index.html has no root element');
  const root = createRoot(element);
  const bridge = desktopBridge();
  const host: Host =
    bridge === undefined
      ? { shell: createBrowserShell(), open: openInBrowser, waiting: (link) => <NoLink link={link} /> }
      : {
          shell: createDesktopShell(bridge),
          open: (hurry) => openDesktopEngine(bridge, hurry),
          waiting: (link) => <NoEngine link={link} />,
        };
  run(root, host);
}

function run(root: Root, host: Host): void {
  const clock = hostClock();
  const store = createWindowStore();
  let engine: EngineClient | undefined;
  const link = new EngineLink({ open: host.open, onOpen, clock: browserClock });

  function onOpen(transport: Transport): void {
    const client = createClient(engineApi, transport);
    const first = engine === undefined;
    if (engine === undefined) {
      engine = new EngineClient(client, browserFrames());
      engine.onClose(({ message }) => link.lost(undefined, message));
    } else {
      engine.attach(client);
    }
    const current = engine;
    current.call('app.info', {}).then(
      (info) => {
        clock.sync(info.now);
        if (first) draw(current);
      },
      // The pipe broke again: the link tries further.
      () => {
        if (first) engine = undefined;
      },
    );
  }

  function draw(current: EngineClient): void {
    root.render(
      <ShellContext value={host.shell}>
        <EngineLinkContext value={link}>
          <App engine={current} store={store} clock={clock} />
        </EngineLinkContext>
      </ShellContext>,
    );
  }

  root.render(host.waiting(link));
  link.start();
}

async function openInBrowser(): Promise<OpenedPipe> {
  const opened = await openEngine();
  return opened.ok ? { ok: true, transport: opened.value } : { ok: false, why: opened.error };
}

start();
