/** Inference against recorded runs of real operators. They lie beside the checkout where they are handed out; elsewhere skipped. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { groupOf } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { createEvidenceFold } from '../profile/evidence.ts';
import { inferOperators } from '../profile/infer.ts';
import { sharpen } from '../profile/sharpen.ts';
import { createAuthorizer } from '../rbac/authorizer.ts';
import { readPolicy } from '../rbac/policy.ts';
import { parseLogLine } from '../source/log/logEntry.ts';
import { operatorMetrics } from '../source/metrics/controllerMetrics.ts';

const root =
  process.env.LOOPSCOPE_RECORDINGS ?? fileURLToPath(new URL('../../../shared/recordings', import.meta.url));

/** Kinds of the recordings whose plural is not kind + s. */
const plurals: Readonly<Record<string, string>> = { Ingress: 'ingresses', EndpointSlice: 'endpointslices' };

function discover(objects: readonly KubeObject[]): ApiResource[] {
  const found = new Map<string, ApiResource>();
  const add = (group: string, version: string, kind: string, resource: string) =>
    found.set(`${group}/${kind}`, {
      group,
      version,
      kind,
      resource,
      namespaced: true,
      verbs: [],
      subresources: [],
    });
  for (const object of objects) {
    const version = object.apiVersion.split('/').at(-1) ?? '';
    add(
      groupOf(object.apiVersion),
      version,
      object.kind,
      plurals[object.kind] ?? `${object.kind.toLowerCase()}s`,
    );
  }
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const spec = object.spec as {
      group: string;
      names: { kind: string; plural: string };
      versions: { name: string }[];
    };
    add(spec.group, spec.versions.at(-1)?.name ?? '', spec.names.kind, spec.names.plural);
  }
  return [...found.values()];
}

interface Recording {
  readonly operators: readonly OperatorProfile[];
  /** The first operator, made exact by its log and scrapes. */
  readonly sharpened: OperatorProfile | undefined;
}

function read(run: string): Recording {
  const folder = `${root}/${run}`;
  const objects = parseAllDocuments(readFileSync(`${folder}/cluster.yaml`, 'utf8')).map(
    (document) => document.toJS() as KubeObject,
  );
  const resources = discover(objects);
  const authorizer = createAuthorizer(readPolicy(objects));
  const ofKind = (...kinds: readonly string[]) => objects.filter((object) => kinds.includes(object.kind));
  const operators = inferOperators({
    workloads: ofKind('Deployment', 'StatefulSet', 'DaemonSet'),
    crds: ofKind('CustomResourceDefinition'),
    leases: ofKind('Lease'),
    heads: objects.map((object) => ({
      group: groupOf(object.apiVersion),
      kind: object.kind,
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name,
      meta: object.metadata,
      writers: object.metadata.managedFields ?? [],
    })),
    resources,
    grantsOf: (identity) => authorizer.grants(identity),
  });
  const fold = createEvidenceFold();
  for (const line of readFileSync(`${folder}/operator.log`, 'utf8').split('\n'))
    fold.addLog(parseLogLine(line));
  for (const file of readdirSync(folder)) {
    if (/^metrics-.*\.txt$/.test(file))
      fold.addMetrics(operatorMetrics(readFileSync(`${folder}/${file}`, 'utf8')));
  }
  const [first] = operators;
  return { operators, sharpened: first && sharpen(first, fold.controllers(), resources) };
}

const certmanagerKinds = [
  'certificaterequests.cert-manager.io',
  'certificates.cert-manager.io',
  'challenges.acme.cert-manager.io',
  'clusterissuers.cert-manager.io',
  'issuers.cert-manager.io',
  'orders.acme.cert-manager.io',
];
const jobset = { user: 'jobset-system:jobset-controller-manager', kinds: ['jobsets.jobset.x-k8s.io'] };
const rabbitmq = {
  user: 'rabbitmq-system:rabbitmq-cluster-operator',
  kinds: ['rabbitmqclusters.rabbitmq.com'],
};
const certmanager = { user: 'cert-manager:cert-manager', kinds: certmanagerKinds };

const runs = [
  { run: 'R01-jobset-status-forbidden', ...jobset, managers: ['jobset'] },
  { run: 'R03-jobset-healthy', ...jobset, managers: ['jobset'] },
  { run: 'R05-rabbitmq-deleted-after-operator', ...rabbitmq, managers: ['rabbitmq'] },
  { run: 'R07-rabbitmq-service-type-fight', ...rabbitmq, managers: ['rabbitmq'] },
  { run: 'R11-certmanager-lease-forbidden', ...certmanager, managers: ['manager'] },
  { run: 'R13-certmanager-finalizers-forbidden', ...certmanager, managers: undefined },
  { run: 'R15-jobset-crd-not-installed', ...jobset, managers: ['jobset'] },
  { run: 'R17-rabbitmq-events-forbidden', ...rabbitmq, managers: ['rabbitmq'] },
];

describe.skipIf(!existsSync(root))('recorded operators (skipped where the recordings are not)', () => {
  test.each(runs)(
    '[PROF15] $run: one operator, its ServiceAccount, its kinds',
    ({ run, user, kinds, managers }) => {
      const { operators } = read(run);
      expect(operators.map((operator) => operator.identity.value.user)).toEqual([
        `system:serviceaccount:${user}`,
      ]);
      const [operator] = operators;
      expect(operator?.controllers.map((controller) => controller.for.value).sort()).toEqual(kinds);
      if (managers !== undefined) expect(operator?.fieldManagers.value).toEqual(managers);
    },
  );

  test('[PROF15] the log of the JobSet controller makes its sources exact', () => {
    const controllers = read('R01-jobset-status-forbidden').sharpened?.controllers ?? [];
    expect(
      controllers.map(({ name, owns, queue }) => [
        name,
        owns.value,
        owns.basis.kind,
        queue.value,
        queue.basis.kind,
      ]),
    ).toEqual([
      ['jobset', ['jobs.batch', 'services'], 'reported', 'priority', 'reported'],
      ['pod', [], 'reported', 'priority', 'reported'],
    ]);
  });

  test('[PROF15] so does the one of the RabbitMQ operator', () => {
    const [controller] = read('R05-rabbitmq-deleted-after-operator').sharpened?.controllers ?? [];
    expect(controller?.owns.value).toEqual([
      'configmaps',
      'rolebindings.rbac.authorization.k8s.io',
      'roles.rbac.authorization.k8s.io',
      'secrets',
      'serviceaccounts',
      'services',
      'statefulsets.apps',
    ]);
    expect(controller).toMatchObject({ watches: { value: [] }, maxConcurrentReconciles: { value: 1 } });
  });

  test('[PROF15] cert-manager: its controllers by their own names, with the classic queue', () => {
    const controllers = read('R13-certmanager-finalizers-forbidden').sharpened?.controllers ?? [];
    const keyManager = controllers.find((controller) => controller.name === 'certificates-key-manager');
    expect(keyManager).toMatchObject({
      for: { value: 'certificates.cert-manager.io' },
      queue: { value: 'classic', basis: { kind: 'reported', from: 'log' } },
    });
    expect(controllers.some((controller) => controller.name === 'certificate')).toBe(false);
  });
});
