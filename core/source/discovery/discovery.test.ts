import { expect, test } from 'vitest';
import { apiResource, ScriptedCluster } from '../../testing/scriptedCluster.ts';
import { type KubeTransport, TransportFailure } from '../transport.ts';
import { diffDiscovery, discover } from './discovery.ts';
import { parseAggregated, parseGroups } from './discoveryDocs.ts';

function cluster(): ScriptedCluster {
  const scripted = new ScriptedCluster();
  scripted.serve(apiResource('pods', 'Pod', { subresources: ['log', 'status'] }));
  scripted.serve(apiResource('namespaces', 'Namespace', { namespaced: false }));
  scripted.serve(apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }));
  return scripted;
}

async function found(transport: KubeTransport, previous?: Parameters<typeof discover>[1]) {
  const result = await discover(transport, previous);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('[WA50] aggregated discovery: two requests; the legacy form gives the same', async () => {
  const scripted = cluster();
  const aggregated = await found(scripted);
  expect(scripted.requests).toEqual(['GET /api', 'GET /apis']);
  expect(aggregated.resources).toEqual([
    apiResource('pods', 'Pod', { subresources: ['log', 'status'] }),
    apiResource('namespaces', 'Namespace', { namespaced: false }),
    apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }),
  ]);
  scripted.legacyDiscovery = true;
  scripted.requests.length = 0;
  expect((await found(scripted)).resources).toEqual(aggregated.resources);
  expect(scripted.requests).toEqual(['GET /api', 'GET /api/v1', 'GET /apis', 'GET /apis/db.example.com/v1']);
});

test('[WA51] asked again with its ETag: the same object when nothing is new, else the difference', async () => {
  const scripted = cluster();
  const first = await found(scripted);
  expect(await found(scripted, first)).toBe(first);
  scripted.serve(apiResource('widgets.example.com', 'Widget'));
  scripted.unserve('databases.db.example.com');
  scripted.serve(apiResource('pods', 'Pod', { subresources: ['log', 'status', 'resize'] }));
  const second = await found(scripted, first);
  const { added, removed, changed } = diffDiscovery(first, second);
  expect([added, removed, changed].map((list) => list.map((resource) => resource.resource))).toEqual([
    ['widgets'],
    ['databases'],
    ['pods'],
  ]);
});

test('[WA52] an aggregated API that does not answer is listed, the rest is there', () => {
  const parsed = parseAggregated({
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'metrics.k8s.io' },
        versions: [
          {
            version: 'v1beta1',
            freshness: 'Stale',
            resources: [
              {
                resource: 'pods',
                responseKind: { kind: 'PodMetrics' },
                scope: 'Namespaced',
                verbs: ['get', 'list'],
              },
            ],
          },
        ],
      },
      { metadata: {}, versions: [{ version: 'v1', resources: [{ resource: 'x' }, { junk: true }] }] },
      'junk',
    ],
  });
  expect(parsed?.problems.map((problem) => problem.groupVersion)).toEqual(['metrics.k8s.io/v1beta1']);
  expect(
    parsed?.versions.map(({ group, resources }) => [group, resources.map((resource) => resource.kind)]),
  ).toEqual([
    ['metrics.k8s.io', ['PodMetrics']],
    ['', []],
  ]);
  expect(parseAggregated({ kind: 'APIVersions' })).toBeUndefined();
});

test('[WA52] legacy: a group that fails is listed, the rest is there', async () => {
  const scripted = cluster();
  scripted.legacyDiscovery = true;
  const broken: KubeTransport = {
    request: async (request) =>
      request.path === '/apis/db.example.com/v1'
        ? {
            ok: true,
            value: {
              status: 503,
              header: () => undefined,
              text: async () => '',
              lines: async function* () {},
              dispose() {},
            },
          }
        : scripted.request(request),
    onRequest: scripted.onRequest.bind(scripted),
    dispose() {},
  };
  const discovery = await found(broken);
  expect(discovery.resources.map((resource) => resource.resource)).toEqual(['pods', 'namespaces']);
  expect(discovery.problems).toEqual([
    {
      groupVersion: 'db.example.com/v1',
      message: 'The server answered 503 to discovery (db.example.com/v1).',
    },
  ]);
});

test('[WA53] the version the server prefers, once; all of them beside it', () => {
  const groups = parseGroups('/apis', {
    groups: [
      {
        name: 'autoscaling',
        versions: [{ version: 'v1' }, { version: 'v2' }],
        preferredVersion: { version: 'v2' },
      },
    ],
  });
  expect(groups).toEqual([
    { group: 'autoscaling', version: 'v2' },
    { group: 'autoscaling', version: 'v1' },
  ]);
});

test.each([
  [403, '{}', /ClusterRole system:discovery/],
  [200, '<html>', /is not a Kubernetes API server/],
  [500, '', /answered 500/],
])('[WA54] an answer of %i %j is an error that says what to do', async (status, body, message) => {
  const transport: KubeTransport = {
    request: async () => ({
      ok: true,
      value: {
        status,
        header: () => undefined,
        text: async () => body,
        lines: async function* () {},
        dispose() {},
      },
    }),
    onRequest: () => ({ dispose() {} }),
    dispose() {},
  };
  expect(await discover(transport)).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(message) },
  });
});

test('[WA54] an answer that breaks off in its body is an error too', async () => {
  const cut = new TransportFailure({ code: 'reset', message: 'The connection was cut.' });
  const scripted = cluster();
  scripted.legacyDiscovery = true;
  const cutting = (path: string): KubeTransport => ({
    request: async (request) =>
      request.path === path
        ? {
            ok: true,
            value: {
              status: 200,
              header: () => undefined,
              text: () => Promise.reject(cut),
              lines: async function* () {},
              dispose() {},
            },
          }
        : scripted.request(request),
    onRequest: scripted.onRequest.bind(scripted),
    dispose() {},
  });
  expect(await discover(cutting('/apis'))).toEqual({ ok: false, error: cut.detail });
  const { problems } = await found(cutting('/apis/db.example.com/v1'));
  expect(problems).toEqual([{ groupVersion: 'db.example.com/v1', message: cut.message }]);
});

test('[WA50] names that could not stand in a path are passed over; a CRD may call its versions anything', () => {
  expect(
    parseGroups('/apis', {
      groups: [
        { name: '../../evil', versions: [{ version: 'v1' }] },
        {
          name: 'a.example.com',
          versions: [{ version: 'v1?x=1' }, { version: '..' }, { version: 'stable' }],
        },
      ],
    }),
  ).toEqual([{ group: 'a.example.com', version: 'stable' }]);
  expect(parseGroups('/api', { versions: ['../v1', 'v1'] })).toEqual([{ group: '', version: 'v1' }]);
  const named = (resource: string) => ({
    resource,
    responseKind: { kind: 'X' },
    scope: 'Cluster',
    verbs: [],
  });
  const parsed = parseAggregated({
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'a.example.com' },
        versions: [
          { version: 'foo10', resources: [named('xs/../y'), named('Xs '), named('xs')] },
          { version: '../v9', resources: [named('ys')] },
        ],
      },
    ],
  });
  expect(
    parsed?.versions.map(({ version, resources }) => [version, resources.map((one) => one.resource)]),
  ).toEqual([['foo10', ['xs']]]);
});
