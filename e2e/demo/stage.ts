/**
 * The stage of one recorded incident: a cluster of its own, the operator as a local process, and the engine that records
 * both into a session file, as it would for a user. Times are counted from the end of the first sync.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeEngine, type NodeEngine } from '../../core/node/createNodeEngine.ts';
import { loadProfileFile } from '../../core/profile/load.ts';
import { type OwnedCluster, startCluster } from '../testbed/cluster.ts';
import { type Fault, profileFor } from '../testbed/faults.ts';
import { applyManifests, createKubeClient, type KubeClient, type KubeJson } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { testbedManifest } from '../testbed/paths.ts';
import { startPodStandIn } from '../testbed/podStandIn.ts';
import { freePorts, pause } from '../testbed/processes.ts';
import { eventually } from '../testbed/wait.ts';

/** What an incident is made of; the four of them are in incidents.ts. */
export interface Incident {
  readonly id: string;
  /** Length of what is played, ms from the end of the first sync. */
  readonly ms: number;
  /** Flags of the operator as it runs when the recording begins. */
  readonly flags: readonly string[];
  /** What loopscope.yaml says during the recording. */
  readonly profile: Fault;
  /** Databases that are Ready before the recording begins. */
  readonly databases: readonly DatabaseSpec[];
  /** What happens; resolves when nothing more is to be done before the end. */
  script(stage: Stage): Promise<void>;
}

