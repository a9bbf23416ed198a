/**
 * Opening a session: records a second that are folded without anybody being told, time until it is shown, the longest
 * stretch that held the event loop, and going back by one seek.
 *   node bench/open.ts [--records N] [--rounds N]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEngine } from '../core/engine/engine.ts';
import type { OpenedSession } from '../core/engine/library.ts';
import { createNodeHost } from '../core/node/nodeHost.ts';
import { createSqliteSession, openSqliteSession } from '../core/node/sqliteSession.ts';
import { listSessionFiles } from '../core/node/sqliteSessionFiles.ts';
import { systemClock } from '../core/node/systemClock.ts';
import type { RecordInput, RecordKind } from '../core/session/record.ts';
import { createRecorder } from '../core/session/recorder.ts';
import type { Result } from '../shared/base/result.ts';
import { ok } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
import { sourceId } from '../shared/model/ids.ts';
import { preparedStream } from './session.ts';

export interface OpenBench {
  readonly records: number;
  /** Median of the rounds. */
  readonly openMs: number;
  readonly recordsPerSecond: number;
  /** Longest delay of the event loop while opening, ms. */
  readonly longestDelayMs: number;
  /** Going back to the middle. */
  readonly seekMs: number;
}

/** Runs it; `say` gets a line for each result. */
export async function benchOpen(
  records: number,
  rounds: number,
  say: (line: string) => void,
): Promise<OpenBench> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loopscope-bench-'));
  try {
    // In a process of its own: what the prepared stream takes of memory would weigh on what is measured.
    execFileSync(process.execPath, [thisFile, '--record', folder, '--records', String(records)]);
    const [file = ''] = listSessionFiles(folder);
    const opens: number[] = [];
    const seeks: number[] = [];
    const cpu: number[] = [];
    let longestDelayMs = 0;
    for (let round = 0; round < rounds; round++) {
      const engine = createEngine({
        ...createNodeHost({ version: 'bench', sessions: 'memory' }),
        onBug: (_where, error) => {
          throw error;
        },
        library: {
          ...createNodeHost({ version: 'bench', sessions: 'memory' }).library,
          open: () => open(file),
        },
      });
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const began = performance.now();
      const used = process.cpuUsage();
      const opened = await engine.openFile(file);
      opens.push(performance.now() - began);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
      delay.disable();
      longestDelayMs = Math.max(longestDelayMs, delay.max / 1e6);
      if (!opened.ok) throw new Error(opened.error.message);
      const keys = engine.session()?.shadows.keys('database').size ?? 0;
      if (keys === 0) throw new Error('the operator of the recording has no keys');
      const { from = 0, to = 0 } = engine.playback();
      const back = performance.now();
      await engine.player()?.seek((from + to) / 2);
      seeks.push(performance.now() - back);
      engine.dispose();
    }
    const openMs = median(opens);
    const result = {
      records,
      openMs,
      recordsPerSecond: (records / openMs) * 1000,
      longestDelayMs,
      seekMs: median(seeks),
    };
    say(
      `open: ${records} records in ${Math.round(openMs)} ms (${Math.round(median(cpu))} ms of CPU), ` +
        `${Math.round(result.recordsPerSecond)} a second; ` +
        `event loop held ${longestDelayMs.toFixed(1)} ms at most; back to the middle ${Math.round(result.seekMs)} ms  ` +
        `[${opens.map(Math.round).join(' ')} ms]`,
    );
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function recordFile(folder: string, records: number): void {
  const made = createSqliteSession({ folder, clock: systemClock, id: 'bench' });
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const thisFile = fileURLToPath(import.meta.url);
if (process.argv[1] === thisFile) {
  const { values } = parseArgs({
    options: { records: { type: 'string' }, rounds: { type: 'string' }, record: { type: 'string' } },
  });
  const records = Number(values.records ?? 200_000);
  if (values.record !== undefined) recordFile(values.record, records);
  else await benchOpen(records, Number(values.rounds ?? 3), console.log);
}
