import { expect, test } from 'vitest';
import type { Writer } from '../../shared/contract/views/objects.ts';
import type { KubeObject, OwnerReference } from '../../shared/model/kube.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { ProfileGrant } from './grants.ts';
import type { ObjectHead } from './heads.ts';
import { type InferInput, inferOperators } from './infer.ts';

function resource(group: string, plural: string, kind: string): ApiResource {
  return { group, version: 'v1', resource: plural, kind, namespaced: true, verbs: [], subresources: [] };
}
const resources = [
  resource('', 'services', 'Service'),
  resource('', 'secrets', 'Secret'),
  resource('apps', 'statefulsets', 'StatefulSet'),
  resource('db.example.com', 'databases', 'Database'),
  resource('backup.example.com', 'backups', 'Backup'),
];
function grant(group: string, names: string, verbs: string, scope = ''): ProfileGrant {
  const rule = {
    apiGroups: [group],
    resources: names.split(' '),
    verbs: verbs.split(' '),
    resourceNames: [],
    nonResourceURLs: [],
  };
  return { rule, scope };
}
const all = 'get list watch create update patch delete';
function deployment(name: string, account: string, metadata: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'ops', ...metadata },
    spec: {
      template: {
        spec: {
          serviceAccountName: account,
          containers: [{ name: 'manager', image: `registry.example.com/${name}:1.0`, command: ['/manager'] }],
        },
      },
    },
  };
}
function head(
  group: string,
  kind: string,
  fields: {
    owner?: Partial<OwnerReference>;
    writers?: readonly Writer[];
    finalizers?: string[];
    seq?: number;
  },
): ObjectHead {
  const owner = {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    name: 'orders',
    uid: 'u',
    controller: true,
  };
  return {
    ...(fields.seq === undefined ? {} : { seq: fields.seq }),
    group,
    kind,
    namespace: 'shop',
    name: 'orders',
    meta: {
      name: 'orders',
      namespace: 'shop',
      ...(fields.owner === undefined ? {} : { ownerReferences: [{ ...owner, ...fields.owner }] }),
      ...(fields.finalizers === undefined ? {} : { finalizers: fields.finalizers }),
    },
    writers: fields.writers ?? [],
  };
}
const wrote = (manager: string, subresource?: string): Writer => ({
  manager,
  operation: 'Update',
  ...(subresource === undefined ? {} : { subresource }),
});
function infer(fields: Partial<InferInput> & { grants?: readonly ProfileGrant[] }) {
  return inferOperators({
    workloads: [deployment('database-operator', 'database-operator')],
    crds: [],
    leases: [],
    heads: [],
    resources,
    grantsOf: () => fields.grants,
    ...fields,
  });
}
const kinds = (operators: ReturnType<typeof infer>) =>
  operators.map((operator) => operator.controllers.map((controller) => controller.for.value).join(','));

test('[PROF1] workload, ServiceAccount, granted kinds; what may be created, listed and watched is taken for owned', () => {
  const [operator] = infer({
    grants: [
      grant('db.example.com', 'databases', 'get list watch update patch'),
      grant('db.example.com', 'databases/status databases/finalizers', 'update patch'),
      grant('apps', 'statefulsets', all),
      grant('', 'services secrets', all),
      grant('', 'events', 'create patch'),
      grant('coordination.k8s.io', 'leases', all, 'ops'),
      grant('', 'configmaps', all, 'ops'),
    ],
  });
  expect(operator).toMatchObject({
    id: 'Deployment/ops/database-operator',
    namespace: 'ops',
    image: 'registry.example.com/database-operator:1.0',
    identity: {
      value: { user: 'system:serviceaccount:ops:database-operator' },
      basis: { kind: 'observed', from: 'watch' },
    },
    fieldManagers: { value: ['manager'] },
  });
  expect(operator?.controllers).toHaveLength(1);
  expect(operator?.controllers[0]).toMatchObject({
    name: 'database',
    for: {
      value: 'databases.db.example.com',
      basis: { kind: 'inferred', by: 'profile/for-kind' },
      why: 'It may write databases/status; it may update databases/finalizers; it may change databases but not create them; it is named after Database.',
    },
    owns: { value: ['secrets', 'services', 'statefulsets.apps'] },
    queue: { value: 'priority', basis: { kind: 'inferred' } },
    limiter: { value: { type: 'default' } },
    maxConcurrentReconciles: { value: 1 },
  });
});

test('[PROF2] without the grant on status it is still the operator of the kind: finalizers, children, name', () => {
  const grants = [
    grant('db.example.com', 'databases', all),
    grant('db.example.com', 'databases/finalizers', 'update'),
  ];
  expect(kinds(infer({ grants }))).toEqual(['databases.db.example.com']);
  const children = {
    workloads: [deployment('tool', 'tool')],
    grants: [grant('db.example.com', 'databases', all), grant('', 'services', all)],
    heads: [head('', 'Service', { owner: {}, writers: [wrote('tool')], seq: 7 })],
  };
  const [operator] = infer(children);
  expect(operator?.controllers[0]?.for.value).toBe('databases.db.example.com');
  expect(operator?.controllers[0]?.owns).toMatchObject({
    value: ['services'],
    basis: { kind: 'inferred', because: [7] },
  });
  expect(operator?.fieldManagers.value).toEqual(['tool']);
});

test('[PROF3] a kind that is only created, with all verbs and no status, belongs to somebody else', () => {
  const grants = [
    grant('db.example.com', 'databases', 'get list watch update'),
    grant('db.example.com', 'databases/status', 'update'),
    grant('backup.example.com', 'backups', all),
  ];
  const [operator] = infer({ grants });
  expect(operator?.controllers.map((controller) => controller.for.value)).toEqual([
    'databases.db.example.com',
  ]);
  expect(operator?.controllers[0]?.owns.value).toEqual(['backups.backup.example.com']);
});

