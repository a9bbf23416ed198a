/** The landing page of the invented incident: shop/orders-db as the pictures have it, every other key by its own state. */
import type { WhyStep, WhyView } from '../../../shared/contract/views/why.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import { say } from '../../../shared/model/whySentences.ts';
import { objects } from './objectRefs.ts';
import { keys } from './operator.ts';
import { rbacView } from './rbac.ts';
import { at, moment } from './time.ts';

const watch: Basis = { kind: 'observed', from: 'watch' };
const audit: Basis = { kind: 'observed', from: 'audit' };
const log: Basis = { kind: 'reported', from: 'log' };
const roleKey = 'rbac.authorization.k8s.io/ClusterRole//database-operator-manager';
const ordersKey = 'db.example.com/Database/shop/orders-db';
const patch = rbacView.lens?.rows.find(({ gap }) => gap !== undefined)?.gap;

const refusedText =
  'databases.db.example.com "orders-db" is forbidden: User "system:serviceaccount:dbops-system:database-operator" cannot update resource "databases/status" in API group "db.example.com" in the namespace "shop"';

const chain: readonly WhyStep[] = [
  {
    id: 'cause',
    root: true,
    glyph: 'rights',
    at: at('14:03:20.480'),
    precise: true,
    title: say('step.roleLost', {
      role: 'ClusterRole database-operator-manager',
      resource: 'databases/status',
    }),
    detail: say('step.roleLost.release', { manager: 'helm', release: 'database-operator 1.8.0' }),
    basis: watch,
    chips: [
      {
        icon: 'diff',
        label: say('chip.roleDiff'),
        aside: say('aside.rv', { rv: '482044' }),
        basis: watch,
        link: { to: 'version', key: roleKey, seq: 158_090 },
      },
      {
        icon: 'rbac',
        label: say('chip.rbacGap'),
        basis: watch,
        link: { to: 'rbac', row: 'databases/status.db.example.com@' },
      },
      {
        icon: 'person',
        label: say('chip.manager', { manager: 'helm' }),
        basis: watch,
        link: { to: 'event', seq: 158_090 },
      },
    ],
  },
  {
    id: 'refusals',
    root: false,
    glyph: 'refused',
    at: at('14:03:52.350'),
    precise: true,
    title: say('step.refusals', { n: 17 }),
    detail: say('step.refusals.owned', { owned: ['StatefulSet 3/3'] }),
    basis: audit,
    chips: [
      {
        icon: 'refused',
        label: say('chip.firstRefusal'),
        aside: say('aside.record', { record: 160_418 }),
        basis: audit,
        link: { to: 'line', text: '403 on update databases/status shop/orders-db', seq: 160_418 },
      },
      {
        icon: 'refused',
        label: say('chip.lastRefusal', { attempt: 17 }),
        aside: say('aside.seenAt', { seenAt: at('14:09:20.649') }),
        basis: audit,
        link: { to: 'line', text: '403 on update databases/status shop/orders-db', seq: 171_902 },
      },
      {
        icon: 'line',
        label: say('chip.logLine'),
        aside: say('aside.text', { text: '5c1e0f7a' }),
        basis: log,
        link: { to: 'line', text: refusedText, file: 'operator.log', line: 12_471 },
      },
    ],
  },
  {
    id: 'stored',
    root: false,
    glyph: 'failed',
    precise: true,
    title: say('step.stored', { type: 'Ready', status: 'False', reason: 'Upgrading' }),
    detail: say('step.stored.since', {
      writtenExactAt: at('14:03:19.066'),
      rv: '482036',
      writtenForAt: at('14:03:19.066'),
    }),
    basis: watch,
    chips: [
      {
        icon: 'object',
        label: say('chip.object'),
        aside: say('aside.rv', { rv: '482036' }),
        basis: watch,
        link: { to: 'version', key: ordersKey, seq: 157_988 },
      },
      {
        icon: 'spec',
        label: say('chip.specChange', { manager: 'kubectl-edit' }),
        aside: say('aside.generation', { generation: 7 }),
        basis: watch,
        link: { to: 'version', key: ordersKey, seq: 152_201 },
      },
    ],
  },
];

