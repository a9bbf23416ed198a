/**
 * One first sync of one resource, in a process of its own: `node bench/firstSyncChild.ts JSON`. Prints one JSON line and
 * ends. What is compared is in firstSync.ts; each way loads only the modules it needs before the clock starts.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import type { SyncResult } from './child.ts';
import { cpuMs, type MemoryGrowth, watchMemory } from './ownUsage.ts';

export type SyncWay = 'pages' | 'watchlist' | 'recorded' | 'client-node' | 'floor';

export interface SyncTask {
  readonly way: SyncWay;
  readonly kubeconfig: string;
  readonly url: string;
  readonly caFile: string;
  readonly token: string;
  /** Where `recorded` keeps its session. */
  readonly folder: string;
}

/** What the other ways do not have: the session that was written. */
export interface RecordedResult extends SyncResult {
  readonly records?: number;
  readonly sessionBytes?: number;
}

const group = 'db.example.com';
const version = 'v1';
const plural = 'databases';
const collection = `/apis/${group}/${version}/${plural}`;

const task = JSON.parse(process.argv[2] ?? '{}') as SyncTask;
const result = await measure(task);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

function measure(given: SyncTask): Promise<RecordedResult> {
  switch (given.way) {
    case 'pages':
      return headsOnly(given, 'list');
    case 'watchlist':
      return headsOnly(given, 'watchlist');
    case 'recorded':
      return recorded(given);
    case 'client-node':
      return clientNode(given);
    case 'floor':
      return floor(given);
  }
}

/** Our Reflector over our transport, heads in the cache, nothing recorded. Discovery is part of the time. */
async function headsOnly(given: SyncTask, mode: 'list' | 'watchlist'): Promise<SyncResult> {
  const { createNodeHost } = await import('../core/node/nodeHost.ts');
  const { createWatchManager } = await import('../core/source/watch/watchManager.ts');
  const { groupResource } = await import('../shared/model/ids.ts');
  const host = createNodeHost({ version: 'bench', kubeconfig: given.kubeconfig, sessions: 'memory' });
  const opened = await host.contexts.open('', 'once');
  if (!opened.ok) throw new Error(opened.error.message);
  const { transport } = opened.value;
  let told = 0;
  const manager = createWatchManager(
    {
      transport,
      clock: host.clock,
      random: host.random,
      digest: host.digest,
      contextNamespace: '',
      namespaces: [],
      plan: [[{ resource: groupResource(group, plural), detail: 'full' }]],
      mode,
    },
    {
      onItem: () => {
        told++;
      },
    },
  );
  const clock = stopwatch();
  const started = await manager.start();
  if (!started.ok) throw new Error(started.error.message);
  await manager.synced();
  const source = manager.sources()[0];
  if (source?.state !== 'live' || told !== source.objects) {
    throw new Error(`${source?.state}: ${told} of ${source?.objects} told, ${source?.error?.message}`);
  }
  return clock.stop(source.objects);
}

/** The whole engine with a session file, from connecting until the kind is live. */
async function recorded(given: SyncTask): Promise<RecordedResult> {
  const { createNodeEngine } = await import('../core/node/createNodeEngine.ts');
  const { engine } = createNodeEngine({
    kubeconfig: given.kubeconfig,
    sessions: given.folder,
    execConsent: true,
    env: { ...process.env, XDG_CONFIG_HOME: given.folder },
  });
  const clock = stopwatch();
  const connected = await engine.connect({ context: '' });
  if (!connected.ok) throw new Error(connected.error.message);
  const { watching, recorder, index } = connected.value;
  watching.want({ full: [`${plural}.${group}`], metadata: [] });
  const isLive = () =>
    watching.manager.sources().some((one) => one.resource.resource === plural && one.state === 'live');
  await new Promise<void>((resolve) => {
    const listening = watching.onChange.on(() => {
      if (!isLive()) return;
      listening.dispose();
      resolve();
    });
  });
  const objects = [...index.ofKind(group, 'Database')].length;
  const measured = clock.stop(objects);
  recorder.log.flush();
  const { records, bytes } = recorder.log.stats();
  engine.dispose();
  return { ...measured, records, sessionBytes: bytes };
}

/** The informer of @kubernetes/client-node as its README has it: one list, no pages. */
async function clientNode(given: SyncTask): Promise<SyncResult> {
  const { CustomObjectsApi, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(given.kubeconfig);
  const api = config.makeApiClient(CustomObjectsApi);
  const informer = makeInformer(
    config,
    collection,
    async () => (await api.listClusterCustomObject({ group, version, plural })) as never,
  );
  const clock = stopwatch();
  const failed = new Promise<never>((_, reject) => informer.on('error', reject));
  const connected = new Promise<void>((resolve) => informer.on('connect', () => resolve()));
  await Promise.race([Promise.all([informer.start(), connected]), failed]);
  return clock.stop(informer.list().length);
}

/** Pages of 500 at resourceVersion="" fetched and parsed by node:https, and nothing else. */
async function floor(given: SyncTask): Promise<SyncResult> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(given.caFile) });
  const headers = { authorization: `Bearer ${given.token}`, accept: 'application/json' };
  const fetchText = (path: string) =>
    new Promise<string>((resolve, reject) => {
      get(`${given.url}${path}`, { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      }).on('error', reject);
    });
  const clock = stopwatch();
  let objects = 0;
  let token = '';
  do {
    const text = await fetchText(`${collection}?limit=500&continue=${encodeURIComponent(token)}`);
    const page = JSON.parse(text) as { metadata: { continue?: string }; items: unknown[] };
    objects += page.items.length;
    token = page.metadata.continue ?? '';
  } while (token !== '');
  return clock.stop(objects);
}

/** Starts time and memory together, right before the first byte goes out. */
function stopwatch(): { stop(objects: number): SyncResult } {
  const memory: MemoryGrowth = watchMemory();
  const cpuBefore = cpuMs();
  const began = performance.now();
  return {
    stop: (objects) => ({
      ms: performance.now() - began,
      cpuMs: cpuMs() - cpuBefore,
      objects,
      baselineRssBytes: memory.baselineRssBytes,
      peakRssBytes: memory.peakRssBytes(),
    }),
  };
}
