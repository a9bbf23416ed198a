/**
 * Opening a session: processor time of folding its records without anybody being told, against JSON.parse of their
 * payloads; when its first figures are there, how long turns of the event loop are meanwhile, and going back by one seek.
 *   node bench/open.ts [--records N] [--rounds N]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEngine, type Engine } from '../core/engine/engine.ts';
import type { OpenedSession } from '../core/engine/library.ts';
import { createNodeHost } from '../core/node/nodeHost.ts';
import { createSqliteSession, openSqliteSession } from '../core/node/sqliteSession.ts';
import { listSessionFiles } from '../core/node/sqliteSessionFiles.ts';
import { systemClock } from '../core/node/systemClock.ts';
import type { RecordInput, RecordKind } from '../core/session/record.ts';
import { createRecorder } from '../core/session/recorder.ts';
import type { Clock } from '../shared/base/clock.ts';
import type { Result } from '../shared/base/result.ts';
import { ok } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { sourceId } from '../shared/model/ids.ts';
import { preparedStream } from './session.ts';

export interface OpenBench {
  readonly records: number;
  /** Processor time of the fold, ms, least of the rounds: all threads, and the one that folds. */
  readonly cpuMs: number;
  readonly foldMs: number;
  /** Times what JSON.parse of the payloads takes, in the same run. */
  readonly timesParse: number;
  /** Turns of the event loop while opening, ms of processor time. */
  readonly turnMs: { readonly p99: number; readonly longest: number };
}

/** How a session was recorded: `calm` ones keep their facts, in `bursts` they are to be decoded again. */
export type OpenPace = 'calm' | 'bursts';

/** Runs it; `say` gets a line for each result. */
export async function benchOpen(
  records: number,
  rounds: number,
  say: (line: string) => void,
): Promise<Readonly<Record<OpenPace, OpenBench>>> {
  say(`open: a session of ${records} records, ${rounds} rounds; ms of processor time, least of the rounds`);
  return {
    calm: await measure('calm', records, rounds, say),
    bursts: await measure('bursts', records, rounds, say),
  };
}

