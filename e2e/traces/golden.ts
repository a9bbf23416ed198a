/**
 * Golden traces: what the spans of a scenario are, in a small text, without times, ids and names, and without what is a matter of
 * milliseconds: how events collapse into runs, which of them is named as what woke a run, and where a conflict with a cache
 * that is behind breaks a run off. A line of golden/NAME.txt is
 * - `! controller: trigger → result: writes`: a span that every run of the scenario has;
 * - `? controller → result: writes`: spans that may be: they did some of this, each once and in this order (`a|b` is one of them);
 * - `by controller: triggers`: what may wake its runs.
 * The lines follow from the operator's code (e2e/operator/internal/controller) and are written by hand.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Span, TraceWrite } from '../../shared/model/trace.ts';
import { type FaultName, faults } from '../testbed/faults.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

const folder = join(import.meta.dirname, 'golden');

/** Scenarios with a golden trace: one for each fault of the operator. */
export const goldenScenarios: readonly ScenarioName[] = (Object.keys(scenarios) as ScenarioName[]).filter(
  // Where writes are not always told apart, what they are told of is no measure.
  (name) => Object.hasOwn(faults, name) && !('leastWrites' in scenarios[name]),
);

/** A span without what is chance. */
export interface Shape {
  readonly controller: string;
  readonly trigger: string;
  readonly result: string;
  /** Writes in order, then Events. */
  readonly did: readonly string[];
}

/** Kinds of spans in order of their first appearance. */
export function shapesOf(scenario: ScenarioName, spans: readonly Span[]): readonly Shape[] {
  const ordered = [...spans].sort((a, b) => a.start.lo - b.start.lo || (a.id < b.id ? -1 : 1));
  const shapes = new Map<string, Shape>();
  for (const span of ordered) {
    // The run that was going on when the operator was stopped.
    if (span.result === undefined || span.error?.includes('context canceled')) continue;
    const shape = shapeOf(span, scenarios[scenario].fault);
    shapes.set(shapeText(shape), shape);
  }
  return [...shapes.values()];
}

export function shapeText({ controller, trigger, result, did }: Shape): string {
  return `${controller}: ${trigger} → ${result}: ${didText(did)}`;
}

function didText(did: readonly string[]): string {
  return did.join(', ') || 'nothing';
}

function shapeOf(span: Span, fault: FaultName): Shape {
  const writes = [...span.writeList].sort(byVersion).map(({ verb, subject, subresource, outcome }) => {
    const kind = subject.slice(0, subject.indexOf('/'));
    const what = `${verb} ${kind}${subresource === '' ? '' : `/${subresource}`}`;
    return outcome === 'stored' ? what : `${what} (${outcome})`;
  });
  const events = [...new Set(span.eventList.map(({ reason }) => `Event ${reason}`))].sort();
  return {
    controller: span.controller,
    trigger: triggerOf(span),
    result: resultOf(span, fault),
    did: [...writes, ...events],
  };
}

function resultOf({ result, error = '' }: Span, fault: FaultName): string {
  if (error === '') return result ?? 'running';
  // With the operator's own earlier write, by a cache a few ms behind; where it is the fault it is told in full.
  const isFault = fault === 'stale-write' && error.startsWith('noting the phase');
  if (/has been modified|already exists/.test(error) && !isFault) return 'conflict';
  return `${result} "${withoutNames(error)}"`;
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

export interface Golden {
  /** Texts of shapes. */
  readonly always: readonly string[];
  readonly may: readonly Passage[];
  /** By controller. */
  readonly wokenBy: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What spans of a controller and a result may have done. */
interface Passage {
  readonly controller: string;
  readonly result: string;
  readonly did: readonly (readonly string[])[];
}

/** Undefined where there is no golden trace of it. */
export function readGolden(name: ScenarioName): Golden | undefined {
  const path = join(folder, `${name}.txt`);
  return existsSync(path) ? parseGolden(readFileSync(path, 'utf8')) : undefined;
}

/** Throws for a line that is none of the three, nor a remark (`#`). */
export function parseGolden(text: string): Golden {
  const always: string[] = [];
  const may: Passage[] = [];
  const wokenBy = new Map<string, ReadonlySet<string>>();
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const by = /^by (\S+): (.+)$/.exec(line);
    const passage = /^\? (\S+) → (.+): ([^:]+)$/.exec(line);
    if (line.startsWith('! ')) always.push(line.slice(2));
    else if (by !== null) wokenBy.set(by[1] ?? '', new Set((by[2] ?? '').split(', ')));
    else if (passage !== null) {
      const [, controller = '', result = '', did = ''] = passage;
      may.push({ controller, result, did: did.split(', ').map((one) => one.split('|')) });
    } else throw new Error(`a line of a golden trace that says nothing: ${line}`);
  }
  return { always, may, wokenBy };
}

/** What a run tells otherwise than the golden trace, a sentence each. */
export function differences(golden: Golden, shapes: readonly Shape[]): readonly string[] {
  const seen = new Set(shapes.map(shapeText));
  const known = new Set(golden.always);
  return [
    ...golden.always.filter((line) => !seen.has(line)).map((line) => `missing: ${line}`),
    ...shapes
      .filter((shape) => !known.has(shapeText(shape)) && !golden.may.some((one) => isPartOf(shape, one)))
      .map((shape) => `new: ${shapeText(shape)}`),
    ...shapes
      .filter(({ controller, trigger }) => golden.wokenBy.get(controller)?.has(trigger) !== true)
      .map((shape) => `woken by something else: ${shapeText(shape)}`),
  ];
}

/** It did some of the passage, each once and in this order. */
function isPartOf({ controller, result, did }: Shape, passage: Passage): boolean {
  if (controller !== passage.controller || result !== passage.result) return false;
  let next = 0;
  for (const one of did) {
    const found = passage.did.findIndex((choices, index) => index >= next && choices.includes(one));
    if (found < 0) return false;
    next = found + 1;
  }
  return true;
}
