/**
 * Session file: time a record against JSON.parse of the same text, size against gzip -6 of the same records.
 *   node bench/session.ts [--records N] [--rounds N] [CASE-FOLDER…]
 * Without folders a prepared stream is recorded: custom resources of about 2 KB that change, and log lines of their
 * operator. With folders: their watch, audit and log lines, over and over up to N records. Raw values are printed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { SessionLimits } from '../core/node/sqliteLog.ts';
import { createSqliteSession } from '../core/node/sqliteSession.ts';
import type { RecordInput, SessionLog } from '../core/session/record.ts';
import { createRecorder } from '../core/session/recorder.ts';
import { seededRandom } from '../core/testing/sessionLogWalk.ts';
import type { Clock } from '../shared/base/clock.ts';
import { toDisposable } from '../shared/base/disposable.ts';
import { objectKey, resourceVersion, sourceId } from '../shared/model/ids.ts';

const start = Date.UTC(2026, 10, 30, 8);

/** What one way of recording cost. */
interface Measured {
  /** µs a record, median of the rounds. */
  readonly perRecord: number;
  /** File against gzip -6 of the payloads, one a line. */
  readonly size: number;
  /** Longest time one commit held the loop, ms. */
  readonly longestCommit: number;
  readonly rounds: readonly number[];
}

export interface SessionBench {
  readonly records: number;
  readonly payloadBytes: number;
  /** µs a record of JSON.parse of the same text. */
  readonly parse: number;
  readonly recorded: Measured;
  /** Decoded to facts as well; under this load they are not kept. */
  readonly decoded: Measured;
  /** The same as a calm session records it: facts kept, packed as small as they go. */
  readonly calm: Measured;
}

/** Runs it; `say` gets a line for each result. */
export function benchSession(
  inputs: readonly RecordInput[],
  rounds: number,
  say: (line: string) => void,
): SessionBench {
  const payloadBytes = inputs.reduce((sum, input) => sum + Buffer.byteLength(input.payload), 0);
  const gzip = gzipSync(inputs.map((input) => input.payload).join('\n'), { level: 6 }).length;
  const parse: number[] = [];
  const ways = {
    recorded: new Way({}, (log) => (input) => log.append(input)),
    decoded: new Way({}, (log) => createRecorder(log).record),
    calm: new Way({ burstMs: 0 }, (log) => createRecorder(log).record),
  };
  for (let round = 0; round < rounds; round++) {
    parse.push(parseAll(inputs));
    for (const way of Object.values(ways)) way.run(inputs);
  }
  const perRecord = (median(parse) * 1000) / inputs.length;
  const result: SessionBench = {
    records: inputs.length,
    payloadBytes,
    parse: perRecord,
    recorded: ways.recorded.measured(inputs.length, gzip),
    decoded: ways.decoded.measured(inputs.length, gzip),
    calm: ways.calm.measured(inputs.length, gzip),
  };
  say(`session: ${result.records} records of ${Math.round(payloadBytes / result.records)} bytes`);
  say(`  JSON.parse        ${perRecord.toFixed(2)} µs a record  [${parse.map(Math.round).join(' ')} ms]`);
  for (const name of ['recorded', 'decoded', 'calm'] as const) {
    const { perRecord: time, size, longestCommit, rounds: raw } = result[name];
    say(
      `  ${name.padEnd(16)}  ${time.toFixed(2)} µs a record, ${(time / perRecord).toFixed(2)} × JSON.parse; ` +
        `file ${size.toFixed(3)} × gzip -6; longest commit ${longestCommit.toFixed(1)} ms  [${raw.map(Math.round).join(' ')} ms]`,
    );
  }
  return result;
}

type Door = (log: SessionLog) => (input: RecordInput) => unknown;

/** One way of recording, run once a round. */
class Way {
  private readonly limits: Partial<SessionLimits>;
  private readonly door: Door;
  private readonly ms: number[] = [];
  private bytes = 0;
  private longestCommit = 0;

