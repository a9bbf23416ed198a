import type {
  EventRow,
  ObjectDiff,
  ObjectDocument,
  ObjectHistory,
  ObjectRefView,
  ObjectVersion,
  Writer,
} from '../../../shared/contract/views/objects.ts';
import { keys } from './operator.ts';
import { at, moment, noise, stamp } from './time.ts';

export function ref(group: string, kind: string, namespace: string, name: string): ObjectRefView {
  return { key: `${group}/${kind}/${namespace}/${name}`, group, kind, namespace, name };
}

const operator: Writer = {
  manager: 'database-operator',
  operation: 'Update',
  subresource: 'status',
  time: stamp('14:02:12'),
};
const operatorApply: Writer = { manager: 'database-operator', operation: 'Apply', time: stamp('14:02:12') };
const edit: Writer = { manager: 'kubectl-edit', operation: 'Update', time: stamp('14:02:11') };
const helm: Writer = { manager: 'helm', operation: 'Apply', time: stamp('14:03:20') };
const sts: Writer = {
  manager: 'kube-controller-manager',
  operation: 'Update',
  subresource: 'status',
  time: stamp('14:03:19'),
};

export const ordersDb = ref('db.example.com', 'Database', 'shop', 'orders-db');
export const managerRole = ref('rbac.authorization.k8s.io', 'ClusterRole', '', 'database-operator-manager');
const ordersSts = ref('apps', 'StatefulSet', 'shop', 'orders-db');
const ordersPod = ref('', 'Pod', 'shop', 'orders-db-0');

function version(
  seq: number,
  time: string,
  op: ObjectVersion['op'],
  rv: string,
  writers: readonly Writer[],
  changes: number,
  summary: string,
  extra: Partial<ObjectVersion> = {},
): ObjectVersion {
  return {
    seq,
    at: { lo: at(time), hi: at(time) },
    op,
    resourceVersion: rv,
    uid: '0b5c6f0e-7a52-4a8e-9a55-0c6d1a4f2d11',
    generation: 7,
    writers,
    changes,
    summary,
    metadataOnly: false,
    afterGap: false,
    ...extra,
  };
}

export const ordersHistory: ObjectHistory = {
  object: ordersDb,
  detail: 'full',
  upgrading: false,
  versions: [
    version(212, '13:40:03.110', 'listed', '481907', [], 0, 'first seen', { generation: 6 }),
    version(152_201, '14:02:11.204', 'modified', '482011', [edit], 1, 'spec.version 16.3 → 16.4'),
    version(
      152_240,
      '14:02:11.871',
      'modified',
      '482014',
      [operator],
      6,
      'status.conditions[Ready].status True → False',
    ),
    version(153_102, '14:02:32.410', 'modified', '482021', [operator], 2, 'status.readyReplicas 3 → 1'),
    version(155_730, '14:02:58.092', 'modified', '482029', [operator], 2, 'status.readyReplicas 1 → 2'),
    version(
      157_988,
      '14:03:19.066',
      'modified',
      '482036',
      [operator],
      2,
      'status.conditions[Progressing].message',
    ),
  ],
};

export const roleHistory: ObjectHistory = {
  object: managerRole,
  detail: 'full',
  upgrading: false,
  versions: [
    version(96, '13:40:02.640', 'listed', '301177', [], 0, 'first seen'),
    version(158_090, '14:03:20.480', 'modified', '482044', [helm], 3, 'rules[databases/status] removed'),
  ],
};

export const secretHistory: ObjectHistory = {
  object: ref('', 'ConfigMap', 'shop', 'orders-settings'),
  detail: 'metadata',
  upgrading: true,
  versions: [
    version(420, '13:40:05.010', 'listed', '470011', [], 0, 'first seen', {
      metadataOnly: true,
      generation: 0,
    }),
    version(166_040, '14:07:46.090', 'relisted', '482290', [], 1, 'metadata.labels[tier]', {
      metadataOnly: true,
      afterGap: true,
      at: { lo: at('14:07:39.000'), hi: at('14:07:46.090') },
    }),
  ],
};

