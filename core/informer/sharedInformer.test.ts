import { expect, test } from 'vitest';
import { FakeClock } from '../testing/fakeClock.ts';
import { type ScriptedItem, ScriptedResource } from '../testing/scriptedResource.ts';
import { createBackoff } from './backoff.ts';
import { createSharedInformer, type Notification } from './sharedInformer.ts';

function scene(options: { resyncPeriodMs?: number; transform?: (item: ScriptedItem) => ScriptedItem } = {}) {
  const clock = new FakeClock();
  const server = new ScriptedResource();
  const random = () => 0;
  const backoff = createBackoff({ clock, random });
  const informer = createSharedInformer<ScriptedItem>({
    listerWatcher: server,
    clock,
    random,
    backoff,
    mode: 'list',
    ...options,
  });
  const log: string[] = [];
  const handler = (name: string) => (told: Notification<ScriptedItem>) => {
    const item = told.type === 'delete' ? told.last : told.item;
    log.push(`${name} ${told.type} ${item.key}@${item.resourceVersion}`);
  };
  return { clock, server, informer, log, handler };
}

test('[IN12] [IN14] after a relist: deletions first, then updates; a missed recreation is one update', async () => {
  const { clock, server, informer, log } = scene();
  for (const key of ['a', 'b']) server.create(key);
  informer.addHandler((told) => {
    if (told.type === 'update') log.push(`update ${told.item.key} ${told.old.uid}→${told.item.uid}`);
    if (told.type === 'delete') log.push(`delete ${told.last.key} known=${told.finalStateKnown}`);
  });
  informer.start();
  await clock.advance(0);
  server.partition();
  server.delete('b');
  server.delete('a');
  server.create('a');
  server.errorEvent('410');
  await clock.advance(5000);
  expect(log).toEqual(['delete b known=false', 'update a u1→u3']);
});

test('[IN17] a handler may ask for less than a second and gets a second; removed ones hear nothing', async () => {
  const { clock, server, informer, log, handler } = scene({ resyncPeriodMs: 60_000 });
  server.create('a');
  informer.addHandler(handler('fast'), 10);
  const gone = informer.addHandler(handler('gone'), 0);
  informer.start();
  await clock.advance(0);
  gone.dispose();
  expect(log.splice(0)).toEqual(['fast add a@101', 'gone add a@101']);
  await clock.advance(3500);
  expect(log).toEqual(['fast update a@101', 'fast update a@101', 'fast update a@101']);
});

test('[IN18] a handler that adds another during a notification: the late one gets the whole cache', async () => {
  const { clock, server, informer, log, handler } = scene();
  for (const key of ['a', 'b']) server.create(key);
  let added = false;
  informer.addHandler(() => {
    if (added) return;
    added = true;
    informer.addHandler(handler('late'));
  });
  informer.start();
  await clock.advance(0);
  // The cache is replaced before handlers are told, so both objects are there; 'b' is then told as part of the list.
  expect(log).toEqual(['late add a@101', 'late add b@102', 'late add b@102']);
});

test('[IN19] the transform runs once per object before the cache sees it', async () => {
  const seen: string[] = [];
  const { clock, server, informer } = scene({
    transform: (item) => {
      seen.push(item.key);
      return { ...item, body: {} };
    },
  });
  server.create('a', { spec: { large: true } });
  informer.start();
  await clock.advance(0);
  server.update('a', { spec: { large: false } });
  await clock.advance(0);
  expect(seen).toEqual(['a', 'a']);
  expect(informer.indexer.get('a')?.body).toEqual({});
  informer.dispose();
  expect(() => informer.addHandler(() => {})).toThrow('stopped');
});
