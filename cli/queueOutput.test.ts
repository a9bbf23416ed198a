import { describe, expect, test } from 'vitest';
import type { QueueSnapshot } from '../shared/model/queue.ts';
import type { RbacLens } from '../shared/model/rbac.ts';
import type { ControllerQueue } from './queue.ts';
import { queueJson } from './queueJson.ts';
import { queueText } from './queueText.ts';
import { rbacJson, rbacText } from './rbacText.ts';
import { moment } from './testSpans.ts';

const snapshot: QueueSnapshot = {
  controller: 'database',
  at: moment(10_000),
  kind: 'priority',
  workers: 1,
  evidence: 'errors',
  depth: 1,
  ready: [
    {
      key: 'shop/billing',
      priority: 0,
      since: moment(9_990),
      inQueueMs: 10,
      wokenBy: { kind: 'event', text: 'StatefulSet MODIFIED', subject: 'apps/StatefulSet/shop/billing' },
      events: 3,
      locked: false,
    },
  ],
  processing: [],
  waiting: [
    {
      key: 'shop/orders',
      priority: 0,
      readyAt: moment(11_280),
      delayMs: 1_280,
      since: moment(10_000),
      why: 'backoff',
      failures: 9,
      nextDelayMs: 2_560,
      basis: { kind: 'reported', from: 'log' },
    },
  ],
  failures: [
    {
      key: 'shop/orders',
      failures: 9,
      certain: false,
      lastErrorAt: moment(10_000),
      lastError: 'connection refused',
      nextDelayMs: 2_560,
      nextRunAt: moment(11_280),
    },
  ],
  totals: {
    adds: 12,
    retries: 9,
    collapsed: 2,
    events: 5,
    runs: 11,
    success: 2,
    error: 9,
    terminal: 0,
    requeue: 0,
    requeueAfter: 0,
  },
  limiterStepsMs: [5, 10],
  backoff: [{ at: moment(10_000), key: 'shop/orders', failures: 9, delayMs: 1_280, why: 'backoff' }],
};

const queue: ControllerQueue = {
  name: 'database',
  view: { controller: 'database', history: [], snapshot },
  predictions: [
    {
      prediction: {
        id: 'p',
        controller: 'database',
        key: 'shop/orders',
        why: 'backoff',
        attempt: 9,
        delayMs: 1_280,
        madeAt: moment(10_000),
        runsAt: moment(11_280),
        predictedAt: moment(11_290),
        basis: { kind: 'reported', from: 'log' },
      },
    },
  ],
  check: {
    controller: 'database',
    from: moment(0),
    to: moment(10_000),
    rows: [
      { name: 'adds', model: { lo: 12, hi: 12 }, reported: 12, inside: true },
      { name: 'depth', model: { lo: 0, hi: 1 } },
    ],
  },
};

describe('queue', () => {
  test('for people: counts, what is due, what waits, what fails, against the metrics', () => {
    expect(queueText([queue]).split('\n')).toEqual([
      'database: priority queue, 1 worker; failed runs are logged, the others are modelled',
      '  depth 1, 0 running, 1 waiting, 1 failing',
      '  12 adds, 9 retries, 5 events (2 collapsed); 11 runs: 2 success, 9 error, 0 terminal, 0 requeue, 0 requeue-after',
      '',
      '  DUE  KEY           SINCE                 FOR  WOKEN BY',
      '  due  shop/billing  since 14:00:09.990  10 ms  StatefulSet MODIFIED +2',
      '',
      '  WAITS      KEY          RUNS AT        DELAY  FAILURES',
      '  ◐ backoff  shop/orders  14:00:11.280  1.28 s         9',
      '',
      '  FAILS  KEY          NEXT DELAY  NEXT RUN      ERROR',
      '    ≈ 9  shop/orders      2.56 s  14:00:11.280  connection refused',
      '',
      '  1 predictions on record: 1 open',
      '',
      '  AGAINST METRICS  MODEL  REPORTED',
      '  adds                12        12  ✓',
      '  depth            0 … 1         –',
      '',
      '● observed: the API server said it  ◐ reported: the operator said it  ◌ inferred: concluded',
      '',
    ]);
    const none = { ...queue, view: { controller: 'x', history: [], reason: 'no-controller' } };
    expect(queueText([none])).toContain('database: no model: the operator has no such controller\n');
  });

  test('says why there is nothing to compare with, and what is not served', () => {
    const apart: ControllerQueue = {
      ...queue,
      view: { ...queue.view, reason: 'not-served: jobs.batch' },
      check: { controller: 'database', rows: [], reason: 'too-few-scrapes' },
    };
    const text = queueText([apart]);
    expect(text).toContain('  note: the API server does not serve jobs.batch\n');
    expect(text).toContain('  not compared with metrics: there are too few scrapes');
  });

  test('--json: times RFC 3339, one word of basis, objects by kind and name, null for what is not known', () => {
    const text = queueJson([queue], moment(10_000));
    expect(JSON.parse(text)).toMatchObject({
      format: 1,
      asOf: '2026-03-10T14:00:10.000Z',
      controllers: [
        {
          name: 'database',
          reason: null,
          queue: {
            kind: 'priority',
            startedAt: null,
            ready: [{ wokenBy: { subject: 'StatefulSet/shop/billing' }, raisedFrom: null }],
            waiting: [{ readyAt: '2026-03-10T14:00:11.280Z', basis: 'reported' }],
            failures: [{ nextRunAt: '2026-03-10T14:00:11.280Z', certain: false }],
            totals: snapshot.totals,
          },
          predictions: [{ key: 'shop/orders', runsAt: '2026-03-10T14:00:11.280Z', outcome: null }],
          check: {
            rows: [
              { name: 'adds', inside: true },
              { name: 'depth', reported: null, inside: null },
            ],
          },
        },
      ],
    });
    // No number is a time.
    expect(text).not.toMatch(/: 1[67]\d{11}/);
  });
});

