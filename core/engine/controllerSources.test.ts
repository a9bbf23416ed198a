import { describe, expect, it } from 'vitest';
import { objectKey, recordSeq, resourceVersion, sourceId } from '../../shared/model/ids.ts';
import type { ObjectMeta } from '../../shared/model/kube.ts';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { defaultController, edited } from '../profile/known.ts';
import type { ObjectFact } from '../session/facts.ts';
import type { ObjectOp } from '../session/record.ts';
import { createControllerSources } from './controllerSources.ts';
import { createObjectIndex } from './objectIndex.ts';

const served: Record<string, ApiResource> = {
  'databases.db.example.com': resource('db.example.com', 'databases', 'Database'),
  'statefulsets.apps': resource('apps', 'statefulsets', 'StatefulSet'),
  configmaps: resource('', 'configmaps', 'ConfigMap'),
};

function resource(group: string, plural: string, kind: string): ApiResource {
  return { group, version: 'v1', resource: plural, kind, namespaced: true, verbs: [], subresources: [] };
}

function profile(change: Partial<ControllerProfile>): ControllerProfile {
  return { ...defaultController('database', edited('databases.db.example.com', 'test')), ...change };
}

function fact(group: string, kind: string, op: ObjectOp, meta: Partial<ObjectMeta>): ObjectFact {
  const name = meta.name ?? 'orders';
  return {
    fact: 'object',
    seq: recordSeq(1),
    at: { lo: 0, hi: 0 },
    receivedAt: 0,
    source: sourceId('watch:x'),
    op,
    key: objectKey({ group, kind, namespace: 'shop', name }),
    group,
    apiVersion: `${group}/v1`,
    kind,
    namespace: 'shop',
    name,
    uid: 'u',
    resourceVersion: resourceVersion(meta.resourceVersion ?? '1'),
    meta: { namespace: 'shop', ...meta, name },
    writers: [],
    conditions: [],
    observedGeneration: undefined,
    metadataOnly: false,
    initial: op === 'listed',
  };
}

function callsOf(controller: ControllerProfile, ...facts: ObjectFact[]) {
  const sources = createControllerSources(controller, (name) => {
    const found = served[name];
    return found === undefined ? [] : [found];
  });
  const index = createObjectIndex();
  return facts.map((one) => sources.calls(index.apply(one)));
}

describe('createControllerSources', () => {
  it('wakes the object itself, at low priority when it was only listed', () => {
    const [listed, changed] = callsOf(
      profile({}),
      fact('db.example.com', 'Database', 'listed', { resourceVersion: '1' }),
      fact('db.example.com', 'Database', 'modified', { resourceVersion: '2' }),
    );
    expect(listed).toEqual([{ method: 'AddWithOpts', key: 'shop/orders', priority: -100 }]);
    expect(changed?.map((call) => call.key)).toEqual(['shop/orders']);
  });

  it('applies predicates to the For kind only', () => {
    const controller = profile({
      predicates: edited(['generationChanged'], 'test'),
      owns: edited(['statefulsets.apps'], 'test'),
    });
    const owner = {
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      name: 'orders',
      uid: 'u',
      controller: true,
    };
    const meta = { generation: 1, ownerReferences: [owner] };
    const calls = callsOf(
      controller,
      fact('db.example.com', 'Database', 'listed', { generation: 1, resourceVersion: '1' }),
      fact('db.example.com', 'Database', 'modified', { generation: 1, resourceVersion: '2' }),
      fact('apps', 'StatefulSet', 'added', { ...meta, resourceVersion: '3' }),
      fact('apps', 'StatefulSet', 'modified', { ...meta, resourceVersion: '4' }),
    );
    expect(calls.map((list) => list.length)).toEqual([1, 0, 1, 1]);
  });

  it('says nothing for the same version seen again, and deletes for what vanished', () => {
    const [, again, gone] = callsOf(
      profile({}),
      fact('db.example.com', 'Database', 'listed', { resourceVersion: '1' }),
      fact('db.example.com', 'Database', 'relisted', { resourceVersion: '1' }),
      fact('db.example.com', 'Database', 'vanished', { resourceVersion: '1' }),
    );
    expect(again).toEqual([]);
    expect(gone?.map((call) => call.key)).toEqual(['shop/orders']);
  });

  it('maps a watched kind by a label, with or without a namespace in its value', () => {
    const controller = profile({
      watches: edited([{ resource: 'configmaps', maps: 'label db.example.com/database' }], 'test'),
    });
    const [here, there, none] = callsOf(
      controller,
      fact('', 'ConfigMap', 'added', { name: 'a', labels: { 'db.example.com/database': 'orders' } }),
      fact('', 'ConfigMap', 'added', { name: 'b', labels: { 'db.example.com/database': 'other/billing' } }),
      fact('', 'ConfigMap', 'added', { name: 'c' }),
    );
    expect([here, there, none].map((calls) => calls?.map((call) => call.key))).toEqual([
      ['shop/orders'],
      ['other/billing'],
      [],
    ]);
  });

  it('names what the profile asks for and the API server does not serve', () => {
    const sources = createControllerSources(
      profile({ owns: edited(['nothings.example.org'], 'test') }),
      (name) => {
        const found = served[name];
        return found === undefined ? [] : [found];
      },
    );
    expect(sources.unresolved).toEqual(['nothings.example.org']);
  });
});
