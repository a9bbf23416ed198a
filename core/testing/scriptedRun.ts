/**
 * A seeded run of an operator under debug: objects change, its log speaks, rights come and go, contact is lost, watches
 * expire, the user edits the profile. What it does depends on the seed alone.
 */
import type { EngineBench } from './engineBench.ts';
import { errorLine, setRole } from './engineBench.ts';
import { apiResource } from './scriptedCluster.ts';
import { seededRandom } from './sessionLogWalk.ts';

const databases = 'databases.db.example.com';

/** Connects, and attaches a log that holds lines from before. */
export async function beginRun(bench: EngineBench): Promise<void> {
  await bench.connect();
  bench.attachLog();
  const past = bench.clock.now() / 1000 - 600;
  bench.backlog(
    ...Array.from({ length: 5 }, (_, n) => errorLine('shop/orders').replace('{', `{"ts":${past + n * 60},`)),
  );
}

/** Does `steps` things to a run that was begun, and ends in peace. */
export async function scriptedRun(bench: EngineBench, seed: number, steps: number): Promise<void> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const { cluster, clock, engine } = bench;
  let made = 0;
  const actions: (() => unknown)[] = [
    () => cluster.of(databases).update(pick(cluster.of(databases).all())?.key ?? '', { spec: { n: made++ } }),
    () => cluster.of(databases).create(`shop/db-${made++}`, { spec: { replicas: 1 } }),
    () => cluster.of(databases).delete(pick(cluster.of(databases).all())?.key ?? ''),
    () => bench.line(errorLine(pick(cluster.of(databases).all())?.key ?? 'shop/orders')),
    () => bench.line(errorLine('shop/orders')),
    () => bench.line('not json at all'),
    () =>
      cluster
        .of('events')
        .create(`shop/e-${made++}`, { reason: 'Failed', message: `no ${made}`, type: 'Warning' }),
    () => setRole(cluster, [databases.split('.')[0] ?? '', 'databases/finalizers', 'databases/status']),
    () => setRole(cluster, [databases.split('.')[0] ?? '', 'databases/finalizers']),
    async () => {
      cluster.down();
      await clock.advance(4000 + random() * 20_000);
      cluster.up();
      await clock.advance(15_000);
    },
    async () => {
      const resource = cluster.of(pick([databases, 'events', 'deployments.apps']) ?? databases);
      resource.partition();
      resource.compact();
      resource.update(resource.all()[0]?.key ?? '', { spec: { compacted: made++ } });
      resource.breakWatches();
      await clock.advance(8000);
    },
    () =>
      engine.live()?.operators.edit({
        controller: 'database',
        field: 'limiter',
        value: { type: 'exp', base: '1s', factor: 2, max: `${10 + Math.floor(random() * 50)}s` },
      }),
    () =>
      engine.live()?.operators.edit({ controller: 'database', field: 'maxConcurrentReconciles', value: 2 }),
    async () => {
      if (cluster.denials.length > 0) cluster.denials.length = 0;
      else cluster.denials.push({ resource: 'deployments.apps', verb: '*' });
      cluster.of('deployments.apps').breakWatches();
      await clock.advance(5000);
    },
    async () => {
      const name = `things${made++}.db.example.com`;
      cluster.serve(apiResource(name, `Thing${made}`));
      await clock.advance(31_000);
    },
  ];
  for (let step = 0; step < steps; step++) {
    await pick(actions)?.();
    await clock.advance(Math.floor(random() ** 3 * 20_000));
  }
  cluster.denials.length = 0;
  await clock.advance(40_000);
}