  constructor(limits: Partial<SessionLimits>, door: Door) {
    this.limits = limits;
    this.door = door;
  }

  run(inputs: readonly RecordInput[]): void {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-bench-'));
    try {
      const made = createSqliteSession({ folder, clock: stoppedClock, id: 'bench', limits: this.limits });
      if (!made.ok) throw new Error(made.error.message);
      const session = made.value;
      const record = this.door(session);
      const began = performance.now();
      inputs.forEach((input, index) => {
        record(input);
        if (index % recordsPerCommit !== recordsPerCommit - 1) return;
        const commit = performance.now();
        session.flush();
        this.longestCommit = Math.max(this.longestCommit, performance.now() - commit);
      });
      session.close();
      this.ms.push(performance.now() - began);
      this.bytes = statSync(session.file).size;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  measured(records: number, gzip: number): Measured {
    const { ms, bytes, longestCommit } = this;
    return { perRecord: (median(ms) * 1000) / records, size: bytes / gzip, longestCommit, rounds: ms };
  }
}

function parseAll(inputs: readonly RecordInput[]): number {
  const began = performance.now();
  for (const { payload } of inputs) {
    // Log lines that are not JSON cost what finding that out costs.
    if (payload.startsWith('{')) JSON.parse(payload);
  }
  return performance.now() - began;
}

/** Wall time stands still for the log; its timers fire every so many records, as 4 times a second at 20,000/s. */
const recordsPerCommit = 5000;

const stoppedClock: Clock = {
  now: () => start,
  monotonic: () => 0,
  setTimer: () => toDisposable(() => {}),
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Custom resources that are created, then change at random, with log lines in between. */
export function preparedStream(records: number, objects = 5000): readonly RecordInput[] {
  const random = seededRandom(7);
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  const uids = Array.from({ length: objects }, () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`);
  const generations = new Array<number>(objects).fill(0);
  let version = 4711;
  return Array.from({ length: records }, (_, index): RecordInput => {
    const at = start + index * 2 + Math.floor(random() * 3);
    const time = new Date(at).toISOString();
    if (index >= objects && index % 4 === 0) {
      const name = `db-${Math.floor(random() * objects)}`;
      return {
        kind: 'log',
        source: sourceId('log:1'),
        at: { lo: at, hi: at },
        receivedAt: at,
        payload: `{"level":"info","ts":"${time}","msg":"reconciled","controller":"database","controllerGroup":"db.example.com","controllerKind":"Database","Database":{"name":"${name}","namespace":"shop"},"namespace":"shop","name":"${name}","reconcileID":"${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}"}`,
      };
    }
    const which = index < objects ? index : Math.floor(random() * objects);
    const generation = (generations[which] ?? 0) + 1;
    generations[which] = generation;
    version += 1 + Math.floor(random() * 4);
    const name = `db-${which}`;
    return {
      kind: 'object',
      source: sourceId('watch:db.example.com/v1/databases'),
      at: { lo: at, hi: at },
      receivedAt: at + 1,
      object: objectKey({ group: 'db.example.com', kind: 'Database', namespace: 'shop', name }),
      uid: uids[which] ?? '',
      resourceVersion: resourceVersion(String(version)),
      op: index < objects ? 'listed' : 'modified',
      ...(index < objects ? { initial: true } : {}),
      payload: JSON.stringify(database(name, uids[which] ?? '', generation, version, time, random)),
    };
  });
}

function database(
  name: string,
  uid: string,
  generation: number,
  version: number,
  time: string,
  random: () => number,
) {
  const second = `${time.slice(0, 19)}Z`;
  const condition = (type: string, status: boolean) => {
    const reason = status ? 'Provisioned' : 'Waiting';
    const message = `${type} of ${name}: ${Math.floor(random() * 100)} of 100 steps done`;
    return {
      type,
      status: status ? 'True' : 'False',
      reason,
      message,
      observedGeneration: generation,
      lastTransitionTime: second,
    };
  };
  const fields = (paths: readonly string[]) =>
    Object.fromEntries(paths.map((field) => [`f:${field}`, { 'f:value': {}, '.': {} }]));
  return {
    apiVersion: 'db.example.com/v1',
    kind: 'Database',
    metadata: {
      name,
      namespace: 'shop',
      uid,
      resourceVersion: String(version),
      generation,
      creationTimestamp: '2026-11-30T07:58:12Z',
      labels: {
        app: name,
        tier: random() < 0.5 ? 'gold' : 'silver',
        'app.kubernetes.io/managed-by': 'database-operator',
      },
      annotations: { 'db.example.com/checksum': Math.floor(random() * 2 ** 48).toString(16) },
      finalizers: ['db.example.com/cleanup'],
      managedFields: [
        {
          manager: 'kubectl-client-side-apply',
          operation: 'Update',
          apiVersion: 'db.example.com/v1',
          time: '2026-11-30T07:58:12Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:spec': fields(['engine', 'replicas', 'storage', 'version', 'backup', 'parameters']),
          },
        },
        {
          manager: 'database-operator',
          operation: 'Update',
          apiVersion: 'db.example.com/v1',
          time: second,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:status': fields(['conditions', 'endpoint', 'observedGeneration', 'readyReplicas']) },
          subresource: 'status',
        },
      ],
    },
    spec: {
      engine: 'postgres',
      version: '16.4',
      replicas: 1 + Math.floor(random() * 5),
      storage: { size: `${10 + Math.floor(random() * 90)}Gi`, class: 'fast' },
      backup: { schedule: '0 3 * * *', keep: 7 },
      parameters: { max_connections: String(100 + Math.floor(random() * 400)), shared_buffers: '512MB' },
    },
    status: {
      observedGeneration: generation,
      readyReplicas: Math.floor(random() * 5),
      endpoint: `${name}.shop.svc:5432`,
      conditions: [
        condition('Ready', random() < 0.7),
        condition('Progressing', random() < 0.2),
        condition('Degraded', false),
      ],
    },
  };
}

/** Watch, audit and log lines of case folders, over and over. Objects change their names with each turn. */
function caseFolderStream(folders: readonly string[], records: number): readonly RecordInput[] {
  const lines = folders.flatMap((folder) =>
    (['watch.jsonl', 'audit.jsonl', 'operator.log'] as const).flatMap((name) => {
      const file = path.join(folder, name);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return text.split('\n').flatMap((payload) => (payload === '' ? [] : [{ name, payload }]));
    }),
  );
  if (lines.length === 0) throw new Error('no watch.jsonl, audit.jsonl or operator.log in the folders given');
  return Array.from({ length: records }, (_, index): RecordInput => {
    const { name, payload } = lines[index % lines.length] ?? { name: 'operator.log', payload: '' };
    const at = start + index * 2;
    const common = { at: { lo: at, hi: at }, receivedAt: at };
    if (name === 'operator.log') return { ...common, kind: 'log', source: sourceId('log:1'), payload };
    if (name === 'audit.jsonl') return { ...common, kind: 'audit', source: sourceId('audit:1'), payload };
    const { object } = JSON.parse(payload) as { object: WatchedObject };
    const { metadata } = object;
    const key = { group: '', kind: object.kind, namespace: metadata.namespace ?? '', name: metadata.name };
    return {
      ...common,
      kind: 'object',
      source: sourceId(`watch:${object.kind}`),
      object: objectKey(key),
      uid: metadata.uid,
      resourceVersion: resourceVersion(metadata.resourceVersion),
      op: 'modified',
      payload: JSON.stringify(object),
    };
  });
}

interface WatchedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { records: { type: 'string' }, rounds: { type: 'string' } },
    allowPositionals: true,
  });
  const records = Number(values.records ?? 50_000);
  const inputs = positionals.length > 0 ? caseFolderStream(positionals, records) : preparedStream(records);
  benchSession(inputs, Number(values.rounds ?? 5), console.log);
}
