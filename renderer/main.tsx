/** The window of the browser host: exchanges the one-time token, opens the socket, draws. */
import { createRoot } from 'react-dom/client';
import { engineApi } from '../shared/contract/api.ts';
import { createClient } from '../shared/contract/client.ts';
import { App } from './app/App.tsx';
import { NoToken } from './app/NoToken.tsx';
import { EngineClient } from './client/engineClient.ts';
import { browserFrames } from './client/frameScheduler.ts';
import { openEngine } from './client/webSocketTransport.ts';
import { hostClock } from './state/clock.ts';
import { createWindowStore } from './state/windowState.ts';
import './theme/base.css';

async function start(): Promise<void> {
  const element = document.getElementById('root');
  if (element === null) throw new Error('index.html has no root element');
  const root = createRoot(element);
  const opened = await openEngine();
  if (!opened.ok) {
    root.render(<NoToken problem={opened.error} onRetry={() => location.reload()} />);
    return;
  }
  const engine = new EngineClient(createClient(engineApi, opened.value), browserFrames());
  const clock = hostClock();
  const info = await engine.call('app.info', {});
  clock.sync(info.now);
  root.render(<App engine={engine} store={createWindowStore()} clock={clock} />);
}

void start();
