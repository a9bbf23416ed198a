import { describe, expect, test } from 'vitest';
import type { Result } from '../../../shared/base/result.ts';
import { resourceVersion } from '../../../shared/model/ids.ts';
import { FakeClock } from '../../testing/fakeClock.ts';
import { apiResource } from '../../testing/scriptedCluster.ts';
import { ApiFailure, type WatchItem, type WatchStream } from '../listerWatcher.ts';
import {
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
  type TransportError,
  TransportFailure,
} from '../transport.ts';
import {
  createKubeListerWatcher,
  type KubeItem,
  type KubeListerWatcherOptions,
} from './kubeListerWatcher.ts';
import { parseListText } from './listText.ts';

type Scripted = Partial<KubeResponse> & { readonly body?: string };

function scene(answer: Scripted | TransportError, options: Partial<KubeListerWatcherOptions> = {}) {
  const requests: KubeRequest[] = [];
  const problems: string[] = [];
  const clock = new FakeClock();
  const transport: KubeTransport = {
    request: (request): Promise<Result<KubeResponse, TransportError>> => {
      requests.push(request);
      if ('code' in answer && 'message' in answer)
        return Promise.resolve({ ok: false, error: answer as TransportError });
      const { body = '', ...rest } = answer as Scripted;
      const response: KubeResponse = {
        status: 200,
        header: () => undefined,
        text: () => Promise.resolve(body),
        async *lines() {
          yield* body.split('\n');
        },
        dispose() {},
        ...rest,
      };
      return Promise.resolve({ ok: true, value: response });
    },
    onRequest: () => ({ dispose() {} }),
    dispose() {},
  };
  const listerWatcher = createKubeListerWatcher({
    transport,
    clock,
    resource: apiResource('deployments.apps', 'Deployment'),
    detail: 'full',
    digest: () => 'digest',
    onProblem: (message) => problems.push(message),
    ...options,
  });
  const { signal } = new AbortController();
  return { listerWatcher, requests, problems, clock, signal };
}

async function collect(stream: Result<WatchStream<KubeItem>, unknown>): Promise<WatchItem<KubeItem>[]> {
  const items: WatchItem<KubeItem>[] = [];
  if (stream.ok) for await (const item of stream.value) items.push(item);
  return items;
}

const watchOptions = { resourceVersion: '7', allowWatchBookmarks: true, timeoutSeconds: 300 } as const;

