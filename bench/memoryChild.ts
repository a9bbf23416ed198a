/** Lists N prepared objects and tells what stays in memory: `node bench/memoryChild.ts JSON`. Prints one JSON line. */

import { createNodeHost } from '../core/node/nodeHost.ts';
import { createWatchManager } from '../core/source/watch/watchManager.ts';
import { groupResource } from '../shared/model/ids.ts';
import { retainedBytes, watchMemory } from './ownUsage.ts';
import { PreparedCluster } from './preparedCluster.ts';
import { prepareEngine } from './preparedEngine.ts';

export interface MemoryTask {
  readonly way: 'heads' | 'engine';
  readonly objects: number;
  /** A folder for the session file. */
  readonly sessions: string;
}

export interface MemoryResult {
  readonly jsonBytes: number;
  readonly retainedBytes: number;
  readonly peakRssBytes: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as MemoryTask;
const cluster = new PreparedCluster({ objects: task.objects, events: 0, lines: undefined });
const memory = watchMemory();
const before = retainedBytes();
const kept = await (task.way === 'heads' ? heads() : engine());
const retained = retainedBytes() - before;
if (kept.size() !== task.objects) throw new Error(`${kept.size()} objects of ${task.objects}`);
const result: MemoryResult = {
  jsonBytes: cluster.listedBytes,
  retainedBytes: retained,
  peakRssBytes: memory.peakRssBytes() - memory.baselineRssBytes,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

async function heads(): Promise<{ size(): number }> {
  const host = createNodeHost({ version: 'bench', sessions: 'memory' });
  const resource = groupResource('db.example.com', 'databases');
  const manager = createWatchManager(
    {
      transport: cluster,
      clock: host.clock,
      random: host.random,
      digest: host.digest,
      contextNamespace: '',
      namespaces: [],
      plan: [[{ resource, detail: 'full' }]],
    },
    { onItem: () => undefined },
  );
  await manager.start();
  await manager.synced();
  return { size: () => manager.sources()[0]?.objects ?? 0 };
}

async function engine(): Promise<{ size(): number }> {
  const session = await prepareEngine(cluster, task.sessions).connect();
  session.recorder.log.flush();
  return { size: () => [...session.index.ofKind('db.example.com', 'Database')].length };
}
