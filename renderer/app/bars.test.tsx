import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { browserClock } from '../client/browserClock.ts';
import { EngineClient } from '../client/engineClient.ts';
import { EngineContext } from '../client/useEngine.tsx';
import { I18nProvider } from '../i18n/i18n.tsx';
import { ClockContext, frozenClock } from '../state/clock.ts';
import { shownMoment, shownPlayback } from '../state/usePlayback.ts';
import { WindowContext } from '../state/useWindow.tsx';
import { createWindowStore } from '../state/windowState.ts';
import { moment } from '../testing/incident/time.ts';
import { createScriptedClient, type ScriptedState } from '../testing/scriptedEngine.ts';
import { RecentSessions } from '../views/sessions/RecentSessions.tsx';
import { LostBanner } from './LostBanner.tsx';
import { StatusStrip } from './StatusStrip.tsx';
import { TopBar } from './TopBar.tsx';

/** The markup of a part of the window in a scripted state, once everything it asks for has been told. */
async function markupOf(
  state: ScriptedState,
  part: ReactNode,
  locale: 'en' | 'zh-CN' = 'en',
): Promise<string> {
  const engine = new EngineClient(createScriptedClient(state, browserClock), { request: (flush) => flush() });
  const streams = [
    ...(['connection', 'playback', 'session', 'library', 'findings'] as const).map((name) =>
      engine.value(name, {}),
    ),
    ...(['gaps', 'sessions'] as const).map((name) => engine.table(name, {})),
  ];
  const ends: (() => void)[] = [];
  await Promise.all(
    streams.map(
      (stream) =>
        new Promise<void>((resolve) => {
          ends.push(stream.subscribe(resolve));
        }),
    ),
  );
  const clock = frozenClock(moment);
  clock.follow(shownMoment(shownPlayback(engine)));
  const html = renderToStaticMarkup(
    <EngineContext value={engine}>
      <WindowContext value={createWindowStore()}>
        <ClockContext value={clock}>
          <I18nProvider locale={locale}>
            <Tooltip.Provider>{part}</Tooltip.Provider>
          </I18nProvider>
        </ClockContext>
      </WindowContext>
    </EngineContext>,
  );
  for (const end of ends) end();
  return html;
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the bar below', () => {
  it('has no playback for a cluster', async () => {
    const html = await markupOf('busy', <StatusStrip />);
    expect(textOf(html)).toContain('Live');
    expect(html).not.toContain('role="slider"');
  });
  it('shows the moment of a session, its record and how far it is; Close leads out', async () => {
    const html = await markupOf('opened', <StatusStrip />);
    expect(textOf(html)).toMatch(
      /14:12:06\.240 record 184,213 00:32:06 of 00:41:31 Viewing a recording paused .*Close/,
    );
    expect(html).toContain('aria-valuetext="14:12:06.240"');
    expect(html).toContain('aria-valuemax="2491"');
    expect(html).toContain('aria-label="Play"');
    expect(textOf(html)).not.toContain('Live');
  });
  it('says what is still recorded behind, and leads back to it', async () => {
    const html = await markupOf('behind', <StatusStrip />);
    expect(textOf(html)).toMatch(/playing .*staging-eu is still recorded: 201,310 records Back to live/);
    expect(html).toContain('aria-label="Pause"');
  });
  it('calls a demo a demo, and its end an end', async () => {
    expect(textOf(await markupOf('demo', <StatusStrip />))).toMatch(/Demo playing .*Close/);
    const ended = textOf(await markupOf('ended', <StatusStrip />, 'zh-CN'));
    expect(ended).toMatch(/14:21:31\.008 .*正在查看录制 已到末尾/);
  });
});

describe('the bar above', () => {
  it('names the session, and says nothing of sources or of a recording that is none', async () => {
    const text = textOf(await markupOf('opened', <TopBar />));
    expect(text).toContain('Recording on screen: orders-db incident');
    expect(text).not.toMatch(/sources live|Recording 00:/);
  });
  it('names a demo in the language of the window', async () => {
    expect(textOf(await markupOf('demo', <TopBar />, 'zh-CN'))).toContain('状态写入被拒绝');
  });
  it('says that a recording is paused', async () => {
    expect(textOf(await markupOf('diskfull', <TopBar />))).toContain('Recording paused');
  });
});

it('no banner speaks of a connection while a recording is shown', async () => {
  expect(textOf(await markupOf('lost', <LostBanner />))).toContain('Not connected for');
  expect(await markupOf('behind', <LostBanner />)).toBe('');
});

it('recent sessions show five, with the sentence of the one that cannot be opened', async () => {
  const html = await markupOf('idle', <RecentSessions />);
  const text = textOf(html);
  expect(html.match(/class="recentLine"/g)).toHaveLength(5);
  expect(text).toContain('staging-eu, database-operator today 13:02 41 min, 201,310 records 12 MB');
  expect(text).toContain('written by a newer Loopscope (format 4, this one reads up to 3)');
  expect(text).toContain('All 7 sessions');
  expect(textOf(await markupOf('empty', <RecentSessions />))).toContain('Nothing was recorded yet.');
});