async function measure(
  pace: OpenPace,
  records: number,
  rounds: number,
  say: (line: string) => void,
): Promise<OpenBench> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-bench-'));
  try {
    // In a process of its own: what the prepared stream takes of memory would weigh on what is measured.
    execFileSync(process.execPath, [
      thisFile,
      '--record',
      folder,
      '--records',
      String(records),
      '--pace',
      pace,
    ]);
    const [file = ''] = listSessionFiles(folder);
    const [opens, seeks, parses]: [Opened[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      parses.push(await parseAll(file));
      const turns: number[] = [];
      const host = createNodeHost({ version: 'bench', sessions: 'memory' });
      const engine = createEngine({
        ...host,
        clock: watchedClock(host.clock, turns),
        onBug: (_where, error) => {
          throw error;
        },
        library: { ...host.library, open: () => open(file) },
      });
      opens.push(await openOnce(engine, file, turns));
      const { from = 0, to = 0 } = engine.playback();
      const back = threadMs();
      await engine.player()?.seek((from + to) / 2);
      seeks.push(threadMs() - back);
      engine.dispose();
    }
    const turnsOfAll = opens.flatMap(({ turns }) => turns).sort((a, b) => a - b);
    const foldMs = least(opens.map((one) => one.foldMs));
    const result = {
      records,
      cpuMs: least(opens.map((one) => one.cpuMs)),
      foldMs,
      timesParse: foldMs / least(parses),
      turnMs: { p99: turnsOfAll[Math.floor(turnsOfAll.length * 0.99)] ?? 0, longest: turnsOfAll.at(-1) ?? 0 },
    };
    const each = (values: readonly number[]) => `[${values.map(Math.round).join(' ')}]`;
    say(
      `  ${pace.padEnd(7)} fold ${Math.round(foldMs)} ${each(opens.map((one) => one.foldMs))}, ` +
        `${Math.round((records / foldMs) * 1000)} records a second, all threads ${Math.round(result.cpuMs)} ${each(opens.map((one) => one.cpuMs))}; ` +
        `${result.timesParse.toFixed(2)} × JSON.parse of the payloads ${each(parses)}`,
    );
    say(
      `          first figures after ${Math.round(least(opens.map((one) => one.firstMs)))} (waiting included ${Math.round(least(opens.map((one) => one.firstWallMs)))}); ` +
        `reconciles after ${Math.round(least(opens.map((one) => one.spansMs)))}; ` +
        `turns of the loop p99 ${result.turnMs.p99.toFixed(1)}, longest ${result.turnMs.longest.toFixed(1)}; ` +
        `back to the middle ${Math.round(least(seeks))} ${each(seeks)}`,
    );
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Opened {
  /** Until everything was folded, on the thread that folds, and on all. */
  readonly foldMs: number;
  /** Until its reconciles were there. */
  readonly spansMs: number;
  readonly cpuMs: number;
  /** Until a window could ask for the figures of the session; by the clock, too. */
  readonly firstMs: number;
  readonly firstWallMs: number;
  readonly turns: readonly number[];
}

async function openOnce(engine: Engine, file: string, turns: readonly number[]): Promise<Opened> {
  let [firstMs, firstWallMs] = [Number.NaN, Number.NaN];
  const [began, thread, used] = [performance.now(), threadMs(), process.cpuUsage()];
  const listening = engine.onSession.on((session) => {
    if (session === undefined || session.stats().objects === 0) return;
    [firstMs, firstWallMs] = [threadMs() - thread, performance.now() - began];
    listening.dispose();
  });
  const opened = await engine.openFile(file);
  const foldMs = threadMs() - thread;
  // Reconciles are put together behind what is shown.
  const traces = engine.session()?.traces;
  while (traces?.revision().state === 'deriving') await new Promise((then) => setTimeout(then, 20));
  const spansMs = threadMs() - thread;
  const { user, system } = process.cpuUsage(used);
  if (!opened.ok) throw new Error(opened.error.message);
  const keys = engine.session()?.shadows.keys('database').size ?? 0;
  if (keys === 0) throw new Error('the operator of the recording has no keys');
  return { foldMs, spansMs, cpuMs: (user + system) / 1000, firstMs, firstWallMs, turns: [...turns] };
}

/** Notes for each turn of the event loop that a timer began what it took, ms of processor time. */
function watchedClock(clock: Clock, turns: number[]): Clock {
  let isNoting = false;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (delayMs, fire) =>
      clock.setTimer(delayMs, () => {
        if (!isNoting) {
          isNoting = true;
          const began = threadMs();
          setImmediate(() => {
            isNoting = false;
            turns.push(threadMs() - began);
          });
        }
        fire();
      }),
  };
}

/** The floor: every payload parsed, without what reading it takes. */
async function parseAll(file: string): Promise<number> {
  const opened = await open(file);
  if (!opened.ok) throw new Error(opened.error.message);
  const { log } = opened.value;
  let took = 0;
  let texts: string[] = [];
  const parse = () => {
    const began = threadMs();
    for (const text of texts) JSON.parse(text);
    took += threadMs() - began;
    texts = [];
  };
  for (const { seq } of log.heads({})) {
    texts.push(log.payload(seq) ?? 'null');
    if (texts.length === 512) parse();
  }
  parse();
  log.close();
  return took;
}

/** Processor time of this thread so far, ms. What other work the machine has changes it little. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function recordFile(folder: string, records: number, pace: OpenPace): void {
  const limits = pace === 'calm' ? { burstMs: 0 } : { burstMs: Number.POSITIVE_INFINITY };
  const made = createSqliteSession({ folder, clock: systemClock, id: 'bench', limits });
  if (!made.ok) throw new Error(made.error.message);
  const recorder = createRecorder(made.value);
  const stream = preparedStream(records);
  for (const input of underDebug(stream[0]?.receivedAt ?? 0)) recorder.record(input);
  for (const input of stream) recorder.record(input);
  made.value.close();
}

/** What makes an operator of the stream one that is under debug: its kind is served, a loopscope.yaml names it. */
function underDebug(at: number): readonly RecordInput[] {
  const own = (kind: RecordKind, value: unknown): RecordInput => ({
    kind,
    source: sourceId('self'),
    at: { lo: at, hi: at },
    receivedAt: at,
    payload: JSON.stringify(value),
  });
  const served = {
    group: 'db.example.com',
    version: 'v1',
    resource: 'databases',
    kind: 'Database',
    namespaced: true,
    verbs: ['list', 'watch'],
    subresources: ['status'],
  };
  const file = {
    format: 1,
    operator: { name: 'database-operator', user: 'database-operator', fieldManagers: ['database-operator'] },
    controllers: [{ name: 'database', for: 'databases.db.example.com', queue: 'priority' }],
  };
  return [
    own('discovery', { served: [served], undiscovered: [], ms: 100 }),
    own('profile', { what: 'file', value: { file, path: 'loopscope.yaml' } }),
    own('profile', { what: 'inferred', value: {} }),
  ];
}

async function open(file: string): Promise<Result<OpenedSession, Problem>> {
  const opened = openSqliteSession(file, { clock: systemClock });
  if (!opened.ok) return opened;
  return ok({ log: opened.value, path: file, name: 'bench', context: 'bench', server: 'https://prepared' });
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

const thisFile = fileURLToPath(import.meta.url);
if (process.argv[1] === thisFile) {
  const { values } = parseArgs({
    options: {
      records: { type: 'string' },
      rounds: { type: 'string' },
      record: { type: 'string' },
      pace: { type: 'string' },
    },
  });
  const records = Number(values.records ?? 200_000);
  if (values.record !== undefined) {
    recordFile(values.record, records, values.pace === 'calm' ? 'calm' : 'bursts');
  } else await benchOpen(records, Number(values.rounds ?? 3), console.log);
}
