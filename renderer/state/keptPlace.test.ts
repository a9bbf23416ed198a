import { expect, it } from 'vitest';
import { parsePlace, printPlace } from './keptPlace.ts';
import { createWindowStore, goTo, setFilter } from './windowState.ts';

function somewhere() {
  const store = createWindowStore();
  goTo(store, { tab: 'timeline', object: 'db.example.com/databases/shop/orders-db' });
  goTo(store, { tab: 'queue' });
  store.setState({ version: 41, queueKey: 'shop/orders-db' });
  setFilter(store, 'findings', 'severity:error');
  return store.getState();
}

it('reads back the place of the same session, with the way that led there', () => {
  const state = somewhere();
  const kept = parsePlace(printPlace('s-1', state), 's-1');
  expect(kept).toMatchObject({
    place: { tab: 'queue', object: 'db.example.com/databases/shop/orders-db' },
    version: 41,
    queueKey: 'shop/orders-db',
    filters: { findings: 'severity:error' },
  });
  // What is undefined is not written: a place without an object is one all the same.
  expect(kept?.back?.map(({ tab }) => tab)).toEqual(state.back.map(({ tab }) => tab));
});

it('knows no place for another session, for nothing, or for what is not ours', () => {
  const text = printPlace('s-1', somewhere());
  expect(parsePlace(text, 's-2')).toBeUndefined();
  for (const other of [null, '', '{', '[]', '{"session":"s-1"}', '{"session":"s-1","place":{"tab":"gone"}}'])
    expect(parsePlace(other, 's-1')).toBeUndefined();
});

it('leaves out a field that is wrong, alone', () => {
  const kept = JSON.parse(printPlace('s-1', somewhere()));
  const read = parsePlace(JSON.stringify({ ...kept, version: 'x', eventInitial: 3 }), 's-1');
  expect(read).not.toHaveProperty('version');
  expect(read).not.toHaveProperty('eventInitial');
  expect(read?.place?.tab).toBe('queue');
});

it('keeps nothing of what is open above the window', () => {
  const kept = JSON.parse(printPlace('s-1', { ...somewhere(), paletteOpen: true } as never));
  expect(Object.keys(kept)).not.toContain('paletteOpen');
  expect(Object.keys(kept)).not.toContain('preferences');
});
