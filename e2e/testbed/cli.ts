/**
 * `npm run testbed`: a real cluster and a real operator to try Loopscope on. Runs until Ctrl-C.
 * `npm run testbed -- apply DIR FILE…` applies manifests, or a role's patch as Loopscope writes it, to a
 * running one, for machines without kubectl.
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { applyFile } from './applyFile.ts';
import { attachCluster, type Cluster, type OwnedCluster, readClusterInfo, startCluster } from './cluster.ts';
import { type Fault, faults, isFaultName, profileFor } from './faults.ts';
import { startFieldFighter } from './fieldFighter.ts';
import { applyManifests } from './kubeClient.ts';
import { placeOperatorPods } from './kubeletPods.ts';
import { startKubelet } from './kubeletStub.ts';
import { installOperator, operatorBinary, type RunningOperator, startOperator } from './operator.ts';
import { operatorManifest, repositoryRoot, testbedManifest } from './paths.ts';
import { startPodStandIn } from './podStandIn.ts';

const options = {
  fault: { type: 'string', default: 'healthy' },
  dir: { type: 'string' },
  'operator-flag': { type: 'string', multiple: true, default: [] },
  'no-operator': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsConfig['options'];

function usage(): string {
  return [
    'npm run testbed [-- options]       start cluster and operator; Ctrl-C ends both',
    'npm run testbed -- apply DIR FILE  apply manifests, or the patch Loopscope gave, to the test bed running in DIR',
    '',
    '  --fault NAME          what is wrong with the operator (default: healthy)',
    ...Object.entries(faults).map(([name, { summary }]) => `      ${name.padEnd(16)}  ${summary}`),
    '  --operator-flag FLAG  one more flag of the operator, such as --operator-flag=--log-v=5; repeatable',
    '  --no-operator         the cluster alone',
    '  --dir DIR             keep data, logs and kubeconfigs in DIR (default: a temporary folder, removed at the end)',
    '',
  ].join('\n');
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'apply') return applyTo(argv[1], argv.slice(2));
  let values: ReturnType<typeof parse>;
  try {
    values = parse(argv);
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage()}`);
    return 2;
  }
  if (values.help) {
    console.log(usage());
    return 0;
  }
  if (!isFaultName(values.fault)) {
    console.error(`there is no fault "${values.fault}"\n\n${usage()}`);
    return 2;
  }
  return run(faults[values.fault], values);
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options, allowPositionals: false }).values;
}

async function applyTo(dir: string | undefined, files: readonly string[]): Promise<number> {
  if (dir === undefined || files.length === 0) {
    console.error(usage());
    return 2;
  }
  const running = runningIn(dir);
  if (running === undefined) {
    console.error(`no test bed runs in ${dir}`);
    return 2;
  }
  const admin = running.client('admin');
  try {
    for (const file of files) {
      const problem = await applyFile(admin, file);
      if (problem !== undefined) {
        console.error(problem);
        return 1;
      }
      console.log(`applied ${file}`);
    }
    return 0;
  } finally {
    admin.close();
  }
}

function runningIn(dir: string): Cluster | undefined {
  try {
    return attachCluster(readClusterInfo(dir));
  } catch {
    return undefined;
  }
}

async function run(fault: Fault, values: ReturnType<typeof parse>): Promise<number> {
  const interrupted = new Promise<void>((resolve) => {
    // `on`, not `once`: while we listen, the process hooks leave the order of ending to us.
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
  });
  const log = (line: string) => console.log(line);
  const stopped = Promise.race([
    interrupted.then(() => undefined),
    startCluster({ log, ...(values.dir === undefined ? {} : { dir: values.dir }) }),
  ]);
  const started = await stopped;
  if (started === undefined) return 130;
  if (!started.ok) {
    console.error(`the test bed cannot run here: ${started.error.reason}`);
    return 1;
  }
  const cluster = started.value;
  const admin = cluster.client('admin');
  await applyManifests(admin, [testbedManifest('reader.yaml'), testbedManifest('viewer.yaml')]);
  await installOperator(admin, fault.install);
  const operator = values['no-operator']
    ? await operatorBinary(log)
    : await startOperator(cluster, { log, flags: [...fault.flags, ...values['operator-flag']] });
  // The log of the process is its pod's as well, through the API server.
  const kubelet = typeof operator === 'string' ? undefined : await startKubelet(cluster);
  const pods = startPodStandIn(
    admin,
    undefined,
    kubelet === undefined || typeof operator === 'string'
      ? undefined
      : placeOperatorPods(admin, kubelet, operator.logPath),
  );
  const replicas = await startReplicas(cluster, fault, operator, values['operator-flag']);
  const fighter = fault.fighter === true ? startFieldFighter(admin) : undefined;
  const samples = ['samples.yaml', ...(fault.samples === undefined ? [] : [fault.samples])];
  await applyManifests(admin, samples.map(operatorManifest));

  console.log(describe(cluster, operator, fault));
  await interrupted;
  console.log('\nstopping');
  await fighter?.stop();
  await pods.stop();
  await kubelet?.stop();
  for (const replica of replicas) await replica.stop();
  if (typeof operator !== 'string') await operator.stop();
  admin.close();
  await cluster.stop();
  return 0;
}

/** The further processes of a fault that has several; they write into the log of the first. */
async function startReplicas(
  cluster: OwnedCluster,
  fault: Fault,
  first: RunningOperator | string,
  more: readonly string[],
): Promise<readonly RunningOperator[]> {
  if (typeof first === 'string') return [];
  const replicas: RunningOperator[] = [];
  for (let index = 1; index < (fault.processes ?? 1); index += 1)
    replicas.push(await startOperator(cluster, { flags: [...fault.flags, ...more], logPath: first.logPath }));
  return replicas;
}

