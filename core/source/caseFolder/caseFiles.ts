/** Reading the files of a case folder, line by line. What is malformed is a problem with its place, never the batch. */
import { asRecord, parseJson } from '../../../shared/base/json.ts';
import type { KubeObject } from '../../../shared/model/kube.ts';
import { readObject } from './readObject.ts';

export interface CaseFile {
  /** Base name, e.g. `cluster.yaml`. */
  readonly name: string;
  readonly text: string;
}

/** Something that could not be read: it was skipped. `line` from 1. */
export interface CaseProblem {
  readonly file: string;
  readonly line?: number;
  readonly text: string;
}

/** Parses one YAML document; throws on malformed text. The library lives outside of the pure core. */
export type ParseYaml = (text: string) => unknown;

export interface PlacedObject {
  readonly object: KubeObject;
  readonly file: string;
  readonly line: number;
}

export interface WatchLine {
  readonly line: number;
  /** ms; undefined when the line states none. */
  readonly at: number | undefined;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** Every object of a multi-document file, lists unfolded, with the line its document starts at. */
export function readDocuments(
  file: CaseFile,
  parseYaml: ParseYaml,
  problems: CaseProblem[],
): readonly PlacedObject[] {
  const placed: PlacedObject[] = [];
  for (const { text, line } of splitDocuments(file.text)) {
    let value: unknown;
    try {
      value = parseYaml(text);
    } catch (reason) {
      problems.push({ file: file.name, line, text: `not YAML: ${firstLine(reason)}` });
      continue;
    }
    if (value === null || value === undefined) continue;
    for (const item of itemsOf(value)) {
      const object = readObject(item);
      if (object !== undefined) placed.push({ object, file: file.name, line });
      else
        problems.push({
          file: file.name,
          line,
          text: 'no Kubernetes object: apiVersion, kind or metadata.name is missing, or it is nested too deep',
        });
    }
  }
  return placed;
}

/** What a kind had when the stream began has come: its events before this line are no news. */
export interface InitialEnd {
  readonly line: number;
  /** ms; undefined when the line states none. */
  readonly at: number | undefined;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The object events of a watch file in order; bookmarks and errors say nothing about objects. */
export function readWatch(file: CaseFile, problems: CaseProblem[]): readonly WatchLine[] {
  return readWatchStream(file, problems).events;
}

/** The object events of a watch file in order, and where the initial events of each kind end. */
export function readWatchStream(
  file: CaseFile,
  problems: CaseProblem[],
): { readonly events: readonly WatchLine[]; readonly initialEnds: readonly InitialEnd[] } {
  const lines: WatchLine[] = [];
  const initialEnds: InitialEnd[] = [];
  for (const { text, line } of linesOf(file.text)) {
    const value = parseJson(text);
    if (value === undefined) {
      problems.push({ file: file.name, line, text: 'not a JSON line' });
      continue;
    }
    const { at: statedAt, type, object: stated } = asRecord(value) ?? {};
    const ms = typeof statedAt === 'string' ? Date.parse(statedAt) : Number.NaN;
    const at = Number.isNaN(ms) ? undefined : ms;
    if (type === 'BOOKMARK') {
      const end = initialEnd(stated);
      if (end !== undefined) initialEnds.push({ line, at, ...end });
      continue;
    }
    if (type === 'ERROR') continue;
    const object = readObject(stated);
    if ((type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') || object === undefined) {
      problems.push({
        file: file.name,
        line,
        text: 'no watch event: type or object is missing, or nested too deep',
      });
      continue;
    }
    lines.push({ line, at, type, object });
  }
  return { events: lines, initialEnds };
}

function initialEnd(value: unknown): { readonly apiVersion: string; readonly kind: string } | undefined {
  const { apiVersion, kind, metadata } = asRecord(value) ?? {};
  const annotations = asRecord(asRecord(metadata)?.annotations);
  if (annotations?.['k8s.io/initial-events-end'] !== 'true') return undefined;
  return typeof apiVersion === 'string' && typeof kind === 'string' ? { apiVersion, kind } : undefined;
}

/** Lines that hold something, with their number from 1. */
export function* linesOf(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let line = 0;
  for (const part of text.split('\n')) {
    line++;
    const clean = part.endsWith('\r') ? part.slice(0, -1) : part;
    if (clean.trim() !== '') yield { text: clean, line };
  }
}

function* splitDocuments(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let start = 1;
  let part: string[] = [];
  let number = 0;
  for (const raw of text.split(/\r?\n/)) {
    number++;
    if (/^---(\s|$)/.test(raw)) {
      yield document(part, start);
      // What follows the marker on its line is content, e.g. `--- {kind: …}`.
      part = [raw.slice(3)];
      start = number;
    } else part.push(raw);
  }
  yield document(part, start);
}

function document(lines: readonly string[], start: number): { text: string; line: number } {
  const blank = lines.findIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return { text: lines.join('\n'), line: start + Math.max(0, blank) };
}

/** The items of a list. Those of a typed one (`ClusterRoleList`, as the API answers) need not repeat what they are. */
function itemsOf(value: unknown): readonly unknown[] {
  const fields = asRecord(value);
  if (typeof fields?.kind !== 'string' || !fields.kind.endsWith('List') || !Array.isArray(fields.items))
    return [value];
  const kind = fields.kind.slice(0, -'List'.length);
  if (kind === '') return fields.items;
  return fields.items.map((item) => ({ apiVersion: fields.apiVersion, kind, ...asRecord(item) }));
}

function firstLine(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  return text.split('\n')[0] ?? text;
}
