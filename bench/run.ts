/**
 * `npm run bench [NAME…] [-- --objects N --rounds N]`: figures of the product against peers and floors of the same run.
 * Raw values of every round are printed, then medians, then ratios against the bars of the design. Exit code 2 for wrong
 * arguments; a missed bar is told, not an error: the machine may be busy.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { benchBytes } from './bytes.ts';
import { benchFirstSync } from './firstSync.ts';
import { benchIngest } from './ingest.ts';
import { benchKill } from './kill.ts';
import { benchMemory } from './memory.ts';
import { benchOpen } from './open.ts';
import { benchSession, preparedStream } from './session.ts';
import { benchStart } from './start.ts';
import { benchWindow } from './window.ts';

interface Given {
  readonly objects: number | undefined;
  readonly rounds: number;
  readonly events: number;
}

const benches: Readonly<Record<string, (given: Given) => Promise<unknown> | unknown>> = {
  firstSync: ({ objects = 5_000, rounds }) => benchFirstSync({ objects, rounds, say }),
  memory: ({ objects = 100_000 }) => benchMemory({ objects, say }),
  ingest: ({ objects = 5_000, events, rounds }) => benchIngest({ objects, events, rounds, say }),
  session: ({ rounds }) => benchSession(preparedStream(50_000), rounds, say),
  open: ({ rounds }) => benchOpen(200_000, rounds, say),
  kill: () => benchKill({ kills: 20, perSecond: 2000, say }),
  bytes: () => benchBytes(say),
  start: ({ rounds }) => benchStart({ rounds, say }),
  window: () => benchWindow({ perSecond: 1_000, seconds: 20, say }),
};

const usage = `usage: npm run bench -- [${Object.keys(benches).join('|')}…] [--objects N] [--rounds N] [--events N]

  firstSync   N custom resources from a real API server (--objects, default 5000): ours, client-go, client-node, floor
  memory      memory retained for N objects (--objects, default 100000) against their JSON
  ingest      --events (default 200000) watch events to recorded, decoded and queued against JSON.parse
  session     session file: time against JSON.parse, size against gzip -6
  open        a session of 200,000 records: processor time until it is shown, turns of the loop, back to its middle
  kill        20 times kill -9 of an engine at 2,000 events a second: what its session holds
  bytes       bytes an event takes in the sessions of recorded incidents, and in compact copies
  start       npm start to the first picture in a browser, cold and warm
  window      the window at 1,000 events a second: event to pixel, frames, delay of the engine's loop
Without a name all of them run. --rounds defaults to 5.`;

function say(line: string): void {
  console.log(line);
}

function machine(): string {
  const [cpu] = os.cpus();
  const load = os.loadavg().map((one) => one.toFixed(1));
  return (
    `${os.type()} ${os.arch()}, ${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ` +
    `${Math.round(os.totalmem() / 2 ** 30)} GB, Node ${process.version}, load ${load.join(' ')}`
  );
}

function count(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`not a count: ${text}`);
  return value;
}

let names: readonly string[];
let given: Given;
try {
  const { values, positionals } = parseArgs({
    options: {
      objects: { type: 'string' },
      rounds: { type: 'string' },
      events: { type: 'string' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (values.help === true) {
    say(usage);
    process.exit(0);
  }
  names = positionals.length > 0 ? positionals : Object.keys(benches);
  const unknown = names.find((name) => !Object.hasOwn(benches, name));
  if (unknown !== undefined) throw new TypeError(`no bench is called ${unknown}`);
  given = {
    objects: count(values.objects),
    rounds: count(values.rounds) ?? 5,
    events: count(values.events) ?? 200_000,
  };
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}

say(`machine: ${machine()}`);
for (const name of names) await benches[name]?.(given);
say(
  `machine after: load ${os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