const orders: WhyView = {
  object: objects(ordersKey),
  known: true,
  detail: 'full',
  upgrading: false,
  health: 'failed',
  healthText: say('pill.condition', { type: 'Ready', status: 'False' }),
  healthSince: at('14:02:11'),
  generation: 7,
  observedGeneration: 7,
  cause: 'status-refused',
  question: say('question.notReady', { name: 'orders-db' }),
  verdict: say('verdict.refused.lost', {
    type: 'Ready',
    status: 'False',
    operator: 'database-operator',
    verb: 'update',
    resource: 'databases/status',
    lostAt: at('14:03:20.480'),
  }),
  basis: audit,
  notes: [
    { kind: 'seen', text: say('note.seen.both', { audit: 17, log: 17, all: 17 }) },
    { kind: 'agrees', text: say('note.review.agrees') },
  ],
  chain,
  helps: [],
  fix: {
    text: say('fix.role', { role: 'ClusterRole database-operator-manager' }),
    forms: [
      {
        form: 'role',
        lines: patch?.patch.lines ?? [],
        copy: patch?.patch.yaml ?? '',
        loses: false,
      },
      {
        form: 'marker',
        text: say('fix.marker'),
        lines: [{ text: patch?.marker ?? '', added: true }],
        copy: patch?.marker ?? '',
        loses: false,
      },
    ],
  },
  finding:
    'rbac/missing-status-subresource:ServiceAccount/dbops-system/database-operator:databases.db.example.com',
  mark: { at: at('14:03:20.480'), text: say('mark.role', { role: 'ClusterRole' }) },
  next: {
    controller: 'database',
    key: 'shop/orders-db',
    state: 'waiting',
    text: say('next.backoff', { formula: '5 ms × 2¹⁶', attempt: 17 }),
    runsAt: at('14:14:48.370'),
    since: at('14:09:20.690'),
    delayMs: 327_680,
    attempt: 18,
    certain: true,
    basis: { kind: 'inferred', by: 'queue/shadow', because: [171_903] },
    ends: 'refused',
    later: [
      { at: at('14:14:48.370'), attempt: 18, delayMs: 655_360, atCap: false },
      { at: at('14:25:43.730'), attempt: 19, delayMs: 1_000_000, atCap: true },
    ],
    matched: say('next.matched', { n: 16, maxMs: 3 }),
  },
  wakes: [
    say('wake.role', { kind: 'Database', attempt: 18 }),
    say('wake.object.spec', { kind: 'Database' }),
    say('wake.owned', { kinds: ['StatefulSet', 'Service', 'Secret'] }),
    say('wake.restart', { operator: 'database-operator' }),
  ],
  checks: [
    {
      id: 'alive',
      state: 'ok',
      title: say('check.alive.ok'),
      detail: say('check.alive.lease', { renewedForAt: moment - 1000 }),
    },
    {
      id: 'crd',
      state: 'ok',
      title: say('check.crd.ok'),
      detail: say('check.crd.versions', { versions: ['v1'] }),
    },
    {
      id: 'owned',
      state: 'ok',
      title: say('check.owned.ok'),
      detail: say('check.owned.list', { owned: ['StatefulSet 3/3', 'Service', 'Secret'] }),
    },
    {
      id: 'writer',
      state: 'ok',
      title: say('check.writer.ok'),
      detail: say('check.writer.since', { sinceAt: at('13:40:03') }),
    },
    {
      id: 'generation',
      state: 'ok',
      title: say('check.generation.ok'),
      detail: say('check.generation.of', { observed: 7, generation: 7 }),
    },
    {
      id: 'rights',
      state: 'notEvaluated',
      title: say('check.rights.unknown'),
      detail: say('check.needs', { permission: 'list roles in payments' }),
    },
  ],
};

