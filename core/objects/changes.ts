/**
 * What differs between two versions of an object: one change per leaf (scalar, empty map or empty list).
 * The walk behind the diff view, the writers of a version and the summary. Spec: docs/spec/objects.md
 */
import { descend, type FieldNode, fieldNode, keyFieldsAt } from './fieldSet.ts';
import { isFields, type ListItem, listNaming, renderPath, type Step } from './path.ts';

export interface Change {
  readonly steps: readonly Step[];
  readonly path: string;
  readonly sign: '+' | '-' | '~';
  /** JSON values; undefined on the side where the place does not exist. */
  readonly old: unknown;
  readonly new: unknown;
  readonly bookkeeping: boolean;
}

export interface CompareOptions {
  /** One of the two is a PartialObjectMetadata: only `metadata` is compared, absence of the rest says nothing. */
  readonly metadataOnly?: boolean;
}

/** Changes from `older` to `newer`, in the order of `newer`'s fields, removed fields last. Never throws on odd shapes. */
export function changesBetween(older: unknown, newer: unknown, options: CompareOptions = {}): Change[] {
  const changes: Change[] = [];
  const hints = managedRoots(newer).concat(managedRoots(older));
  if (options.metadataOnly) {
    const inside = (value: unknown) => (isFields(value) ? value.metadata : undefined);
    const step: Step = { kind: 'field', name: 'metadata' };
    walk([step], inside(older), inside(newer), down(hints, step), changes);
  } else walk([], older, newer, hints, changes);
  return changes;
}

function managedRoots(object: unknown): FieldNode[] {
  const metadata = isFields(object) ? object.metadata : undefined;
  const entries = isFields(metadata) ? metadata.managedFields : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown) => fieldNode(isFields(entry) ? entry.fieldsV1 : undefined));
}

/** The tries one step further down, as far as they go: they tell the key fields of lists we have no table for. */
function down(hints: readonly FieldNode[], step: Step): FieldNode[] {
  const below: FieldNode[] = [];
  for (const node of hints) {
    const child = descend(node, step, 'newer') ?? descend(node, step, 'older');
    if (child !== undefined) below.push(child);
  }
  return below;
}

function walk(
  steps: Step[],
  older: unknown,
  newer: unknown,
  hints: readonly FieldNode[],
  out: Change[],
): void {
  if (older === newer) return;
  const last = steps.at(-1);
  const root = steps[1];
  // The field set of an entry is one value here: what it means is the owners' view.
  if (
    last?.kind === 'field' &&
    last.name === 'fieldsV1' &&
    root?.kind === 'field' &&
    root.name === 'managedFields'
  ) {
    if (JSON.stringify(older) !== JSON.stringify(newer)) push(steps, older, newer, out);
    return;
  }
  if (fits(older, newer, isFields)) {
    walkMap(steps, isFields(older) ? older : undefined, isFields(newer) ? newer : undefined, hints, out);
    return;
  }
  if (fits(older, newer, Array.isArray)) {
    walkList(
      steps,
      Array.isArray(older) ? older : undefined,
      Array.isArray(newer) ? newer : undefined,
      hints,
      out,
    );
    return;
  }
  push(steps, older, newer, out);
}

/** Both are of the shape, or one is and the other is not there at all. */
function fits(older: unknown, newer: unknown, is: (value: unknown) => boolean): boolean {
  if (older === undefined) return is(newer);
  if (newer === undefined) return is(older);
  return is(older) && is(newer);
}

function walkMap(
  steps: Step[],
  older: Readonly<Record<string, unknown>> | undefined,
  newer: Readonly<Record<string, unknown>> | undefined,
  hints: readonly FieldNode[],
  out: Change[],
): void {
  const olderKeys = Object.keys(older ?? {});
  const newerKeys = Object.keys(newer ?? {});
  if (olderKeys.length === 0 && newerKeys.length === 0) {
    if (older === undefined || newer === undefined) push(steps, older, newer, out);
    return;
  }
  const gone = olderKeys.filter((name) => newer === undefined || !(name in newer));
  for (const name of [...newerKeys, ...gone]) {
    const step: Step = { kind: 'field', name };
    const [before, after] = [older?.[name], newer?.[name]];
    if (before !== after) walk([...steps, step], before, after, down(hints, step), out);
  }
}

function walkList(
  steps: Step[],
  older: readonly unknown[] | undefined,
  newer: readonly unknown[] | undefined,
  hints: readonly FieldNode[],
  out: Change[],
): void {
  const [before, after] = [older ?? [], newer ?? []];
  if (before.length === 0 && after.length === 0) {
    if (older === undefined || newer === undefined) push(steps, older, newer, out);
    return;
  }
  const last = steps.at(-1);
  const field = last?.kind === 'field' ? last.name : '';
  const keyFields = hints.map(keyFieldsAt).find((keys) => keys !== undefined);
  const naming = listNaming(field, [before, after], keyFields);
  const olderItems = itemsByLabel(before, naming);
  const newerItems = itemsByLabel(after, naming);
  const gone = [...olderItems.keys()].filter((label) => !newerItems.has(label));
  for (const label of [...newerItems.keys(), ...gone]) {
    const [olderItem, newerItem] = [olderItems.get(label), newerItems.get(label)];
    const step: Step = { kind: 'item', label, older: olderItem, newer: newerItem };
    walk([...steps, step], olderItem?.value, newerItem?.value, down(hints, step), out);
  }
  if (naming !== undefined && older !== undefined && newer !== undefined) {
    const kept = (items: ReadonlyMap<string, ListItem>, others: ReadonlyMap<string, ListItem>) =>
      [...items.keys()].filter((label) => others.has(label));
    const [was, is] = [kept(olderItems, newerItems), kept(newerItems, olderItems)];
    if (was.some((label, index) => label !== is[index])) push(steps, was, is, out);
  }
}

function itemsByLabel(
  list: readonly unknown[],
  naming: ((item: unknown) => string) | undefined,
): Map<string, NonNullable<ListItem>> {
  const items = new Map<string, NonNullable<ListItem>>();
  for (const [index, value] of list.entries()) items.set(naming?.(value) ?? String(index), { index, value });
  return items;
}

function push(steps: readonly Step[], older: unknown, newer: unknown, out: Change[]): void {
  const sign = older === undefined ? '+' : newer === undefined ? '-' : '~';
  out.push({
    steps,
    path: renderPath(steps),
    sign,
    old: older,
    new: newer,
    bookkeeping: isBookkeeping(steps),
  });
}

/** Fields that move with every write and say nothing of its content. `generation` is no such field: it says the spec moved. */
function isBookkeeping(steps: readonly Step[]): boolean {
  const [root, second, third] = steps;
  if (root?.kind !== 'field' || root.name !== 'metadata' || second?.kind !== 'field') return false;
  if (['resourceVersion', 'managedFields', 'selfLink'].includes(second.name)) return true;
  return (
    second.name === 'annotations' &&
    third?.kind === 'field' &&
    third.name === 'kubectl.kubernetes.io/last-applied-configuration'
  );
}
