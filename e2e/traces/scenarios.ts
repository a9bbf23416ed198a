/** What happens in the runs of the test bed that traces are scored on: the script of a user, beside a fault of the operator. */
import type { Fault, FaultName } from '../testbed/faults.ts';
import type { KubeClient } from '../testbed/kubeClient.ts';
import { pause } from '../testbed/processes.ts';

export interface Scenario {
  readonly fault: FaultName;
  /** Flags beside those of the fault. */
  readonly flags?: readonly string[];
  readonly script: (stage: Stage) => Promise<void>;
  /** A lower bar for the share of right writes; why is said in docs/spec/scoring.md. */
  readonly leastWrites?: number;
}

export interface Stage {
  readonly fault: Fault;
  /** As a user with kubectl. */
  readonly user: KubeClient;
  /** Ends the process that leads (or the only one), by force; resolves when it is gone. */
  killFirst(): Promise<void>;
  /** Starts a process of the operator in the place of an ended one. */
  startAgain(): Promise<void>;
}

export const namespace = 'shop';

/** Applies a Database; changes it when it is there. */
export async function database(
  { user }: Stage,
  name: string,
  spec: { readonly engine?: string; readonly version?: string; readonly replicas?: number } = {},
): Promise<void> {
  const { engine = 'postgres', version = '17', replicas = 1 } = spec;
  await user.apply({
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: { namespace, name },
    spec: { engine, version, replicas },
  });
}

async function remove({ user }: Stage, name: string): Promise<void> {
  await user.delete({ apiVersion: 'db.example.com/v1', kind: 'Database', namespace, name });
}

/** Databases appear, are changed, scaled and deleted; two of them in the same moment. */
async function ordinaryLife(stage: Stage): Promise<void> {
  await database(stage, 'orders', { replicas: 2 });
  await pause(1_500);
  await Promise.all([database(stage, 'billing', { engine: 'mysql' }), database(stage, 'reports')]);
  await pause(4_000);
  await database(stage, 'orders', { replicas: 3 });
  await pause(2_500);
  await database(stage, 'billing', { engine: 'mysql', version: '8.4' });
  await pause(1_500);
  await remove(stage, 'reports');
  await pause(2_500);
}

/** Two Databases, and time for what the fault makes of them. */
function watchFor(ms: number): Scenario['script'] {
  return async (stage) => {
    await database(stage, 'orders', { replicas: 2 });
    await pause(700);
    await database(stage, 'billing', { engine: 'mysql' });
    await pause(ms);
  };
}

async function manyAtOnce(stage: Stage): Promise<void> {
  await Promise.all(Array.from({ length: 12 }, (_, index) => database(stage, `tenant-${index}`)));
  await pause(5_000);
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => database(stage, `tenant-${index * 2}`, { replicas: 2 })),
  );
  await pause(4_000);
}

async function leaderChange(stage: Stage): Promise<void> {
  await database(stage, 'orders', { replicas: 2 });
  await pause(4_000);
  await stage.killFirst();
  await database(stage, 'billing', { engine: 'mysql' });
  await pause(9_000);
  await database(stage, 'orders', { replicas: 3 });
  await pause(3_000);
}

async function restart(stage: Stage): Promise<void> {
  await ordinaryLife(stage);
  await stage.killFirst();
  await database(stage, 'archive');
  await stage.startAgain();
  await pause(4_000);
}

export const scenarios = {
  healthy: { fault: 'healthy', script: ordinaryLife },
  restart: { fault: 'healthy', script: restart },
  'missing-status': { fault: 'missing-status', script: watchFor(12_000) },
  failing: { fault: 'failing', script: watchFor(8_000) },
  'hot-loop': { fault: 'hot-loop', script: watchFor(6_000) },
  panic: { fault: 'panic', script: watchFor(6_000) },
  terminal: { fault: 'terminal', script: watchFor(4_000) },
  timeout: { fault: 'timeout', script: watchFor(6_000) },
  requeue: { fault: 'requeue', script: watchFor(6_000) },
  'requeue-after': { fault: 'requeue-after', script: watchFor(8_000) },
  'defaulting-diff': { fault: 'defaulting-diff', script: watchFor(6_000) },
  'stale-write': { fault: 'stale-write', script: watchFor(6_000) },
  'field-fight': { fault: 'field-fight', script: watchFor(8_000) },
  'several-workers': { fault: 'several-workers', script: manyAtOnce },
  'two-controllers': { fault: 'two-controllers', script: ordinaryLife },
  'same-kind': { fault: 'same-kind', script: ordinaryLife, leastWrites: 0.85 },
  'same-kind-own-manager': {
    fault: 'same-kind',
    flags: ['--tier-owner=database-operator-tier'],
    script: ordinaryLife,
    leastWrites: 0.85,
  },
  'leader-change': { fault: 'leader-change', script: leaderChange },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;
