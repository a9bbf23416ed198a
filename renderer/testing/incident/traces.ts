/** Reconciles of the invented incident: shop/orders-db as the pictures have it, the other keys around it. */
import { spanSchema } from '../../../shared/contract/views/spanFilter.ts';
import type {
  RecordRuns,
  SpanQuery,
  SpanView,
  WalkQuery,
  WalkView,
} from '../../../shared/contract/views/traces.ts';
import { compileFilter } from '../../../shared/model/filter.ts';
import type { Span, SpanRow } from '../../../shared/model/trace.ts';
import { keys } from './operator.ts';
import { orderRuns } from './orderRuns.ts';
import { at, moment, noise } from './time.ts';
import { exact, rowOf, rule, spanFrom, trigger, write } from './traceBuild.ts';
import { notRanWalk, ranWalk } from './traceWalks.ts';

function every(ms: number, from: number, to: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / ms) + 1 }, (_, n) => from + n * ms);
}

/** shop/cart-db is woken by its StatefulSet; the newest run is on. */
const cart: readonly Span[] = [
  ...every(45_300, at('13:50:12.420'), moment - 20_000).map((start, n) =>
    spanFrom({
      key: 'shop/cart-db',
      start,
      durationMs: 48 + noise(n) * 30,
      result: 'success',
      waitMs: 0.4 + noise(n + 3) * 8,
      triggers: [
        trigger(start - 1, 'MODIFIED', 'StatefulSet/shop/cart-db', 'StatefulSet MODIFIED', {
          writer: { manager: 'kube-controller-manager', subresource: 'status', own: false },
        }),
      ],
      writes: [
        write(start + 30, 'Database/shop/cart-db', 'update', n % 3 === 0 ? 'stored' : 'noChange', {
          subresource: 'status',
          object: 'db.example.com/Database/shop/cart-db',
          before: `${471_000 + n}`,
          ...(n % 3 === 0
            ? { resourceVersion: `${471_001 + n}`, fields: ['status.connections'], changes: 1 }
            : {}),
        }),
      ],
    }),
  ),
  spanFrom({
    key: 'shop/cart-db',
    start: moment - 212,
    waitMs: 0.7,
    triggers: [trigger(moment - 213, 'MODIFIED', 'StatefulSet/shop/cart-db', 'StatefulSet MODIFIED')],
  }),
];

/** shop/sessions-db asks to be run again every 30 s. */
const sessions: readonly Span[] = every(30_020, at('13:58:34.000') + 0.4, moment - 17_600).map(
  (start, n, all) =>
    spanFrom({
      key: 'shop/sessions-db',
      start,
      durationMs: 19 + noise(n + 40) * 4,
      result: 'requeue-after',
      waitMs: 0.3,
      triggers: [
        trigger(start, 'requeue-after', '', 'RequeueAfter 30 s', { basis: rule('queue/after', 171_000 + n) }),
      ],
      more: {
        next: {
          why: 'after',
          delayMs: 30_000,
          predicted: start + 30_019,
          ...(n < all.length - 1 ? { observed: start + 30_020, by: 'predicted' as const } : {}),
        },
      },
    }),
);

function failing(
  key: string,
  count: number,
  lastEnd: number,
  error: string,
  wait: (n: number) => number,
): readonly Span[] {
  const spans: Span[] = [];
  let end = lastEnd;
  for (let n = count; n > Math.max(0, count - 8); n -= 1) {
    const start = end - 12.6;
    spans.unshift(
      spanFrom({
        key,
        start,
        durationMs: 12.6,
        result: 'error',
        failures: n - 1,
        ...(n === 1 ? {} : { waitMs: 0.3 }),
        triggers: [
          trigger(start, 'retry', '', `backoff after failure ${n - 1}`, {
            basis: rule('queue/backoff', 170_000 + n),
          }),
        ],
        lines: [
          {
            at: exact(end),
            seq: 171_000 + n,
            level: 'error',
            text: `Reconciler error {"error": "${error}"}`,
          },
        ],
        more: { error },
      }),
    );
    end = start - wait(n - 1) - 0.3;
  }
  return spans.filter(({ start }) => start.lo > at('13:40:00'));
}

