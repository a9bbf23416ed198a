/**
 * kill -9 of an engine under load, again and again, and what its session holds then. Used by the test that demands it
 * and by `npm run bench -- kill`, which prints the table.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createSessionLibrary } from '../../core/node/sessionLibrary.ts';
import { systemClock } from '../../core/node/systemClock.ts';
import { decodeRecord } from '../../core/session/decode.ts';
import type { SessionLog } from '../../core/session/record.ts';
import { ok } from '../../shared/base/result.ts';
import { startBusyServer } from './engineKillServer.ts';

export interface KillsOptions {
  readonly kills: number;
  readonly perSecond: number;
  /** Engines at work at the same time. */
  readonly lanes: number;
}

/** What one kill left. Times are ms before the kill. */
export interface Kill {
  /** Records that had arrived. */
  readonly recorded: number;
  /** Records in the file. */
  readonly kept: number;
  readonly perSecond: number;
  /** Longest time between two turns of the engine's loop in the last two seconds, the cut one included. */
  readonly lagMs: number;
  /** Age of the newest record in the file; NaN when it holds none. */
  readonly newestAgeMs: number;
  /** Age of the oldest record that is missing; 0 when none is. */
  readonly lostMs: number;
  /** What is wrong with it; empty when nothing is. */
  readonly faults: readonly string[];
}

/** What a commit may be behind, ms; the loop's lag comes on top. */
const commitMs = 250;
/** What the last turns of the loop took says what the next would have. */
const lagWindowMs = 2000;
const child = fileURLToPath(new URL('./engineKillChild.ts', import.meta.url));

