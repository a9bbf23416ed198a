/**
 * Builds the Go binaries of the test bed into the user's cache, once per content of their sources.
 * `node e2e/testbed/build.ts` builds all of them and prints where they are.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { cacheRoot, repositoryRoot, sourceKey } from './paths.ts';
import { isRunning, onProcessExit, pause } from './processes.ts';

export type BinaryName = 'cluster' | 'database-operator' | 'informer-peer';

/** Why the test bed cannot run here: a sentence for the person who reads that tests were skipped. */
export interface Unavailable {
  readonly reason: string;
}

export type Log = (line: string) => void;

/** How to start each part of the control plane: a command and its leading arguments. */
export interface ControlPlane {
  readonly from: 'binaries' | 'go';
  readonly etcd: CommandPrefix;
  readonly apiServer: CommandPrefix;
  /** Absent where real etcd and kube-apiserver were found without a kube-controller-manager. */
  readonly controllerManager?: CommandPrefix;
}

export interface CommandPrefix {
  readonly command: string;
  readonly args: readonly string[];
}

interface GoProgram {
  readonly folder: string;
  /** Modules of this repository that it is built with, by `replace` in its go.mod. */
  readonly with?: readonly string[];
  readonly ldflags: string;
  readonly coldBuild: string;
}

const kubernetesVersion = { git: 'v1.37.2', major: '1', minor: '37' } as const;
const versionPackage = 'k8s.io/component-base/version';

const programs: Readonly<Record<BinaryName, GoProgram>> = {
  cluster: {
    folder: 'e2e/cluster',
    ldflags: [
      '-s -w',
      `-X ${versionPackage}.gitVersion=${kubernetesVersion.git}`,
      `-X ${versionPackage}.gitMajor=${kubernetesVersion.major}`,
      `-X ${versionPackage}.gitMinor=${kubernetesVersion.minor}`,
    ].join(' '),
    coldBuild: '5 to 7 minutes on two cores',
  },
  'database-operator': {
    folder: 'e2e/operator',
    with: ['probe'],
    ldflags: '-s -w',
    coldBuild: 'about a minute',
  },
  'informer-peer': { folder: 'bench/peers', ldflags: '-s -w', coldBuild: 'about a minute' },
};

/**
 * The path of a built program, building it first when its sources are new. Concurrent callers, also in other
 * processes, wait for one build. Fails with a reason when Go is missing or the build fails.
 */
export async function ensureBinary(name: BinaryName, log: Log): Promise<Result<string, Unavailable>> {
  const program = programs[name];
  const folder = join(repositoryRoot, program.folder);
  const sources = [folder, ...(program.with ?? []).map((other) => join(repositoryRoot, other))];
  const target = join(cacheRoot(), sourceKey(sources, program.ldflags), name);
  if (existsSync(target)) return ok(target);

  const go = goVersion();
  if (!go.ok) return go;
  mkdirSync(dirname(target), { recursive: true });
  const release = await takeLock(`${target}.lock`, () => log(`waiting for another build of ${name}`));
  try {
    if (existsSync(target)) return ok(target);
    log(`building ${name} with ${go.value} (when nothing is cached: ${program.coldBuild})`);
    const started = performance.now();
    const failure = await goBuild(folder, program.ldflags, target, (packages) =>
      log(`building ${name}: ${packages} packages, ${seconds(started)}`),
    );
    if (failure !== undefined) return err({ reason: `go build of ${program.folder} failed:\n${failure}` });
    log(`built ${name} in ${seconds(started)}`);
    return ok(target);
  } finally {
    release();
  }
}

/**
 * Where the control plane comes from: real `etcd` and `kube-apiserver` of KUBEBUILDER_ASSETS or PATH when both
 * are there, else our Go build, else a reason to skip.
 */
export async function ensureControlPlane(log: Log): Promise<Result<ControlPlane, Unavailable>> {
  const etcd = findProgram('etcd');
  const apiServer = findProgram('kube-apiserver');
  if (etcd !== undefined && apiServer !== undefined) {
    const controllerManager = findProgram('kube-controller-manager');
    log(`control plane: ${etcd}, ${apiServer}, ${controllerManager ?? 'no kube-controller-manager'}`);
    return ok({
      from: 'binaries',
      etcd: { command: etcd, args: [] },
      apiServer: { command: apiServer, args: [] },
      ...(controllerManager === undefined
        ? {}
        : { controllerManager: { command: controllerManager, args: [] } }),
    });
  }
  const built = await ensureBinary('cluster', log);
  if (!built.ok) return built;
  const command = built.value;
  return ok({
    from: 'go',
    etcd: { command, args: ['etcd'] },
    apiServer: { command, args: ['apiserver'] },
    controllerManager: { command, args: ['controller-manager'] },
  });
}

function findProgram(name: string): string | undefined {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const folders = [...(assets ? [assets] : []), ...(process.env.PATH ?? '').split(delimiter)];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && statSync(path).isFile());
}

function goVersion(): Result<string, Unavailable> {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    }).trim();
    return ok(version);
  } catch {
    return err({
      reason:
        'neither etcd and kube-apiserver (KUBEBUILDER_ASSETS or PATH) nor Go 1.26 or newer (go.dev/dl) were found',
    });
  }
}

/** Resolves with the end of the output when the build failed, undefined when `target` is there. */
function goBuild(
  folder: string,
  ldflags: string,
  target: string,
  progress: (packages: number) => void,
): Promise<string | undefined> {
  const partial = `${target}.${process.pid}.partial`;
  const child = spawn('go', ['build', '-v', '-trimpath', '-ldflags', ldflags, '-o', partial, '.'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = onProcessExit(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  let packages = 0;
  const ticker = setInterval(() => progress(packages), 10_000);
  const collect = (chunk: string) => {
    for (const line of chunk.split('\n').filter((part) => part !== '')) {
      packages += 1;
      lines.push(line);
      if (lines.length > 40) lines.shift();
    }
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    const finish = (failure: string | undefined) => {
      clearInterval(ticker);
      forget();
      if (failure === undefined) renameSync(partial, target);
      else rmSync(partial, { force: true });
      resolve(failure);
    };
    child.once('error', (cause) => finish(cause.message));
    child.once('close', (code) => finish(code === 0 ? undefined : lines.join('\n')));
  });
}

/** A lock file with the pid of its holder; one left by a process that is gone is taken over. */
async function takeLock(path: string, onWait: () => void): Promise<() => void> {
  for (let tries = 0; ; tries += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    }
    if (tries === 0) onWait();
    await pause(500);
    if (!holderIsAlive(path)) rmSync(path, { force: true });
  }
}

function holderIsAlive(path: string): boolean {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 && isRunning(pid);
  } catch {
    return true; // released in between: the next try takes it
  }
}

function seconds(since: number): string {
  return `${Math.round((performance.now() - since) / 1000)} s`;
}

if (process.argv[1] === import.meta.filename) {
  const log: Log = (line) => console.log(line);
  const controlPlane = await ensureControlPlane(log);
  if (!controlPlane.ok) {
    console.error(controlPlane.error.reason);
    process.exitCode = 1;
  } else {
    console.log(`control plane (${controlPlane.value.from}): ${controlPlane.value.apiServer.command}`);
  }
  for (const name of ['database-operator', 'informer-peer'] as const) {
    const built = await ensureBinary(name, log);
    console.log(built.ok ? `${name}: ${built.value}` : built.error.reason);
    if (!built.ok) process.exitCode = 1;
  }
}
