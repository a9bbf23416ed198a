/**
 * The four incidents of assets/demo, as scripts for a real cluster and a real operator. Their ids are those of
 * renderer/tour/demos.ts; what each tour says happens here.
 */
import { type Fault, faults } from '../testbed/faults.ts';
import { applyManifests } from '../testbed/kubeClient.ts';
import { operatorManifest } from '../testbed/paths.ts';
import { type DatabaseSpec, databaseObject, type Incident, namespace } from './stage.ts';

const orders: DatabaseSpec = { name: 'orders-db', engine: 'postgres', version: '17', replicas: 3 };
const carts: DatabaseSpec = { name: 'carts-db', engine: 'postgres', version: '17', replicas: 1 };
const billing: DatabaseSpec = { name: 'billing-db', engine: 'mysql', version: '8.4', replicas: 1 };
const reports: DatabaseSpec = { name: 'reports-db', engine: 'postgres', version: '17', replicas: 1 };

const healthy: Fault = faults.healthy;
/** Starts and successes stand in an operator's log at this level only. */
const verbose = '--log-v=5';

const operatorDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'database-operator',
  namespace: 'dbops-system',
} as const;

/**
 * orders-db grows; while its new pods are on their way, an upgrade of the chart takes the right to write
 * databases/status away. The pods come, and Ready stays False: nobody may say otherwise.
 */
const statusForbidden: Incident = {
  id: 'status-forbidden',
  ms: 175_000,
  flags: [],
  profile: healthy,
  databases: [orders, carts, billing],
  async script({ at, helm, kubectl, holdPods }) {
    await at(12_000, 'orders-db gets two more replicas; their pods take a while');
    await holdPods(/^orders-db-[34]$/);
    await kubectl.apply(databaseObject({ ...orders, replicas: 5 }));
    await at(20_000, 'helm takes databases/status from the ClusterRole');
    await applyManifests(helm, [operatorManifest('role-without-status.yaml')]);
    await at(30_000, 'the pods run; the operator wants to say Ready');
    await holdPods(undefined);
    await at(100_000, 'carts-db gets a new version');
    await kubectl.apply(databaseObject({ ...carts, version: '18' }));
  },
};

/** Version 1.1.0 of the operator writes the time into the status, without a predicate: each write wakes it again. */
const hotLoop: Incident = {
  id: 'hot-loop',
  ms: 120_000,
  flags: [verbose],
  profile: faults['hot-loop'],
  databases: [orders, carts],
  async script({ at, helm, operator }) {
    await at(15_000, 'helm upgrades the operator to 1.1.0');
    const containers = [{ name: 'manager', image: 'registry.example.com/database-operator:1.1.0' }];
    await helm.json(
      'PATCH',
      '/apis/apps/v1/namespaces/dbops-system/deployments/database-operator?fieldManager=helm',
      {
        body: { spec: { template: { spec: { containers } } } },
        contentType: 'application/strategic-merge-patch+json',
      },
    );
    await operator([verbose, '--hot-loop', '--reconcile-delay=400ms']);
  },
};

/** A Database with the operator's finalizer is deleted while no operator runs. */
const finalizerOrphaned: Incident = {
  id: 'finalizer-orphaned',
  ms: 110_000,
  flags: [verbose],
  profile: healthy,
  databases: [orders, carts, reports],
  async script({ at, kubectl, operator }) {
    await at(12_000, 'the operator is scaled to 0');
    await kubectl.patch(operatorDeployment, { spec: { replicas: 0 } });
    await operator(undefined);
    await at(30_000, 'reports-db is deleted');
    await kubectl.delete({
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      name: reports.name,
      namespace,
    });
  },
};

/** A Database waits for a Secret; retries grow to the cap of 60 s; the Secret comes and wakes nobody. */
const parkedRetry: Incident = {
  id: 'parked-retry',
  ms: 150_000,
  flags: [...faults['parked-retry'].flags, verbose],
  profile: faults['parked-retry'],
  databases: [orders, carts],
  async script({ at, kubectl }) {
    await at(10_000, 'reports-db is made; its Secret is not there');
    await kubectl.apply(databaseObject({ ...reports, parameters: { adminSecret: 'reports-admin' } }));
    await at(85_000, 'the Secret is made');
    await kubectl.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'reports-admin' },
      stringData: { password: 'of-the-demo' },
    });
  },
};

export const incidents: readonly Incident[] = [statusForbidden, hotLoop, finalizerOrphaned, parkedRetry];