export function diffOf(to: number, from: number | undefined): ObjectDiff {
  if (to === 158_090) {
    return {
      to,
      from: from ?? 96,
      rows: [
        { path: 'rules[1].apiGroups', sign: '-', old: '["db.example.com"]', owner: helm, bookkeeping: false },
        {
          path: 'rules[1].resources',
          sign: '-',
          old: '["databases/status"]',
          owner: helm,
          bookkeeping: false,
        },
        {
          path: 'rules[1].verbs',
          sign: '-',
          old: '["get","update","patch"]',
          owner: helm,
          bookkeeping: false,
        },
        { path: 'metadata.resourceVersion', sign: '~', old: '"301177"', new: '"482044"', bookkeeping: true },
      ],
    };
  }
  if (to === 152_201) {
    return {
      to,
      from: from ?? 212,
      rows: [
        {
          path: 'spec.version',
          sign: '~',
          old: '"16.3"',
          new: '"16.4"',
          owner: edit,
          takenFrom: 'helm',
          bookkeeping: false,
        },
        { path: 'metadata.generation', sign: '~', old: '6', new: '7', bookkeeping: true },
        { path: 'metadata.resourceVersion', sign: '~', old: '"481907"', new: '"482011"', bookkeeping: true },
        {
          path: 'metadata.managedFields[kubectl-edit]',
          sign: '+',
          new: '{"f:spec":{"f:version":{}}}',
          bookkeeping: true,
        },
      ],
    };
  }
  return {
    to,
    from: from ?? to - 1,
    rows: [
      {
        path: 'status.conditions[Ready].status',
        sign: '~',
        old: '"True"',
        new: '"False"',
        owner: operator,
        bookkeeping: false,
      },
      {
        path: 'status.conditions[Ready].reason',
        sign: '~',
        old: '"AllReplicasReady"',
        new: '"Upgrading"',
        owner: operator,
        bookkeeping: false,
      },
      {
        path: 'status.conditions[Ready].lastTransitionTime',
        sign: '~',
        old: '"2026-09-14T11:31:02Z"',
        new: '"2026-09-14T14:02:11Z"',
        owner: operator,
        bookkeeping: false,
      },
      {
        path: 'status.conditions[Ready].message',
        sign: '+',
        new: '"2 of 3 replicas run 16.4"',
        owner: operator,
        bookkeeping: false,
      },
      {
        path: 'status.observedGeneration',
        sign: '~',
        old: '6',
        new: '7',
        owner: operator,
        bookkeeping: false,
      },
      {
        path: 'metadata.annotations[note]',
        sign: '-',
        old: '"maintenance on Sunday"',
        owner: edit,
        bookkeeping: false,
      },
      { path: 'metadata.resourceVersion', sign: '~', old: '"482011"', new: '"482014"', bookkeeping: true },
    ],
  };
}

export function documentOf(seq: number): ObjectDocument {
  return {
    seq,
    metadataOnly: false,
    yaml: `apiVersion: db.example.com/v1
kind: Database
metadata:
  name: orders-db
  namespace: shop
  generation: 7
  resourceVersion: "482036"
  uid: 0b5c6f0e-7a52-4a8e-9a55-0c6d1a4f2d11
  finalizers:
  - db.example.com/cleanup
spec:
  replicas: 3
  version: "16.4"
  storage: 20Gi
status:
  observedGeneration: 7
  readyReplicas: 2
  conditions:
  - type: Ready
    status: "False"
    reason: Upgrading
    message: 2 of 3 replicas run 16.4
    lastTransitionTime: "2026-09-14T14:02:11Z"
  - type: Progressing
    status: "True"
    reason: RollingOut
  - type: Available
    status: "True"
    reason: MinimumReplicas
`,
    owners: [
      { path: 'metadata.finalizers', owners: [operatorApply] },
      { path: 'spec.replicas', owners: [helm] },
      { path: 'spec.storage', owners: [helm] },
      { path: 'spec.version', owners: [edit] },
      { path: 'status.conditions[Available]', owners: [operator] },
      { path: 'status.conditions[Progressing]', owners: [operator] },
      { path: 'status.conditions[Ready]', owners: [operator] },
      { path: 'status.observedGeneration', owners: [operator] },
      { path: 'status.readyReplicas', owners: [operator] },
    ],
  };
}

/** Records come at a steady pace between the role change (158,090) and now (184,213). */
export function seqAt(time: number): number {
  return 184_213 - Math.floor((moment - time) / 20.1264);
}

interface Line {
  readonly object: ObjectRefView;
  readonly about?: ObjectRefView;
  readonly op: NonNullable<EventRow['op']>;
  readonly writer?: Writer;
  readonly summary: string;
  readonly type?: EventRow['type'];
  readonly warning?: boolean;
  readonly metadataOnly?: boolean;
}

