import type { FeedRow, GapRow, InformerRow, RequestRow } from '../../../shared/contract/views/sources.ts';
import { at, moment, noise } from './time.ts';

function informer(
  kind: string,
  resource: string,
  group: string,
  objects: number,
  rv: string,
  eventAgoMs: number,
  perMinute: number,
  bytes: number,
  extra: Partial<InformerRow> = {},
): InformerRow {
  const id = `watch:${group === '' ? 'core' : group}/v1/${resource}`;
  const seed = resource.length * 7 + perMinute;
  return {
    id,
    group,
    version: 'v1',
    resource,
    kind,
    state: 'live',
    stateSince: at('13:40:04'),
    mode: 'WatchList',
    detail: 'full',
    objects,
    lastResourceVersion: rv,
    lastEventAt: moment - eventAgoMs,
    perMinute,
    spark: Array.from({ length: 32 }, (_, i) =>
      Math.floor(
        noise(seed + i) * Math.min(30, perMinute / 8 + (perMinute > 0 ? 1.4 : 0.4)) +
          (perMinute > 30 ? 2 : 0),
      ),
    ),
    reconnects: 0,
    relists: 0,
    gapMs: 0,
    bytes,
    missing: [],
    ...extra,
  };
}

export const informers: readonly InformerRow[] = [
  informer('Pod', 'pods', '', 1284, '482611', 400, 312, 3_100_000, {
    state: 'recovered',
    stateSince: at('14:07:46'),
    reconnects: 2,
    relists: 1,
    gapMs: 7_100,
  }),
  {
    id: 'watch:core/v1/resourcequotas',
    group: '',
    version: 'v1',
    resource: 'resourcequotas',
    kind: 'ResourceQuota',
    state: 'forbidden',
    stateSince: at('13:40:03'),
    detail: 'full',
    objects: 0,
    perMinute: 0,
    spark: [],
    reconnects: 0,
    relists: 0,
    gapMs: 0,
    bytes: 0,
    missing: [
      { verb: 'list', group: '', resource: 'resourcequotas' },
      { verb: 'watch', group: '', resource: 'resourcequotas' },
    ],
    problem: {
      code: 'forbidden',
      message: 'User staging-eu-ops may not list resourcequotas at the cluster scope.',
    },
  },
  informer('Database', 'databases', 'db.example.com', 41, '482609', 1_200, 38, 197_000),
  informer('StatefulSet', 'statefulsets', 'apps', 63, '482607', 1_900, 44, 321_000),
  informer('Backup', 'backups', 'db.example.com', 18, '482611', 300, 9, 54_000, {
    state: 'relisted',
    stateSince: at('14:12:05'),
    mode: 'List + watch',
    reconnects: 1,
    relists: 1,
    gapMs: 200,
  }),
  informer('Service', 'services', '', 97, '482588', 6_200, 6, 184_000),
  informer('Secret', 'secrets', '', 214, '482411', 48_000, 1, 86_000, { detail: 'metadata' }),
  informer('ClusterRole', 'clusterroles', 'rbac.authorization.k8s.io', 118, '482044', 526_000, 0, 425_000),
  informer('RoleBinding', 'rolebindings', 'rbac.authorization.k8s.io', 86, '481220', 1_860_000, 0, 103_000),
  informer('Lease', 'leases', 'coordination.k8s.io', 9, '482611', 100, 270, 6_300),
  informer('Event', 'events', 'events.k8s.io', 2911, '482611', 200, 96, 2_200_000, { mode: 'List + watch' }),
  informer(
    'CustomResourceDefinition',
    'customresourcedefinitions',
    'apiextensions.k8s.io',
    37,
    '479002',
    1_930_000,
    0,
    1_900_000,
  ),
];

export const gaps: readonly GapRow[] = [
  {
    id: 'gap-1',
    seq: 171_288,
    source: 'watch:core/v1/pods',
    from: at('14:07:39.000'),
    to: at('14:07:46.100'),
    why: 'expired',
    text: 'The API server answered 410 Gone for rv 482140. A relist failed once (429), then succeeded at 14:07:46. What happened in between is only known as a difference.',
    found: { created: 2, changed: 3, deleted: 1, unchanged: 1279 },
  },
  {
    id: 'gap-2',
    seq: 184_173,
    source: 'watch:db.example.com/v1/backups',
    from: at('14:12:05.420'),
    to: at('14:12:05.620'),
    why: 'relist',
    text: 'The watch was closed within a second; 18 objects were listed again.',
    found: { created: 0, changed: 0, deleted: 0, unchanged: 18 },
  },
];

export const feeds: readonly FeedRow[] = [
  {
    id: 'log:1',
    kind: 'log',
    label: './operator.log',
    state: 'live',
    records: 12_480,
    unparsed: 3,
    lastAt: at('14:12:06.118'),
    detail: 'zap JSON, followed; times have whole seconds',
  },
  {
    id: 'metrics:1',
    kind: 'metrics',
    label: 'http://127.0.0.1:8080/metrics',
    state: 'live',
    records: 129,
    unparsed: 0,
    lastAt: at('14:12:00.041'),
    detail: 'scraped every 15 s',
  },
  {
    id: 'audit:1',
    kind: 'audit',
    label: './audit.jsonl',
    state: 'failed',
    records: 0,
    unparsed: 0,
    detail: '',
    problem: {
      code: 'not-found',
      message: 'There is no file ./audit.jsonl. Check the path, or attach another file.',
    },
  },
];

const paths: readonly (readonly [RequestRow['method'], string, number, boolean])[] = [
  ['GET', '/version', 200, false],
  ['GET', '/apis', 200, false],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', 201, false],
  [
    'GET',
    '/apis/db.example.com/v1/databases?watch=1&sendInitialEvents=true&allowWatchBookmarks=true',
    200,
    true,
  ],
  ['GET', '/api/v1/pods?watch=1&sendInitialEvents=true&allowWatchBookmarks=true', 200, true],
  ['GET', '/api/v1/resourcequotas?limit=500', 403, false],
  ['GET', '/apis/apps/v1/statefulsets?watch=1&sendInitialEvents=true&allowWatchBookmarks=true', 200, true],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 201, false],
  ['GET', '/api/v1/pods?limit=500&resourceVersion=482140', 429, false],
];

export const requests: readonly RequestRow[] = Array.from({ length: 80 }, (_, index) => {
  const [method, path, status, stream] = paths[index % paths.length] as (typeof paths)[number];
  return {
    id: index + 1,
    at: at('13:40:02') + index * 23_400,
    method,
    path,
    status,
    stream,
    ...(stream ? {} : { ms: 4 + noise(index) * 60 }),
  };
});

/** The same resources for somebody who may read none of them. */
export const forbiddenInformers: readonly InformerRow[] = informers.map((row) => ({
  id: row.id,
  group: row.group,
  version: row.version,
  resource: row.resource,
  kind: row.kind,
  detail: row.detail,
  state: 'forbidden',
  stateSince: row.stateSince,
  objects: 0,
  bytes: 0,
  perMinute: 0,
  spark: [],
  reconnects: 0,
  relists: 0,
  gapMs: 0,
  missing: ['list', 'watch'].map((verb) => ({ verb, group: row.group, resource: row.resource })),
  problem: { code: 'forbidden', message: `User viewer may not list ${row.resource} at the cluster scope.` },
}));

/** Nothing ever went wrong. */
export const calmInformers: readonly InformerRow[] = informers.map((row) => ({
  ...row,
  state: row.state === 'forbidden' ? 'forbidden' : 'live',
  reconnects: 0,
  relists: 0,
  gapMs: 0,
}));
