import { expect, test } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { ownersOf, writersOf } from './managedFields.ts';

interface Entry {
  readonly manager: string;
  readonly operation?: 'Apply' | 'Update';
  readonly at?: number;
  readonly sub?: string;
  readonly fields: unknown;
}
function object(
  fields: Record<string, unknown>,
  entries: readonly Entry[] | undefined,
  uid = 'u1',
): KubeObject {
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: {
      name: 'orders',
      namespace: 'shop',
      uid,
      ...(entries === undefined
        ? {}
        : {
            managedFields: entries.map((entry) => ({
              manager: entry.manager,
              operation: entry.operation ?? 'Update',
              apiVersion: 'db.example.com/v1',
              fieldsType: 'FieldsV1',
              fieldsV1: entry.fields,
              ...(entry.at === undefined
                ? {}
                : { time: `2026-01-01T00:00:${String(entry.at).padStart(2, '0')}Z` }),
              ...(entry.sub === undefined ? {} : { subresource: entry.sub }),
            })),
          }),
    },
    ...fields,
  };
}
const spec = (...names: string[]) => ({
  'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
});
const status = (...names: string[]) => ({
  'f:status': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
});
function managers(older: KubeObject | undefined, newer: KubeObject, op?: 'deleted' | 'modified'): string[] {
  return writersOf(older, newer, op).map((writer) =>
    writer.subresource === undefined ? writer.manager : `${writer.manager}:${writer.subresource}`,
  );
}

test('[OBJ10] the entry with a moved time is the writer; the others wrote nothing', () => {
  const older = object({ spec: { a: 1 }, status: { phase: 'x' } }, [
    { manager: 'helm', at: 1, fields: spec('a') },
    { manager: 'manager', at: 2, sub: 'status', fields: status('phase') },
  ]);
  const newer = object({ spec: { a: 1 }, status: { phase: 'y' } }, [
    { manager: 'helm', at: 1, fields: spec('a') },
    { manager: 'manager', at: 9, sub: 'status', fields: status('phase') },
  ]);
  expect(managers(older, newer)).toEqual(['manager:status']);
  expect(writersOf(older, newer)[0]).toEqual({
    manager: 'manager',
    operation: 'Update',
    subresource: 'status',
    time: '2026-01-01T00:00:09Z',
  });
});

test('[OBJ11] within one second the owner of a changed value is the writer', () => {
  const entries = [
    { manager: 'helm', at: 5, fields: spec('a') },
    { manager: 'manager', at: 5, sub: 'status', fields: status('phase') },
  ];
  const at = (a: number, phase: string) => object({ spec: { a }, status: { phase } }, entries);
  expect(managers(at(1, 'x'), at(1, 'y'))).toEqual(['manager:status']);
  expect(managers(at(1, 'x'), at(2, 'x'))).toEqual(['helm']);
  expect(managers(at(1, 'x'), at(2, 'y'))).toEqual(['manager:status', 'helm']);
});

test('[OBJ11] within one second a grown set is the writer, the one that lost a field is not', () => {
  const older = object({ spec: { a: 1, b: 1 } }, [
    { manager: 'helm', operation: 'Apply', at: 5, fields: spec('a', 'b') },
  ]);
  const newer = object({ spec: { a: 1, b: 2 } }, [
    { manager: 'helm', operation: 'Apply', at: 5, fields: spec('a') },
    { manager: 'kubectl-edit', at: 5, fields: spec('b') },
  ]);
  expect(managers(older, newer)).toEqual(['kubectl-edit']);
});

test('[OBJ12] two writes between two seen versions name both, those with content first', () => {
  const older = object({ spec: { a: 1 } }, [{ manager: 'helm', at: 1, fields: spec('a') }]);
  const newer = object({ spec: { a: 2 }, status: { phase: 'y' } }, [
    { manager: 'helm', at: 3, fields: spec('a') },
    { manager: 'toucher', at: 4, fields: {} },
    { manager: 'manager', at: 4, sub: 'status', fields: status('phase') },
  ]);
  expect(managers(older, newer)).toEqual(['manager:status', 'helm', 'toucher']);
});