/** No log names these: they follow from what was written, and an audit file that came later changed three of them. */
const users: readonly Span[] = every(92_000, at('14:00:02.310'), moment - 10_000).map((start, n) =>
  spanFrom({
    key: 'shop/users-db',
    start,
    durationMs: 40,
    result: 'unknown',
    triggers:
      n % 4 === 3
        ? [trigger(start, 'unseen', '', 'nothing that was seen', { basis: rule('trace/unseen') })]
        : [trigger(start - 2, 'MODIFIED', 'StatefulSet/shop/users-db', 'StatefulSet MODIFIED')],
    writes: [
      write(start + 20, 'Database/shop/users-db', 'update', 'stored', {
        subresource: 'status',
        basis: rule('trace/owner', 165_000 + n),
        resourceVersion: `${473_100 + n}`,
        fields: ['status.users'],
        changes: 1,
      }),
    ],
    more: {
      start: { lo: start - 30, hi: start + 20 },
      end: { lo: start + 20, hi: start + 60 },
      durationMs: { lo: 0, hi: 90 },
      basis: rule('trace/from-writes', 165_000 + n),
      startBasis: rule('trace/from-writes', 165_000 + n),
      endBasis: rule('trace/from-writes', 165_000 + n),
      resultBasis: rule('trace/from-writes', 165_000 + n),
      readsObservable: false,
      notes: ['No log line names this run: it is concluded from the write alone.'],
      ...(n < 3 ? { revision: 1, revisedBy: 'audit.jsonl' } : {}),
    },
  }),
);

const seldom: readonly Span[] = [
  spanFrom({
    key: 'shop/catalog-db',
    start: at('13:58:12.114'),
    durationMs: 3.2,
    result: 'panic',
    waitMs: 0.5,
    triggers: [trigger(at('13:58:12.113'), 'MODIFIED', 'Secret/shop/catalog-db-auth', 'Secret MODIFIED')],
    lines: [
      {
        at: exact(at('13:58:12.117')),
        seq: 139_020,
        level: 'error',
        text: 'Observed a panic {"panic": "runtime error: invalid memory address or nil pointer dereference"}',
      },
    ],
    more: { error: 'panic: runtime error: invalid memory address or nil pointer dereference [recovered]' },
  }),
  spanFrom({
    key: 'shop/payments-db',
    start: at('14:01:30.402'),
    durationMs: 8.8,
    result: 'terminal',
    waitMs: 0.4,
    triggers: [trigger(at('14:01:30.401'), 'MODIFIED', 'Database/shop/payments-db', 'Database MODIFIED')],
    more: { error: 'terminal error: spec.storage: Invalid value: "1Zi": not a quantity' },
  }),
  spanFrom({
    key: 'billing/tax-db',
    start: at('14:04:41.020'),
    durationMs: 36.1,
    result: 'requeue',
    waitMs: 0.4,
    triggers: [trigger(at('14:04:41.019'), 'DELETED', 'Service/billing/tax-db', 'Service DELETED')],
    writes: [
      write(at('14:04:41.050'), 'Service/billing/tax-db', 'create', 'stored', {
        object: '/Service/billing/tax-db',
        resourceVersion: '482190',
        changes: 1,
      }),
      write(at('14:04:41.053'), 'Database/billing/tax-db', 'update', 'conflict', {
        subresource: 'status',
        before: '482102',
        code: 409,
        message:
          'the object has been modified; please apply your changes to the latest version and try again',
      }),
    ],
  }),
];

