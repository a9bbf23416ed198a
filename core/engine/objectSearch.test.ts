import { describe, expect, it } from 'vitest';
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { ObjectFact } from '../session/facts.ts';
import { createObjectIndex } from './objectIndex.ts';
import { searchObjects } from './objectSearch.ts';

function fact(
  group: string,
  kind: string,
  namespace: string,
  name: string,
  op: ObjectFact['op'],
): ObjectFact {
  return {
    fact: 'object',
    seq: recordSeq(1),
    at: { lo: 0, hi: 0 },
    receivedAt: 0,
    source: sourceId('watch:test'),
    op,
    key: objectKey({ group, kind, namespace, name }),
    group,
    apiVersion: group === '' ? 'v1' : `${group}/v1`,
    kind,
    namespace,
    name,
    uid: 'u',
    resourceVersion: resourceVersion('1'),
    meta: { name, namespace },
    writers: [],
    conditions: [],
    observedGeneration: undefined,
    metadataOnly: false,
    initial: false,
  };
}

describe('searchObjects', () => {
  const index = createObjectIndex();
  index.apply(fact('', 'Pod', 'shop', 'orders-db-0', 'added'));
  index.apply(fact('db.example.com', 'Database', 'shop', 'orders-db', 'added'));
  index.apply(fact('db.example.com', 'Database', 'shop', 'old-orders', 'added'));
  index.apply(fact('db.example.com', 'Database', 'shop', 'old-orders', 'deleted'));

  it('puts a custom resource before built-in kinds and deleted ones last', () => {
    expect(searchObjects(index, 'orders', 10).map((hit) => hit.object.name)).toEqual([
      'orders-db',
      'orders-db-0',
      'old-orders',
    ]);
  });

  it('wants every word', () => {
    expect(searchObjects(index, 'pod orders', 10).map((hit) => hit.object.name)).toEqual(['orders-db-0']);
    expect(searchObjects(index, 'pod nothing', 10)).toEqual([]);
    expect(searchObjects(index, '  ', 10)).toEqual([]);
  });
});
