import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { filterSecrets, isSecretLike } from './secretFilter.ts';

const digest = (text: string) => `digest:${text.length}`;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function run(raw: string) {
  return filterSecrets(raw, JSON.parse(raw) as KubeObject, digest);
}

function object(annotations: Record<string, string>, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', annotations },
    ...rest,
  });
}

test('[WA1] with nothing to hide, text and object come back as they are', () => {
  const raw = object(
    { 'example.com/checksum': 'abc' },
    { data: { password: 'in a ConfigMap, as its author wanted' } },
  );
  const parsed = JSON.parse(raw) as KubeObject;
  const filtered = filterSecrets(raw, parsed, digest);
  expect(filtered.raw).toBe(raw);
  expect(filtered.object).toBe(parsed);
});

test('[WA2] last-applied becomes a digest; every other byte stays, numbers too large for JavaScript included', () => {
  const before = '{"apiVersion":"v1", "kind":"X","metadata":{"annotations":{"a":"\\u003cb\\u003e","';
  const after = '","z":"\\/"},"name":"a"},"spec":{"big":12345678901234567890,"exp":1.50e3}}';
  const value = JSON.stringify(JSON.stringify({ data: { p: 'canary "quoted" \\ é' } }));
  const raw = `${before}${lastApplied}" : ${value},"b":"${after}`;
  const filtered = run(raw);
  expect(filtered.raw).toBe(`${before}${lastApplied}" : "digest:${JSON.parse(value).length}","b":"${after}`);
  expect(filtered.object.metadata.annotations?.[lastApplied]).toBe(`digest:${JSON.parse(value).length}`);
  expect(JSON.stringify(filtered)).not.toContain('canary');
});

test('[WA3] secret-like annotations, in pod templates and job templates too; managedFields keep their names', () => {
  const annotations = { 'example.com/api-key': 'canary-1', 'example.com/note': 'stays' };
  const raw = object(annotations, {
    spec: {
      template: { metadata: { annotations: { 'vault.example.com/token': 'canary-2' } } },
      jobTemplate: { spec: { template: { metadata: { annotations: { dbPassword: 'canary-3' } } } } },
    },
    managed: { 'f:example.com/api-key': {}, 'example.com/api-key': {} },
  });
  const filtered = run(raw);
  expect(filtered.raw).not.toContain('canary');
  expect(filtered.object).toEqual(
    JSON.parse(
      raw.replace('canary-1', 'digest:8').replace('canary-2', 'digest:8').replace('canary-3', 'digest:8'),
    ),
  );
});

test('[WA4] a Secret that comes with data keeps its metadata only', () => {
  const raw = JSON.stringify({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 's', resourceVersion: '7', annotations: { [lastApplied]: '{"data":{"p":"canary"}}' } },
    type: 'Opaque',
    data: { p: 'Y2FuYXJ5' },
    stringData: { p: 'canary' },
  });
  const filtered = run(raw);
  expect(filtered.raw).not.toMatch(/canary|Y2FuYXJ5/);
  expect(filtered.object).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', resourceVersion: '7', annotations: { [lastApplied]: 'digest:23' } },
  });
});

describe('[WA5] which annotations look like secrets', () => {
  test.each([
    lastApplied,
    'db.example.com/password',
    'x/Access_Key',
    'openshift.io/token-secret.value',
    'x/clientSecret',
  ])('%s does', (key) => expect(isSecretLike(key)).toBe(true));
  test.each(['kubernetes.io/service-account.name', 'checksum/config', 'deployment.kubernetes.io/revision'])(
    '%s does not',
    (key) => expect(isSecretLike(key)).toBe(false),
  );
});
