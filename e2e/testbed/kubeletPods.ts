/** Pods on the node of a kubelet stub: bound to it, and with the status that a kubelet would report of them. */
import type { KubeClient, KubeJson } from './kubeClient.ts';
import type { KubeletStub } from './kubeletStub.ts';
import { operatorServiceAccount } from './users.ts';

/** Gives the pod to the stub's node, as a scheduler does. */
export async function bindPod(
  admin: KubeClient,
  kubelet: KubeletStub,
  namespace: string,
  pod: string,
): Promise<void> {
  await admin.json('POST', `/api/v1/namespaces/${namespace}/pods/${pod}/binding`, {
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod, namespace },
      target: { apiVersion: 'v1', kind: 'Node', name: kubelet.nodeName },
    },
  });
}

/** Reports how its containers stand: the stub's own. */
export async function reportPod(
  admin: KubeClient,
  kubelet: KubeletStub,
  namespace: string,
  pod: string,
): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const containerStatuses = [...kubelet.containersOf(namespace, pod)].map(
    ([name, { restarts, isRunning }]) => ({
      name,
      restartCount: restarts,
      ready: isRunning,
      image: 'registry.example.com/database-operator:1.0.0',
      imageID: '',
      containerID: `stub://${pod}-${name}-${restarts}`,
      state: isRunning
        ? { running: { startedAt: now } }
        : { terminated: { exitCode: 1, reason: 'Error', finishedAt: now } },
    }),
  );
  await admin.patch(
    { apiVersion: 'v1', kind: 'Pod', namespace, name: pod },
    { status: { phase: 'Running', startTime: now, containerStatuses } },
    'status',
  );
}

/**
 * For startPodStandIn: pods of the operator's Deployment come to the stub's node. Behind the first of them runs the process
 * whose log lies at `logPath`; the others are silent.
 */
export function placeOperatorPods(
  admin: KubeClient,
  kubelet: KubeletStub,
  logPath: string,
): (pod: KubeJson) => Promise<void> {
  let isFirst = true;
  return async ({ metadata }) => {
    const { namespace = '', name = '' } = metadata ?? {};
    if (namespace !== operatorServiceAccount.namespace || !name.startsWith(`${operatorServiceAccount.name}-`))
      return;
    const container = kubelet.container(namespace, name, 'manager');
    if (isFirst) container.tail(logPath);
    isFirst = false;
    await bindPod(admin, kubelet, namespace, name);
    await reportPod(admin, kubelet, namespace, name);
  };
}