test('[PROF3] a reader of kinds is no operator, nor is a workload with rights on everything', () => {
  expect(
    infer({
      workloads: [deployment('dashboard', 'ui')],
      grants: [grant('db.example.com', '*', 'get list watch')],
    }),
  ).toEqual([]);
  expect(
    infer({
      workloads: [deployment('backup-tool', 'x')],
      grants: [grant('*', '*', '*')],
      resources: resources.slice(0, 4),
    }),
  ).toEqual([]);
});

test('[PROF4] a manager name that many share counts only where the rights fit', () => {
  const heads = [head('db.example.com', 'Database', { writers: [wrote('manager', 'status')] })];
  const stranger = {
    workloads: [deployment('other', 'other')],
    heads,
    grants: [grant('db.example.com', 'databases', 'get list watch')],
  };
  expect(infer(stranger)).toEqual([]);
  const own = { ...stranger, grants: [...stranger.grants, grant('*', 'databases/status', 'update')] };
  expect(kinds(infer(own))).toEqual(['databases.db.example.com']);
});

test('[PROF5] with no rights left, what was written under its own name still tells', () => {
  const heads = [head('db.example.com', 'Database', { writers: [wrote('database-operator', 'status')] })];
  expect(kinds(infer({ heads, grants: [] }))).toEqual(['databases.db.example.com']);
  expect(kinds(infer({ heads }))).toEqual(['databases.db.example.com']);
});

test('[PROF5] an operand named after its operator is no operator', () => {
  const owner = [
    { apiVersion: 'db.example.com/v1', kind: 'Database', name: 'a', uid: 'u', controller: true },
  ];
  const operand = deployment('database-operator-shard', 'none', { ownerReferences: owner });
  const heads = [head('db.example.com', 'Database', { writers: [wrote('database-operator', 'status')] })];
  expect(infer({ workloads: [operand], heads, grants: [] })).toEqual([]);
  const csv = [
    {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      name: 'db.v1',
      uid: 'u',
      controller: true,
    },
  ];
  const [byOlm] = infer({
    workloads: [deployment('database-operator', 'x', { ownerReferences: csv })],
    heads,
    grants: [],
  });
  expect(byOlm?.workload?.why).toBe('The Deployment exists; OLM installed it (db.v1).');
});

test('[PROF4] who writes the status of a kind and its children is its operator, unless another could be meant', () => {
  const grants = [grant('db.example.com', 'databases databases/status databases/finalizers', all)];
  const heads = [
    head('db.example.com', 'Database', {
      writers: [wrote('dbctl', 'status'), wrote('auditor', 'status'), wrote('kubelet', 'status')],
    }),
    head('apps', 'StatefulSet', { owner: {}, writers: [wrote('dbctl'), wrote('kubelet'), wrote('helm')] }),
  ];
  const managers = (fields: Partial<InferInput>) =>
    infer({ grants, heads, ...fields }).map((operator) => operator.fieldManagers.value);
  expect(managers({})).toEqual([['dbctl']]);
  const second = deployment('database-backup', 'database-backup');
  const workloads = [deployment('database-operator', 'database-operator'), second];
  expect(managers({ workloads }).flat()).not.toContain('dbctl');
});

test('[PROF6] a kind that rules name and nothing serves is a kind of its own: the CRD is missing', () => {
  const grants = [
    grant('late.example.com', 'queues', 'get list watch update'),
    grant('late.example.com', 'queues/status', 'update'),
  ];
  const [operator] = infer({ grants });
  expect(operator?.controllers[0]).toMatchObject({
    name: 'queue',
    for: { value: 'queues.late.example.com' },
  });
});

test('[PROF7] the Lease whose holder is a pod of the workload; its writer is a field manager', () => {
  const lease = (name: string, holder: string, manager: string): KubeObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'ops', managedFields: [{ manager, operation: 'Update' }] },
    spec: { holderIdentity: holder },
  });
  const grants = [grant('db.example.com', 'databases/status', 'update')];
  const leases = [
    lease('other', 'database-operator-webhook-7d9c5b6f4-abcde_1', 'webhook'),
    lease('lock', 'database-operator-7d9c5b6f4-abcde_0f2a', 'dbop'),
  ];
  const [operator] = infer({ grants, leases });
  expect(operator?.lease?.value).toBe('ops/lock');
  expect(operator?.fieldManagers.value).toEqual(['dbop']);
  const [local] = infer({ grants, leases: [lease('lock', 'laptop_0f2a', 'manager')] });
  expect(local?.lease).toMatchObject({ value: 'ops/lock', basis: { kind: 'inferred' } });
});

test('[PROF8] with several kinds of its own, only seen children are attributed', () => {
  const grants = [
    grant('db.example.com', 'databases databases/status', 'get list watch update'),
    grant('backup.example.com', 'backups backups/status', 'get list watch update create'),
    grant('', 'services secrets', all),
  ];
  const heads = [head('', 'Secret', { owner: {}, writers: [wrote('database-operator')] })];
  const [operator] = infer({ grants, heads });
  expect(operator?.controllers.map((controller) => [controller.for.value, controller.owns.value])).toEqual([
    ['databases.db.example.com', ['secrets']],
    ['backups.backup.example.com', []],
  ]);
});

test('[PROF9] odd objects are passed over', () => {
  const odd: KubeObject[] = [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: 7 },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'b' },
      spec: { template: { spec: { containers: [null, 'x'] } } },
    },
    { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'c' } },
  ];
  expect(infer({ workloads: odd, crds: odd, leases: odd, grants: [] })).toEqual([]);
});
