/**
 * Plays a scenario on a real cluster with the real operator, and leaves a folder in the format of a recording: what a person
 * could save by hand (cluster.yaml, watch.jsonl, operator.log at V(5) with milliseconds, metrics, asof.txt), and beside it the truth
 * (audit.jsonl, ground.json), which is never an input of a scored run.
 * `node e2e/traces/recordRun.ts FOLDER [SCENARIO…]` records scenarios below FOLDER; all of them by default.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { auditEvents } from '../integration/auditLog.ts';
import { type Cluster, startCluster } from '../testbed/cluster.ts';
import { type Fault, faults } from '../testbed/faults.ts';
import { startFieldFighter } from '../testbed/fieldFighter.ts';
import { applyManifests, createKubeClient, type KubeJson } from '../testbed/kubeClient.ts';
import {
  installOperator,
  type RunningOperator,
  removeExtraRoles,
  startOperator,
} from '../testbed/operator.ts';
import { operatorManifest } from '../testbed/paths.ts';
import { startPodStandIn } from '../testbed/podStandIn.ts';
import { pause } from '../testbed/processes.ts';
import { operatorServiceAccount } from '../testbed/users.ts';
import { eventually } from '../testbed/wait.ts';
import { clearRun } from './clearRun.ts';
import { groundOf } from './ground.ts';
import { readProbeLog } from './probeLog.ts';
import { countLogged, untilIdle, untilQuiet } from './quiet.ts';
import { namespace, type Scenario, type ScenarioName, type Stage, scenarios } from './scenarios.ts';
import { type WatchAll, watchAll } from './watchAll.ts';

/** Every run: exact truth by the probe, and a log at V(5) with fractions of a second. */
const logFlags = ['--probe', '--log-v=5', '--log-time=rfc3339nano'];
const scrapeEveryMs = 5_000;

/**
 * Records one scenario into `folder`. The cluster is as before afterwards, so that it serves one scenario after the other;
 * no other operator may run on it meanwhile.
 */
export async function recordRun(cluster: Cluster, name: ScenarioName, folder: string): Promise<void> {
  const scenario: Scenario = scenarios[name];
  const fault: Fault = faults[scenario.fault];
  const clientAs = (userAgent: string) =>
    createKubeClient({ url: cluster.url, caFile: cluster.caFile, token: cluster.token('admin'), userAgent });
  const admin = clientAs('kubelet');
  const user = clientAs('kubectl');
  const policy = clientAs('label-policy');
  mkdirSync(folder, { recursive: true });
  // Of every scenario, before the first: the API server's own map of kinds learns of a new one only after a while.
  await applyManifests(admin, [operatorManifest('crd-backups.yaml')]);
  await installOperator(admin, fault.install);
  await user.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const watch = await watchAll(cluster, {
    backups: (fault.flags as readonly string[]).includes('--create-backups'),
    keep: (object) => isOfTheRun(object, fault.install.backups === true),
  });
  const pods = startPodStandIn(admin);
  const from = Date.now();
  const logPath = join(cluster.dir, 'logs', `operator-${name}-${from}.log`);
  const running = await startProcesses(cluster, fault, scenario, logPath);
  const scrapes = startScrapes(() => running.metricsUrl(), folder);
  const fighter = fault.fighter === true ? startFieldFighter(policy) : undefined;
  try {
    const quiet = () => untilQuiet(watch, admin, running.log);
    await quiet();
    await scenario.script({
      fault,
      user,
      killFirst: running.killFirst,
      startAgain: running.startAgain,
      quiet,
      logged: running.logged,
    } satisfies Stage);
    await fighter?.stop();
    if (scenario.restless === true)
      await pause(500); // what was written last comes by the watch
    else await quiet();
    // The last scrape is taken when nothing runs, where there is such a moment.
    await untilIdle(running.log);
    await scrapes.stop();
  } finally {
    await fighter?.stop();
    await scrapes.stop();
    await running.stop();
    await pods.stop();
    watch.stop();
    await clearRun(admin, namespace, operatorServiceAccount.namespace);
    await removeExtraRoles(admin, fault.install);
    for (const client of [admin, user, policy]) client.close();
  }
  writeRun(cluster, name, folder, { watch, from, logPath, scrape: scrapes.last() });
}

/** Objects of the run: those of its namespaces, and what the operator brought. */
function isOfTheRun({ kind, metadata }: KubeJson, backups: boolean): boolean {
  const namespaces = [namespace, operatorServiceAccount.namespace];
  if (metadata?.namespace !== undefined) return namespaces.includes(metadata.namespace);
  const name = metadata?.name ?? '';
  if (kind === 'Namespace') return namespaces.includes(name);
  if (kind === 'CustomResourceDefinition') return backups || !name.startsWith('backups.');
  return name.startsWith('database-operator');
}