describe('requests', () => {
  test.each([
    [{ resourceVersion: '0', limit: 500 }, {}, '/apis/apps/v1/deployments?limit=500&resourceVersion=0'],
    [{ resourceVersion: '' }, {}, '/apis/apps/v1/deployments'],
    [
      { limit: 5, continueToken: 'a+/=' },
      { namespace: 'team' },
      '/apis/apps/v1/namespaces/team/deployments?limit=5&continue=a%2B%2F%3D',
    ],
    [
      { resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' },
      { resource: apiResource('pods', 'Pod') },
      '/api/v1/pods?resourceVersion=7&resourceVersionMatch=NotOlderThan',
    ],
  ] as const)('[WA40] list %j', async (request, options, path) => {
    const { listerWatcher, requests, signal } = scene({ body: '{"metadata":{},"items":[]}' }, options);
    await listerWatcher.list(request, signal);
    expect(requests).toMatchObject([{ method: 'GET', path, accept: 'application/json' }]);
  });

  test('[WA40] watch, streamed list, and metadata by Accept alone', async () => {
    const { listerWatcher, requests, signal } = scene({}, { detail: 'metadata' });
    await listerWatcher.list({}, signal);
    await listerWatcher.watch(watchOptions, signal);
    await listerWatcher.watch(
      { ...watchOptions, resourceVersion: '', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
      signal,
    );
    const accept = (list: string) => `application/json;as=PartialObjectMetadata${list};g=meta.k8s.io;v=v1`;
    expect(requests.map((request) => [request.path, request.accept])).toEqual([
      ['/apis/apps/v1/deployments', accept('List')],
      [
        '/apis/apps/v1/deployments?watch=1&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300',
        accept(''),
      ],
      [
        '/apis/apps/v1/deployments?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=300',
        accept(''),
      ],
    ]);
  });
});

describe('lists', () => {
  test('[WA41] each item has its own text as it came; type is put in front of items that lack it', async () => {
    const first =
      '{"metadata":{"name":"a","namespace":"team","uid":"u","resourceVersion":"5","annotations":{"x":"}],[{\\"items\\":[\\\\"}},"spec":{"n":1.50,"big":12345678901234567890}}';
    const second = '{ "kind":"Other", "apiVersion":"v2", "metadata":{"name":"b","resourceVersion":"6"} }';
    const body = `{"kind":"DeploymentList","x":{"items":[1,2]},"metadata":{"resourceVersion":"9","continue":"c","remainingItemCount":3},"items" : [${first},\n${second}]}\n`;
    const { listerWatcher, signal } = scene({ body });
    const page = await listerWatcher.list({}, signal);
    if (!page.ok) throw new Error(page.error.message);
    expect(page.value.items.map(({ key, uid, raw }) => ({ key, uid, raw }))).toEqual([
      { key: 'team/a', uid: 'u', raw: `{"apiVersion":"apps/v1","kind":"Deployment",${first.slice(1)}` },
      { key: 'b', uid: '', raw: second },
    ]);
    for (const item of page.value.items) expect(item.object).toEqual(JSON.parse(item.raw));
    expect(page.value).toMatchObject({ resourceVersion: '9', continueToken: 'c', remainingItemCount: 3 });
  });

  test('[WA41] seeded lists: texts are those of the items, whatever is in them', () => {
    let state = 3;
    const pick = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    const alphabet = ['"', '\\', '{', '}', '[', ']', ',', ':', 'items', 'é', '\n', ' ', 'a'];
    const word = () => Array.from({ length: pick(6) }, () => alphabet[pick(alphabet.length)]).join('');
    const value = (depth: number): unknown => {
      const kind = pick(depth > 3 ? 3 : 6);
      if (kind === 0) return word();
      if (kind === 1) return pick(1000);
      if (kind === 2) return null;
      if (kind === 3) return Array.from({ length: pick(3) }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: pick(4) }, () => [word(), value(depth + 1)]));
    };
    for (let round = 0; round < 300; round++) {
      const items = Array.from({ length: pick(5) }, (_, i) => ({
        kind: 'K',
        metadata: { name: `n${i}` },
        v: value(0),
      }));
      const list = { v: value(0), items, w: value(0), metadata: { resourceVersion: '1' } };
      const text = JSON.stringify(list, undefined, pick(2));
      const parsed = parseListText(text, { apiVersion: 'v1', kind: 'K' });
      expect(parsed?.items.map((item) => JSON.parse(item.raw))).toEqual(items);
      for (const item of parsed?.items ?? []) expect(text).toContain(item.raw);
    }
  });

  test.each(['', '<html>', '[]', 'null', '{"items":[]}', '{"metadata":{},"items":{}}'])(
    '[WA42] %j is no list',
    async (body) => {
      const { listerWatcher, signal } = scene({ body });
      expect(await listerWatcher.list({}, signal)).toMatchObject({
        ok: false,
        error: { code: 0, reason: 'NotKubernetes' },
      });
    },
  );

  test('[WA42] an object without a name is skipped and told; null items are none', async () => {
    const items = '[{"metadata":{"name":"a","resourceVersion":"1"}},{"metadata":{}},{}]';
    const { listerWatcher, problems, signal } = scene({
      body: `{"metadata":{"resourceVersion":"2"},"items":${items}}`,
    });
    const page = await listerWatcher.list({}, signal);
    expect(page.ok && page.value.items.map((item) => item.key)).toEqual(['a']);
    expect(problems).toEqual(Array(2).fill('An object without name or resourceVersion was skipped.'));
    const none = scene({ body: '{"metadata":{"resourceVersion":"2"},"items":null}' });
    const empty = await none.listerWatcher.list({}, none.signal);
    expect(empty.ok && empty.value.items).toEqual([]);
  });
});

