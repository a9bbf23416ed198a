import { describe, expect, it } from 'vitest';
import { objectKey } from '../../../shared/model/ids.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { createChangeLedger, lookBackMs, toldOfObject } from './changeLedger.ts';

const key = objectKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'a' });

function version(index: number, value: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'shop',
      resourceVersion: String(index),
      managedFields: [{ manager: 'kubectl', operation: 'Update', time: `2026-03-10T14:00:${10 + index}Z` }],
    },
    data: { value },
  };
}

function ledgerOf(count: number) {
  const objects = Array.from({ length: count }, (_, index) => version(index, `v${index}`));
  let reads = 0;
  const ledger = createChangeLedger({
    read(number) {
      reads++;
      return objects[number];
    },
    placeOf: (number) => ({ seq: number }),
  });
  const tell = (index: number, at: number) => {
    const object = objects[index];
    if (object !== undefined)
      ledger.object(index, toldOfObject(key, object, index === 0 ? 'added' : 'modified', at));
  };
  return { ledger, tell, reads: () => reads };
}

describe('change ledger', () => {
  it('gives the last versions of an object, each against the one before, and reads each pair once', () => {
    const { ledger, tell, reads } = ledgerOf(5);
    for (let index = 0; index < 4; index++) tell(index, 1000 * index);
    const [history] = ledger.seen(4000).histories;
    expect(history?.subject).toBe('ConfigMap/shop/a');
    expect(
      history?.versions.map(({ changes }) => changes.map((change) => `${change.path} ${change.new}`)),
    ).toEqual([[], ['data.value v1'], ['data.value v2'], ['data.value v3']]);
    const before = reads();
    ledger.seen(4000);
    expect(reads()).toBe(before);
    tell(4, 4000);
    ledger.seen(4000);
    expect(reads() - before).toBe(2);
  });

  it('stops comparing when told, says so, and goes on where it stopped', () => {
    const { ledger, tell, reads } = ledgerOf(6);
    for (let index = 0; index < 4; index++) tell(index, 1000 * index);
    let pairs = 2;
    const some = () => pairs-- > 0;
    expect(ledger.seen(4000, some).histories).toEqual([]);
    expect(ledger.isBehind).toBe(true);
    pairs = 2;
    const [whole] = ledger.seen(4000, some).histories;
    expect(ledger.isBehind).toBe(false);
    expect(whole?.versions.map(({ changes }) => changes.length)).toEqual([0, 1, 1, 1]);
    expect(reads()).toBe(5);
    // What came since is not compared yet: it is told as it was.
    tell(4, 4000);
    expect(ledger.seen(4000, () => false).histories).toEqual([whole]);
    expect(ledger.isBehind).toBe(true);
    expect(ledger.seen(4000).histories[0]?.versions).toHaveLength(5);
    expect(ledger.isBehind).toBe(false);
  });

  it('keeps the last twenty-five versions', () => {
    const { ledger, tell } = ledgerOf(100);
    for (let index = 0; index < 100; index++) tell(index, 100 * index);
    const versions = ledger.seen(10_000).histories[0]?.versions ?? [];
    expect(versions.map(({ resourceVersion }) => resourceVersion)).toEqual(
      Array.from({ length: 25 }, (_, index) => String(75 + index)),
    );
  });

  it('says nothing of objects at rest, of the same version told again, of deleted ones', () => {
    const { ledger, tell } = ledgerOf(5);
    for (const index of [0, 0, 1, 1]) tell(index, index * 1000);
    expect(ledger.seen(5000).histories).toEqual([]);
    for (const index of [2, 3]) tell(index, index * 1000);
    expect(ledger.seen(5000).histories).toHaveLength(1);
    expect(ledger.seen(5000 + lookBackMs).histories).toEqual([]);
    ledger.object(9, { ...toldOfObject(key, version(9, 'x'), 'deleted', 6000) });
    expect(ledger.seen(6000).histories).toEqual([]);
  });
});