const kubelet: Writer = { manager: 'kubelet', operation: 'Update', subresource: 'status' };
const lines: readonly Line[] = [
  {
    object: ordersPod,
    op: 'modified',
    writer: kubelet,
    summary: 'status.conditions[Ready].status False → True',
  },
  { object: ordersSts, op: 'modified', writer: sts, summary: 'status.readyReplicas 2 → 3' },
  {
    object: ref('events.k8s.io', 'Event', 'shop', 'orders-db.17f2'),
    about: ordersDb,
    op: 'added',
    type: 'event',
    warning: true,
    summary:
      'StatusFailed: databases.db.example.com "orders-db" is forbidden: User "system:serviceaccount:dbops-system:database-operator" cannot update resource "databases/status"',
  },
  {
    object: ref('coordination.k8s.io', 'Lease', 'dbops-system', 'database-operator-leader'),
    op: 'modified',
    writer: { manager: 'database-operator', operation: 'Update' },
    summary: 'spec.renewTime',
  },
  {
    object: ref('', 'Secret', 'shop', 'cart-db-auth'),
    op: 'modified',
    writer: operatorApply,
    summary: 'metadata.labels[rotated]',
    metadataOnly: true,
  },
  {
    object: ref('db.example.com', 'Database', 'shop', 'cart-db'),
    op: 'modified',
    writer: operator,
    summary: 'status.readyReplicas 2 → 3, +2',
  },
  { object: ref('db.example.com', 'Backup', 'load', 'db-08-nightly'), op: 'relisted', summary: 'unchanged' },
  {
    object: ref('', 'Service', 'shop', 'cart-db'),
    op: 'modified',
    writer: operatorApply,
    summary: 'spec.ports[sql].port 5432 → 5433',
  },
  {
    object: ref('events.k8s.io', 'Event', 'shop', 'cart-db.22a1'),
    about: ref('db.example.com', 'Database', 'shop', 'cart-db'),
    op: 'added',
    type: 'event',
    summary: 'ReplicaReady: replica 2 of cart-db is ready',
  },
  {
    object: ref('', 'Pod', 'load', 'db-07-2'),
    op: 'deleted',
    writer: kubelet,
    summary: 'last state: Running',
  },
];

export const events: readonly EventRow[] = Array.from({ length: 400 }, (_, index) => {
  const line = lines[Math.floor(noise(index + 3) * lines.length)] as Line;
  const time = moment - index * 640 - Math.floor(noise(index) * 500);
  const row: EventRow = {
    seq: seqAt(time),
    at: time,
    type: line.type ?? 'object',
    op: line.op,
    object: line.object,
    ...(line.about === undefined ? {} : { about: line.about }),
    resourceVersion: `${482_611 - index}`,
    summary: line.summary,
    warning: line.warning ?? false,
    metadataOnly: line.metadataOnly ?? false,
    ...(line.writer === undefined ? {} : { writer: line.writer }),
  };
  return row;
})
  .concat([
    {
      seq: seqAt(at('14:12:05.420')),
      at: at('14:12:05.420'),
      type: 'gap',
      summary: 'Backups were not watched for 0.2 s: the watch was closed, 18 objects were listed again',
      warning: false,
      metadataOnly: false,
    },
    {
      seq: seqAt(at('14:07:46.100')),
      at: at('14:07:46.100'),
      type: 'gap',
      summary:
        'Pods were not watched for 7.1 s: 410 Gone, then a relist. 2 created, 3 changed, 1 deleted in between',
      warning: false,
      metadataOnly: false,
    },
    {
      seq: 158_090,
      at: at('14:03:20.480'),
      type: 'object',
      op: 'modified',
      object: managerRole,
      resourceVersion: '482044',
      writer: helm,
      summary: 'rules[databases/status] removed',
      warning: false,
      metadataOnly: false,
    },
  ])
  .sort((a, b) => b.at - a.at);

export const searchable: readonly ObjectRefView[] = [
  ordersDb,
  managerRole,
  ordersSts,
  ordersPod,
  ...keys.slice(1).map((row) => ref('db.example.com', 'Database', row.namespace, row.name)),
  ref('', 'Secret', 'shop', 'orders-db-auth'),
  ref('', 'Service', 'shop', 'orders-db'),
  ref('', 'ConfigMap', 'shop', 'orders-settings'),
];

export function historyOf(key: string): ObjectHistory {
  if (key === managerRole.key) return roleHistory;
  if (key.includes('orders-settings')) return secretHistory;
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return key === ordersDb.key
    ? ordersHistory
    : { ...ordersHistory, object: ref(group, kind, namespace, name) };
}
