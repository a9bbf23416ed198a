/**
 * Lines in which an operator says that it updates an object: `updating StatefulSet {"name": "orders"}`, `updated resource
 * orders of Type *v1.Service`, `Child changed {"child": "*v1.Service", "operation": "updated"}`. What is true of it the object shows.
 */
import type { LogEntry } from '../../source/log/logEntry.ts';
import { namesOfLine } from '../evidenceLines.ts';

export interface SaidWrite {
  /** Words of the line that may be a kind, in lower case. */
  readonly words: ReadonlySet<string>;
  /** Words of the line that may be a name; `namespace/name` as a whole and as its name. */
  readonly names: readonly string[];
  /** Of the key that was reconciled; undefined where the line does not say. */
  readonly namespace: string | undefined;
}

const updates = /\b(?:updat|patch)(?:e|es|ed|ing)\b/i;
/** Wishes, failures, and what was left as it is. */
const notSo =
  /\b(?:no|not|never|nothing|without|skip\w*|would|will|need\w*|should|fail\w*|unable|error|waiting|un(?:changed|modified)|up[- ]to[- ]date|status)\b/i;

/** Undefined for any other line, and for one that tells of an error. */
export function saidWriteOf(entry: LogEntry): SaidWrite | undefined {
  const { msg, fields, error, level } = entry;
  if (error !== undefined || level === 'error' || msg.length > 1000) return undefined;
  const done = fields.operation ?? fields.result ?? fields.action;
  const says = updates.test(msg) || (typeof done === 'string' && updates.test(done));
  if (!says || notSo.test(msg)) return undefined;
  const words = new Set<string>();
  const take = (text: string) => {
    for (const [word] of text.matchAll(/[A-Za-z]+/g)) words.add(word.toLowerCase());
  };
  take(msg);
  for (const [name, value] of Object.entries(fields)) {
    take(name);
    if (typeof value === 'string') take(value.slice(0, 200));
  }
  const { key } = entry;
  // Children often bear the name of what they belong to.
  const names = key === undefined ? namesOfLine(entry) : [...namesOfLine(entry), key.name];
  return { words, names, namespace: key?.namespace };
}
