/** `scripted.html?gallery`: the widgets. `scripted.html?view=queue&state=busy&theme=dark&locale=en&object=…`: each view in each state, without a cluster. */

import { Tooltip } from '@base-ui/react/tooltip';
import { createRoot } from 'react-dom/client';
import { App } from '../app/App.tsx';
import { browserClock } from '../client/browserClock.ts';
import { EngineClient } from '../client/engineClient.ts';
import { browserFrames } from '../client/frameScheduler.ts';
import { Gallery } from '../gallery/Gallery.tsx';
import { frozenClock } from '../state/clock.ts';
import { defaultPreferences, type Preferences, printPreferences } from '../state/preferences.ts';
import { createWindowStore, type Tab, tabs } from '../state/windowState.ts';
import { GridBench } from './GridBench.tsx';
import { ordersDb } from './incident/objects.ts';
import { moment } from './incident/time.ts';
import { createScriptedClient, type ScriptedState, scriptedStates } from './scriptedEngine.ts';
import '../theme/base.css';

const query = new URLSearchParams(location.search);
function oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
  const value = query.get(name);
  return allowed.find((item) => item === value) ?? fallback;
}

const state = oneOf<ScriptedState>('state', scriptedStates, 'busy');
const preferences: Preferences = {
  ...defaultPreferences,
  navShown: query.get('nav') !== 'hidden',
  theme: oneOf('theme', ['system', 'dark', 'light'] as const, 'dark'),
  locale: oneOf('locale', ['system', 'en', 'zh-CN'] as const, 'en'),
};
const tab = oneOf<Tab>('view', tabs, 'queue');
const store = createWindowStore({
  place: { tab, object: query.get('object') === '' ? undefined : (query.get('object') ?? ordersDb.key) },
  queueKey: 'shop/orders-db',
  informer: 'watch:core/v1/pods',
  preferences,
  profileOpen: query.has('profile'),
  paletteOpen: query.has('palette'),
  helpOpen: query.has('help'),
  settingsOpen: query.has('settings'),
  openedEarly: query.has('early'),
  landed: !query.has('landing'),
  informerSegment: oneOf('segment', ['sources', 'informers', 'requests'] as const, 'informers'),
  historyMode: oneOf('mode', ['diff', 'yaml', 'owners'] as const, 'diff'),
  ...(query.has('filter')
    ? { filters: { [tab]: query.get('filter') ?? '', reconciles: query.get('filter') ?? '' } }
    : {}),
  ...(query.get('settings') === 'keys' ? { settingsPart: 'keys' as const } : {}),
  queueSegment: oneOf('part', ['now', 'reconciles', 'history'] as const, 'now'),
  ...(query.has('span') ? { span: query.get('span') ?? undefined } : {}),
  ...(query.has('version') ? { version: Number(query.get('version')) } : {}),
  ...(query.has('event') ? { eventSeq: Number(query.get('event')) } : {}),
});
const engine = new EngineClient(
  createScriptedClient(state, browserClock, printPreferences(preferences)),
  browserFrames(),
);
const root = document.getElementById('root');
if (root === null) throw new Error('no root element');
if (query.has('grid')) {
  document.documentElement.dataset.theme = 'dark';
  createRoot(root).render(<GridBench n={Number(query.get('grid'))} />);
} else if (query.has('gallery')) {
  const theme = oneOf('theme', ['dark', 'light', 'both'] as const, 'both');
  document.documentElement.dataset.theme = theme === 'light' ? 'light' : 'dark';
  createRoot(root).render(
    <Tooltip.Provider>
      <Gallery theme={theme} locale={oneOf('locale', ['en', 'zh-CN', 'both'] as const, 'en')} />
    </Tooltip.Provider>,
  );
} else {
  createRoot(root).render(<App engine={engine} store={store} clock={frozenClock(moment)} />);
}
