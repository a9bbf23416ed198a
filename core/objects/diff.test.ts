import { expect, test } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { compareVersions, diffObjects, objectDocument } from './diff.ts';
import { summarise } from './summarise.ts';

function database(fields: Record<string, unknown>, metadata: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: { name: 'orders', namespace: 'shop', uid: 'u1', ...metadata },
    ...fields,
  };
}
const ready = (status: string, reason: string) => ({ type: 'Ready', status, reason });
function short(older: KubeObject | undefined, newer: KubeObject | undefined): string[] {
  return diffObjects(older, newer).map((row) => `${row.sign} ${row.path} ${row.old ?? ''}>${row.new ?? ''}`);
}

test('[OBJ1] one row per leaf: added, removed, changed; untouched parts give none', () => {
  const older = database({ spec: { engine: 'postgres', replicas: 1, tls: { on: true } } });
  const newer = database({ spec: { engine: 'postgres', replicas: 3, backup: { at: '02:00', keep: 7 } } });
  expect(short(older, newer)).toEqual([
    '~ spec.replicas 1>3',
    '+ spec.backup.at >"02:00"',
    '+ spec.backup.keep >7',
    '- spec.tls.on true>',
  ]);
  expect(diffObjects(older, older)).toEqual([]);
});

test('[OBJ1] empty maps, empty lists, null and a change of shape are leaves', () => {
  expect(
    short(database({ spec: { a: {}, c: null, d: [1] } }), database({ spec: { b: [], c: 0, d: { e: 1 } } })),
  ).toEqual(['+ spec.b >[]', '~ spec.c null>0', '~ spec.d [1]>{"e":1}', '- spec.a {}>']);
  expect(short(database({ spec: { a: {} } }), database({ spec: { a: { b: 1 } } }))).toEqual([
    '+ spec.a.b >1',
  ]);
});

test('[OBJ2] list items are named by their key, so that an insertion in front moves nothing', () => {
  const older = database({ status: { conditions: [ready('False', 'Pending')] } });
  const newer = database({
    status: { conditions: [{ type: 'Progressing', status: 'True' }, ready('True', 'Done')] },
  });
  expect(short(older, newer)).toEqual([
    '+ status.conditions[Progressing].type >"Progressing"',
    '+ status.conditions[Progressing].status >"True"',
    '~ status.conditions[Ready].status "False">"True"',
    '~ status.conditions[Ready].reason "Pending">"Done"',
  ]);
});

test('[OBJ2] containers, ports, env, owners and finalizers', () => {
  const pod = (image: string, port: number, env: unknown[], owner: string, finalizers: string[]) =>
    database(
      {
        spec: {
          containers: [
            {
              name: 'main',
              image,
              env,
              ports: [{ containerPort: port, protocol: 'TCP' }, { containerPort: 9 }],
            },
          ],
        },
      },
      { finalizers, ownerReferences: [{ kind: 'Database', name: owner, uid: 'x' }] },
    );
  const older = pod('a:1', 80, [{ name: 'A', value: '1' }], 'one', ['keep', 'drop']);
  const newer = pod('a:2', 81, [{ name: 'B', value: '2' }], 'one', ['keep']);
  expect(short(older, newer)).toEqual([
    '- metadata.finalizers[drop] "drop">',
    '~ spec.containers[main].image "a:1">"a:2"',
    '+ spec.containers[main].env[B].name >"B"',
    '+ spec.containers[main].env[B].value >"2"',
    '- spec.containers[main].env[A].name "A">',
    '- spec.containers[main].env[A].value "1">',
    '+ spec.containers[main].ports[81/TCP].containerPort >81',
    '+ spec.containers[main].ports[81/TCP].protocol >"TCP"',
    '- spec.containers[main].ports[80/TCP].containerPort 80>',
    '- spec.containers[main].ports[80/TCP].protocol "TCP">',
  ]);
});

test('[OBJ2] items without a name, or with the same one twice, count by index; a new order of named items is told', () => {
  expect(
    short(database({ spec: { args: ['a', 'b'] } }), database({ spec: { args: ['a', 'c', 'd'] } })),
  ).toEqual(['~ spec.args[1] "b">"c"', '+ spec.args[2] >"d"']);
  const twice = database({ status: { conditions: [ready('True', 'A'), ready('False', 'B')] } });
  expect(
    short(twice, database({ status: { conditions: [ready('True', 'A'), ready('True', 'B')] } })),
  ).toEqual(['~ status.conditions[1].status "False">"True"']);
  const env = (...names: string[]) => database({ spec: { env: names.map((name) => ({ name })) } });
  expect(short(env('A', 'B'), env('B', 'A'))).toEqual(['~ spec.env ["A","B"]>["B","A"]']);
});

test('[OBJ2] key fields of a list no table knows come from managedFields', () => {
  const members = (list: unknown[]) =>
    database(
      { spec: { members: list } },
      {
        managedFields: [
          {
            manager: 'm',
            operation: 'Update',
            fieldsV1: {
              'f:spec': { 'f:members': { 'k:{"id":"b"}': { '.': {}, 'f:id': {}, 'f:weight': {} } } },
            },
          },
        ],
      },
    );
  expect(short(members([{ id: 'b', weight: 1 }]), members([{ id: 'a' }, { id: 'b', weight: 2 }]))).toEqual([
    '+ spec.members[a].id >"a"',
    '~ spec.members[b].weight 1>2',
  ]);
});

