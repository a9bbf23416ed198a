import { Tooltip } from '@base-ui/react/tooltip';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { browserClock } from '../../client/browserClock.ts';
import { EngineClient } from '../../client/engineClient.ts';
import { EngineContext } from '../../client/useEngine.tsx';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { ClockContext, frozenClock } from '../../state/clock.ts';
import { WindowContext } from '../../state/useWindow.tsx';
import { createWindowStore } from '../../state/windowState.ts';
import { orderRuns, seventeenth } from '../../testing/incident/orderRuns.ts';
import { moment } from '../../testing/incident/time.ts';
import { spans } from '../../testing/incident/traces.ts';
import { createScriptedClient } from '../../testing/scriptedEngine.ts';
import { SpanInspector } from './SpanInspector.tsx';
import { WalkSection } from './WalkList.tsx';

const walkOf = { controller: 'database', key: 'shop/orders-db' };

/** The text of the inspector of a run once the engine told of it, and its markup. */
async function told(id: string, locale: 'en' | 'zh-CN' = 'en'): Promise<{ text: string; html: string }> {
  const engine = new EngineClient(createScriptedClient('busy', browserClock), {
    request: (flush) => flush(),
  });
  const streams = [
    ...(['connection', 'playback', 'session'] as const).map((name) => engine.value(name, {})),
    engine.value('span', { id }),
    engine.value('walk', walkOf),
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
  const html = renderToStaticMarkup(
    <EngineContext value={engine}>
      <WindowContext value={createWindowStore()}>
        <ClockContext value={frozenClock(moment)}>
          <I18nProvider locale={locale}>
            <Tooltip.Provider>
              <SpanInspector id={id} />
              <WalkSection query={walkOf} />
            </Tooltip.Provider>
          </I18nProvider>
        </ClockContext>
      </WindowContext>
    </EngineContext>,
  );
  for (const end of ends) end();
  return { html, text: html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}

describe('the seventeenth run', () => {
  it('[T8] is an attempt with its number, its end and its length', async () => {
    const { text } = await told(seventeenth);
    expect(text).toContain('Reconcile 17');
    expect(text).toContain('error after 41.2 ms');
    expect(text).toContain('failures 16 → 17');
  });
  it('[T10, T11] tells delay and readiness apart, and counts down to the stored prediction', async () => {
    const { text } = await told(seventeenth);
    expect(text).toContain('2m 44s + 400 µs ready');
    expect(text).toMatch(/14:14:48\.370, in 2m 42s predicted/);
  });
  it('[T13] shows what was tried and not stored, opened, with the words of the server', async () => {
    const { text, html } = await told(seventeenth);
    expect(text).toMatch(/\+31\.8 ms Update Database\/status 403 Tried, not stored\./);
    expect(text).toContain('status.conditions[Ready].status');
    expect(html.match(/aria-expanded="true"/g)).toHaveLength(1);
    expect(text).toContain('Cached reads never reach the API server');
  });
  it('says the same in Chinese, with the words of the API as they are', async () => {
    const { text } = await told(seventeenth, 'zh-CN');
    expect(text).toContain('错误，用时 41.2 ms');
    expect(text).toContain('Update Database/status');
  });
});

describe('other runs', () => {
  it('[T12] name the own write that woke them, and the events that collapsed', async () => {
    const id = orderRuns[1]?.id ?? '';
    const { text } = await told(id);
    expect(text).toContain('its own write');
    expect(text).toContain('2 events → 1 run');
    expect(text).not.toContain('Reconcile 1 ');
  });
  it('[T9, T14] keep intervals and say which source revised them', async () => {
    const revised = spans.find(({ revisedBy }) => revisedBy !== undefined);
    const { text } = await told(revised?.id ?? '');
    expect(text).toContain('took ≤ 90 ms');
    expect(text).toContain('Revised by audit.jsonl');
    expect(text).not.toMatch(/14:00:02\.\d/);
  });
  it('[T14] that this session has not are said to be none of it', async () => {
    const { text } = await told('nothing of this id');
    expect(text).toContain('No such reconcile');
  });
});

describe('why it does not run', () => {
  it('[T15] answers, and marks the one step that decides', async () => {
    const { text, html } = await told(seventeenth);
    expect(text).toContain('it is parked in backoff until 14:14:48');
    expect(html.match(/walkDecides/g)).toHaveLength(1);
    expect(text).toMatch(/Not parked This decides/);
  });
});
