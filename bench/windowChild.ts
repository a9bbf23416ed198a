/**
 * The engine with its browser host on a scripted cluster that changes at a steady rate: `node bench/windowChild.ts JSON`.
 * Prints the window's address as one JSON line; a line on standard input starts the events; when they are through it
 * prints one JSON line more and ends. Every change carries its number in `spec.version`, so that the window's picture
 * tells which it is of.
 */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../core/node/systemClock.ts';
import { apiResource, ScriptedCluster } from '../core/testing/scriptedCluster.ts';
import { startWebHost } from '../webhost/server.ts';
import { cpuMs } from './ownUsage.ts';
import { prepareEngine } from './preparedEngine.ts';

export interface WindowTask {
  readonly perSecond: number;
  readonly seconds: number;
  readonly objects: number;
  readonly distDir: string;
  /** A folder for the session file. */
  readonly sessions: string;
}

export interface WindowLink {
  readonly url: string;
}

export interface WindowResult {
  /** When each change was given out, ms since the epoch; its index is its number. */
  readonly givenAt: readonly number[];
  readonly recorded: number;
  /** Of this process's event loop while the events came, ms beyond the timer's own interval. */
  readonly loop: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Processor time of this process in that time, share of one core. */
  readonly cpu: number;
}

/** Changes come in bursts of this interval, as from a socket. */
const tickMs = 10;
const resolutionMs = 1;

const task = JSON.parse(process.argv[2] ?? '{}') as WindowTask;
const cluster = new ScriptedCluster();
const databases = cluster.serve(
  apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }),
);
for (let index = 0; index < task.objects; index++) databases.create(keyOf(index), database(index, 0));

const { engine, connect } = prepareEngine(cluster, task.sessions);
const session = await connect();
const host = await startWebHost({
  engineHandlers: engine.handlers,
  distDir: task.distDir,
  port: 0,
  clock: systemClock,
  log: (line) => process.stderr.write(`${line}\n`),
});
if (!host.ok) throw new Error(host.error.message);
say({ url: host.value.url } satisfies WindowLink);
await once(process.stdin, 'data');

const before = session.recorder.log.stats().records;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
const givenAt: number[] = [];
const cpuBefore = cpuMs();
const began = performance.now();
delay.enable();
const total = task.perSecond * task.seconds;
while (givenAt.length < total) {
  await sleep(tickMs);
  const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * task.perSecond));
  while (givenAt.length < due) {
    const number = givenAt.length;
    const index = number % task.objects;
    givenAt.push(Date.now());
    databases.update(keyOf(index), database(index, number));
  }
}
delay.disable();
const cpu = (cpuMs() - cpuBefore) / (performance.now() - began);
// The last ones are still on their way to the window.
await sleep(1_000);
const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
say({
  givenAt,
  recorded: session.recorder.log.stats().records - before,
  loop: { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) },
  cpu,
} satisfies WindowResult);
await host.value.close();
engine.dispose();
process.exit(0);

function keyOf(index: number): string {
  return `shop/db-${index}`;
}

/** About 1 KB, as a small custom resource is. */
function database(index: number, number: number): Record<string, unknown> {
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: {
      name: `db-${index}`,
      namespace: 'shop',
      generation: number + 1,
      managedFields: [
        { manager: 'bench', operation: 'Update', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } },
      ],
      annotations: { note: 'x'.repeat(500) },
    },
    spec: { engine: 'postgres', version: `n${String(number).padStart(7, '0')}`, replicas: 3 },
    status: {
      conditions: [{ type: 'Ready', status: 'True', reason: 'Provisioned', message: 'all is well' }],
    },
  };
}

function say(line: WindowLink | WindowResult): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
