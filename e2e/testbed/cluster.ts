/**
 * A real Kubernetes control plane on loopback: etcd, kube-apiserver and kube-controller-manager as separate
 * processes below one folder, with static tokens for a handful of users. One process starts it (and owns it);
 * others attach through `cluster.json` in that folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { type ControlPlane, ensureControlPlane, type Log, type Unavailable } from './build.ts';
import {
  type ClusterLayout,
  clusterFiles,
  prepareFiles,
  startApiServer,
  startControllerManager,
  startEtcd,
} from './controlPlane.ts';
import { createKubeClient, type KubeClient } from './kubeClient.ts';
import {
  endProcess,
  freePorts,
  killProcess,
  logTail,
  onProcessExit,
  type StartedProcess,
} from './processes.ts';
import { createUsers, type TestbedUser, tokenFile, type UserName, writeKubeconfig } from './users.ts';
import { eventually } from './wait.ts';

/** Everything another process needs to attach; plain JSON. */
export interface ClusterInfo {
  readonly format: 1;
  readonly ownerPid: number;
  readonly layout: ClusterLayout;
  readonly controlPlane: ControlPlane;
  readonly url: string;
  readonly caFile: string;
  readonly auditLogPath: string;
  readonly users: Readonly<Record<UserName, TestbedUser>>;
  readonly startMs: number;
}

export interface Cluster {
  readonly info: ClusterInfo;
  readonly dir: string;
  readonly url: string;
  /** PEM of the API server's serving certificate, which is its own CA. */
  readonly caFile: string;
  readonly auditLogPath: string;
  readonly hasControllerManager: boolean;
  kubeconfigPath(user: UserName): string;
  token(user: UserName): string;
  /** A new REST client; close it when done. */
  client(user: UserName): KubeClient;
  apiServerPid(): number;
  /** SIGKILL; etcd and its data stay. Resolves when the process is gone. */
  killApiServer(): Promise<void>;
  /** Starts the API server again on the same port, data, certificate and tokens, and waits until it is ready. */
  startApiServer(): Promise<void>;
  /** Resolves when /readyz answers 200. */
  waitReady(timeoutMs?: number): Promise<void>;
}

export interface OwnedCluster extends Cluster {
  /** Ends every process and removes the data folder unless it was given. */
  stop(): Promise<void>;
}

export interface StartClusterOptions {
  /** Where data, logs and kubeconfigs go; default a new folder below the system's temporary one. */
  readonly dir?: string;
  readonly log?: Log;
}

const infoFile = 'cluster.json';
const apiServerPidFile = 'kube-apiserver.pid';

/** Builds what is missing and starts a cluster; an error says why the test bed cannot run on this machine. */
export async function startCluster(
  options: StartClusterOptions = {},
): Promise<Result<OwnedCluster, Unavailable>> {
  const log = options.log ?? (() => undefined);
  const controlPlane = await ensureControlPlane(log);
  if (!controlPlane.ok) return err(controlPlane.error);
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'loopscope-testbed-'));
  return ok(await bringUp(controlPlane.value, dir, options.dir === undefined, log));
}

