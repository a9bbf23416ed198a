import { describe, expect, test } from 'vitest';
import { objectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import { seededRandom } from '../testing/sessionLogWalk.ts';
import { decodeAgain, decodeRecord } from './decode.ts';
import type { RecordHead } from './record.ts';
import { skimObject } from './skim.ts';

const head: RecordHead = {
  seq: recordSeq(1),
  kind: 'object',
  source: sourceId('watch:v1/pods'),
  at: { lo: 1, hi: 1 },
  tie: 0,
  receivedAt: 1,
  op: 'modified',
  object: objectKey({ group: '', kind: 'Pod', namespace: 'n', name: 'a' }),
  metadataOnly: false,
  initial: false,
  late: false,
};

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    namespace: 'n',
    labels: { 'a"b': 'c\\' },
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        fieldsV1: { 'f:spec': { '.': {} } },
        time: '2026-11-30T08:00:00Z',
      },
    ],
    ownerReferences: [{ uid: 'u', controller: true }],
    generation: 3,
  },
  spec: { containers: [{ args: ['}', ']', '"', '\\', '\\"'] }] },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ ready: true }],
    observedGeneration: 3,
    phase: 'Running',
  },
};

describe('skimming an object', () => {
  test('[SES56] leaves out what facts do not read, and nothing else', () => {
    expect(JSON.parse(skimObject(JSON.stringify(pod)) ?? '')).toEqual({
      ...pod,
      metadata: { ...pod.metadata, managedFields: [{ ...pod.metadata.managedFields[0], fieldsV1: null }] },
      spec: null,
      status: { ...pod.status, containerStatuses: null },
    });
  });

  test.each([
    ['an escape in a name', '{"apiVersion":"v1","kind":"Pod","meta\\u0064ata":{"name":"a"}}'],
    ['spaces', '{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" }, "spec": {} }'],
    ['no fields', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":[]},"spec":{}}'],
    ['null', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":null},"status":null}'],
    [
      'a name twice',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{},"metadata":{"name":"b"}}',
    ],
    [
      'a list for an object',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":[{"conditions":[]}]}',
    ],
  ])('[SES56] gives the same facts of an object with %s', (_what, text) => {
    const { facts } = decodeRecord(head, text);
    expect(facts).toHaveLength(1);
    expect(decodeAgain(head, text)).toEqual(facts);
  });

  test.each(['', '{', '{"a"', '{"a":', '{"a":"', '{"a":{"b":1}', '[]', 'null', '{"a":1]', '{"a":"\\'])(
    'does not hang on %j',
    (text) => {
      expect(decodeAgain(head, text)).toEqual(decodeRecord(head, text).facts);
    },
  );

  test.each([1, 2, 3])('[SES56] gives the same facts of any object, seed %i', (seed) => {
    const random = seededRandom(seed);
    for (let count = 0; count < 400; count++) {
      const text = JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...(anyValue(random, 3, true) as object), name: 'a', managedFields: managed(random) },
        spec: anyValue(random, 3),
        status:
          random() < 0.8 ? { ...(anyValue(random, 3, true) as object), conditions: conditions(random) } : 7,
      });
      expect(decodeAgain(head, text)).toEqual(decodeRecord(head, text).facts);
      if (count % 10 === 0) {
        const cut = text.slice(0, Math.floor(random() * text.length));
        expect(decodeAgain(head, cut)).toEqual(decodeRecord(head, cut).facts);
      }
    }
  });
});

type Random = () => number;

function managed(random: Random): unknown {
  return Array.from({ length: Math.floor(random() * 3) }, () => ({
    manager: text(random),
    operation: 'Apply',
    fieldsV1: anyValue(random, 2),
    ...(random() < 0.5 ? { subresource: 'status' } : {}),
  }));
}

function conditions(random: Random): unknown {
  return Array.from({ length: Math.floor(random() * 3) }, () => ({
    type: text(random),
    status: 'True',
    message: text(random),
    more: anyValue(random, 1),
  }));
}

const names = [
  'conditions',
  'observedGeneration',
  'labels',
  'metadata',
  'status',
  'fieldsV1',
  'a',
  '',
  'é',
  '"',
  '\\',
];

function anyValue(random: Random, depth: number, isObject = false): unknown {
  const kind = isObject ? 0.9 : random();
  if (depth === 0 || kind < 0.2) return [1, -2.5e10, true, false, null][Math.floor(random() * 5)];
  if (kind < 0.45) return text(random);
  const items = Array.from({ length: Math.floor(random() * 4) }, () => anyValue(random, depth - 1));
  if (kind < 0.65) return items;
  return Object.fromEntries(items.map((item) => [names[Math.floor(random() * names.length)] ?? '', item]));
}

function text(random: Random): string {
  const parts = ['"', '\\', '{', '}', '[', ']', ',', ':', 'x', 'é', '\n', '😀'];
  return Array.from(
    { length: Math.floor(random() * 6) },
    () => parts[Math.floor(random() * parts.length)],
  ).join('');
}
