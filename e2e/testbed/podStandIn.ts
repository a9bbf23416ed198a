import type { KubeClient, KubeJson } from './kubeClient.ts';
import { onProcessExit, pause } from './processes.ts';

export interface PodStandIn {
  stop(): Promise<void>;
}

/**
 * Stands in for scheduler and kubelet: every Pending pod becomes Running and Ready within a second, so that
 * Deployments and StatefulSets roll out. Pods whose name matches `except` stay Pending; `place` sees each before it runs.
 */
export function startPodStandIn(
  admin: KubeClient,
  except?: RegExp,
  place?: (pod: KubeJson) => Promise<void>,
): PodStandIn {
  let running = true;
  const forget = onProcessExit(() => {
    running = false;
  });
  const loop = async () => {
    while (running) {
      await markPendingPods(admin, except, place).catch(() => undefined); // the API server may be down on purpose
      await pause(250);
    }
  };
  const done = loop();
  return {
    async stop() {
      running = false;
      forget();
      await done;
    },
  };
}

async function markPendingPods(
  admin: KubeClient,
  except: RegExp | undefined,
  place: ((pod: KubeJson) => Promise<void>) | undefined,
): Promise<void> {
  for (const pod of await admin.list('v1', 'Pod')) {
    const { name, namespace } = pod.metadata ?? {};
    if (name === undefined || namespace === undefined || except?.test(name) || phaseOf(pod) !== 'Pending')
      continue;
    await place?.(pod);
    const now = new Date().toISOString();
    const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: now,
    }));
    const status = { phase: 'Running', startTime: now, conditions };
    await admin.patch({ apiVersion: 'v1', kind: 'Pod', name, namespace }, { status }, 'status');
  }
}

function phaseOf(pod: KubeJson): string | undefined {
  const status = pod.status;
  if (typeof status !== 'object' || status === null || !('phase' in status)) return undefined;
  return typeof status.phase === 'string' ? status.phase : undefined;
}
