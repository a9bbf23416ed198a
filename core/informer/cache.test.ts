import { expect, test } from 'vitest';
import { resourceVersion } from '../../shared/model/ids.ts';
import type { ItemHead } from '../source/listerWatcher.ts';
import { Indexer, indexByNamespace, namespaceIndex } from './indexer.ts';
import { RealFifo } from './realFifo.ts';
import { summarise } from './store.ts';

function head(key: string, version = '1'): ItemHead {
  return { key, uid: `u-${key}`, resourceVersion: resourceVersion(version) };
}

test('[IN10] deltas leave in order, none merged; the initial list ends with the first replacement', () => {
  const fifo = new RealFifo<ItemHead>();
  fifo.push({ type: 'replacedAll', items: [head('a')], resourceVersion: '1' });
  fifo.push({ type: 'updated', item: head('a', '2') });
  fifo.push({ type: 'updated', item: head('a', '3') });
  const popped: string[] = [];
  while (fifo.pop((delta, initial) => popped.push(`${delta.type} ${initial} ${fifo.hasSynced}`)));
  expect(popped).toEqual(['replacedAll true false', 'updated false true', 'updated false true']);
  expect(fifo.length).toBe(0);
});

test('[IN11] a single delta before any list means there is no initial list', () => {
  const fifo = new RealFifo<ItemHead>();
  expect(fifo.hasSynced).toBe(false);
  fifo.push({ type: 'added', item: head('a') });
  fifo.pop((_, initial) => expect(initial).toBe(false));
  expect(fifo.hasSynced).toBe(true);
});

test('[IN11] an empty list syncs once it has been popped', () => {
  const fifo = new RealFifo<ItemHead>();
  fifo.push({ type: 'replacedAll', items: [], resourceVersion: '1' });
  expect(fifo.hasSynced).toBe(false);
  fifo.pop(() => {});
  expect(fifo.hasSynced).toBe(true);
});

test('[IN12] a replacement tells what is gone and what took the place of what', () => {
  const indexer = new Indexer<ItemHead>();
  for (const item of [head('n/a'), head('n/b'), head('n/c')]) indexer.put(item);
  const change = indexer.replaceAll([head('n/b'), head('n/c', '2'), head('n/d')]);
  expect(change.gone).toEqual([head('n/a')]);
  expect(change.replacements.map(({ old, item }) => [old?.resourceVersion, item.key])).toEqual([
    ['1', 'n/b'],
    ['1', 'n/c'],
    [undefined, 'n/d'],
  ]);
  expect(summarise(change)).toEqual({ created: 1, changed: 1, deleted: 1, unchanged: 1 });
});

test('[IN13] indices equal ones rebuilt from scratch after every change', () => {
  const byVersion = (item: ItemHead) => (item.resourceVersion === '0' ? [] : [item.resourceVersion, 'any']);
  const indexer = new Indexer<ItemHead>({ [namespaceIndex]: indexByNamespace });
  indexer.addIndex('version', byVersion);
  let state = 7;
  const pick = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const some = () => head(`${['', 'n1/', 'n2/'][pick(3)]}${pick(5)}`, String(pick(4)));
  for (let step = 0; step < 500; step++) {
    const action = pick(10);
    if (action < 6) indexer.put(some());
    else if (action < 9) indexer.remove(some().key);
    else indexer.replaceAll([...new Map([some(), some(), some()].map((item) => [item.key, item])).values()]);
    const rebuilt = new Indexer<ItemHead>({ [namespaceIndex]: indexByNamespace, version: byVersion });
    for (const item of indexer.list()) rebuilt.put(item);
    for (const name of [namespaceIndex, 'version']) {
      expect(indexer.indexValues(name).sort()).toEqual(rebuilt.indexValues(name).sort());
      for (const value of rebuilt.indexValues(name)) {
        expect(new Set(indexer.byIndex(name, value))).toEqual(new Set(rebuilt.byIndex(name, value)));
      }
    }
  }
  expect(() => indexer.byIndex('nope', '')).toThrow('no index named nope');
  expect(() => indexer.addIndex('version', byVersion)).toThrow('exists already');
});
