/**
 * The writes of a key in the order in which the API server stored them, each once. Spec: docs/spec/traces.md [TR11], [TR12]
 */
import { compareResourceVersion, type ResourceVersion } from '../../shared/model/ids.ts';
import { bounds, type Item, versionName } from './shapes.ts';
import type { EventEvidence, WriteEvidence } from './traceTypes.ts';

/** A write and when it can have been made. */
export interface OrderedWrite {
  readonly item: Item<WriteEvidence>;
  readonly also: Item<WriteEvidence>[];
  /** Known by our receipt of its event: it was made some ms before `hi`. */
  readonly byReceipt: boolean;
  lo: number;
  hi: number;
}

/** Writes of one key in any order. `events` of it name versions that were there by then. */
export function orderWrites(
  items: readonly Item<WriteEvidence>[],
  events: readonly Item<EventEvidence>[] = [],
): OrderedWrite[] {
  const single = mergeTwice(items);
  boundByEvents(single, events);
  const versioned: OrderedWrite[] = [];
  const timed: OrderedWrite[] = [];
  for (const write of single)
    (isVersioned(write) && /^\d+$/.test(write.item.piece.write.resourceVersion ?? '')
      ? versioned
      : timed
    ).push(write);
  versioned.sort((a, b) => compareResourceVersion(versionOf(a), versionOf(b)) || compareWrites(a, b));
  for (let index = versioned.length - 2; index >= 0; index -= 1) {
    const write = versioned[index];
    const next = versioned[index + 1];
    if (write !== undefined && next !== undefined) write.hi = Math.max(write.lo, Math.min(write.hi, next.hi));
  }
  for (let index = 1; index < versioned.length; index += 1) {
    const before = versioned[index - 1];
    const write = versioned[index];
    if (write !== undefined && before !== undefined)
      write.lo = Math.min(write.hi, Math.max(write.lo, before.lo));
  }
  timed.sort(compareWrites);
  // Both lists keep their order; between them time decides.
  const all: OrderedWrite[] = [];
  let next = 0;
  for (const write of versioned) {
    for (let other = timed[next]; other !== undefined && likely(other) < likely(write); other = timed[next]) {
      all.push(other);
      next += 1;
    }
    all.push(write);
  }
  all.push(...timed.slice(next));
  return all;
}

/** An Event names the version that its recorder was given: whoever made it had done so. */
function boundByEvents(writes: readonly OrderedWrite[], events: readonly Item<EventEvidence>[]): void {
  const seenBy = new Map<string, number>();
  for (const { piece, hi } of events) {
    const name = versionName(piece.event.object, piece.aboutVersion);
    if (name !== undefined && piece.ownClock) seenBy.set(name, Math.min(hi, seenBy.get(name) ?? Infinity));
  }
  if (seenBy.size === 0) return;
  for (const write of writes) {
    const { object, resourceVersion } = write.item.piece.write;
    const name = versionName(object, resourceVersion);
    const by = name === undefined ? undefined : seenBy.get(name);
    if (by !== undefined && by < write.hi) {
      write.hi = by;
      write.lo = Math.min(write.lo, by);
    }
  }
}

function isVersioned(write: OrderedWrite): boolean {
  return write.item.piece.write.outcome === 'stored' && write.item.piece.write.resourceVersion !== undefined;
}

function versionOf(write: OrderedWrite): ResourceVersion {
  return (write.item.piece.write.resourceVersion ?? '') as ResourceVersion;
}

function likely(write: OrderedWrite): number {
  return write.byReceipt ? write.hi : (write.lo + write.hi) / 2;
}

function compareWrites(a: OrderedWrite, b: OrderedWrite): number {
  return likely(a) - likely(b) || a.item.piece.seq - b.item.piece.seq;
}

/** [TR11] A write told by audit and by its event is one: the closer time is kept, the other record stays as a reason. */
function mergeTwice(items: readonly Item<WriteEvidence>[]): OrderedWrite[] {
  const out: OrderedWrite[] = [];
  const stored = new Map<string, OrderedWrite>();
  for (const item of items.toSorted((a, b) => width(a) - width(b) || a.piece.seq - b.piece.seq)) {
    const { object, subject, resourceVersion, outcome } = item.piece.write;
    const name = `${object ?? subject}@${resourceVersion ?? ''}`;
    const same = outcome === 'stored' && resourceVersion !== undefined ? stored.get(name) : undefined;
    if (same !== undefined && same.item.piece.source !== item.piece.source) {
      same.also.push(item);
      continue;
    }
    const byReceipt = !item.piece.ownClock;
    const write: OrderedWrite = {
      item,
      also: [],
      byReceipt,
      lo: byReceipt ? Math.min(item.lo, item.hi - bounds.longestLag) : item.lo,
      hi: item.hi,
    };
    out.push(write);
    if (outcome === 'stored' && resourceVersion !== undefined && same === undefined) stored.set(name, write);
  }
  return out;
}

/** What the API server states itself comes first, and of that the narrowest. */
function width(item: Item<WriteEvidence>): number {
  return item.piece.ownClock ? item.hi - item.lo : bounds.longestLag;
}
