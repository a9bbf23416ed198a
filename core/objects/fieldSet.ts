/**
 * fieldsV1 of a managedFields entry: a trie whose keys say how to descend. `f:<field>`, `k:<JSON of an item's key>`,
 * `v:<JSON of an item>`, `i:<index>`; `.` is the node itself. A node without keys owns all that lies below it (an
 * atomic list, a scalar). Source: structured-merge-diff fieldpath/serialize.go. Spec: docs/spec/objects.md
 */
import { parseJson } from '../../shared/base/json.ts';
import {
  type Fields,
  isFields,
  keyLabel,
  type ListItem,
  listNaming,
  renderPath,
  type Side,
  type Step,
} from './path.ts';

/** A node of the trie; anything that is no JSON object counts as an empty node. */
export type FieldNode = Fields;

const emptyNode: FieldNode = {};

export function fieldNode(fieldsV1: unknown): FieldNode {
  return isFields(fieldsV1) ? fieldsV1 : emptyNode;
}

/** Does the set own the place that `steps` lead to, itself or through an atomic parent? */
export function ownsPath(root: FieldNode, steps: readonly Step[], side: Side): boolean {
  let node: FieldNode = root;
  for (const [depth, step] of steps.entries()) {
    if (Object.keys(node).length === 0) return depth > 0;
    const child = descend(node, step, side);
    if (child === undefined) return false;
    node = child;
  }
  return steps.length > 0;
}

/** Does `newer` own something that `older` did not? */
export function hasGained(older: FieldNode, newer: FieldNode): boolean {
  return Object.entries(newer).some(([key, child]) => {
    if (!(key in older)) return true;
    return hasGained(fieldNode(older[key]), fieldNode(child));
  });
}

/** Key fields that the set uses for items of the list at `node`, e.g. `[type]`; undefined when it uses none. */
export function keyFieldsAt(node: FieldNode | undefined): readonly string[] | undefined {
  if (node === undefined) return undefined;
  for (const key of Object.keys(node)) {
    if (!key.startsWith('k:')) continue;
    const parsed = parseJson(key.slice(2));
    if (isFields(parsed)) return Object.keys(parsed);
  }
  return undefined;
}

/** The child that a field or an item leads to. */
export function descend(node: FieldNode, step: Step, side: Side): FieldNode | undefined {
  if (step.kind === 'field') {
    const child = node[`f:${step.name}`];
    return child === undefined ? undefined : fieldNode(child);
  }
  const item = step[side];
  if (item === undefined) return undefined;
  for (const [key, child] of Object.entries(node)) {
    if (matchesItem(key, item)) return fieldNode(child);
  }
  return undefined;
}

function matchesItem(key: string, item: NonNullable<ListItem>): boolean {
  if (key.startsWith('i:')) return Number(key.slice(2)) === item.index;
  if (key.startsWith('v:')) return key.slice(2) === JSON.stringify(item.value);
  if (!key.startsWith('k:')) return false;
  const wanted = parseJson(key.slice(2));
  const { value } = item;
  if (!isFields(wanted) || !isFields(value)) return false;
  // A defaulted key field (protocol: TCP) may be absent in the object and present in the set.
  return Object.entries(wanted).every(([name, want]) => (value[name] ?? want) === want);
}

/**
 * Every place the set owns, leaves only, as paths into `object` (for the names of list items). An item that is not in
 * the object any more is named by its key.
 */
export function ownedPaths(root: FieldNode, object: unknown): string[] {
  const paths: string[] = [];
  collect(root, object, [], '', paths);
  return paths;
}

function collect(node: FieldNode, value: unknown, steps: Step[], field: string, paths: string[]): void {
  const keys = Object.keys(node).filter((key) => key !== '.');
  if (keys.length === 0) {
    if (steps.length > 0) paths.push(renderPath(steps));
    return;
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const naming = Array.isArray(value) ? listNaming(field, [list], keyFieldsAt(node)) : undefined;
  for (const key of keys) {
    const child = fieldNode(node[key]);
    const rest = key.slice(2);
    if (key.startsWith('f:')) {
      const inside = isFields(value) ? value[rest] : undefined;
      collect(child, inside, [...steps, { kind: 'field', name: rest }], rest, paths);
      continue;
    }
    const index = list.findIndex((item, at) => matchesItem(key, { index: at, value: item }));
    const item: ListItem = index < 0 ? undefined : { index, value: list[index] };
    const label = item === undefined ? labelOfKey(key) : (naming?.(item.value) ?? String(index));
    collect(child, item?.value, [...steps, { kind: 'item', label, older: item, newer: item }], '', paths);
  }
}

function labelOfKey(key: string): string {
  const parsed = parseJson(key.slice(2));
  if (isFields(parsed)) return keyLabel(parsed, Object.keys(parsed)) ?? key.slice(2);
  return typeof parsed === 'string' ? parsed : key.slice(2);
}
