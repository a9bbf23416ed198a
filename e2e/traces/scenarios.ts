/**
 * What happens in the runs of the test bed that traces are scored on: the script of a user, beside a fault of the operator.
 * Scripts wait for what they want to see, not for a time: a run shows the same on a slow machine, later.
 */
import type { Fault, FaultName } from '../testbed/faults.ts';
import type { KubeClient } from '../testbed/kubeClient.ts';
import { pause } from '../testbed/processes.ts';

export interface Scenario {
  readonly fault: FaultName;
  /** Flags beside those of the fault. */
  readonly flags?: readonly string[];
  readonly script: (stage: Stage) => Promise<void>;
  /** The operator never rests: its run ends in the middle of something. */
  readonly restless?: true;
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
  /** Resolves when every pod of the run is ready, what was deleted is gone, and nothing has changed for a moment. */
  quiet(): Promise<void>;
  /** Resolves when the operator has logged `count` lines with this message, of all its processes since the start. */
  logged(message: string, count: number): Promise<void>;
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
  await stage.quiet();
  await Promise.all([database(stage, 'billing', { engine: 'mysql' }), database(stage, 'reports')]);
  await stage.quiet();
  await database(stage, 'orders', { replicas: 3 });
  await stage.quiet();
  await database(stage, 'billing', { engine: 'mysql', version: '8.4' });
  await stage.quiet();
  await remove(stage, 'reports');
  await stage.quiet();
}

async function twoDatabases(stage: Stage): Promise<void> {
  await database(stage, 'orders', { replicas: 2 });
  await pause(700);
  await database(stage, 'billing', { engine: 'mysql' });
}

/** Two Databases that the fault lets come to rest. */
async function untilQuiet(stage: Stage): Promise<void> {
  await twoDatabases(stage);
  await stage.quiet();
}

/** Two Databases, until the operator has logged a message that often. */
function untilLogged(message: string, count: number): Scenario['script'] {
  return async (stage) => {
    await twoDatabases(stage);
    await stage.logged(message, count);
  };
}

/** Two Databases that rest, and time for what the operator does by the clock. */
function untilQuietAnd(ms: number): Scenario['script'] {
  return async (stage) => {
    await untilQuiet(stage);
    await pause(ms);
  };
}

async function manyAtOnce(stage: Stage): Promise<void> {
  await Promise.all(Array.from({ length: 12 }, (_, index) => database(stage, `tenant-${index}`)));
  await stage.quiet();
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => database(stage, `tenant-${index * 2}`, { replicas: 2 })),
  );
  await stage.quiet();
}

async function leaderChange(stage: Stage): Promise<void> {
  await database(stage, 'orders', { replicas: 2 });
  await stage.quiet();
  await stage.killFirst();
  await database(stage, 'billing', { engine: 'mysql' });
  await stage.logged('Starting workers', 2);
  await stage.quiet();
  await database(stage, 'orders', { replicas: 3 });
  await stage.quiet();
}

async function restart(stage: Stage): Promise<void> {
  await ordinaryLife(stage);
  await stage.killFirst();
  await database(stage, 'archive');
  await stage.startAgain();
  await stage.quiet();
}

const failure = 'Reconciler error';

export const scenarios = {
  healthy: { fault: 'healthy', script: ordinaryLife },
  restart: { fault: 'healthy', script: restart },
  'missing-status': { fault: 'missing-status', script: untilLogged(failure, 20) },
  failing: { fault: 'failing', script: untilLogged(failure, 20) },
  'hot-loop': { fault: 'hot-loop', script: untilLogged('Reconcile successful', 40), restless: true },
  panic: { fault: 'panic', script: untilLogged(failure, 9) },
  terminal: { fault: 'terminal', script: untilQuiet },
  timeout: { fault: 'timeout', script: untilLogged(failure, 14) },
  requeue: { fault: 'requeue', script: untilQuiet },
  'requeue-after': { fault: 'requeue-after', script: untilQuietAnd(4_500) },
  'defaulting-diff': { fault: 'defaulting-diff', script: untilQuietAnd(2_500) },
  'stale-write': { fault: 'stale-write', script: untilQuiet },
  'field-fight': { fault: 'field-fight', script: untilLogged('Child changed', 14) },
  'several-workers': { fault: 'several-workers', script: manyAtOnce },
  'two-controllers': { fault: 'two-controllers', script: ordinaryLife },
  'same-kind': {
    fault: 'same-kind',
    flags: ['--reconcile-delay=60ms'],
    script: ordinaryLife,
    leastWrites: 0.9,
  },
  'same-kind-own-manager': {
    fault: 'same-kind',
    flags: ['--reconcile-delay=60ms', '--tier-owner=database-operator-tier'],
    script: ordinaryLife,
    leastWrites: 0.9,
  },
  'leader-change': { fault: 'leader-change', script: leaderChange },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;