const load: readonly Span[] = keys
  .filter(({ key }) => key.startsWith('load/'))
  .flatMap(({ key }, n) =>
    [at('13:40:10.200') + n * 22, ...(n < 6 ? [moment - 331 + n * 45] : [])].map((start, burst) =>
      spanFrom({
        key,
        start,
        durationMs: 31 + noise(n + 9) * 12,
        result: 'success',
        waitMs: burst === 0 ? n * 22 : 40 + n * 45,
        triggers: [
          burst === 0
            ? trigger(at('13:40:09.900'), 'initial', `Database/${key}`, 'Database first list')
            : trigger(moment - 372, 'relist', 'Backup/load/nightly', 'Backup relist'),
        ],
      }),
    ),
  );

/** Newest first. */
const all: readonly Span[] = [
  ...orderRuns,
  ...cart,
  ...sessions,
  ...users,
  ...seldom,
  ...load,
  ...failing(
    'dev/sandbox-db',
    8,
    moment - 330,
    'admission webhook "quota.example.com" denied the request: 2 of 2 databases',
    (n) => 5 * 2 ** (n - 1),
  ),
  ...failing(
    'qa/report-db',
    3,
    moment - 11,
    'Operation cannot be fulfilled on services "report-db"',
    (n) => 5 * 2 ** (n - 1),
  ),
  ...failing(
    'billing/ledger-db',
    23,
    at('14:06:34.300'),
    'secrets "ledger-db-auth" not found',
    () => 1_000_000,
  ),
].sort((a, b) => b.start.lo - a.start.lo);

export const spans: readonly SpanRow[] = all.map(rowOf);

/** `much`: as many as a busy operator makes in a day. */
export function find(query: SpanQuery, much: boolean): readonly SpanRow[] {
  const { test } = compileFilter(query.text, spanSchema);
  const found = spans.filter(
    (row) =>
      (query.controller === undefined || row.controller === query.controller) &&
      (query.object === undefined || row.object === query.object) &&
      test(row),
  );
  if (!much || found.length === 0) return found;
  return Array.from({ length: 48_213 }, (_, n) => {
    const row = found[n % found.length] as SpanRow;
    const round = Math.floor(n / found.length);
    const by = round * 2_000_000;
    const shift = ({ lo, hi }: SpanRow['start']) => ({ lo: lo - by, hi: hi - by });
    return round === 0
      ? row
      : {
          ...row,
          id: `${row.id} ${round}`,
          start: shift(row.start),
          ...(row.end === undefined ? {} : { end: shift(row.end) }),
        };
  });
}

export function spanOf(id: string): SpanView {
  const span = all.find((one) => one.id === id);
  if (span === undefined) return { id, state: 'unknown' };
  const ofKey = spans.filter(({ key }) => key === span.key);
  const index = ofKey.findIndex((row) => row.id === id);
  const [later, earlier] = [ofKey[index - 1], ofKey[index + 1]];
  return {
    id,
    span,
    state: 'found',
    ...(earlier === undefined ? {} : { earlier }),
    ...(later === undefined ? {} : { later }),
  };
}

export function runsOf(seq: number): RecordRuns {
  const within = all.find(({ writeList, lineList, eventList, readList }) =>
    [writeList, lineList, eventList, readList].some((list) => list.some((item) => item.seq === seq)),
  );
  const woke = all.findLast(({ triggerList }) => triggerList.some((one) => one.seq === seq));
  return {
    seq,
    ...(within === undefined ? {} : { within: rowOf(within) }),
    ...(woke === undefined ? {} : { woke: rowOf(woke) }),
  };
}

export function walkOf(query: WalkQuery): WalkView {
  if (query.span === undefined) return { walk: notRanWalk(query) };
  const span = all.find(({ id }) => id === query.span);
  return span === undefined ? { reason: 'gone' } : { walk: ranWalk(span) };
}

export function noWalk(forbidden: boolean): string {
  return forbidden ? 'forbidden databases.db.example.com' : 'choose-operator';
}
