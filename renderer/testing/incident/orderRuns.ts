/** The runs of shop/orders-db: an upgrade that goes well until helm takes databases/status, then seventeen refusals. */
import type { Span, TraceWrite, Trigger } from '../../../shared/model/trace.ts';
import { at } from './time.ts';
import { audit, exact, log, recordAt, rule, spanFrom, trigger, watch, write } from './traceBuild.ts';

const key = 'shop/orders-db';
export const ordersKey = 'db.example.com/Database/shop/orders-db';
const sts = { subject: 'StatefulSet/shop/orders-db', object: 'apps/StatefulSet/shop/orders-db' };
const database = { subject: 'Database/shop/orders-db', object: ordersKey };
const controllerManager = { manager: 'kube-controller-manager', subresource: 'status', own: false };
export const refusedText =
  'databases.db.example.com "orders-db" is forbidden: User "system:serviceaccount:dbops-system:database-operator" cannot update resource "databases/status" in API group "db.example.com" in the namespace "shop"';

function moved(time: string, more: Partial<Trigger> = {}): Trigger {
  return trigger(at(time), 'MODIFIED', sts.subject, 'StatefulSet MODIFIED', {
    object: sts.object,
    writer: controllerManager,
    ...more,
  });
}

function status(
  time: string,
  seq: number,
  before: string,
  rv: string,
  fields: readonly string[],
): TraceWrite {
  return write(at(time), database.subject, 'update', 'stored', {
    seq,
    object: database.object,
    subresource: 'status',
    before,
    resourceVersion: rv,
    code: 200,
    fields,
    changes: fields.length,
  });
}

const applied = spanFrom({
  key,
  start: at('14:02:11.204') + 1.1,
  durationMs: 676,
  result: 'requeue-after',
  waitMs: 0.4,
  triggers: [
    trigger(at('14:02:11.204'), 'MODIFIED', database.subject, 'Database MODIFIED', {
      seq: 152_201,
      object: database.object,
      writer: { manager: 'kubectl-edit', subresource: '', own: false },
    }),
  ],
  writes: [
    write(at('14:02:11.829'), sts.subject, 'apply', 'stored', {
      seq: 152_236,
      object: sts.object,
      before: '481911',
      resourceVersion: '482012',
      code: 200,
      fields: ['spec.template.spec.containers[postgres].image'],
      changes: 1,
    }),
    status('14:02:11.871', 152_240, '482011', '482014', [
      'status.conditions[Ready].status',
      'status.conditions[Ready].reason',
      'status.conditions[Ready].message',
      'status.conditions[Ready].lastTransitionTime',
      'status.observedGeneration',
      'metadata.annotations[note]',
    ]),
  ],
  more: {
    next: { why: 'after', delayMs: 10_000, predicted: at('14:02:21.882'), observed: at('14:02:21.883') },
    readList: [
      {
        at: exact(at('14:02:11.204') + 3.4),
        seq: 152_204,
        verb: 'get',
        subject: 'Secret/shop/orders-db-auth',
        subresource: '',
        code: 200,
        basis: audit,
      },
    ],
  },
});

const early: readonly Span[] = [
  applied,
  spanFrom({
    key,
    start: at('14:02:11.881'),
    durationMs: 22.3,
    result: 'success',
    waitMs: 51.6,
    triggers: [
      trigger(at('14:02:11.829'), 'MODIFIED', sts.subject, 'StatefulSet MODIFIED', {
        seq: 152_236,
        object: sts.object,
        writer: { manager: 'database-operator', subresource: '', own: true, span: applied.id },
      }),
      moved('14:02:11.866', { collapsed: true }),
    ],
    more: { notes: ['It found the key running and ran again as soon as that run ended.'] },
  }),
  spanFrom({
    key,
    start: at('14:02:21.883'),
    durationMs: 18.9,
    result: 'success',
    waitMs: 1.2,
    triggers: [
      trigger(at('14:02:21.882'), 'requeue-after', '', 'RequeueAfter 10 s', {
        basis: rule('queue/after', 152_241),
      }),
    ],
  }),
  spanFrom({
    key,
    start: at('14:02:32.380'),
    durationMs: 38.4,
    result: 'success',
    waitMs: 0.6,
    triggers: [moved('14:02:32.379'), moved('14:02:32.3794', { collapsed: true })],
    writes: [
      status('14:02:32.410', 153_102, '482014', '482021', [
        'status.readyReplicas',
        'status.conditions[Ready].message',
      ]),
    ],
  }),
  spanFrom({
    key,
    start: at('14:02:58.061'),
    durationMs: 39.9,
    result: 'success',
    waitMs: 0.5,
    triggers: [moved('14:02:58.060')],
    writes: [
      status('14:02:58.092', 155_730, '482021', '482029', [
        'status.readyReplicas',
        'status.conditions[Ready].message',
      ]),
    ],
  }),
  spanFrom({
    key,
    start: at('14:03:19.034'),
    durationMs: 41.8,
    result: 'success',
    waitMs: 0.4,
    triggers: [moved('14:03:19.033')],
    writes: [status('14:03:19.066', 157_988, '482029', '482036', ['status.conditions[Progressing].message'])],
  }),
];

