/** The difference of two objects, worked out here by plain means: what the product's diff is compared with. */
import type { KubeJson } from '../testbed/kubeClient.ts';

export interface PlainChange {
  readonly path: string;
  readonly sign: '+' | '-' | '~';
  readonly old?: string;
  readonly new?: string;
}

/** Leaves that differ, by path, without managedFields. Values are JSON text. */
export function plainDiff(before: KubeJson, after: KubeJson): readonly PlainChange[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  const changes: PlainChange[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === is) continue;
    if (was === undefined) changes.push({ path, sign: '+', new: is ?? '' });
    else if (is === undefined) changes.push({ path, sign: '-', old: was });
    else changes.push({ path, sign: '~', old: was, new: is });
  }
  return changes;
}

function leavesOf(object: KubeJson): Map<string, string> {
  const leaves = new Map<string, string>();
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  visit({ ...object, metadata }, '', leaves);
  return leaves;
}

/** Conditions are told apart by type, texts in a list (finalizers) by themselves, other items by position. */
function visit(value: unknown, path: string, leaves: Map<string, string>): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      const type =
        typeof item === 'object' && item !== null && 'type' in item ? String(item.type) : undefined;
      visit(item, `${path}[${type ?? (typeof item === 'string' ? item : index)}]`, leaves);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value))
      visit(child, path === '' ? key : `${path}.${key}`, leaves);
  } else {
    leaves.set(path, JSON.stringify(value));
  }
}

/** The product tells long values by a part, with dots where it was cut: such a part stands for the whole it is of. */
export function unabridged(told: readonly PlainChange[], whole: readonly PlainChange[]): PlainChange[] {
  const byPath = new Map(whole.map((change) => [change.path, change]));
  return told.map((change) => {
    const known = byPath.get(change.path);
    return {
      ...change,
      ...(change.old === undefined ? {} : { old: restore(change.old, known?.old) }),
      ...(change.new === undefined ? {} : { new: restore(change.new, known?.new) }),
    };
  });
}

/** Below this nothing is cut: dots in a shorter value are its own. */
const shortest = 100;

function restore(told: string, whole: string | undefined): string {
  const part = told.replace(/^…|…$/g, '');
  if (whole === undefined || part === told || part.length < shortest) return told;
  const fits = told.startsWith('…')
    ? told.endsWith('…')
      ? whole.includes(part)
      : whole.endsWith(part)
    : whole.startsWith(part);
  return fits ? whole : told;
}