/** Runs all kills, each on an engine and a session of its own. */
export async function runKills(options: KillsOptions): Promise<readonly Kill[]> {
  const root = mkdtempSync(join(tmpdir(), 'loopscope-kills-'));
  try {
    const kills: Kill[] = [];
    let next = 0;
    const lane = async () => {
      while (next < options.kills) {
        const index = next++;
        kills[index] = await killOne(join(root, String(index)), options.perSecond, momentOf(index));
      }
    };
    await Promise.all(Array.from({ length: options.lanes }, lane));
    return kills;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** When to kill. */
interface Moment {
  /** So many records have arrived, or it took too long. */
  readonly records: number;
  /** And then so much later, ms. */
  readonly thenMs: number;
}

/** A machine that is too busy for the rate does not make the whole take for ever. */
const longestWaitMs = 5_000;

/** A few in the first list, the others anywhere in the watch. */
function momentOf(index: number): Moment {
  const inList = index % 7 === 3;
  return { records: inList ? 1 : 500 + Math.random() * 5000, thenMs: Math.random() * (inList ? 250 : 400) };
}

async function killOne(home: string, perSecond: number, moment: Moment): Promise<Kill> {
  mkdirSync(home);
  const server = await startBusyServer({ objects: 400, perSecond });
  const kubeconfig = join(home, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(server.url));
  const report = join(home, 'report');
  const engine = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', child, kubeconfig, home, report],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  engine.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => engine.once('exit', () => resolve()));
  try {
    await firstRecord(engine, report, () => said);
    const since = performance.now();
    while (arrived(report) < moment.records && performance.now() - since < longestWaitMs) await sleep(20);
    await sleep(moment.thenMs);
    const killedAt = Date.now();
    engine.kill('SIGKILL');
    await ended;
    return await judge(join(home, 'sessions'), readReport(report), killedAt, said);
  } finally {
    engine.kill('SIGKILL');
    await ended;
    await server.close();
  }
}

/** Waits until something was recorded; rejects with what the engine said when it ended instead. */
async function firstRecord(engine: ChildProcess, report: string, said: () => string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 10) {
    if (existsSync(report) && readFileSync(report, 'utf8').includes('r ')) return;
    if (engine.exitCode !== null) throw new Error(`the engine ended by itself: ${said()}`);
    await sleep(10);
  }
  throw new Error(`nothing was recorded in a minute: ${said()}`);
}

/** Number of the last record that arrived: it stands near the end of the report. */
function arrived(report: string): number {
  const text = readFileSync(report, 'latin1').slice(-2000);
  return Number([...text.matchAll(/^r (\d+) .*$/gm)].at(-1)?.[1] ?? 0);
}

interface Report {
  readonly records: readonly { readonly seq: number; readonly at: number; readonly version: string }[];
  readonly ticks: readonly { readonly at: number; readonly gap: number }[];
}

function readReport(file: string): Report {
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return {
    records: [...whole.matchAll(/^r (\d+) (\d+) (\S+)$/gm)].map(([, seq, at, version = '-']) => {
      return { seq: Number(seq), at: Number(at), version };
    }),
    ticks: [...whole.matchAll(/^t (\d+) (\d+)$/gm)].map(([, at, gap]) => {
      return { at: Number(at), gap: Number(gap) };
    }),
  };
}

async function judge(sessions: string, report: Report, killedAt: number, said: string): Promise<Kill> {
  const { records, ticks } = report;
  const recent = ticks.filter((tick) => tick.at > killedAt - lagWindowMs).map((tick) => tick.gap);
  const lagMs = Math.max(0, ...recent, killedAt - (ticks.at(-1)?.at ?? killedAt));
  const first = records[0]?.at ?? killedAt;
  const faults = said.includes('bug: ') ? [said.slice(0, 500)] : [];
  const found = await examine(sessions, faults);
  for (const { seq, version } of records) {
    const kept = found.versions[seq - 1];
    if (kept !== undefined && kept !== version)
      faults.push(`record ${seq} is ${kept}, ${version} had arrived`);
  }
  const lost = records.filter(({ seq }) => seq > found.records);
  const owed = lost.filter(({ at }) => at < killedAt - commitMs - lagMs);
  if (owed.length > 0) faults.push(`${owed.length} records are missing that had to be there`);
  const newest = records.findLast(({ seq }) => seq <= found.records)?.at;
  return {
    recorded: records.at(-1)?.seq ?? 0,
    kept: found.records,
    perSecond: Math.round((records.length * 1000) / Math.max(1, killedAt - first)),
    lagMs,
    newestAgeMs: newest === undefined ? Number.NaN : killedAt - newest,
    lostMs: lost.length === 0 ? 0 : killedAt - Math.min(...lost.map(({ at }) => at)),
    faults,
  };
}

interface Examined {
  readonly records: number;
  /** resourceVersion of each record, '-' where it has none. */
  readonly versions: readonly string[];
}

/** Opens what is there as a person would, and reads every part of it. */
async function examine(folder: string, faults: string[]): Promise<Examined> {
  const library = createSessionLibrary({
    folder,
    clock: systemClock,
    app: 'test',
    retention: { get: () => ({ keep: 10, maxBytes: 2 ** 31 }), set: () => ok(undefined) },
  });
  const [row, ...others] = library.rows();
  if (row === undefined || others.length > 0) {
    faults.push(`${others.length + (row === undefined ? 0 : 1)} sessions are listed`);
    return { records: 0, versions: [] };
  }
  if (row.state !== 'interrupted') faults.push(`it is listed as ${row.state}: ${row.problem?.message ?? ''}`);
  const opened = await library.open(row.path);
  if (!opened.ok) {
    faults.push(opened.error.message);
    return { records: 0, versions: [] };
  }
  const database = new DatabaseSync(row.path, { readOnly: true });
  const check = String(database.prepare('PRAGMA quick_check').get()?.quick_check);
  database.close();
  if (check !== 'ok') faults.push(`quick_check: ${check}`);
  const { log } = opened.value;
  const records = log.stats().records;
  if (row.records !== records) faults.push(`${row.records} records are listed, ${records} are there`);
  const versions = readAll(log, faults);
  log.close();
  return { records, versions };
}

function readAll(log: SessionLog, faults: string[]): readonly string[] {
  const versions: string[] = [];
  const histories = new Map<string, number[]>();
  for (const head of log.heads({})) {
    versions.push(head.resourceVersion ?? '-');
    if (head.seq !== versions.length) faults.push(`record ${head.seq} is the ${versions.length}th`);
    const payload = log.payload(head.seq);
    if (payload === undefined) {
      faults.push(`record ${head.seq} has no text`);
      continue;
    }
    const { facts, problem } = decodeRecord(head, payload);
    if (problem !== undefined) faults.push(`record ${head.seq}: ${problem}`);
    const wanted: unknown = facts.length === 0 ? undefined : JSON.parse(JSON.stringify(facts));
    const kept: unknown = JSON.parse(JSON.stringify(log.facts(head.seq) ?? null)) ?? undefined;
    if (!isDeepStrictEqual(kept, wanted)) faults.push(`record ${head.seq} has other facts than it had`);
    if (head.object !== undefined) {
      const seqs = histories.get(head.object);
      if (seqs === undefined) histories.set(head.object, [head.seq]);
      else seqs.push(head.seq);
    }
  }
  for (const [key, seqs] of histories) {
    if (!isDeepStrictEqual([...log.historyOf(key as Parameters<SessionLog['historyOf']>[0])], seqs))
      faults.push(`the history of ${key} is not complete`);
  }
  return versions;
}

function kubeconfigFor(server: string): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: busy',
    `clusters: [{ name: busy, cluster: { server: "${server}" } }]`,
    'users: [{ name: busy, user: {} }]',
    'contexts: [{ name: busy, context: { cluster: busy, user: busy, namespace: shop } }]',
    '',
  ].join('\n');
}

/** Rows for people: one a kill, and what is the worst of all. */
export function killTable(kills: readonly Kill[]): readonly string[] {
  const cell = (value: number | string, width: number) =>
    (typeof value === 'string' ? value : Number.isNaN(value) ? '–' : String(Math.round(value))).padStart(
      width,
    );
  const row = (cells: readonly (number | string)[]) => cells.map((value) => cell(value, 11)).join('');
  const good = kills.filter(({ faults }) => faults.length === 0).length;
  return [
    row(['kill', 'events/s', 'records', 'in file', 'newest ms', 'lost ms', 'lag ms', 'verdict']),
    ...kills.map(({ perSecond, recorded, kept, newestAgeMs, lostMs, lagMs, faults }, index) =>
      row([
        index + 1,
        perSecond,
        recorded,
        kept,
        newestAgeMs,
        lostMs,
        lagMs,
        faults.length === 0 ? 'whole' : 'FAULTY',
      ]),
    ),
    `${good} of ${kills.length} sessions are whole; oldest record lost ${Math.round(Math.max(...kills.map(({ lostMs }) => lostMs)))} ms before the kill`,
    ...kills.flatMap(({ faults }, index) => faults.slice(0, 5).map((fault) => `kill ${index + 1}: ${fault}`)),
  ];
}
