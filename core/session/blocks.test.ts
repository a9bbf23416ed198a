import { describe, expect, test } from 'vitest';
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import { kindMask, packHeads, unpackHeads } from './blocks.ts';
import { LruCache } from './blocksCache.ts';
import { notKept, packFacts, unpackFacts } from './blocksFacts.ts';
import { ObjectDictionary, packObjectIndex, unpackObjectIndex } from './blocksObjects.ts';
import type { RecordHead } from './record.ts';

const pod = objectKey({ group: '', kind: 'Pod', namespace: 'n', name: 'a' });

function podHead(seq: number, version: string): RecordHead {
  return {
    seq: recordSeq(seq),
    kind: 'object',
    source: sourceId('watch:/v1/pods'),
    at: { lo: 1_700_000_000_000 + seq, hi: 1_700_000_000_000 + seq },
    tie: 0,
    receivedAt: 1_700_000_000_005 + seq,
    object: pod,
    uid: 'u',
    resourceVersion: resourceVersion(version),
    op: 'modified',
    metadataOnly: false,
    initial: false,
    late: false,
  };
}

describe('blocks', () => {
  const names = {
    source: () => sourceId('watch:/v1/pods'),
    object: (id: number) => (id === 0 ? undefined : { key: pod, uid: 'u' }),
  };

  test('[SES20] heads come back exactly, odd versions too', () => {
    const versions = ['1', '007', '99999999999999999999', '0', '12', 'v3', '', '1e3', '-4', '1.5'];
    const heads = versions.map((version, index) => podHead(50 + index, version));
    const rows = heads.map((head, index) => ({ head, source: 1, object: 1, bytes: index * 10 }));
    const unpacked = unpackHeads(packHeads(rows), 50, names);
    expect(unpacked.heads).toEqual(heads);
    expect(unpacked.offsets).toEqual([0, 0, 10, 30, 60, 100, 150, 210, 280, 360, 450]);
  });

  test('[SES20] a fraction in one time keeps all of them exact', () => {
    const heads = [podHead(1, '1'), { ...podHead(2, '2'), at: { lo: 0.1, hi: 0.3 }, receivedAt: 0.7 }];
    const rows = heads.map((head) => ({ head, source: 1, object: 1, bytes: 1 }));
    expect(unpackHeads(packHeads(rows), 1, names).heads).toEqual(heads);
  });

  test('[SES21] a head takes a few bytes', () => {
    const rows = Array.from({ length: 300 }, (_, index) => {
      return {
        head: podHead(1 + index, String(1000 + index * 3)),
        source: 1,
        object: 1 + (index % 7),
        bytes: 860,
      };
    });
    expect(packHeads(rows).length / 300).toBeLessThan(8);
  });

  test('kinds share a mask without losing one another', () => {
    expect(kindMask(['gap']) & kindMask(['object', 'log'])).toBe(0);
    expect(kindMask(['gap', 'finding']) & kindMask(['finding'])).not.toBe(0);
  });
});

describe('objects of a session', () => {
  test('[SES22] one key with two uids is two identities, and its history has both', () => {
    const objects = new ObjectDictionary();
    const ids = [
      objects.idOf(pod, 'u1'),
      objects.idOf(pod, 'u2'),
      objects.idOf(pod, 'u1'),
      objects.idOf(pod, undefined),
    ];
    expect(ids).toEqual([1, 2, 1, 3]);
    expect(objects.idsOf(pod)).toEqual([3, 2, 1]);
    expect(objects.identity(2)).toMatchObject({ key: pod, uid: 'u2' });
    expect(objects.identity(0)).toBeUndefined();
  });

  test('[SES23] identities come back under their numbers, part by part', () => {
    const objects = new ObjectDictionary();
    const uid = (n: number) => `6f1c02f4-98a1-4a0e-8d1c-0000000000${String(n).padStart(2, '0')}`;
    for (let n = 0; n < 20; n++)
      objects.idOf(objectKey({ group: '', kind: 'Pod', namespace: 'ü', name: `p${n}` }), uid(n));
    const first = objects.packAfter(0);
    objects.idOf(undefined, 'only a uid');
    objects.idOf(pod, undefined);
    objects.idOf(pod, '6F1C02F4-98A1-4A0E-8D1C-000000000000');
    const second = objects.packAfter(20);
    const back = new ObjectDictionary();
    back.unpack(first);
    back.unpack(second);
    expect(back.size).toBe(23);
    for (let id = 1; id <= 23; id++) {
      const { key, uid: known } = objects.identity(id) ?? {};
      expect(back.identity(id)).toMatchObject({ key, uid: known });
    }
    expect(first.length / 20).toBeLessThan(25);
  });

  test('[SES24] the index of a segment gives the records of an object', () => {
    const ids = [3, 0, 1, 3, 3, 0, 1000, 1];
    const index = unpackObjectIndex(packObjectIndex(ids));
    expect([0, 1, 2, 3, 1000].map((id) => index.offsetsOf(id))).toEqual([[], [2, 7], [], [0, 3, 4], [6]]);
  });
});

describe('facts of a block', () => {
  const head = podHead(7, '12');
  const base = {
    fact: 'object',
    seq: head.seq,
    at: head.at,
    source: head.source,
    key: pod,
    name: 'a',
    namespace: 'n',
  };

  test('[SES47] come back whole, though what the head says is left out', () => {
    const facts = [
      [{ ...base, op: 'modified', generation: 3 }],
      undefined,
      [],
      // The same names with other values, and facts that are no objects.
      [{ ...base, seq: 8, at: { lo: 0, hi: 0 }, name: 'b', uid: undefined }, 'text', null, [1], 5],
    ];
    const rows = facts.map(() => ({ head, bytes: 2000 }));
    const text = packFacts(rows, facts, true) ?? '';
    expect(text).not.toContain('watch:/v1/pods');
    expect(unpackFacts([head, head, head, head], text)).toEqual(facts);
  });

  test('[SES47] as long as half their payload they are not kept, short ones always', () => {
    const long = [{ ...base, text: 'x'.repeat(300) }];
    const short = [{ ...base, text: 'x' }];
    const text = packFacts(
      [
        { head, bytes: 400 },
        { head, bytes: 4000 },
        { head, bytes: 0 },
      ],
      [long, long, short],
      true,
    );
    expect(unpackFacts([head, head, head], text ?? '')).toEqual([notKept, long, short]);
    const marked = packFacts(
      [
        { head, bytes: 400 },
        { head, bytes: 400 },
      ],
      [short, undefined],
      false,
    );
    expect(unpackFacts([head, head], marked ?? '')).toEqual([notKept, undefined]);
    expect(packFacts([{ head, bytes: 400 }], [undefined], true)).toBeUndefined();
  });
});

describe('cache of blocks', () => {
  test('forgets what was used longest ago, by weight', () => {
    const cache = new LruCache<string, number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3, 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
    cache.set('d', 4, 50);
    expect([cache.get('a'), cache.get('c'), cache.get('d'), cache.weight]).toEqual([
      undefined,
      undefined,
      4,
      50,
    ]);
    cache.set('d', 5, 1);
    expect(cache.weight).toBe(1);
  });
});