test('[OBJ3] managedFields, resourceVersion and last-applied are bookkeeping; generation is not', () => {
  const at = (n: number) =>
    database(
      { spec: { replicas: n } },
      {
        resourceVersion: String(n),
        generation: n,
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `digest:${n}`, 'a.b/c': 'same' },
        managedFields: [
          {
            manager: 'helm',
            operation: 'Update',
            time: `2026-01-01T00:00:0${n}Z`,
            fieldsV1: n === 1 ? { 'f:spec': {} } : { 'f:spec': { 'f:replicas': {} } },
          },
        ],
      },
    );
  expect(diffObjects(at(1), at(2)).map((row) => [row.path, row.bookkeeping])).toEqual([
    ['metadata.resourceVersion', true],
    ['metadata.generation', false],
    ['metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]', true],
    ['metadata.managedFields[helm/Update].time', true],
    ['metadata.managedFields[helm/Update].fieldsV1', true],
    ['spec.replicas', false],
  ]);
});

test('[OBJ4] long values are cut around their first difference', () => {
  const text = (tail: string) => database({ spec: { text: `${'x'.repeat(400)}${tail}${'y'.repeat(400)}` } });
  const [row] = diffObjects(text('ONE'), text('TWO'));
  expect(row?.old).toMatch(/^…x{40}ONEy+…$/);
  expect(row?.new).toMatch(/^…x{40}TWOy+…$/);
  expect(row?.old?.length).toBe(162);
});

test('[OBJ5] a row names the owner now and who lost the field', () => {
  const owned = (manager: string, operation: string, replicas: number, time: string) =>
    database(
      { spec: { replicas, engine: 'mysql' } },
      {
        managedFields: [
          {
            manager: 'helm',
            operation: 'Apply',
            time: '2026-01-01T00:00:00Z',
            fieldsV1: { 'f:spec': { 'f:engine': {}, ...(manager === 'helm' ? { 'f:replicas': {} } : {}) } },
          },
          ...(manager === 'helm'
            ? []
            : [{ manager, operation, time, fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]),
        ],
      },
    );
  const rows = diffObjects(
    owned('helm', 'Apply', 1, '2026-01-01T00:00:00Z'),
    owned('hpa', 'Update', 4, '2026-01-01T00:00:05Z'),
  );
  expect(rows.find((row) => row.path === 'spec.replicas')).toEqual({
    path: 'spec.replicas',
    sign: '~',
    old: '1',
    new: '4',
    owner: { manager: 'hpa', operation: 'Update', time: '2026-01-01T00:00:05Z' },
    takenFrom: 'helm',
    bookkeeping: false,
  });
});

test('[OBJ5] the owner of a place inside an atomic list is the owner of the list', () => {
  const args = (value: string) =>
    database(
      { spec: { args: [value] } },
      { managedFields: [{ manager: 'm', operation: 'Update', fieldsV1: { 'f:spec': { 'f:args': {} } } }] },
    );
  expect(diffObjects(args('a'), args('b'))[0]?.owner?.manager).toBe('m');
});

test('[OBJ6] only metadata is compared with a version of which only metadata is known', () => {
  const partial = { ...database({}), kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
  const full = database({ spec: { replicas: 1 } }, { labels: { app: 'x' } });
  expect(diffObjects(partial, full, { metadataOnly: true }).map((row) => row.path)).toEqual([
    'metadata.labels.app',
  ]);
});

test('[OBJ7] the summary leads with what says most', () => {
  const at = (status: string, generation: number) =>
    database(
      { status: { conditions: [ready(status, `R${status}`)], phase: status } },
      { generation, resourceVersion: status },
    );
  const rows = diffObjects(at('False', 1), at('True', 2));
  expect(summarise(rows)).toBe('status.conditions[Ready].status False → True, +3');
  expect(summarise([])).toBe('no change');
  expect(summarise(rows.filter((row) => row.bookkeeping))).toBe('only bookkeeping fields');
  const gone = diffObjects(database({}, { finalizers: ['a.b/c'] }), database({}));
  expect(summarise(gone)).toBe('−metadata.finalizers[a.b/c]');
  const both = diffObjects(database({ spec: { b: 1 } }), database({ spec: { a: 1, b: 2 } }));
  expect(summarise(both)).toBe('spec.b 1 → 2, +1');
  const added = diffObjects(database({}), database({ spec: { note: 'n'.repeat(60) } }));
  expect(summarise(added)).toBe(`+spec.note ${'n'.repeat(31)}…`);
});

test('[OBJ8] a version against the one before it: rows, writers, count and summary in one pass', () => {
  const at = (replicas: number, seconds: number) =>
    database(
      { spec: { replicas } },
      {
        resourceVersion: String(seconds),
        managedFields: [
          {
            manager: 'kubectl-edit',
            operation: 'Update',
            time: `2026-01-01T00:00:0${seconds}Z`,
            fieldsV1: { 'f:spec': { 'f:replicas': {} } },
          },
        ],
      },
    );
  const compared = compareVersions(at(1, 1), at(2, 2), 'modified');
  expect(compared.writers.map((writer) => writer.manager)).toEqual(['kubectl-edit']);
  expect([compared.changes, compared.summary]).toEqual([1, 'spec.replicas 1 → 2']);
  expect(compareVersions(at(1, 1), at(1, 1), 'deleted')).toMatchObject({ writers: [], changes: 0 });
});

test('[OBJ9] a document carries the text and the owners of the same version', () => {
  const object = database(
    { spec: { replicas: 1 } },
    { managedFields: [{ manager: 'm', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }] },
  );
  expect(objectDocument(7, object, false, (value) => `yaml of ${(value as KubeObject).kind}`)).toEqual({
    seq: 7,
    yaml: 'yaml of Database',
    owners: [{ path: 'spec.replicas', owners: [{ manager: 'm', operation: 'Apply' }] }],
    metadataOnly: false,
  });
});
