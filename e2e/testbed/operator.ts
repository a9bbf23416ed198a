import { join } from 'node:path';
import { ensureBinary, type Log } from './build.ts';
import type { Cluster } from './cluster.ts';
import { applyManifests, deleteManifests, type KubeClient } from './kubeClient.ts';
import { operatorManifest } from './paths.ts';
import { endProcess, freePorts, killProcess, logTail, startProcess } from './processes.ts';
import { eventually } from './wait.ts';

export interface InstallOptions {
  /** The ClusterRole: `full`, or without the rule for databases/status. */
  readonly role?: 'full' | 'without-status';
  /** Also the foreign kind Backup and the grant to create it. */
  readonly backups?: boolean;
  /** Also what a controller on Backup needs. */
  readonly backupController?: boolean;
}

/** Applies CRD, namespace, ServiceAccount, RBAC and the Deployment that stands for the local process. */
export async function installOperator(admin: KubeClient, options: InstallOptions = {}): Promise<void> {
  const { role = 'full', backups = false, backupController = false } = options;
  const files = [
    'crd-databases.yaml',
    'namespace.yaml',
    role === 'full' ? 'role.yaml' : 'role-without-status.yaml',
    'role-binding.yaml',
    'deployment.yaml',
    ...(backups || backupController ? ['crd-backups.yaml'] : []),
    ...extraRoles(options),
  ];
  await applyManifests(admin, files.map(operatorManifest));
}

/** Takes back the grants that `installOperator` gave beside those that every operator has. */
export async function removeExtraRoles(admin: KubeClient, options: InstallOptions): Promise<void> {
  await deleteManifests(admin, extraRoles(options).map(operatorManifest));
}

function extraRoles({ backups = false, backupController = false }: InstallOptions): readonly string[] {
  return [
    ...(backups || backupController ? ['role-backups.yaml'] : []),
    ...(backupController ? ['role-backup-controller.yaml'] : []),
  ];
}

export interface StartOperatorOptions {
  /** Flags of the operator, such as `--fail-all` or `--limiter-base=1s`; `--help` of the binary lists them. */
  readonly flags?: readonly string[];
  /** Default: the kubeconfig of its ServiceAccount. */
  readonly kubeconfig?: string;
  /** Default: a new file in the cluster's folder. Appended to. */
  readonly logPath?: string;
  /** Default: a free port. */
  readonly metricsPort?: number;
  readonly log?: Log;
}

export interface RunningOperator {
  readonly pid: number;
  readonly logPath: string;
  readonly metricsPort: number;
  readonly metricsUrl: string;
  /** SIGTERM and wait. */
  stop(): Promise<void>;
  /** SIGKILL and wait: the crash of an operator. */
  kill(): Promise<void>;
}

/** The path of the operator's binary, for tests that start it in their own way. Throws when it cannot be built. */
export async function operatorBinary(log: Log = () => undefined): Promise<string> {
  const built = await ensureBinary('database-operator', log);
  if (!built.ok) throw new Error(built.error.reason);
  return built.value;
}

/** Starts the operator as a local process and waits until it serves metrics. */
export async function startOperator(
  cluster: Cluster,
  options: StartOperatorOptions = {},
): Promise<RunningOperator> {
  const command = await operatorBinary(options.log);
  const metricsPort = options.metricsPort ?? (await freePorts(1))[0];
  if (metricsPort === undefined) throw new Error('no free port');
  const logPath = options.logPath ?? join(cluster.dir, 'logs', `operator-${metricsPort}.log`);
  const operator = await startProcess({
    name: 'database-operator',
    command,
    args: [
      `--kubeconfig=${options.kubeconfig ?? cluster.kubeconfigPath('operator')}`,
      `--metrics-bind-address=127.0.0.1:${metricsPort}`,
      '--exit-with-parent',
      ...(options.flags ?? []),
    ],
    logPath,
  });
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  try {
    await eventually(`the operator serves ${metricsUrl}`, async () => {
      if (operator.hasEnded()) throw new Error(`it has ended; the end of its log:\n${logTail(logPath)}`);
      return (await fetch(metricsUrl, { signal: AbortSignal.timeout(2_000) })).ok;
    });
  } catch (cause) {
    await killProcess(operator.pid);
    throw cause;
  }
  return {
    pid: operator.pid,
    logPath,
    metricsPort,
    metricsUrl,
    stop: () => endProcess(operator.pid),
    kill: () => killProcess(operator.pid),
  };
}
