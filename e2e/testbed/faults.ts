import type { InstallOptions } from './operator.ts';

export interface Fault {
  readonly summary: string;
  readonly install: InstallOptions;
  readonly flags: readonly string[];
  /** What the profile says of the limiter, when it is not the default one. */
  readonly limiter?: string;
  /** One more file of e2e/operator/config with objects to try it on. */
  readonly samples?: string;
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
    '  maxConcurrentReconciles: 1',
    '',
  ].join('\n');
}
