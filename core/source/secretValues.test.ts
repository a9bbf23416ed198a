import { expect, test } from 'vitest';
import type { KubeObject } from '../../shared/model/kube.ts';
import { filterSecrets } from './secretFilter.ts';

const digest = (text: string) => `#${text.length}`;

function filter(raw: string) {
  return filterSecrets(raw, JSON.parse(raw) as KubeObject, digest);
}

/** A Deployment's container with these fields, after the filter. */
function container(fields: Record<string, unknown>): Record<string, unknown> {
  const spec = { template: { spec: { containers: [{ name: 'manager', ...fields }] } } };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };
  const filtered = filter(JSON.stringify(object));
  expect(JSON.parse(filtered.raw)).toEqual(filtered.object);
  return (filtered.object.spec as typeof spec).template.spec.containers[0] as Record<string, unknown>;
}

function env(name: string, value: string): unknown {
  return (container({ env: [{ name, value }] }).env as { value: string }[])[0]?.value;
}

const args = (...list: string[]) => container({ args: list }).args;

test.each([
  ['DB_PASSWORD', 'canary', 'digest:#6'],
  ['API_TOKEN', '12345', 'digest:#5'],
  ['tokenprofile', 'canary', 'digest:#6'],
  ['DATABASE_URL', 'postgres://app:canary@db:5432/shop?x=a@b', 'postgres://app:digest:#6@db:5432/shop?x=a@b'],
  ['DSN', 'app:canary@tcp(db:3306)/shop', 'app:digest:#6@tcp(db:3306)/shop'],
])('[WA6] the value of %s becomes a mark', (name, value, hidden) => expect(env(name, value)).toBe(hidden));

test.each([
  ['LOG_LEVEL', 'debug'],
  ['PASSWORD_FILE', '/run/secrets/password'],
  ['SECRET_NAME', 'orders-credentials'],
  ['tokenNamespace', 'shop'],
  ['TOKEN_REVIEW', 'true'],
  ['DB_PASSWORD', '$(OTHER_PASSWORD)'],
  ['DB_PASSWORD', ''],
  ['PROXY', 'http://proxy:3128'],
  ['ADMIN', 'ops@example.com'],
  ['IMAGE', 'registry:5000/app@sha256:abc'],
])('[WA6] %s=%s tells where, not what, and stays', (name, value) => expect(env(name, value)).toBe(value));

test('[WA7] flags and assignments in arguments: the value goes, the rest stays', () => {
  expect(args('--token=canary', '--v=2', '--password', 'canary', '--leader-elect')).toEqual([
    '--token=digest:#6',
    '--v=2',
    '--password',
    'digest:#6',
    '--leader-elect',
  ]);
  expect(args('-c', 'export DB_PASSWORD="canary x"; ./run --api-key canary --port 80 && true')).toEqual([
    '-c',
    'export DB_PASSWORD=digest:#8; ./run --api-key digest:#6 --port 80 && true',
  ]);
  expect(args('env -i A=1 TOKEN=canary sh -x --debug --token canary')).toEqual([
    'env -i A=1 TOKEN=digest:#6 sh -x --debug --token digest:#6',
  ]);
  const stays = [
    '--secret-name=orders',
    '--tls-private-key-file=/tls.key',
    '--enable-token=true',
    '--token',
    '--debug',
    '--password=$(DB_PASSWORD)',
  ];
  expect(args(...stays)).toEqual(stays);
  expect(container({ command: ['/manager', '--token=canary'] }).command).toEqual([
    '/manager',
    '--token=digest:#6',
  ]);
});

test('[WA8] every other byte stays, wherever in the object the pod spec stands', () => {
  const before =
    `{"kind":"JobSet","apiVersion":"x/v1" , "metadata":{"name":"a","managedFields":[{"f:env":{"k:{"name":"DB_PASSWORD"}":{}}}]},
 "spec":{"big":12345678901234567890,"list":[1, 2.50,null ,{"deep":[true]}],"jobs":[{"t":{"initContainers":[{"env":[
  {"name":"A","value":"\u003cb\u003e"}, {"value" : `.replaceAll(
      'k:{"name":"DB_PASSWORD"}',
      'k:{\\"name\\":\\"DB_PASSWORD\\"}',
    );
  const after =
    ', "name":"DB_PASSWORD"},{"name":"X_TOKEN","valueFrom":{"secretKeyRef":{"name":"s","key":"token"}}}]}]}}]},"status":{}}';
  const filtered = filter(`${before}"can\\"ary"${after}`);
  expect(filtered.raw).toBe(`${before}"digest:#7"${after}`);
});

test('[WA8] equal values keep equal marks, so that a diff shows a change and only a change', () => {
  const keyed = (value: string) => env('DB_PASSWORD', value);
  expect([keyed('one-canary') === keyed('two-canary'), keyed('a') === keyed('bb')]).toEqual([true, false]);
});

test('[WA8] odd shapes and any depth are passed over', () => {
  const odd = [
    { env: [null, 5, { name: 3 }, { name: 'TOKEN' }, { name: 'TOKEN', value: 7 }], args: [null, 2] },
  ];
  const raw = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: odd },
  });
  expect(filter(raw).raw).toBe(raw);
  const deep = `{"kind":"X","apiVersion":"v1","metadata":{"name":"a"},"containers":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  expect(filter(deep).raw).toBe(deep);
  const within = deep
    .replace('"kind"', '"containers":[{"env":[{"name":"TOKEN","value":"canary"}]}],"kind"')
    .replace(/"containers":\[\[/, '"x":[[');
  expect(filter(within).raw).not.toContain('canary');
});
