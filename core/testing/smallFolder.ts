/**
 * A case folder of a made-up run, small enough to be known by heart: an operator starts, makes a StatefulSet, fails twice
 * after a change of the spec and succeeds at the third try; what it writes wakes it once more. Its log is at V(5) with milliseconds.
 */
import type { KubeObject } from '../../shared/model/kube.ts';
import { cluster, database, kindRules, operatorUser, statusRule } from '../findings/testInput.ts';
import type { CaseFile } from '../source/caseFolder/caseFiles.ts';

export const folderOperator = 'database-operator';

/** `at(5.02)`: 20 ms after 14:00:05. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 2, 10, 14) + Math.round(seconds * 1000)).toISOString();
}

export function timeOf(seconds: number): number {
  return Date.parse(at(seconds));
}

/** YAML holds JSON: the library is not needed to test what a folder means. Throws for what is neither. */
export function parseJsonYaml(text: string): unknown {
  const content = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .trim();
  return content === '' ? null : JSON.parse(content);
}

export function jsonYaml(objects: readonly unknown[], name = 'cluster.yaml'): CaseFile {
  return { name, text: `${objects.map((one) => JSON.stringify(one)).join('\n---\n')}\n` };
}

export function fileOf(name: string, lines: readonly (string | object)[]): CaseFile {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return { name, text: `${texts.join('\n')}\n` };
}

/** Version 100 is as it was when the watch began, 111 has the status of the first run, 120 the user's change. */
export function orders(version: '100' | '111' | '120' | '131'): KubeObject {
  const generation = version === '100' || version === '111' ? 1 : 2;
  const written = { '100': undefined, '111': 1, '120': 1, '131': 5 }[version];
  return {
    ...database('orders', {
      uid: 'orders-uid',
      resourceVersion: version,
      generation,
      creationTimestamp: '2026-03-10T13:00:00Z',
      managedFields: [
        { manager: 'kubectl', operation: 'Update', time: generation === 1 ? '2026-03-10T13:00:00Z' : at(4) },
        ...(written === undefined
          ? []
          : [
              {
                manager: folderOperator,
                operation: 'Update' as const,
                subresource: 'status',
                time: at(written).replace('.000Z', 'Z'),
              },
            ]),
      ],
    }),
    spec: { replicas: generation },
    ...(written === undefined ? {} : { status: { observedGeneration: written === 1 ? 1 : 2 } }),
  };
}

export const ordersSet: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: {
    name: 'orders',
    namespace: 'shop',
    uid: 'set-uid',
    resourceVersion: '110',
    creationTimestamp: '2026-03-10T14:00:01Z',
    ownerReferences: [
      {
        apiVersion: 'db.example.com/v1',
        kind: 'Database',
        name: 'orders',
        uid: 'orders-uid',
        controller: true,
      },
    ],
    managedFields: [{ manager: folderOperator, operation: 'Update', time: '2026-03-10T14:00:01Z' }],
  },
  spec: { replicas: 1 },
};

function event(seconds: number, type: string, object: KubeObject): object {
  return { at: at(seconds), type, object };
}

function initialEnd(seconds: number, apiVersion: string, kind: string): object {
  const metadata = { resourceVersion: '100', annotations: { 'k8s.io/initial-events-end': 'true' } };
  return { at: at(seconds), type: 'BOOKMARK', object: { apiVersion, kind, metadata } };
}

function line(seconds: number, level: string, msg: string, more: object = {}): object {
  return {
    level,
    ts: at(seconds),
    msg,
    controller: 'database',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    ...more,
  };
}

function runLine(seconds: number, run: number, msg: string, more: object = {}): object {
  return line(seconds, msg === 'Reconciler error' ? 'error' : 'Level(-5)', msg, {
    Database: { name: 'orders', namespace: 'shop' },
    reconcileID: `00000000-0000-4000-8000-00000000000${run}`,
    ...more,
  });
}

export const folderLogLines: readonly object[] = [
  line(1, 'info', 'Starting Controller'),
  line(1, 'info', 'Starting workers', { 'worker count': 1 }),
  runLine(1.01, 1, 'Reconciling'),
  runLine(1.07, 1, 'Reconcile successful'),
  runLine(1.071, 2, 'Reconciling'),
  runLine(1.08, 2, 'Reconcile successful'),
  runLine(5, 3, 'Reconciling'),
  runLine(5.02, 3, 'Reconciler error', { error: 'dial tcp 10.0.0.1:5432: connection refused' }),
  runLine(5.026, 4, 'Reconciling'),
  runLine(5.04, 4, 'Reconciler error', { error: 'dial tcp 10.0.0.1:5432: connection refused' }),
  runLine(5.051, 5, 'Reconciling'),
  runLine(5.09, 5, 'Reconcile successful'),
  runLine(5.091, 6, 'Reconciling'),
  runLine(5.1, 6, 'Reconcile successful'),
];

export const folderWatchLines: readonly object[] = [
  event(0, 'ADDED', orders('100')),
  initialEnd(0.01, 'db.example.com/v1', 'Database'),
  initialEnd(0.01, 'apps/v1', 'StatefulSet'),
  event(1.05, 'ADDED', ordersSet),
  event(1.06, 'MODIFIED', orders('111')),
  event(4.999, 'MODIFIED', orders('120')),
  event(5.08, 'MODIFIED', orders('131')),
];

export const folderAuditLines: readonly object[] = [
  audit(1.05, 'create', 'apps', 'statefulsets', '', '110'),
  audit(1.06, 'update', 'db.example.com', 'databases', 'status', '111'),
  audit(5.08, 'update', 'db.example.com', 'databases', 'status', '131'),
];

function audit(
  seconds: number,
  verb: string,
  apiGroup: string,
  resource: string,
  subresource: string,
  resourceVersion: string,
): object {
  return {
    kind: 'Event',
    stage: 'ResponseComplete',
    verb,
    user: { username: operatorUser, groups: [] },
    objectRef: { resource, subresource, apiGroup, namespace: 'shop', name: 'orders' },
    responseStatus: { code: verb === 'create' ? 201 : 200 },
    responseObject: { metadata: { name: 'orders', resourceVersion } },
    requestReceivedTimestamp: at(seconds - 0.002),
    stageTimestamp: at(seconds - 0.001),
    annotations: { 'authorization.k8s.io/decision': 'allow' },
  };
}

/** What the folder lists at its end: RBAC, CRD and workload unchanged, the rest as the events left it. */
export function folderObjects(): readonly KubeObject[] {
  const rest = cluster([...kindRules, statusRule, setRule]).filter(({ kind }) => kind !== 'Database');
  return [...rest.map(unchanged), orders('131'), ordersSet];
}

const setRule = {
  apiGroups: ['apps'],
  resources: ['statefulsets'],
  verbs: ['get', 'list', 'watch', 'create', 'update'],
};

/** testInput.ts has its role changed while this run goes on. */
function unchanged(object: KubeObject): KubeObject {
  const { managedFields: _managed, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** All files; every one may be left out. */
export function smallFolder(): readonly CaseFile[] {
  return [
    jsonYaml(folderObjects()),
    fileOf('watch.jsonl', folderWatchLines),
    fileOf('operator.log', folderLogLines),
    fileOf('audit.jsonl', folderAuditLines),
    fileOf('metrics.txt', ['workqueue_adds_total{controller="database",name="database",priority=""} 4']),
    { name: 'asof.txt', text: `${at(10)}\n` },
  ];
}