/** Counted back from the seventeenth: 5 ms × 2ⁿ⁻¹ after failure n, 40.6 ms a run, 0.4 ms until a worker takes it. */
function attempts(): readonly Span[] {
  const spans: Span[] = [];
  let start = at('14:09:20.649');
  for (let n = 17; n >= 1; n -= 1) {
    spans.unshift(attempt(n, start, n === 17 ? 41.2 : 40.6));
    start -= 40.6 + 5 * 2 ** Math.max(0, n - 2) + 0.4;
  }
  // What follows is known once all starts are.
  return spans.map((span, index) => {
    const later = spans[index + 1];
    const failures = index + 1;
    const delayMs = 5 * 2 ** (failures - 1);
    const predicted = (span.end?.hi ?? 0) + delayMs;
    return {
      ...span,
      next: {
        why: 'backoff' as const,
        delayMs,
        predicted,
        predictionId: `p${index}`,
        ...(later === undefined
          ? {}
          : { observed: later.start.lo, span: later.id, by: 'predicted' as const }),
      },
    };
  });
}

function attempt(n: number, start: number, durationMs: number): Span {
  const scale = durationMs / 41.2;
  const seq = Math.round(160_418 + ((start - at('14:03:52.318')) * (171_902 - 160_418)) / 328_331);
  const refusedAt = start + 31.8 * scale;
  const delay = 5 * 2 ** (n - 2);
  const first = n === 1;
  const span = spanFrom({
    key,
    start,
    durationMs,
    result: 'error',
    failures: n - 1,
    waitMs: first ? 16.9 : 0.4,
    triggers: first
      ? [
          moved('14:03:52.301'),
          moved('14:03:52.305', { collapsed: true }),
          moved('14:03:52.309', { collapsed: true }),
          trigger(at('14:03:52.312'), 'MODIFIED', 'Secret/shop/orders-db-auth', 'Secret MODIFIED', {
            collapsed: true,
            writer: { manager: 'cert-manager', subresource: '', own: false },
          }),
        ]
      : [
          trigger(start - 0.4, 'retry', '', `backoff of ${seconds(delay)} after failure ${n - 1}`, {
            seq: seq - 1,
            basis: rule('queue/backoff', seq - 1),
          }),
        ],
    writes: [
      write(start + 12.4 * scale, sts.subject, 'apply', 'noChange', {
        seq: seq - 2,
        object: sts.object,
        before: '482101',
        resourceVersion: '482101',
        code: 200,
      }),
      write(refusedAt, database.subject, 'update', 'refused', {
        seq,
        object: database.object,
        subresource: 'status',
        before: '482036',
        code: 403,
        message: refusedText,
        fields: [
          'status.conditions[Ready].status',
          'status.conditions[Ready].reason',
          'status.conditions[Ready].lastTransitionTime',
          'status.readyReplicas',
          'status.version',
        ],
        changes: 5,
      }),
    ],
    lines: [
      {
        at: exact(start + 1.1),
        seq: seq - 3,
        level: 'debug',
        text: `reconciling database {"attempt": ${n}}`,
      },
      {
        at: exact(start + durationMs),
        seq: seq + 1,
        level: 'error',
        text: `Reconciler error {"controller": "database", "controllerGroup": "db.example.com", "controllerKind": "Database", "Database": {"name":"orders-db","namespace":"shop"}, "error": ${JSON.stringify(refusedText)}}\nsigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).reconcileHandler\n\tcontroller.go:347`,
      },
    ],
    more: {
      error: refusedText,
      eventList: [
        {
          at: exact(start + 38.2 * scale),
          seq: seq + 2,
          object: ordersKey,
          type: 'Warning',
          reason: 'StatusFailed',
          message: 'status could not be updated: forbidden',
          count: n,
          basis: watch,
        },
      ],
      cache: [
        {
          object: ordersKey,
          subject: database.subject,
          seq: 157_988,
          resourceVersion: '482036',
          ageMs: start - at('14:03:19.066'),
          basis: rule('trace/cache', 157_988),
        },
        {
          object: sts.object,
          subject: sts.subject,
          seq: recordAt(at('14:03:52.301')),
          resourceVersion: '482101',
          ageMs: start - at('14:03:52.301'),
          basis: rule('trace/cache', recordAt(at('14:03:52.301'))),
        },
      ],
      resultBasis: log,
      endBasis: log,
      ...(first
        ? { notes: ['Four events came within 11 ms: which of them woke it cannot be told apart.'] }
        : {}),
    },
  });
  return n === 17 ? { ...span, id: seventeenth, reconcileId: seventeenth } : span;
}

export const seventeenth = '5c1e0f7a-9d3b-4e61-9a0c-7f2d41b86c55';

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toPrecision(5))} s`;
}

/** Oldest first. */
export const orderRuns: readonly Span[] = [...early, ...attempts()];
