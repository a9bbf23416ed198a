/**
 * First sync of N custom resources of 2 KB from a real API server: ours, client-go's dynamic informer, the informer of
 * @kubernetes/client-node, and a floor. Each in a fresh process, in turn, round by round.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBinary } from '../e2e/testbed/build.ts';
import { type OwnedCluster, startCluster } from '../e2e/testbed/cluster.ts';
import { applyManifests, applyYaml } from '../e2e/testbed/kubeClient.ts';
import { operatorManifest } from '../e2e/testbed/paths.ts';
import { seedDatabases } from '../e2e/testbed/seed.ts';
import { runChild, runPeer } from './child.ts';
import type { RecordedResult, SyncTask, SyncWay } from './firstSyncChild.ts';
import { median, rawValues, verdict, verdictText } from './statistics.ts';

export interface FirstSyncOptions {
  readonly objects: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

interface Contender {
  readonly name: string;
  run(): Promise<RecordedResult>;
}

/** Starts a cluster, seeds it, measures and prints. Throws when a contender fails or holds another number of objects. */
export async function benchFirstSync(options: FirstSyncOptions): Promise<void> {
  const { say } = options;
  const peer = await ensureBinary('informer-peer', say);
  if (!peer.ok) throw new Error(peer.error.reason);
  const started = await startCluster({ log: say });
  if (!started.ok) throw new Error(started.error.reason);
  const cluster = started.value;
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-bench-'));
  try {
    await seed(cluster, options);
    await compare(contenders(cluster, peer.value, folder), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}

async function seed(cluster: OwnedCluster, { objects, say }: FirstSyncOptions): Promise<void> {
  const admin = cluster.client('admin');
  try {
    await applyManifests(admin, [operatorManifest('crd-databases.yaml')]);
    await applyYaml(admin, '{apiVersion: v1, kind: Namespace, metadata: {name: seeded}}');
    const began = performance.now();
    await seedDatabases(admin, { namespace: 'seeded', count: objects });
    say(`seeded ${objects} Databases in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } finally {
    admin.close();
  }
}

function contenders(cluster: OwnedCluster, peer: string, folder: string): readonly Contender[] {
  const kubeconfig = cluster.kubeconfigPath('admin');
  const common = { kubeconfig, url: cluster.url, caFile: cluster.caFile, token: cluster.token('admin') };
  const own = (name: string, way: SyncWay): Contender => ({
    name,
    run: () => {
      const sessions = mkdtempSync(join(folder, 'session-'));
      const task: SyncTask = { ...common, way, folder: sessions };
      return runChild<RecordedResult>('firstSyncChild.ts', task);
    },
  });
  const clientGo = (name: string, compression: boolean): Contender => ({
    name,
    run: () =>
      runPeer(peer, [
        `--kubeconfig=${kubeconfig}`,
        '--group=db.example.com',
        '--resource=databases',
        `--compression=${compression}`,
      ]),
  });
  return [
    own(names.pages, 'pages'),
    own(names.watchlist, 'watchlist'),
    own(names.recorded, 'recorded'),
    clientGo(names.clientGo, true),
    clientGo(names.clientGoPlain, false),
    own(names.clientNode, 'client-node'),
    own(names.floor, 'floor'),
  ];
}

const names = {
  pages: 'ours, pages',
  watchlist: 'ours, WatchList',
  recorded: 'ours, engine + session file',
  clientGo: 'client-go (gzip, its default)',
  clientGoPlain: 'client-go, no compression',
  clientNode: '@kubernetes/client-node',
  floor: 'floor: pages of 500, parsed',
} as const;

async function compare(all: readonly Contender[], options: FirstSyncOptions): Promise<void> {
  const { objects, rounds, say } = options;
  const results = new Map<string, RecordedResult[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another one, so that nobody always runs behind the same neighbour.
    for (let turn = 0; turn < all.length; turn++) {
      const contender = all[(round + turn) % all.length];
      if (contender === undefined) continue;
      const result = await contender.run();
      if (result.objects !== objects) {
        throw new Error(`${contender.name} holds ${result.objects} objects of ${objects}`);
      }
      results.get(contender.name)?.push(result);
    }
  }
  say(`first sync of ${objects} custom resources of 2 KB, ${rounds} rounds`);
  const ms = (name: string) => (results.get(name) ?? []).map((one) => one.ms);
  const cpu = (name: string) => (results.get(name) ?? []).map((one) => one.cpuMs);
  const growth = (name: string) =>
    (results.get(name) ?? []).map((one) => (one.peakRssBytes - one.baselineRssBytes) / 2 ** 20);
  for (const { name } of all) {
    const base = median((results.get(name) ?? []).map((one) => one.baselineRssBytes / 2 ** 20));
    say(
      `  ${name.padEnd(30)} ${median(ms(name)).toFixed(0).padStart(6)} ms ${rawValues(ms(name))}, processor ` +
        `${median(cpu(name)).toFixed(0)} ms, ` +
        `peak +${median(growth(name)).toFixed(0)} MB over ${base.toFixed(0)} ${rawValues(growth(name))}`,
    );
  }
  const stored = results.get(names.recorded)?.[0];
  if (stored?.records !== undefined && stored.sessionBytes !== undefined) {
    say(
      `  session of one round: ${stored.records} records, ${(stored.sessionBytes / 2 ** 20).toFixed(1)} MB`,
    );
  }
  const bars = (name: string) => {
    const time = verdictText(verdict(ms(name), ms(names.clientGo), 0.6));
    const memory = verdictText(verdict(growth(name), growth(names.clientGo), 0.35));
    const overFloor = verdictText(verdict(ms(name), ms(names.floor), 1.35));
    const processor = (peer: string) => verdict(cpu(name), cpu(peer), 1).ratio.toFixed(2);
    say(
      `  ${name}: time ${time} and memory ${memory} of client-go; time ${overFloor} of the floor; processor ` +
        `${processor(names.clientGo)} × of client-go, ${processor(names.floor)} × of the floor; ` +
        `time ${verdict(ms(name), ms(names.clientNode), 1).ratio.toFixed(2)} × and memory ` +
        `${verdict(growth(name), growth(names.clientNode), 1).ratio.toFixed(2)} × of client-node`,
    );
  };
  for (const name of [names.pages, names.watchlist, names.recorded]) bars(name);
}
