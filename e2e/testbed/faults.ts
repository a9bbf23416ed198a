import type { InstallOptions } from './operator.ts';

export interface Fault {
  readonly summary: string;
  readonly install: InstallOptions;
  readonly flags: readonly string[];
  /** What the profile says of the limiter, when it is not the default one. */
  readonly limiter?: string;
  /** One more file of e2e/operator/config with objects to try it on. */
  readonly samples?: string;
  /** Controllers beside `database`, as a profile names them. */
  readonly controllers?: readonly string[];
  /** Processes of the operator; default 1. */
  readonly processes?: number;
  /** Somebody else writes what the operator owns, again and again (fieldFighter.ts). */
  readonly fighter?: boolean;
}

export const faults = {
  healthy: { summary: 'nothing is wrong', install: {}, flags: [] },
  'missing-status': {
    summary: 'the ClusterRole lacks databases/status: every status update is refused',
    install: { role: 'without-status' },
    flags: [],
  },
  failing: { summary: 'every reconcile fails; default limiter', install: {}, flags: ['--fail-all'] },
  'custom-limiter': {
    summary: 'every reconcile fails; own limiter of 1 s, ×3, at most 20 s',
    install: {},
    flags: ['--fail-all', '--limiter-base=1s', '--limiter-factor=3', '--limiter-max=20s'],
    limiter: '{ type: exp, base: 1s, factor: 3, max: 20s }',
  },
  'hot-loop': {
    summary: 'every status write carries a new timestamp and wakes the next reconcile',
    install: {},
    flags: ['--hot-loop', '--reconcile-delay=100ms'],
  },
  'parked-retry': {
    summary: 'a Database waits for a Secret that nobody made; own limiter of 1 s, ×2, at most 60 s',
    install: {},
    flags: ['--limiter-base=1s', '--limiter-factor=2', '--limiter-max=60s'],
    limiter: '{ type: exp, base: 1s, factor: 2, max: 60s }',
    samples: 'samples-secret.yaml',
  },
  panic: {
    summary: 'the reconciles of billing panic and are recovered',
    install: {},
    flags: ['--panic-names=^billing$'],
  },
  terminal: {
    summary: 'the reconciles of billing fail with an error that is not retried',
    install: {},
    flags: ['--terminal-names=^billing$'],
  },
  timeout: {
    summary: 'every reconcile runs into its time limit of 200 ms',
    install: {},
    flags: ['--reconcile-timeout=200ms', '--reconcile-delay=5s'],
  },
  requeue: {
    summary: 'billing asks to be requeued until it is Ready; own limiter of 200 ms, ×2, at most 2 s',
    install: {},
    flags: ['--requeue-names=^billing$', '--limiter-base=200ms', '--limiter-factor=2', '--limiter-max=2s'],
    limiter: '{ type: exp, base: 200ms, factor: 2, max: 2s }',
  },
  'requeue-after': {
    summary: 'healthy, and looks at every Database again after two seconds',
    install: {},
    flags: ['--resync-after=2s'],
  },
  'defaulting-diff': {
    summary: 'the Service is written on every reconcile, without the fields that the API server fills in',
    install: {},
    flags: ['--defaulting-diff', '--resync-after=1s'],
  },
  'stale-write': {
    summary:
      'the Database is written twice in a pass, the second time from a stale cache: a conflict each time',
    install: {},
    flags: ['--stale-write'],
  },
  'field-fight': {
    summary: 'somebody else labels the Services differently, and the operator writes its own labels again',
    install: {},
    flags: [],
    fighter: true,
  },
  'several-workers': {
    summary: 'healthy, with four workers and reconciles of 100 ms',
    install: {},
    flags: ['--max-concurrent=4', '--reconcile-delay=100ms'],
  },
  'two-controllers': {
    summary: 'healthy, with a second controller on another kind in the same process',
    install: { backups: true, backupController: true },
    flags: ['--create-backups', '--backup-controller'],
    controllers: ['- { name: backup, for: backups.backup.example.com, owns: [configmaps], queue: priority }'],
  },
  'same-kind': {
    summary: 'healthy, with a second controller on the same kind, which keeps a label',
    install: {},
    flags: ['--tier-controller'],
    controllers: ['- { name: tier, for: databases.db.example.com, queue: priority }'],
  },
  'leader-change': {
    summary: 'two processes; the one that leads may be ended, and the other takes over within 5 s',
    install: {},
    flags: ['--leader-elect', '--lease-duration=5s', '--resync-after=2s'],
    processes: 2,
  },
  'foreign-kind': {
    summary: 'healthy, and creates Backup, a kind of another operator, without a grant on its status',
    install: { backups: true },
    flags: ['--create-backups'],
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** A `loopscope.yaml` that says of the running operator what the cluster cannot tell. */
export function profileFor(
  fault: Fault,
  operator: { readonly logPath: string; readonly metricsUrl: string },
): string {
  return [
    'format: 1',
    'operator: { namespace: dbops-system, workload: Deployment/database-operator, serviceAccount: database-operator, fieldManagers: [database-operator] }',
    `sources: { log: ${JSON.stringify(operator.logPath)}, metrics: ${operator.metricsUrl} }`,
    'controllers:',
    '- name: database',
    '  for: databases.db.example.com',
    `  owns: [statefulsets.apps, services, secrets${fault.install.backups ? ', backups.backup.example.com' : ''}]`,
    `  predicates: [${fault.flags.includes('--hot-loop') ? '' : 'generationChanged'}]`,
    '  queue: priority',
    ...(fault.limiter === undefined ? [] : [`  limiter: ${fault.limiter}`]),
    `  maxConcurrentReconciles: ${workersOf(fault)}`,
    ...(fault.controllers ?? []),
    '',
  ].join('\n');
}

function workersOf(fault: Fault): number {
  const flag = fault.flags.find((one) => one.startsWith('--max-concurrent='));
  return flag === undefined ? 1 : Number(flag.slice(flag.indexOf('=') + 1));
}