describe('watches', () => {
  test('[WA43] events with their text; bookmarks; the end of the initial list; errors with code and causes', async () => {
    const object =
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a","namespace":"t","resourceVersion":"8"}}';
    const end = '{"metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}';
    const status =
      '{"kind":"Status","code":410,"reason":"Expired","message":"too old","details":{"causes":[{"reason":"R","message":"M"}],"retryAfterSeconds":2}}';
    const body = [
      `{"type":"ADDED","object":${object}}`,
      `{ "object": ${object}, "type": "MODIFIED" }`,
      `{"type":"BOOKMARK","object":${end}}`,
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"10"}}}',
      'no json',
      '{"type":"NEWS","object":{}}',
      `{"type":"ERROR","object":${status}}`,
      '',
    ].join('\n');
    const { listerWatcher, problems, signal } = scene({ body });
    const item = {
      key: 't/a',
      uid: '',
      resourceVersion: resourceVersion('8'),
      raw: object,
      object: JSON.parse(object),
    };
    expect(await collect(await listerWatcher.watch(watchOptions, signal))).toEqual([
      { type: 'ADDED', item },
      { type: 'MODIFIED', item },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
      { type: 'BOOKMARK', resourceVersion: '10', initialEventsEnd: false },
      {
        type: 'ERROR',
        status: { code: 410, reason: 'Expired', causes: ['R', 'M'], message: 'too old', retryAfterMs: 2000 },
      },
    ]);
    expect(problems).toEqual([
      'A line of a watch is no JSON and was skipped.',
      'A watch event of the unknown type "NEWS" was skipped.',
    ]);
  });

  test('[WA44] a cut connection is a failure, and so is a watch that outlives its time', async () => {
    const cut = scene({
      // biome-ignore lint/correctness/useYield: it breaks before the first line
      async *lines() {
        throw new TransportFailure({ code: 'reset', message: 'cut' });
      },
    });
    const broken = collect(await cut.listerWatcher.watch(watchOptions, cut.signal));
    await expect(broken).rejects.toMatchObject({ status: { code: 0, reason: 'reset', message: 'cut' } });
    let wake = () => {};
    const silent = scene({
      async *lines() {
        yield '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8"}}}';
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        throw new TransportFailure({ code: 'cancelled', message: 'dropped' });
      },
      dispose: () => wake(),
    });
    const overdue = collect(await silent.listerWatcher.watch(watchOptions, silent.signal));
    overdue.catch(() => {});
    await silent.clock.advance(329_000);
    expect(silent.clock.pendingTimers).toBe(1);
    await silent.clock.advance(1000);
    await expect(overdue).rejects.toBeInstanceOf(ApiFailure);
    await expect(overdue).rejects.toMatchObject({ status: { reason: 'Overdue' } });
    expect(silent.clock.pendingTimers).toBe(0);
  });
});

describe('[WA45] failures as a Reflector decides by', () => {
  test.each([
    [
      { code: 'refused', message: 'm' },
      { code: 0, reason: 'refused', causes: [], message: 'm', connectionRefused: true },
    ],
    [
      { code: 'unauthorized', message: 'm' },
      { code: 401, reason: 'Unauthorized', causes: [], message: 'm' },
    ],
    [
      { status: 403, body: '{"kind":"Status","code":403,"reason":"Forbidden","message":"no"}' },
      { code: 403, reason: 'Forbidden', causes: [], message: 'no' },
    ],
    [
      {
        status: 429,
        body: 'slow down',
        header: (name: string) => (name === 'retry-after' ? '3' : undefined),
      },
      { code: 429, reason: '', causes: [], message: 'The server answered 429.', retryAfterMs: 3000 },
    ],
    [
      { status: 502, body: '<html>' },
      { code: 502, reason: '', causes: [], message: 'The server answered 502.' },
    ],
  ] as [Scripted, unknown][])('%j', async (answer, status) => {
    const { listerWatcher, signal } = scene(answer);
    expect(await listerWatcher.list({}, signal)).toEqual({ ok: false, error: status });
    expect(await listerWatcher.watch(watchOptions, signal)).toEqual({ ok: false, error: status });
  });
});
