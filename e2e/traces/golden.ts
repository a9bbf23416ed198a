/**
 * Golden traces: what the spans of a scenario are, in a small text, without times and ids. A line is a kind of span:
 * `!` it is in every run, `?` it may be there (how events collapse into runs is a matter of milliseconds, and several runs showed
 * which lines depend on it). Anything else is a difference.
 * `node e2e/traces/golden.ts FOLDER…` writes them anew from folders of recorded runs of each scenario (recordRun.ts).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Span, TraceWrite } from '../../shared/model/trace.ts';
import { type FaultName, faults } from '../testbed/faults.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';
import { scoreRun } from './scoreRun.ts';

const folder = join(import.meta.dirname, 'golden');

/** Scenarios with a golden trace: one for each fault of the operator. */
export const goldenScenarios: readonly ScenarioName[] = (Object.keys(scenarios) as ScenarioName[]).filter(
  // Where writes are not always told apart, what they are told of is no measure.
  (name) => Object.hasOwn(faults, name) && !('leastWrites' in scenarios[name]),
);

/** Kinds of spans in order of their first appearance. */
export interface Shapes {
  readonly all: readonly string[];
  /** Those that do not just take up again what a conflict by a cache a few ms behind broke off, which is chance. */
  readonly sure: readonly string[];
}

export function shapesOf(scenario: ScenarioName, spans: readonly Span[]): Shapes {
  const ordered = [...spans].sort((a, b) => a.start.lo - b.start.lo || (a.id < b.id ? -1 : 1));
  const all = new Set<string>();
  const sure = new Set<string>();
  const brokenOff = new Set<string>();
  for (const span of ordered) {
    const name = `${span.controller} ${span.key}`;
    const shape = shapeOf(span, scenarios[scenario].fault);
    if (shape !== undefined) {
      all.add(shape);
      if (!brokenOff.has(name)) sure.add(shape);
    }
    if (/has been modified|already exists/.test(span.error ?? '')) brokenOff.add(name);
    else if (span.writeList.length > 0) brokenOff.delete(name);
  }
  return { all: [...all], sure: [...sure] };
}

function shapeOf(span: Span, fault: FaultName): string | undefined {
  const error = span.error ?? '';
  // A conflict with the operator's own earlier write, by a cache a few ms behind, happens or not; where it is the fault it stays.
  const isConflict = /the object has been modified|already exists/.test(error);
  const isMeant =
    fault === 'stale-write' && error.startsWith('noting the phase') && span.writeList.length > 0;
  if (isConflict && !isMeant) return undefined;
  // The run that was going on when the operator was stopped.
  if (error.includes('context canceled')) return undefined;
  const writes = [...span.writeList].sort(byVersion).map(({ verb, subject, subresource, outcome }) => {
    const kind = subject.slice(0, subject.indexOf('/'));
    const what = `${verb} ${kind}${subresource === '' ? '' : `/${subresource}`}`;
    return outcome === 'stored' ? what : `${what} (${outcome})`;
  });
  const events = [...new Set(span.eventList.map(({ reason }) => `Event ${reason}`))].sort();
  const did = [...writes, ...events];
  // Events of what was just written wake runs that find nothing to do: how many is chance.
  if (did.length === 0 && span.result === 'success') return undefined;
  const said = error === '' ? '' : ` "${withoutNames(error)}"`;
  return `${span.controller}: ${triggerOf(span)} → ${span.result ?? 'running'}${said}: ${did.join(', ') || 'nothing'}`;
}

/** One etcd counts versions over all kinds. */
function byVersion(a: TraceWrite, b: TraceWrite): number {
  return Number(a.resourceVersion ?? 0) - Number(b.resourceVersion ?? 0) || a.seq - b.seq;
}

function triggerOf({ trigger }: Span): string {
  if (trigger === undefined) return 'unknown';
  const kind = trigger.subject?.slice(0, trigger.subject.indexOf('/'));
  return kind === undefined ? trigger.type : `${trigger.type} ${kind}`;
}

/** Names and versions differ between keys: one line for all of them. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b(orders|billing|reports|tenant-\d+)\b/g, '…')
    .slice(0, 120);
}

interface Golden {
  readonly always: readonly string[];
  readonly may: readonly string[];
}

/** Undefined where there is no golden trace of it yet. */
export function readGolden(name: ScenarioName): Golden | undefined {
  const path = join(folder, `${name}.txt`);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n');
  const marked = (mark: string) =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  return { always: marked('!'), may: marked('?') };
}

/**
 * What a run tells otherwise than the golden trace, a sentence each. Which of several events of the same moment is named as
 * trigger is chance; that a run was a new object's first, a retry or a timer's is not.
 */
export function differences(golden: Golden, { all, sure }: Shapes): readonly string[] {
  const known = new Set([...golden.always, ...golden.may].map(withoutTrigger));
  const seen = new Set([...all, ...all.map(withoutTrigger)]);
  const isMissing = (line: string) =>
    !seen.has(/: (ADDED|retry|requeue)/.test(line) ? line : withoutTrigger(line));
  return [
    ...golden.always.filter(isMissing).map((line) => `missing: ${line}`),
    ...sure.filter((line) => !known.has(withoutTrigger(line))).map((line) => `new: ${line}`),
  ];
}

/** `database: MODIFIED StatefulSet → success: …` without what woke it. */
function withoutTrigger(line: string): string {
  return line.replace(/: [^→]* → /, ': ');
}

function goldenText(name: ScenarioName, runs: readonly (readonly string[])[]): string {
  const all = [...new Set(runs.flat())];
  const always = all.filter((line) => runs.every((run) => run.includes(line)));
  const may = all.filter((line) => !always.includes(line)).sort();
  const title = `# ${name}: ${faults[scenarios[name].fault].summary}`;
  return [title, ...always.map((line) => `! ${line}`), ...may.map((line) => `? ${line}`), ''].join('\n');
}

async function main(folders: readonly string[]): Promise<number> {
  if (folders.length === 0) {
    console.error('usage: node e2e/traces/golden.ts FOLDER…, each with recorded runs by scenario');
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of goldenScenarios) {
    const runs: (readonly string[])[] = [];
    for (const recorded of folders.map((one) => join(one, name)).filter((one) => existsSync(one))) {
      const [row] = (await scoreRun(recorded, ['vLog']))?.rows ?? [];
      if (row !== undefined) runs.push(shapesOf(name, row.spans).all);
    }
    if (runs.length === 0) continue;
    writeFileSync(join(folder, `${name}.txt`), goldenText(name, runs));
    console.log(`${name}: from ${runs.length} runs`);
  }
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = await main(process.argv.slice(2));
