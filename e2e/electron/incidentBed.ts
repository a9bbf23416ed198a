/** A cluster with the operator that may not write its status, for the desktop's suites. */

import type { OwnedCluster } from '../testbed/cluster.ts';
import { clusterOrSkip } from '../testbed/clusterOrSkip.ts';
import { applyManifests } from '../testbed/kubeClient.ts';
import { installOperator, type RunningOperator, startOperator } from '../testbed/operator.ts';
import { operatorManifest, testbedManifest } from '../testbed/paths.ts';

export interface IncidentBed {
  readonly cluster: OwnedCluster;
  readonly operator: RunningOperator;
  /** Arguments of the program that watch it. */
  readonly args: readonly string[];
  stop(): Promise<void>;
}

/** The cluster at the top of a `describe` (undefined: a skip is registered), the operator in `beforeAll`. */
export async function clusterForDesktop(): Promise<OwnedCluster | undefined> {
  return clusterOrSkip('database-operator');
}

export async function startIncident(cluster: OwnedCluster): Promise<IncidentBed> {
  const admin = cluster.client('admin');
  await installOperator(admin, { role: 'without-status' });
  await applyManifests(admin, [testbedManifest('reader.yaml'), operatorManifest('samples.yaml')]);
  admin.close();
  const operator = await startOperator(cluster);
  return {
    cluster,
    operator,
    args: ['--kubeconfig', cluster.kubeconfigPath('loopscope-user'), '--log', operator.logPath],
    stop: () => operator.stop(),
  };
}
