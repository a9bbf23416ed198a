/** Makes a cluster empty again between two runs of the test bed. */
import type { KubeClient } from '../testbed/kubeClient.ts';
import { eventually } from '../testbed/wait.ts';

/**
 * In this order: owners before what they would make again. The garbage collector is not waited for: it learns of a custom kind
 * only half a minute after its definition was installed.
 */
const kinds = [
  { apiVersion: 'db.example.com/v1', kind: 'Database', path: '/apis/db.example.com/v1' },
  { apiVersion: 'backup.example.com/v1', kind: 'Backup', path: '/apis/backup.example.com/v1' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', path: '/apis/apps/v1' },
  { apiVersion: 'v1', kind: 'Service', path: '/api/v1' },
  { apiVersion: 'v1', kind: 'Secret', path: '/api/v1' },
  { apiVersion: 'v1', kind: 'ConfigMap', path: '/api/v1' },
  { apiVersion: 'v1', kind: 'Pod', path: '/api/v1' },
];

/** Of the namespace itself: made again when deleted. */
const rootCertificate = 'kube-root-ca.crt';

/**
 * Deletes what a run left in `namespace`, and the Events and Leases of `namespace` and `operatorNamespace`. The operator, which
 * would finalize or make again, must have ended. Resolves when all of it is gone.
 */
export async function clearRun(
  admin: KubeClient,
  namespace: string,
  operatorNamespace: string,
): Promise<void> {
  for (const { apiVersion, kind, path } of kinds) {
    if ((await admin.request('GET', path)).status !== 200) continue; // not installed in this run
    await eventually(`every ${kind} of ${namespace} is gone`, async () => {
      const objects = await admin.list(apiVersion, kind, namespace);
      const left = objects.filter(({ metadata }) => metadata?.name !== rootCertificate);
      for (const { metadata } of left) {
        const ref = { apiVersion, kind, namespace, name: metadata?.name ?? '' };
        await admin.delete(ref);
        // Gone between the two where nothing held it.
        await admin.patch(ref, { metadata: { finalizers: null } }).catch(() => undefined);
      }
      return left.length === 0;
    });
  }
  for (const one of [namespace, operatorNamespace]) {
    await admin.json('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${one}/leases`);
    await admin.json('DELETE', `/apis/events.k8s.io/v1/namespaces/${one}/events`);
  }
}
