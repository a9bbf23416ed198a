import { describe, expect, it } from 'vitest';
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';
import type { ConditionHead, ObjectFact } from '../session/facts.ts';
import { compareKeyRows, keyRow } from './keyRows.ts';

function fact(conditions: readonly Partial<ConditionHead>[], meta: Partial<ObjectMeta> = {}): ObjectFact {
  return {
    fact: 'object',
    seq: recordSeq(1),
    at: { lo: 0, hi: 0 },
    receivedAt: 0,
    source: sourceId('watch:x'),
    op: 'added',
    key: objectKey({ group: 'g', kind: 'K', namespace: 'ns', name: 'n' }),
    group: 'g',
    apiVersion: 'g/v1',
    kind: 'K',
    namespace: 'ns',
    name: 'n',
    uid: 'u',
    resourceVersion: resourceVersion('1'),
    meta: { name: 'n', namespace: 'ns', generation: 2, ...meta },
    writers: [],
    conditions: conditions.map((one) => ({
      type: '',
      status: '',
      reason: '',
      lastTransitionTime: '',
      ...one,
    })),
    observedGeneration: 2,
    metadataOnly: false,
    initial: false,
  };
}

const idle = { state: 'idle', failures: 0, nextRunAt: undefined } as const;

describe('keyRow', () => {
  it.each([
    ['no condition', fact([]), idle, 'unknown'],
    ['Ready True', fact([{ type: 'Ready', status: 'True' }]), idle, 'ok'],
    ['Ready False', fact([{ type: 'Ready', status: 'False', reason: 'Refused' }]), idle, 'failed'],
    [
      'Ready False while progressing',
      fact([
        { type: 'Ready', status: 'False' },
        { type: 'Progressing', status: 'True' },
      ]),
      idle,
      'progressing',
    ],
    ['Degraded True', fact([{ type: 'Degraded', status: 'True' }]), idle, 'failed'],
    ['a few failures', fact([{ type: 'Ready', status: 'True' }]), { ...idle, failures: 3 }, 'degraded'],
    ['many failures', fact([{ type: 'Ready', status: 'True' }]), { ...idle, failures: 17 }, 'failed'],
    ['deleting', fact([], { deletionTimestamp: '2026-11-30T09:00:00Z' }), idle, 'deleting'],
    [
      'a generation behind',
      fact([{ type: 'Ready', status: 'True' }], { generation: 3 }),
      idle,
      'progressing',
    ],
  ])('%s', (_name, object, queue, health) => {
    expect(keyRow(object, queue).health).toBe(health);
  });

  it('sorts the worst first, then by name', () => {
    const good = keyRow(fact([{ type: 'Ready', status: 'True' }]), idle);
    const bad = keyRow(fact([{ type: 'Ready', status: 'False' }]), idle);
    expect([good, { ...good, key: 'a' }, bad].sort(compareKeyRows).map((row) => row.key)).toEqual([
      'ns/n',
      'a',
      'ns/n',
    ]);
  });
});