/** Whatever the key is; those that are not Ready say only what their state says. */
export function whyOf(key: string): WhyView {
  const object = objects(key);
  if (key === ordersKey) return orders;
  const row = keys.find((one) => one.object === key);
  const { name } = object;
  const base: WhyView = {
    object,
    known: row !== undefined,
    detail: 'full',
    upgrading: false,
    health: row?.health ?? 'unknown',
    question: say('question.open', { name }),
    verdict: say('verdict.unknownObject', { name }),
    notes: [],
    chain: [],
    helps: [say('help.context')],
    wakes: [],
    checks: [],
  };
  if (row === undefined) return base;
  const known = {
    ...base,
    generation: 3,
    observedGeneration: 3,
    helps: [],
    checks: orders.checks.slice(0, 5),
  };
  if (row.health === 'ok') {
    const since = at('11:31:02');
    return {
      ...known,
      cause: 'ready',
      healthText: say('pill.condition', { type: 'Ready', status: 'True' }),
      healthSince: since,
      question: say('question.ready', { name }),
      verdict: say('verdict.ready', { name, type: 'Ready', sinceAt: since }),
      basis: watch,
      chain: [
        {
          id: 'ready',
          root: false,
          glyph: 'ok',
          at: since,
          precise: false,
          title: say('step.ready.reason', { type: 'Ready', reason: 'AllReplicasReady' }),
          quote: '3 of 3 replicas run 16.4',
          basis: watch,
          chips: [
            {
              icon: 'condition',
              label: say('chip.conditions'),
              basis: watch,
              link: { to: 'conditions' },
            },
          ],
        },
      ],
      next: {
        controller: 'database',
        key: row.key,
        state: 'idle',
        text: say('next.idle'),
        certain: true,
        basis: { kind: 'inferred', by: 'queue/shadow', because: [] },
        ends: 'runs',
        later: [],
      },
    };
  }
  if (row.health === 'deleting') {
    const deleted = moment - 30_060_000;
    const finalizer = 'backup.example.com/retain';
    return {
      ...known,
      cause: 'deletion-held',
      healthText: say('pill.deleting'),
      healthSince: deleted,
      question: say('question.deleting', { name }),
      verdict: say('verdict.held.gone', { name, finalizer, operator: 'backup-operator' }),
      basis: { kind: 'inferred', by: 'no workload has the name of who set it', because: [] },
      chain: [
        {
          id: 'deletion',
          root: false,
          glyph: 'deleting',
          at: deleted,
          precise: false,
          title: say('step.deletion'),
          detail: say('step.deletion.detail', { finalizers: [finalizer] }),
          basis: watch,
          chips: [],
        },
        {
          id: 'handler',
          root: true,
          glyph: 'failed',
          precise: true,
          title: say('step.handlerGone', { operator: 'backup-operator', finalizer }),
          detail: say('step.handlerGone.detail', { detail: 'not among 412 workloads' }),
          basis: { kind: 'inferred', by: 'no workload has the name of who set it', because: [] },
          chips: [{ icon: 'object', label: say('chip.ownership'), basis: watch, link: { to: 'ownership' } }],
        },
      ],
    };
  }
  return {
    ...known,
    healthText: say('pill.failures', { n: row.failures }),
    question: say('question.notReady', { name }),
    verdict: say('verdict.noCause', { name }),
    helps: [say('help.log', { operator: 'database-operator' }), say('help.audit')],
  };
}

/** Databases may not be listed: nothing is known of one, and it is said what would allow it. */
export function forbiddenWhy(key: string): WhyView {
  const object = objects(key);
  return {
    ...whyOf(''),
    object,
    forbidden: 'list databases.db.example.com',
    question: say('question.open', { name: object.name }),
    verdict: say('verdict.forbidden', { kind: object.kind }),
    helps: [say('help.permission', { permission: 'list databases.db.example.com' })],
  };
}