test('[OBJ13] no writer: a deletion, a write that only removes, no managedFields at all', () => {
  const fields = { spec: { a: 1, b: 1 } };
  const entry = { manager: 'helm', at: 1, fields: spec('a', 'b') };
  expect(managers(object(fields, [entry]), object(fields, [entry]), 'deleted')).toEqual([]);
  expect(
    managers(object(fields, [entry]), object({ spec: { a: 1 } }, [{ ...entry, fields: spec('a') }])),
  ).toEqual([]);
  expect(managers(object(fields, undefined), object({ spec: { a: 3 } }, undefined))).toEqual([]);
  expect(managers(undefined, object(fields, undefined))).toEqual([]);
});

test('[OBJ13] entries the server makes for itself wrote nothing', () => {
  const older = object({ spec: { a: 1 } }, []);
  const newer = object({ spec: { a: 2 } }, [
    { manager: 'before-first-apply', at: 7, fields: spec('a') },
    { manager: 'argocd', operation: 'Apply', at: 7, fields: spec('a') },
  ]);
  expect(managers(older, newer)).toEqual(['argocd']);
});

test('[OBJ14] the first version seen, and one with another uid, name the newest entries', () => {
  const entries = [
    { manager: 'helm', at: 1, fields: spec('a') },
    { manager: 'manager', at: 8, sub: 'status', fields: status('phase') },
  ];
  const now = object({ spec: { a: 1 }, status: { phase: 'x' } }, entries);
  expect(managers(undefined, now)).toEqual(['manager:status']);
  expect(managers(object({ spec: { a: 2 } }, entries, 'u0'), now)).toEqual(['manager:status']);
});

test('[OBJ15] owners of every leaf, list items named as in the diff, co-owners together', () => {
  const newer = object(
    {
      spec: { replicas: 1, ports: [{ port: 80 }] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    [
      { manager: 'argocd', operation: 'Apply', at: 1, fields: spec('replicas') },
      { manager: 'flux', operation: 'Apply', at: 2, fields: spec('replicas') },
      {
        manager: 'manager',
        at: 3,
        sub: 'status',
        fields: {
          'f:status': {
            'f:conditions': {
              '.': {},
              'k:{"type":"Ready"}': { '.': {}, 'f:status': {} },
              'k:{"type":"Gone"}': { '.': {} },
            },
          },
        },
      },
      {
        manager: 'kubectl-create',
        at: 1,
        fields: {
          'f:metadata': { 'f:finalizers': { '.': {}, 'v:"a.b/c"': {} } },
          'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:port': {} } } },
        },
      },
    ],
  );
  expect(
    ownersOf(newer).map((field) => `${field.path}: ${field.owners.map((owner) => owner.manager).join(', ')}`),
  ).toEqual([
    'metadata.finalizers[a.b/c]: kubectl-create',
    'spec.ports[80].port: kubectl-create',
    'spec.replicas: flux, argocd',
    'status.conditions[Gone]: manager',
    'status.conditions[Ready].status: manager',
  ]);
});

test('[OBJ16] malformed managedFields are skipped, never thrown on', () => {
  const odd = {
    ...object({ spec: { a: 1 } }, undefined),
    metadata: {
      name: 'orders',
      managedFields: [null, 7, { operation: 'Update' }, { manager: 'm', fieldsV1: 'text' }, { manager: 'n' }],
    },
  } as unknown as KubeObject;
  expect(ownersOf(odd)).toEqual([]);
  expect(managers(undefined, odd)).toEqual(['m', 'n']);
  const keys = object({ spec: { a: 2 } }, [
    { manager: 'm', at: 1, fields: { 'k:{broken': { 'f:a': {} }, 'i:0': {} } },
  ]);
  expect(ownersOf(keys).map((field) => field.path)).toEqual(['[0]', '[{broken].a']);
});
