import { expect, test } from 'vitest';
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { ObjectOp } from '../session/record.ts';
import { createEventFeed } from './eventFeed.ts';

const all = { text: '', initial: true, limit: 100 };

function database(replicas: number): KubeObject {
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: { name: 'orders', namespace: 'shop' },
    spec: { replicas },
  };
}

function fact(seq: number, op: ObjectOp): ObjectFact {
  return {
    fact: 'object',
    seq: recordSeq(seq),
    at: { lo: 0, hi: 0 },
    receivedAt: 0,
    source: sourceId('watch:db.example.com/v1/databases'),
    op,
    key: objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name: 'orders' }),
    group: 'db.example.com',
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    namespace: 'shop',
    name: 'orders',
    uid: 'u1',
    resourceVersion: resourceVersion(String(seq)),
    meta: { name: 'orders', namespace: 'shop' },
    writers: [],
    conditions: [],
    observedGeneration: undefined,
    metadataOnly: false,
    initial: op === 'listed',
  };
}

/** A feed over three versions, and which of them were read. */
function feedOfVersions(stored: Readonly<Record<number, KubeObject>>) {
  const reads: number[] = [];
  const feed = createEventFeed((seq) => {
    reads.push(seq);
    return stored[seq];
  });
  return { feed, reads };
}

const versions = { 1: database(1), 2: database(3), 3: database(3) };

test('compares versions when somebody looks, once', () => {
  const { feed, reads } = feedOfVersions(versions);
  feed.change(fact(1, 'listed'), versions[1], undefined);
  feed.change(fact(2, 'modified'), versions[2], 1);
  expect(reads).toEqual([]);
  const [first, second] = feed.recent(all);
  expect(first?.summary).toBe('first seen in a list');
  expect(second?.summary).toContain('replicas');
  expect(feed.recent({ ...all, text: 'replicas' })).toEqual([second]);
  expect(reads).toEqual([2, 1]);
});

test('a listener gets each row compared', () => {
  const { feed, reads } = feedOfVersions(versions);
  const heard: string[] = [];
  const listening = feed.onRow((row) => heard.push(row.summary));
  feed.change(fact(2, 'modified'), versions[2], 1);
  feed.change(fact(3, 'modified'), versions[3], 2);
  expect(heard[0]).toContain('replicas');
  expect(heard[1]).toBe('no field changed');
  listening.dispose();
  feed.change(fact(4, 'modified'), versions[3], 3);
  expect(heard).toHaveLength(2);
  expect(reads).not.toContain(4);
});

test('says nothing of fields where a version cannot be read or has none before it', () => {
  const { feed } = feedOfVersions({ 2: database(3) });
  feed.change(fact(2, 'modified'), versions[2], 1);
  feed.change(fact(9, 'modified'), versions[3], 2);
  expect(feed.recent(all).map((row) => row.summary)).toEqual(['changed', 'changed']);
});

test('an Event tells what it regards apart from its words', () => {
  const { feed } = feedOfVersions({});
  const head = { ...fact(5, 'added'), kind: 'Event', group: '', apiVersion: 'v1', name: 'orders.17f2' };
  const regards = { apiVersion: 'db.example.com/v1', kind: 'Database', namespace: 'shop', name: 'orders' };
  const event: KubeObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'orders.17f2', namespace: 'shop' },
    reason: 'StatusFailed',
    message: 'refused',
    type: 'Warning',
  };
  feed.change(head, { ...event, involvedObject: regards }, undefined);
  feed.change(head, { ...event, regarding: { kind: 'Node', name: 'n1', apiVersion: 'v1' } }, undefined);
  feed.change(head, event, undefined);
  const [core, other, none] = feed.recent(all);
  expect(core).toMatchObject({
    type: 'event',
    summary: 'StatusFailed · refused',
    warning: true,
    object: { name: 'orders.17f2' },
    about: { key: fact(1, 'added').key, group: 'db.example.com', kind: 'Database', name: 'orders' },
  });
  expect(other?.about).toMatchObject({ group: '', kind: 'Node', namespace: '', name: 'n1' });
  expect(none).not.toHaveProperty('about');
});