async function bringUp(
  controlPlane: ControlPlane,
  dir: string,
  removeDir: boolean,
  log: Log,
): Promise<OwnedCluster> {
  const started = performance.now();
  const users = createUsers(() => randomBytes(24).toString('base64url'));
  const files = prepareFiles(dir, tokenFile(users));
  rmSync(join(dir, apiServerPidFile), { force: true }); // of an earlier cluster in a folder that was given
  const [apiServerPort, etcdPort, etcdPeerPort] = await threePorts();
  const layout: ClusterLayout = { dir, apiServerPort, etcdPort, etcdPeerPort };
  const ownerPid = process.pid;
  let etcd: StartedProcess | undefined;
  let controllerManager: StartedProcess | undefined;
  const url = `https://127.0.0.1:${apiServerPort}`;

  const forgetHook = onProcessExit(() => {
    killApiServerNow(dir);
    if (removeDir) rmSync(dir, { recursive: true, force: true });
  });
  const stop = async () => {
    // The API server would wait for open watches after SIGTERM, and etcd for the API server.
    if (controllerManager !== undefined) await endProcess(controllerManager.pid);
    await killRecordedApiServer(dir);
    if (etcd !== undefined) await endProcess(etcd.pid);
    forgetHook();
    if (removeDir) rmSync(dir, { recursive: true, force: true });
  };

  try {
    const store = await startEtcd({ prefix: controlPlane.etcd, layout, ownerPid });
    etcd = store;
    const apiServer = await startApiServer({ prefix: controlPlane.apiServer, layout, ownerPid });
    writeApiServerPid(dir, apiServer.pid);
    await eventually('the serving certificate is written', () => {
      assertRunning(store);
      assertRunning(apiServer);
      return existsSync(files.caFile);
    });
    const caPem = readFileSync(files.caFile, 'utf8');
    for (const [name, { token }] of Object.entries(users)) {
      writeKubeconfig(join(files.kubeconfigs, `${name}.yaml`), { url, caPem, name, token });
    }
    await waitForReady(url, files.caFile, users.admin.token, [store, apiServer]);
    const startMs = Math.round(performance.now() - started);
    if (controlPlane.controllerManager !== undefined) {
      controllerManager = await startControllerManager(
        { prefix: controlPlane.controllerManager, layout, ownerPid },
        join(files.kubeconfigs, 'controller-manager.yaml'),
      );
    }
    log(`API server ready at ${url} after ${(startMs / 1000).toFixed(1)} s`);
    const info: ClusterInfo = {
      format: 1,
      ownerPid,
      layout,
      controlPlane,
      url,
      caFile: files.caFile,
      auditLogPath: files.auditLog,
      users,
      startMs,
    };
    writeFileSync(join(dir, infoFile), JSON.stringify(info, undefined, 2), { mode: 0o600 });
    return { ...attachCluster(info), stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** The info that `startCluster` left in `dir`, for `attachCluster`. */
export function readClusterInfo(dir: string): ClusterInfo {
  const info = JSON.parse(readFileSync(join(dir, infoFile), 'utf8')) as ClusterInfo;
  if (info.format !== 1) throw new Error(`${infoFile} has format ${String(info.format)}; 1 is known`);
  return info;
}

/** A handle to a cluster that another process owns: everything but `stop`. */
export function attachCluster(info: ClusterInfo): Cluster {
  const { dir } = info.layout;
  const files = clusterFiles(dir);
  const token = (user: UserName) => info.users[user].token;
  const waitReady = (timeoutMs?: number) =>
    waitForReady(info.url, info.caFile, token('admin'), [], timeoutMs);
  return {
    info,
    dir,
    url: info.url,
    caFile: info.caFile,
    auditLogPath: info.auditLogPath,
    hasControllerManager: info.controlPlane.controllerManager !== undefined,
    kubeconfigPath: (user) => join(files.kubeconfigs, `${user}.yaml`),
    token,
    client: (user) => createKubeClient({ url: info.url, caFile: info.caFile, token: token(user) }),
    apiServerPid() {
      const pid = readApiServerPid(dir);
      if (pid === undefined) throw new Error('the API server is not running');
      return pid;
    },
    killApiServer: () => killRecordedApiServer(dir),
    async startApiServer() {
      const apiServer = await startApiServer({
        prefix: info.controlPlane.apiServer,
        layout: info.layout,
        ownerPid: info.ownerPid,
        outlivesUs: process.pid !== info.ownerPid,
      });
      writeApiServerPid(dir, apiServer.pid);
      await waitForReady(info.url, info.caFile, token('admin'), [apiServer]);
    },
    waitReady,
  };
}

async function waitForReady(
  url: string,
  caFile: string,
  token: string,
  parts: readonly StartedProcess[],
  timeoutMs = 60_000,
): Promise<void> {
  const client = createKubeClient({ url, caFile, token });
  try {
    await eventually(
      `${url}/readyz answers 200`,
      async () => {
        for (const part of parts) assertRunning(part);
        const answer = await client.request('GET', '/readyz', { accept: '*/*', timeoutMs: 5_000 });
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`);
        return true;
      },
      { timeoutMs },
    );
  } finally {
    client.close();
  }
}

/** Thrown through `eventually`, which reports it when its time is over; the log says why the part ended. */
function assertRunning(part: StartedProcess): void {
  if (part.hasEnded())
    throw new Error(`${part.name} has ended; the end of its log:\n${logTail(part.logPath)}`);
}

async function threePorts(): Promise<[number, number, number]> {
  const [first, second, third] = await freePorts(3);
  if (first === undefined || second === undefined || third === undefined) throw new Error('no free ports');
  return [first, second, third];
}

// The API server's pid lies in a file because an attached process may be the one that started it last.
function writeApiServerPid(dir: string, pid: number): void {
  const path = join(dir, apiServerPidFile);
  writeFileSync(`${path}.new`, String(pid));
  renameSync(`${path}.new`, path);
}

function readApiServerPid(dir: string): number | undefined {
  const path = join(dir, apiServerPidFile);
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
}

/** The pid is forgotten with the process, so that it is never signalled after somebody else got it. */
async function killRecordedApiServer(dir: string): Promise<void> {
  const pid = readApiServerPid(dir);
  if (pid === undefined) return;
  await killProcess(pid);
  rmSync(join(dir, apiServerPidFile), { force: true });
}

function killApiServerNow(dir: string): void {
  const pid = readApiServerPid(dir);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}
