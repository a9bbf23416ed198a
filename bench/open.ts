/**
 * Opening a session: records a second that are folded without anybody being told, time until it is shown, the longest
 * stretch that held the event loop, and going back by one seek.
 *   node bench/open.ts [--records N] [--rounds N]
 */
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
import { systemClock } from '../core/node/systemClock.ts';
import { createRecorder } from '../core/session/recorder.ts';
import type { Result } from '../shared/base/result.ts';
import { ok } from '../shared/base/result.ts';
import type { Problem } from '../shared/contract/views/connection.ts';
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
    const file = recordFile(folder, records);
    const opens: number[] = [];
    const seeks: number[] = [];
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
      const opened = await engine.openFile(file);
      opens.push(performance.now() - began);
      delay.disable();
      longestDelayMs = Math.max(longestDelayMs, delay.max / 1e6);
      if (!opened.ok) throw new Error(opened.error.message);
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
      `open: ${records} records in ${Math.round(openMs)} ms, ${Math.round(result.recordsPerSecond)} a second; ` +
        `event loop held ${longestDelayMs.toFixed(1)} ms at most; back to the middle ${Math.round(result.seekMs)} ms  ` +
        `[${opens.map(Math.round).join(' ')} ms]`,
    );
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function recordFile(folder: string, records: number): string {
  const made = createSqliteSession({ folder, clock: systemClock, id: 'bench' });
  if (!made.ok) throw new Error(made.error.message);
  const recorder = createRecorder(made.value);
  for (const input of preparedStream(records)) recorder.record(input);
  made.value.close();
  return made.value.file;
}

async function open(file: string): Promise<Result<OpenedSession, Problem>> {
  const opened = openSqliteSession(file, { clock: systemClock });
  if (!opened.ok) return opened;
  return ok({ log: opened.value, path: file, name: 'bench', context: 'bench', server: 'https://prepared' });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { records: { type: 'string' }, rounds: { type: 'string' } } });
  await benchOpen(Number(values.records ?? 200_000), Number(values.rounds ?? 3), console.log);
}
