/** Pods on the node of a kubelet stub: bound to it, and with the status that a kubelet would report of them. */
import type { KubeClient } from './kubeClient.ts';
import type { KubeletStub } from './kubeletStub.ts';

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