async function startProcesses(cluster: Cluster, fault: Fault, scenario: Scenario, logPath: string) {
  const flags = [...fault.flags, ...(scenario.flags ?? []), ...logFlags];
  const operators: RunningOperator[] = [];
  let upFrom = 0;
  const wholeLog = () => readFileSync(logPath, 'utf8');
  const start = async () => {
    operators.push(await startOperator(cluster, { flags, logPath }));
  };
  const logged = (message: string, count: number) =>
    eventually(
      `the operator has logged “${message}” ${count} times`,
      () => countLogged(wholeLog(), message) >= count,
      { timeoutMs: 60_000, intervalMs: 100 },
    ).then(() => undefined);
  await start();
  // The caches are filled then; of several processes the first is the one that leads.
  await logged('Starting workers', 1 + (fault.controllers?.length ?? 0));
  for (let index = 1; index < (fault.processes ?? 1); index += 1) await start();
  return {
    logged,
    /** Since a process was ended by force last: what it was doing has no end. */
    log: () => wholeLog().slice(upFrom),
    metricsUrl: () => operators[0]?.metricsUrl,
    async killFirst() {
      await operators.shift()?.kill();
      upFrom = wholeLog().length;
    },
    startAgain: start,
    async stop() {
      for (const operator of operators) await operator.stop();
    },
  };
}

interface Scrape {
  /** When it was asked for, and when it was there. */
  readonly from: number;
  readonly at: number;
  readonly text: string;
}

/** `metrics-<time>.txt` every five seconds of the process that is (or will be) first; the last one is `metrics.txt`. */
function startScrapes(url: () => string | undefined, folder: string) {
  let last: Scrape | undefined;
  let running = true;
  const scrape = async (name?: string) => {
    const address = url();
    if (address === undefined) return;
    const from = Date.now();
    try {
      const text = await (await fetch(address, { signal: AbortSignal.timeout(2_000) })).text();
      const at = Date.now();
      last = { from, at, text };
      const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
      writeFileSync(join(folder, name ?? `metrics-${stamp}.txt`), text);
    } catch {
      // no scrape exists while the process is down
    }
  };
  const loop = (async () => {
    while (running) {
      const next = Date.now() + scrapeEveryMs;
      await scrape();
      while (running && Date.now() < next) await pause(50);
    }
  })();
  return {
    last: () => last,
    async stop() {
      if (!running) return;
      running = false;
      await loop;
      await scrape('metrics.txt');
    },
  };
}

function writeRun(
  cluster: Cluster,
  name: ScenarioName,
  folder: string,
  run: {
    readonly watch: WatchAll;
    readonly from: number;
    readonly logPath: string;
    readonly scrape: Scrape | undefined;
  },
): void {
  const { watch, from, logPath, scrape } = run;
  const probed = readProbeLog(readFileSync(logPath, 'utf8'));
  const operator = `system:serviceaccount:${operatorServiceAccount.namespace}:${operatorServiceAccount.name}`;
  const audit = auditEvents(cluster).filter(
    ({ user, stageTimestamp }) => user.username === operator && Date.parse(stageTimestamp) >= from,
  );
  const to = Date.now();
  const lines = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('watch.jsonl', lines(watch.events));
  write(
    'cluster.yaml',
    watch
      .objects()
      .map((object) => stringify(object))
      .join('---\n'),
  );
  write('operator.log', probed.plainLines.map((line) => `${line}\n`).join(''));
  write('asof.txt', `${new Date(to).toISOString()}\n`);
  write('audit.jsonl', lines(audit));
  const ground = groundOf({
    run: name,
    operator,
    from,
    to,
    audit,
    probed,
    ...(scrape === undefined ? {} : { scrape }),
  });
  write('ground.json', `${JSON.stringify(ground, undefined, 1)}\n`);
}

function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}

async function main([folder, ...names]: readonly string[]): Promise<number> {
  const wanted = names.length === 0 ? Object.keys(scenarios) : names;
  const wrong = wanted.filter((name) => !isScenario(name));
  if (folder === undefined || wrong.length > 0) {
    console.error(
      `usage: node e2e/traces/recordRun.ts FOLDER [SCENARIO…], of ${Object.keys(scenarios).join(', ')}`,
    );
    return 2;
  }
  const started = await startCluster();
  if (!started.ok) {
    console.error(`the test bed cannot run here: ${started.error.reason}`);
    return 1;
  }
  try {
    for (const name of wanted.filter(isScenario)) {
      await recordRun(started.value, name, join(folder, name));
      console.log(`${name} is recorded`);
    }
  } finally {
    await started.value.stop();
  }
  return 0;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2));
  process.exit();
}
