import type { KubeClient } from './kubeClient.ts';
import { onProcessExit, pause } from './processes.ts';

export interface FieldFighter {
  stop(): Promise<void>;
}

const label = 'app.kubernetes.io/managed-by';

/**
 * Plays a policy tool that disagrees with the operator: every Service the operator made is labelled as the tool's own,
 * again every `everyMs` where it was labelled back.
 */
export function startFieldFighter(client: KubeClient, everyMs = 1_000): FieldFighter {
  let running = true;
  const forget = onProcessExit(() => {
    running = false;
  });
  const loop = async () => {
    while (running) {
      await relabel(client).catch(() => undefined); // the API server may be down on purpose
      await pause(everyMs);
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

async function relabel(client: KubeClient): Promise<void> {
  for (const { metadata } of await client.list('v1', 'Service')) {
    const labels = metadata?.labels as Readonly<Record<string, string>> | undefined;
    if (metadata?.name === undefined || labels?.[label] !== 'database-operator') continue;
    const { name, namespace = 'default' } = metadata;
    const patch = { metadata: { labels: { [label]: 'label-policy' } } };
    await client.patch({ apiVersion: 'v1', kind: 'Service', namespace, name }, patch);
  }
}
