import type { KubeClient } from './kubeClient.ts';

export interface SeedOptions {
  readonly namespace: string;
  readonly count: number;
  /** Size of one object's own content in bytes, about; default 2,000. */
  readonly bytes?: number;
  /** Requests in flight; default 16. */
  readonly concurrency?: number;
}

/** Creates Databases `seed-00000` … with mixed, compressible text as parameters. The namespace and the CRD must be there. */
export async function seedDatabases(admin: KubeClient, options: SeedOptions): Promise<void> {
  const { namespace, count, bytes = 2_000, concurrency = 16 } = options;
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await admin.create({
        apiVersion: 'db.example.com/v1',
        kind: 'Database',
        metadata: { namespace, name: `seed-${String(index).padStart(5, '0')}` },
        spec: { engine: 'postgres', version: '17', replicas: 1, parameters: parametersOf(index, bytes) },
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Some twenty settings whose values differ between objects, as real configuration does. */
function parametersOf(index: number, bytes: number): Record<string, string> {
  const entries = 20;
  const length = Math.max(1, Math.floor(bytes / entries) - 16);
  return Object.fromEntries(
    Array.from({ length: entries }, (_, i) => {
      const words = `${(index * 7919 + i * 104_729) % 1_000_003} shared_buffers work_mem max_connections `;
      return [
        `setting_${String(i).padStart(2, '0')}`,
        words.repeat(Math.ceil(length / words.length)).slice(0, length),
      ];
    }),
  );
}