export interface DatabaseSpec {
  readonly name: string;
  readonly engine: 'postgres' | 'mysql';
  readonly version: string;
  readonly replicas: number;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Stage {
  /** Resolves `ms` after the first sync; says what happens now. */
  at(ms: number, what: string): Promise<void>;
  /** Clients by who they act as: their name is the field manager of what they write. */
  readonly helm: KubeClient;
  readonly kubectl: KubeClient;
  /** Pods of these names do not start to run; undefined: all do. */
  holdPods(names: RegExp | undefined): Promise<void>;
  /** Ends the operator's process and starts it again with other flags; none: it stays ended. */
  operator(flags: readonly string[] | undefined): Promise<void>;
}

/** After a start: its first reconciles are over. */
const quietMs = 3_000;

/** Where the Databases live. */
export const namespace = 'shop';

export interface Recorded {
  /** The session file as it was recorded; it and its folder are the caller's to delete. */
  readonly file: string;
  readonly folder: string;
  /** Of the API server, such as v1.37.2. */
  readonly kubernetes: string;
  /** Times of the connection, of the first moment that is played and of the end, ms since the epoch. */
  readonly from: number;
  readonly zero: number;
  readonly to: number;
  /** Folder of the operator's log. */
  readonly logs: string;
  /** Address of the API server as records may name it. */
  readonly server: string;
  /** `127.0.0.1:PORT` of the operator's metrics, as its log names it. */
  readonly metrics: string;
}

/** Plays one incident on a new cluster and records it. Throws with a sentence when the test bed cannot run here. */
export async function recordIncident(incident: Incident, say: (line: string) => void): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-demo-'));
  try {
    say('starts a cluster');
    const started = await startCluster({ log: () => undefined });
    if (!started.ok) throw new Error(`the test bed cannot run here: ${started.error.reason}`);
    try {
      return await play(incident, started.value, folder, say);
    } finally {
      await started.value.stop();
    }
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
}

async function play(
  incident: Incident,
  cluster: OwnedCluster,
  folder: string,
  say: (line: string) => void,
): Promise<Recorded> {
  const clientAs = (userAgent: string) =>
    createKubeClient({ url: cluster.url, caFile: cluster.caFile, token: cluster.token('admin'), userAgent });
  const helm = clientAs('helm');
  const kubectl = clientAs('kubectl');
  await applyManifests(kubectl, [testbedManifest('reader.yaml')]);
  await installOperator(helm);
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  let pods = startPodStandIn(kubectl);
  let logPath = join(cluster.dir, 'logs', 'before.log');
  const [metricsPort = 0] = await freePorts(1);
  let operator: RunningOperator | undefined;
  const startWith = async (flags: readonly string[]) => {
    operator = await startOperator(cluster, { flags, logPath, metricsPort });
  };
  await startWith(incident.flags);
  for (const database of incident.databases) await kubectl.apply(databaseObject(database));
  await eventually('the Databases are Ready', () => allReady(kubectl, incident.databases), {
    timeoutMs: 180_000,
  });
  // Conflicts while it made everything belong to no incident: the recording begins with a quiet operator and a new log.
  await operator?.stop();
  logPath = join(cluster.dir, 'logs', 'operator.log');
  await startWith(incident.flags);
  await pause(quietMs);

  const sessions = join(folder, 'sessions');
  const { engine, host, dispose } = recordingEngine(incident, cluster, folder, sessions);
  let recorded: Omit<Recorded, 'file'>;
  try {
    const from = Date.now();
    const connected = await engine.connect({ context: '', namespaces: [namespace, 'dbops-system'] });
    if (!connected.ok) throw new Error(`no connection: ${connected.error.message}`);
    engine.attach({ kind: 'log', label: 'operator.log', start: (sink) => host.feeds.tail(logPath, sink) });
    engine.attach({
      kind: 'metrics',
      label: 'http://127.0.0.1:8080/metrics',
      start: (sink) => host.feeds.scrape(`http://127.0.0.1:${metricsPort}/metrics`, sink),
    });
    // A player begins where the first sync ended (core/engine/player.ts): the script counts from there.
    await connected.value.synced();
    const zero = Date.now();
    const at = async (ms: number, what: string) => {
      await pause(Math.max(0, zero + ms - Date.now()));
      say(`${(ms / 1000).toFixed(0).padStart(3)} s  ${what}`);
    };
    await incident.script({
      at,
      helm,
      kubectl,
      async holdPods(names) {
        await pods.stop();
        pods = startPodStandIn(kubectl, names);
      },
      async operator(flags) {
        await operator?.stop();
        operator = undefined;
        if (flags !== undefined) await startWith(flags);
      },
    });
    await at(incident.ms, 'the end');
    const { version = '' } = engine.connection();
    recorded = {
      folder,
      kubernetes: version,
      from,
      zero,
      to: Date.now(),
      logs: join(cluster.dir, 'logs'),
      server: cluster.url,
      metrics: `127.0.0.1:${metricsPort}`,
    };
  } finally {
    dispose();
    await operator?.stop();
    await pods.stop();
    helm.close();
    kubectl.close();
  }
  const [name] = readdirSync(sessions).filter((entry) => entry.endsWith('.loopscope'));
  if (name === undefined) throw new Error('no session file was recorded');
  return { ...recorded, file: join(sessions, name) };
}

/** An engine as a user starts it, with a home of its own, reading rights and nothing of this machine's names. */
function recordingEngine(
  incident: Incident,
  cluster: OwnedCluster,
  folder: string,
  sessions: string,
): NodeEngine {
  const kubeconfig = join(folder, 'kubeconfig');
  const own = readFileSync(cluster.kubeconfigPath('loopscope-user'), 'utf8');
  writeFileSync(kubeconfig, own.replaceAll('testbed', 'demo'), { mode: 0o600 });
  const node = createNodeEngine({
    kubeconfig,
    env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') },
    sessions,
    onBug(where, error) {
      throw new Error(`a bug while recording: ${where}`, { cause: error });
    },
  });
  const sources = { logPath: './operator.log', metricsUrl: 'http://127.0.0.1:8080/metrics' };
  const profile = loadProfileFile(profileFor(incident.profile, sources), node.host.parseYaml);
  if (!profile.ok) throw new Error(profile.error.message);
  node.engine.setProfileFile(profile.value, 'loopscope.yaml');
  return node;
}

/** As `kubectl apply` would send it. */
export function databaseObject(database: DatabaseSpec): KubeJson {
  const { name, ...spec } = database;
  return { apiVersion: 'db.example.com/v1', kind: 'Database', metadata: { namespace, name }, spec };
}

async function allReady(client: KubeClient, databases: readonly DatabaseSpec[]): Promise<boolean> {
  const found = await client.list('db.example.com/v1', 'Database', namespace);
  const ready = found.filter((one) => (one.status as { phase?: string } | undefined)?.phase === 'Ready');
  return ready.length === databases.length;
}
