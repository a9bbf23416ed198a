import type { KeyRow, Operators } from '../../../shared/contract/views/operators.ts';
import type { Basis } from '../../../shared/model/basis.ts';
import type { ControllerProfile, OperatorProfile } from '../../../shared/model/profile.ts';
import { at, moment } from './time.ts';

const watch: Basis = { kind: 'observed', from: 'watch' };
const metrics: Basis = { kind: 'reported', from: 'metrics' };
const log: Basis = { kind: 'reported', from: 'log' };
function rule(by: string): Basis {
  return { kind: 'inferred', by, because: [] };
}

const database: ControllerProfile = {
  name: 'database',
  for: { value: 'databases.db.example.com', basis: log, why: 'controllerKind of its log lines' },
  owns: {
    value: ['statefulsets.apps', 'services', 'secrets'],
    basis: watch,
    why: 'controller ownerReferences on 312 objects point to Databases',
  },
  watches: {
    value: [{ resource: 'backups.db.example.com', maps: 'label db.example.com/database' }],
    basis: log,
    why: '“Starting EventSource” names it; the mapping is in loopscope.yaml',
  },
  predicates: {
    value: ['generationChanged'],
    basis: rule('profile/predicates'),
    why: '41 status-only updates woke nothing',
  },
  queue: {
    value: 'priority',
    basis: metrics,
    why: 'workqueue_depth has a priority label, as controller-runtime 0.23 and later export it',
  },
  limiter: {
    value: { type: 'exp', base: '5ms', factor: 2, max: '1000s' },
    basis: rule('profile/limiter'),
    why: 'the default of the priority queue; 16 retries agree to 3 ms',
  },
  maxConcurrentReconciles: {
    value: 2,
    basis: metrics,
    why: 'controller_runtime_max_concurrent_reconciles is 2',
  },
};

function small(name: string, kind: string): ControllerProfile {
  return {
    ...database,
    name,
    for: { value: kind, basis: log, why: 'controllerKind of its log lines' },
    owns: { value: [], basis: watch, why: 'no object names one as its controller' },
    watches: { value: [], basis: log, why: 'no other EventSource was started' },
  };
}

export const profile: OperatorProfile = {
  id: 'Deployment/dbops-system/database-operator',
  name: 'database-operator',
  namespace: 'dbops-system',
  workload: {
    value: 'Deployment/dbops-system/database-operator',
    basis: watch,
    why: 'its ServiceAccount may watch databases.db.example.com',
  },
  image: 'registry.example.com/dbops/database-operator:v1.8.0',
  identity: {
    value: {
      user: 'system:serviceaccount:dbops-system:database-operator',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:dbops-system', 'system:authenticated'],
      serviceAccount: { namespace: 'dbops-system', name: 'database-operator' },
    },
    basis: watch,
    why: 'serviceAccountName of the Deployment',
  },
  fieldManagers: {
    value: ['database-operator'],
    basis: watch,
    why: 'managedFields of 41 Databases name it for status',
  },
  controllers: [
    database,
    small('backup', 'backups.db.example.com'),
    small('databaseuser', 'databaseusers.db.example.com'),
  ],
  lease: {
    value: 'dbops-system/database-operator-leader',
    basis: watch,
    why: 'renewed by a pod of this Deployment',
  },
};

export const operators: Operators = {
  operators: [
    {
      id: profile.id,
      name: 'database-operator',
      namespace: 'dbops-system',
      workload: 'Deployment/dbops-system/database-operator',
      image: profile.image,
      user: profile.identity.value.user,
      kinds: ['Database', 'Backup', 'DatabaseUser'],
      health: 'ok',
      detail: 'lease 1 s ago',
      local: false,
    },
    {
      id: 'Deployment/cert-manager/cert-manager',
      name: 'cert-manager',
      namespace: 'cert-manager',
      workload: 'Deployment/cert-manager/cert-manager',
      user: 'system:serviceaccount:cert-manager:cert-manager',
      kinds: ['Certificate', 'CertificateRequest', 'Issuer', 'ClusterIssuer', 'Order', 'Challenge'],
      health: 'ok',
      detail: 'lease 2 s ago',
      local: false,
    },
  ],
  chosen: profile.id,
  profile,
  problems: [],
};

function key(
  name: string,
  health: KeyRow['health'],
  state: KeyRow['state'],
  extra: Partial<KeyRow> = {},
): KeyRow {
  const [namespace = '', short = ''] = name.split('/');
  return {
    key: name,
    object: `db.example.com/Database/${name}`,
    namespace,
    name: short,
    health,
    text: health === 'ok' ? 'Ready' : 'Ready is False',
    failures: 0,
    state,
    ...extra,
  };
}

export const keys: readonly KeyRow[] = [
  key('shop/orders-db', 'failed', 'waiting', {
    failures: 17,
    nextRunAt: at('14:14:48.370'),
    text: 'Ready is False: Upgrading',
  }),
  key('billing/ledger-db', 'failed', 'waiting', {
    failures: 23,
    nextRunAt: moment + 668_000,
    text: 'Ready is False: SecretNotFound',
  }),
  key('dev/sandbox-db', 'degraded', 'waiting', { failures: 8, nextRunAt: moment + 310 }),
  key('qa/report-db', 'degraded', 'waiting', { failures: 3, nextRunAt: moment + 9 }),
  key('shop/cart-db', 'progressing', 'running', { text: 'Reconciling' }),
  key('load/db-07', 'progressing', 'running', { text: 'Reconciling' }),
  key('shop/users-db', 'progressing', 'ready', { text: 'Reconciling' }),
  key('load/db-08', 'progressing', 'ready', { text: 'Reconciling' }),
  key('shop/legacy-db', 'deleting', 'idle', { text: 'deleting for 8h 21m' }),
  key('shop/sessions-db', 'ok', 'waiting', { nextRunAt: moment + 12_400 }),
  key('shop/catalog-db', 'ok', 'idle'),
  key('shop/payments-db', 'ok', 'idle'),
  key('billing/invoices-db', 'ok', 'idle'),
  key('billing/tax-db', 'ok', 'idle'),
  ...Array.from({ length: 27 }, (_, i) =>
    key(`load/db-${String(i < 6 ? i + 1 : i + 3).padStart(2, '0')}`, 'ok', 'idle'),
  ),
];
