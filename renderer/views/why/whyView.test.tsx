import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { browserClock } from '../../client/browserClock.ts';
import { EngineClient } from '../../client/engineClient.ts';
import { EngineContext } from '../../client/useEngine.tsx';
import { I18nProvider } from '../../i18n/i18n.tsx';
import { ClockContext, frozenClock } from '../../state/clock.ts';
import { WindowContext } from '../../state/useWindow.tsx';
import { createWindowStore, type WindowState } from '../../state/windowState.ts';
import { moment } from '../../testing/incident/time.ts';
import { createScriptedClient } from '../../testing/scriptedEngine.ts';
import { ConditionsView } from '../conditions/ConditionsView.tsx';
import { follow } from './WhyChain.tsx';
import { WhyView } from './WhyView.tsx';

const key = (name: string) => `db.example.com/Database/${name}`;

/** A view of one object in the invented incident, once everything it asks for has been told. */
async function markupOf(
  view: ReactNode,
  object: string | undefined,
  locale: 'en' | 'zh-CN' = 'en',
  state: Partial<WindowState> = {},
): Promise<string> {
  const engine = new EngineClient(createScriptedClient('busy', browserClock), {
    request: (flush) => flush(),
  });
  const streams = [
    ...(['connection', 'playback', 'session', 'operators'] as const).map((name) => engine.value(name, {})),
    ...(object === undefined
      ? []
      : (['why', 'conditions'] as const).map((name) => engine.value(name, { key: object }))),
    engine.table('keys', { controller: 'database' }),
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
  const store = createWindowStore({ place: { tab: 'why', object }, ...state });
  const html = renderToStaticMarkup(
    <EngineContext value={engine}>
      <WindowContext value={store}>
        <ClockContext value={frozenClock(moment)}>
          <I18nProvider locale={locale}>
            <Tooltip.Provider>{view}</Tooltip.Provider>
          </I18nProvider>
        </ClockContext>
      </WindowContext>
    </EngineContext>,
  );
  for (const end of ends) end();
  return html;
}

const textOf = (html: string) =>
  html
    .replace(/<span class="whole">([^<]*)<\/span>/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ');

describe('the landing page', () => {
  it('says cause, effect and what next, in this order, with the root marked in words', async () => {
    const text = textOf(await markupOf(<WhyView />, key('shop/orders-db')));
    const order = [
      'Why is orders-db not Ready?',
      'because every status write is refused',
      'audit 17 of 17, log 17 of 17',
      'lost databases/status Root cause',
      '403, 17 times',
      'is still what is stored',
      'Conditions, 14:00 to 14:15',
      'Also checked',
      'Loopscope never writes. You apply it.',
      '2:42',
      'until attempt 18, at 14:14:48',
      '14:25:44 Attempt 19 is refused again then 16m 40s',
      'Every 16m 40s from here (cap)',
      'A role change does not wake the key.',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places.map((place, index) => (place < 0 ? order[index] : ''))).toEqual(order.map(() => ''));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
  it('says the same in Chinese', async () => {
    const text = textOf(await markupOf(<WhyView />, key('shop/orders-db'), 'zh-CN'));
    expect(text).toContain('orders-db 为什么没有 Ready？');
    expect(text).toContain('根因');
    expect(text).toContain('再等 16 分 40 秒');
    expect(text).toContain('此后每 16 分 40 秒一次（上限）');
  });
  it('makes the chips of a step one stop, and every button named', async () => {
    const html = await markupOf(<WhyView />, key('shop/orders-db'));
    const bars = html.match(/<div class="whyChips".*?<\/div>/gs) ?? [];
    expect(bars).toHaveLength(3);
    for (const bar of bars) expect(bar.match(/tabindex="0"/g)).toHaveLength(1);
    expect(html.match(/<div class="bandsGrid".*?tabindex="0"/s)).not.toBeNull();
    expect(html.match(/data-span="[^"]*"[^>]*tabindex="0"/g)).toHaveLength(1);
  });
  it('tells a Ready object so, and asks for no fix', async () => {
    const text = textOf(await markupOf(<WhyView />, key('shop/catalog-db')));
    expect(text).toContain('catalog-db is Ready since 11:31:02.');
    expect(text).toContain('Nothing needs a fix.');
    expect(text).not.toContain('Root cause');
  });
  it('says what would help where no cause is known, and that an object was not seen', async () => {
    const open = textOf(await markupOf(<WhyView />, key('dev/sandbox-db')));
    expect(open).toContain('No cause is known for sandbox-db.');
    expect(open).toContain('Attach the log of database-operator');
    expect(textOf(await markupOf(<WhyView />, key('shop/nope')))).toContain(
      'No object nope was seen in this session.',
    );
  });
  it('offers the worst keys while no object is chosen', async () => {
    const text = textOf(await markupOf(<WhyView />, undefined));
    expect(text).toMatch(/Choose an object.*billing\/ledger-db.*shop\/orders-db.*dev\/sandbox-db/);
    expect(text).not.toContain('catalog-db');
  });
});

describe('the conditions of an object', () => {
  it('tells how long it has been so against how long others take, what is held, and the stored value', async () => {
    const html = await markupOf(<ConditionsView />, key('shop/orders-db'));
    const text = textOf(html);
    expect(text).toMatch(/orders-db has been in Upgrading for 9m 55s\. Others leave it in 52 s\./);
    expect(text).toContain('41 Database objects by state');
    expect(text).toContain('False · Upgrading, held');
    expect(text).toMatch(/Ready, last stored .* message 2 of 3 replicas run 16\.4 transition 14:02:11/);
    expect(html).toContain('aria-label="4 accepted, 17 refused"');
  });
  it('says that an object has none', async () => {
    expect(textOf(await markupOf(<ConditionsView />, key('shop/legacy-db')))).toContain(
      'It has no conditions',
    );
  });
});

it('goes where a chip leads', () => {
  const store = createWindowStore();
  follow(store, { to: 'version', key: 'k', seq: 7 });
  expect(store.getState()).toMatchObject({
    place: { tab: 'timeline', object: 'k' },
    version: 7,
    historyMode: 'diff',
  });
  follow(store, { to: 'rbac', row: 'r' });
  expect(store.getState()).toMatchObject({ place: { tab: 'rbac' }, rbacRow: 'r', rbacSegment: 'matrix' });
  follow(store, { to: 'queue', controller: 'database', key: 'shop/a' });
  expect(store.getState()).toMatchObject({
    place: { tab: 'queue' },
    controller: 'database',
    queueKey: 'shop/a',
  });
  follow(store, { to: 'event', seq: 3 });
  expect(store.getState()).toMatchObject({ place: { tab: 'events' }, eventSeq: 3 });
  follow(store, { to: 'finding', id: 'f' });
  expect(store.getState()).toMatchObject({ place: { tab: 'findings' }, finding: 'f' });
  follow(store, { to: 'ownership' });
  expect(store.getState().place).toMatchObject({ tab: 'ownership', object: 'k' });
});