const lens: RbacLens = {
  identity: { user: 'system:serviceaccount:ops:dbop', groups: [] },
  bindings: 1,
  roles: 1,
  rules: 2,
  gaps: 1,
  needed: 2,
  covered: 1,
  reach: [],
  unreadable: [],
  rows: [
    {
      id: 'a',
      group: 'gap',
      apiGroup: 'db.example.com',
      resource: 'databases',
      subresource: 'status',
      scope: '',
      resourceNames: [],
      cells: { update: 'refused' },
      grants: [],
      evidence: [],
      broad: false,
      gap: {
        verbs: ['update'],
        refusals: 3,
        lastRefusedAt: '2026-03-10T14:00:00Z',
        steps: [
          { kind: 'reach', rules: 2, clusterRoleBindings: 1, roleBindings: 0 },
          { kind: 'noRule', resources: ['databases/status'], apiGroup: 'db.example.com', verbs: ['update'] },
        ],
        patch: {
          role: { kind: 'ClusterRole', namespace: '', name: 'manager' },
          create: false,
          lines: [],
          yaml: '# kubectl patch\n- op: add\n',
          command: 'kubectl patch',
        },
        marker: '//+kubebuilder:rbac:x',
      },
    },
    {
      id: 'b',
      group: 'used',
      apiGroup: '',
      resource: 'secrets',
      subresource: '',
      scope: 'shop',
      resourceNames: ['one'],
      cells: { watch: 'grantedUsed', get: 'grantedNotSeen', update: 'none' },
      grants: [],
      evidence: [],
      broad: true,
    },
  ],
};

describe('rbac', () => {
  test('for people: gaps first with what closes them, then what is granted', () => {
    expect(rbacText(lens).split('\n')).toEqual([
      'system:serviceaccount:ops:dbop: 2 rules of 1 role by 1 binding',
      '',
      '✖ update databases/status.db.example.com everywhere: refused 3 times, last at 2026-03-10T14:00:00Z',
      '    2 rules reach it through 1 ClusterRoleBinding and 0 RoleBindings',
      '    no rule names databases/status in db.example.com',
      '      # kubectl patch',
      '      - op: add',
      '      //+kubebuilder:rbac:x',
      '',
      'GRANTED  RESOURCE               SCOPE  VERBS      BY',
      '✓ used   secrets (one) (broad)  shop   get,watch',
      '',
      '1 gap: 1 of 2 needs are granted.',
      '',
    ]);
    const unknown = { ...lens, rows: [], gaps: 0, unreadable: ['roles.rbac.authorization.k8s.io'] };
    expect(rbacText(unknown)).toContain('Not evaluated: roles.rbac.authorization.k8s.io could not be read');
  });

  test('--json has the lens', () => {
    expect(JSON.parse(rbacJson(lens, 'dbop', moment(0)))).toEqual({
      format: 1,
      asOf: '2026-03-10T14:00:00.000Z',
      operator: 'dbop',
      lens,
    });
  });
});