/** `operator`: the running one, or with `--no-operator` the path of its binary. */
function describe(cluster: OwnedCluster, operator: RunningOperator | string, fault: Fault): string {
  const kubeconfig = `--kubeconfig ${cluster.kubeconfigPath('loopscope-user')}`;
  const lines = [
    '',
    `The test bed runs (${fault.summary}). Ctrl-C ends it.`,
    '',
    `  kubeconfig (may read everything)   ${cluster.kubeconfigPath('loopscope-user')}`,
    `  kubeconfig (almost no rights)      ${cluster.kubeconfigPath('viewer')}`,
    `  kubeconfig (cluster administrator) ${cluster.kubeconfigPath('admin')}`,
  ];
  if (typeof operator === 'string') {
    const own = cluster.kubeconfigPath('operator');
    const flags = ['--metrics-bind-address=127.0.0.1:8080', ...fault.flags].join(' ');
    lines.push(
      `  kubeconfig (the operator's own)    ${own}`,
      '',
      `Try:  npm start -- ${kubeconfig}`,
      `      npx loopscope check ${kubeconfig}`,
      `and the operator as a child, with its own rights:`,
      `      npx loopscope run --kubeconfig ${own} -- ${operator} ${flags}`,
    );
  } else {
    const profile = join(cluster.dir, 'loopscope.yaml');
    writeFileSync(profile, profileFor(fault, operator));
    const sources = `--log ${operator.logPath} --metrics ${operator.metricsUrl}`;
    lines.push(
      `  operator's log                     ${operator.logPath}`,
      `  operator's metrics                 ${operator.metricsUrl}`,
      `  operator's profile                 ${profile}`,
      `  API server's audit log             ${cluster.auditLogPath}`,
      '',
      `Try:  npm start -- ${kubeconfig} --profile ${profile}`,
      `      npx loopscope check ${kubeconfig} --profile ${profile}`,
      `      npx loopscope trace ${kubeconfig} --profile ${profile} --audit ${cluster.auditLogPath}`,
      'or without what only the profile tells:',
      `      npm start -- ${kubeconfig} ${sources}`,
      `      npx loopscope check ${kubeconfig} ${sources}`,
    );
  }
  if (fault.install.role === 'without-status') {
    const role = relative(repositoryRoot, operatorManifest('role.yaml'));
    lines.push(
      '',
      `Repair it with  kubectl --kubeconfig ${cluster.kubeconfigPath('admin')} apply --server-side --force-conflicts -f ${role}`,
      `or, without kubectl,  npm run testbed -- apply ${cluster.dir} ${role}`,
      'The patch that Loopscope gives, saved as a file, can be applied in the same way.',
    );
  }
  return lines.join('\n');
}

process.exitCode = await main(process.argv.slice(2));
// A build that was interrupted may still hold the event loop.
process.exit();
