/**
 * Watch ingest: prepared events through ListerWatcher, Reflector, recorder, decoder and shadow queue, against JSON.parse of
 * the same lines. The whole engine runs, with every other derivation beside the queue.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { IngestResult, IngestTask } from './ingestChild.ts';
import { median, rawValues, verdict, verdictText } from './statistics.ts';

export interface IngestOptions {
  /** Objects that the events change. */
  readonly objects: number;
  readonly events: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** Measures in turn and prints. Throws when an event is lost. */
export async function benchIngest(options: IngestOptions): Promise<void> {
  const { objects, events, rounds, say } = options;
  const parse: IngestResult[] = [];
  const memory: IngestResult[] = [];
  const sqlite: IngestResult[] = [];
  const run = async (way: IngestTask['way'], log: 'memory' | 'sqlite', retained = false) => {
    const folder = mkdtempSync(join(tmpdir(), 'loopscope-bench-'));
    const sessions = log === 'memory' ? log : folder;
    try {
      const task: IngestTask = { way, objects, events, sessions, memory: retained };
      const result = await runChild<IngestResult>('ingestChild.ts', task);
      if (result.events !== events) throw new Error(`${log}: ${result.events} of ${events} events recorded`);
      return result;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  for (let round = 0; round < rounds; round++) {
    parse.push(await run('parse', 'memory'));
    sqlite.push(await run('engine', 'sqlite'));
    memory.push(await run('engine', 'memory'));
  }
  say(`ingest of ${events} watch events on ${objects} objects, ${rounds} rounds`);
  const line = (name: string, results: readonly IngestResult[]) => {
    const ms = results.map((one) => one.ms);
    const peaks = results.map((one) => one.peakRssBytes / 2 ** 20);
    const micros = (median(ms) * 1000) / events;
    const cpu = (median(results.map((one) => one.cpuMs)) * 1000) / events;
    say(
      `  ${name.padEnd(26)} ${micros.toFixed(2)} µs an event ${rawValues(ms)} ms, processor ${cpu.toFixed(2)} µs, peak ${median(peaks).toFixed(0)} MB`,
    );
    return { ms, cpu: results.map((one) => one.cpuMs) };
  };
  const floor = line('JSON.parse of the lines', parse);
  const file = line('engine, session file', sqlite);
  const held = line('engine, log in memory', memory);
  const ratios = (own: typeof floor) =>
    `time ${verdictText(verdict(own.ms, floor.ms, 2.5))}, processor ${verdictText(verdict(own.cpu, floor.cpu, 2.5))}`;
  say(`  session file: ${ratios(file)}; in memory: ${ratios(held)}`);
  say(`  every event recorded; ${sqlite[0]?.queued} of ${events} reached the shadow queue`);
  const { retained } = await run('engine', 'sqlite', true);
  say(
    `  retained after a tenth, a half, all of the events: ${rawValues(
      retained.map((one) => one / 2 ** 20),
      1,
    )} MB`,
  );
}
