/** A small cluster for rule tests: one CRD, one operator, and what it logged. */
import { groupOf } from '../../shared/model/ids.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../shared/model/kube.ts';
import { readPolicy } from '../rbac/policy.ts';
import { bind, clusterRole, type WireRule } from '../rbac/testObjects.ts';
import { parseAuditLine } from '../source/audit/auditEntry.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createFactTracker } from './factTracker.ts';
import type { FindingInput } from './findingInput.ts';

export const operatorUser = 'system:serviceaccount:dbops-system:database-operator';
export const findingId =
  'rbac/missing-status-subresource:ServiceAccount/dbops-system/database-operator:databases.db.example.com';

export const kindRules: readonly WireRule[] = [
  {
    apiGroups: ['db.example.com'],
    resources: ['databases'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  { apiGroups: ['db.example.com'], resources: ['databases/finalizers'], verbs: ['update'] },
];
export const statusRule: WireRule = {
  apiGroups: ['db.example.com'],
  resources: ['databases/status'],
  verbs: ['get', 'update', 'patch'],
};

export function crd(options: { readonly status: boolean }): KubeObject {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    ...(options.status ? { subresources: { status: {} } } : {}),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'databases.db.example.com' },
    spec: {
      group: 'db.example.com',
      scope: 'Namespaced',
      names: { kind: 'Database', plural: 'databases' },
      versions: [version],
    },
  };
}

export function database(name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: { name, namespace: 'shop', ...metadata },
  };
}

export function statusWriter(manager: string): ManagedFieldsEntry {
  return { manager, operation: 'Update', subresource: 'status', time: '2026-03-10T14:00:00Z' };
}

export const workload: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'database-operator', namespace: 'dbops-system' },
  spec: { template: { spec: { serviceAccountName: 'database-operator' } } },
};

/** CRD, workload, one object, and a role with `rules` bound to the operator. */
export function cluster(rules: readonly WireRule[], more: readonly KubeObject[] = []): readonly KubeObject[] {
  return [
    crd({ status: true }),
    workload,
    database('orders'),
    clusterRole('manager', rules, {
      resourceVersion: '482044',
      managedFields: [{ manager: 'kubectl-patch', operation: 'Update', time: '2026-03-10T14:20:00Z' }],
    }),
    bind('manager', 'manager', 'dbops-system', 'database-operator'),
    ...more,
  ];
}

export function refusalText(
  verb = 'update',
  namespace = 'shop',
  name = 'orders',
  user = operatorUser,
): string {
  return `databases.db.example.com "${name}" is forbidden: User "${user}" cannot ${verb} resource "databases/status" in API group "db.example.com" in the namespace "${namespace}"`;
}

/** A "Reconciler error" line of zap JSON. `minute` orders lines. */
export function refusedLine(minute = 3, text = refusalText()): string {
  return JSON.stringify({
    level: 'error',
    ts: `2026-03-10T14:${String(minute).padStart(2, '0')}:52Z`,
    msg: 'Reconciler error',
    controller: 'database',
    controllerGroup: 'db.example.com',
    controllerKind: 'Database',
    reconcileID: `r-${minute}`,
    error: text,
  });
}

export function auditLine(code: number, minute: number): string {
  const at = `2026-03-10T14:${String(minute).padStart(2, '0')}:52.649Z`;
  return JSON.stringify({
    kind: 'Event',
    stage: 'ResponseComplete',
    verb: 'update',
    user: { username: operatorUser, groups: [] },
    objectRef: {
      resource: 'databases',
      subresource: 'status',
      apiGroup: 'db.example.com',
      namespace: 'shop',
      name: 'orders',
    },
    responseStatus: { code },
    requestReceivedTimestamp: at,
    stageTimestamp: at,
    annotations: { 'authorization.k8s.io/decision': code === 403 ? 'forbid' : 'allow' },
  });
}

export function findingInput(
  objects: readonly KubeObject[],
  facts: {
    readonly log?: readonly string[];
    readonly audit?: readonly string[];
    readonly events?: readonly KubeObject[];
  } = {},
  more: Partial<FindingInput> = {},
): FindingInput {
  const tracker = createFactTracker();
  for (const [index, line] of (facts.log ?? []).entries())
    tracker.addLog(parseLogLine(line), { file: 'operator.log', line: index + 1 });
  for (const [index, line] of (facts.audit ?? []).entries()) {
    const parsed = parseAuditLine(line);
    if (parsed.ok)
      for (const entry of parsed.value) tracker.addAudit(entry, { file: 'audit.jsonl', line: index + 1 });
  }
  for (const event of facts.events ?? []) tracker.addEvent(event, { seq: 7 });
  const ofKind = (groupKind: string) =>
    objects.filter((one) => `${groupOf(one.apiVersion)}/${one.kind}` === groupKind);
  return {
    now: '2026-03-10T14:30:00Z',
    objects: {
      list: ofKind,
      heads: (groupKind) =>
        ofKind(groupKind).map(({ metadata }) => ({
          namespace: metadata.namespace ?? '',
          name: metadata.name,
          ownerReferences: metadata.ownerReferences ?? [],
          writers: metadata.managedFields ?? [],
        })),
    },
    policy: readPolicy(objects),
    access: tracker.access(),
    controllers: tracker.controllers(),
    profiles: [],
    unreadable: [],
    objectBasis: 'watch',
    ...more,
  };
}
