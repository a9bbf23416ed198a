import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPrefix } from './build.ts';
import { repositoryRoot } from './paths.ts';
import { type StartedProcess, startProcess } from './processes.ts';

/** Files and ports of one cluster; everything lies below `dir`. */
export interface ClusterLayout {
  readonly dir: string;
  readonly apiServerPort: number;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
}

export interface ClusterFiles {
  readonly etcdData: string;
  readonly certDir: string;
  /** The serving certificate, which is its own CA; valid for 127.0.0.1, not for localhost. */
  readonly caFile: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly auditLog: string;
  readonly logs: string;
  readonly kubeconfigs: string;
}

export function clusterFiles(dir: string): ClusterFiles {
  return {
    etcdData: join(dir, 'etcd'),
    certDir: join(dir, 'certs'),
    caFile: join(dir, 'certs', 'apiserver.crt'),
    tokens: join(dir, 'tokens.csv'),
    serviceAccountKey: join(dir, 'service-account.key'),
    serviceAccountPublicKey: join(dir, 'service-account.pub'),
    auditLog: join(dir, 'audit.jsonl'),
    logs: join(dir, 'logs'),
    kubeconfigs: join(dir, 'kubeconfigs'),
  };
}

/** Creates the folders, the token file and a new key pair for ServiceAccount tokens. */
export function prepareFiles(dir: string, tokens: string): ClusterFiles {
  const files = clusterFiles(dir);
  for (const folder of [dir, files.etcdData, files.certDir, files.logs, files.kubeconfigs]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  writeFileSync(files.tokens, tokens, { mode: 0o600 });
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(files.serviceAccountKey, pair.privateKey, { mode: 0o600 });
  writeFileSync(files.serviceAccountPublicKey, pair.publicKey);
  return files;
}

interface StartPart {
  readonly prefix: CommandPrefix;
  readonly layout: ClusterLayout;
  /** The parts end when the process of this id does. */
  readonly ownerPid: number;
  readonly outlivesUs?: boolean;
}

export function startEtcd(part: StartPart): Promise<StartedProcess> {
  const { layout } = part;
  const client = `http://127.0.0.1:${layout.etcdPort}`;
  const peer = `http://127.0.0.1:${layout.etcdPeerPort}`;
  return start(part, 'etcd', [
    `--data-dir=${clusterFiles(layout.dir).etcdData}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
}

export function startApiServer(part: StartPart): Promise<StartedProcess> {
  const { layout } = part;
  const files = clusterFiles(layout.dir);
  return start(part, 'kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${layout.etcdPort}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${layout.apiServerPort}`,
    `--cert-dir=${files.certDir}`,
    // No address of this machine is published: nothing routes to the Service "kubernetes".
    '--advertise-address=192.0.2.1',
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    '--disable-admission-plugins=ServiceAccount',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--enable-aggregator-routing=true',
    `--audit-policy-file=${join(repositoryRoot, 'e2e', 'testbed', 'auditPolicy.yaml')}`,
    `--audit-log-path=${files.auditLog}`,
  ]);
}

/** The built-in controllers that tests meet; those for nodes, volumes and clouds have nothing to do here. */
const controllers = [
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'daemonset-controller',
  'deployment-controller',
  'disruption-controller',
  'endpointslice-controller',
  'garbage-collector-controller',
  'horizontal-pod-autoscaler-controller',
  'job-controller',
  'namespace-controller',
  'pod-garbage-collector-controller',
  'replicaset-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'statefulset-controller',
] as const;

export function startControllerManager(part: StartPart, kubeconfig: string): Promise<StartedProcess> {
  const files = clusterFiles(part.layout.dir);
  return start(part, 'kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--secure-port=0',
    '--leader-elect=false',
    `--controllers=${controllers.join(',')}`,
    `--root-ca-file=${files.caFile}`,
  ]);
}

function start(part: StartPart, name: string, args: readonly string[]): Promise<StartedProcess> {
  return startProcess({
    name,
    command: part.prefix.command,
    args: [...part.prefix.args, ...args],
    logPath: join(clusterFiles(part.layout.dir).logs, `${name}.log`),
    env: { LOOPSCOPE_TESTBED_PARENT: String(part.ownerPid) },
    ...(part.outlivesUs === undefined ? {} : { outlivesUs: part.outlivesUs }),
  });
}
