/** Reconciles of a made-up operator, as the engine tells them: a failing one, its retry, and one that is concluded. */
import type { Span, Within } from '../shared/model/trace.ts';

const start = Date.UTC(2026, 2, 10, 14);
/** ms after 14:00:00. */
export const moment = (ms: number): number => start + ms;
export const exactly = (ms: number): Within => ({ lo: start + ms, hi: start + ms });

const reported = { kind: 'reported', from: 'log' } as const;
const observed = { kind: 'observed', from: 'watch' } as const;
const inferred = { kind: 'inferred', by: 'trace/write', because: [9] } as const;
const orders = 'db.example.com/Database/shop/orders';

const base = {
  controller: 'database',
  key: 'shop/orders',
  object: orders,
  failures: 0,
  reads: 0,
  lines: 0,
  triggers: 1,
  basis: reported,
  startBasis: reported,
  provisional: false,
  revision: 0,
  readList: [],
  readsObservable: false,
  cache: [],
  lineList: [],
  life: 1,
  notes: [],
} satisfies Partial<Span>;

export const failing: Span = {
  ...base,
  id: '5c1e0f7a-0000-4000-8000-000000000001',
  reconcileId: '5c1e0f7a-0000-4000-8000-000000000001',
  start: exactly(1_010),
  end: exactly(1_041),
  endBasis: reported,
  result: 'error',
  resultBasis: reported,
  error: 'dial tcp 10.0.0.1:5432: connection refused',
  waitMs: { lo: 2, hi: 2 },
  durationMs: { lo: 31, hi: 31 },
  triggers: 2,
  trigger: { type: 'MODIFIED', text: 'Database MODIFIED', subject: 'Database/shop/orders', basis: observed },
  triggerList: [
    {
      at: exactly(1_008),
      type: 'MODIFIED',
      seq: 3,
      object: orders,
      subject: 'Database/shop/orders',
      text: 'Database MODIFIED',
      writer: { manager: 'kubectl', subresource: '', own: false },
      collapsed: false,
      basis: observed,
    },
    {
      at: exactly(1_009),
      type: 'ADDED',
      text: 'StatefulSet ADDED',
      subject: 'StatefulSet/shop/orders',
      collapsed: true,
      basis: observed,
    },
  ],
  writes: 1,
  notStored: 1,
  events: 1,
  writeList: [
    {
      at: exactly(1_020),
      seq: 4,
      object: 'apps/StatefulSet/shop/orders',
      subject: 'StatefulSet/shop/orders',
      verb: 'apply',
      subresource: '',
      before: '100',
      resourceVersion: '110',
      manager: 'database-operator',
      outcome: 'stored',
      fields: ['spec.replicas'],
      changes: 3,
      basis: observed,
    },
    {
      at: exactly(1_030),
      seq: 5,
      subject: 'Database/shop/orders',
      verb: 'update',
      subresource: 'status',
      outcome: 'refused',
      code: 403,
      message: 'not allowed',
      fields: [],
      changes: 0,
      basis: { kind: 'observed', from: 'audit' },
    },
  ],
  eventList: [
    {
      at: { lo: moment(1_000), hi: moment(1_999) },
      seq: 6,
      object: orders,
      type: 'Warning',
      reason: 'NotReady',
      message: 'no connection',
      count: 2,
      basis: reported,
    },
  ],
  lines: 1,
  lineList: [{ at: exactly(1_041), seq: 7, level: 'error', text: 'Reconciler error' }],
  next: {
    why: 'backoff',
    delayMs: 5,
    predicted: moment(1_046),
    predictionId: 'p1',
    observed: moment(1_049),
    by: 'predicted',
  },
};

/** Known by a status write of one second alone. */
export const concluded: Span = {
  ...base,
  id: 'database/shop/orders/9',
  start: { lo: moment(60_000), hi: moment(60_999) },
  end: { lo: moment(60_000), hi: moment(60_999) },
  result: 'unknown',
  basis: inferred,
  startBasis: inferred,
  durationMs: { lo: 0, hi: 999 },
  triggers: 0,
  triggerList: [],
  writes: 1,
  notStored: 0,
  events: 0,
  writeList: [
    {
      at: { lo: moment(60_000), hi: moment(60_999) },
      seq: 9,
      object: orders,
      subject: 'Database/shop/orders',
      verb: 'update',
      subresource: 'status',
      before: '111',
      outcome: 'noChange',
      fields: [],
      changes: 0,
      basis: inferred,
    },
  ],
  eventList: [],
};

/** It has not ended. */
export const running: Span = {
  ...base,
  id: 'r-3',
  key: 'shop/billing',
  object: 'db.example.com/Database/shop/billing',
  start: exactly(90_000),
  triggers: 1,
  trigger: { type: 'retry', text: 'backoff of 5 ms after failure 1', basis: inferred },
  triggerList: [
    {
      at: exactly(89_995),
      type: 'retry',
      text: 'backoff of 5 ms after failure 1',
      collapsed: false,
      basis: inferred,
    },
  ],
  writes: 0,
  notStored: 0,
  events: 0,
  writeList: [],
  eventList: [],
};
