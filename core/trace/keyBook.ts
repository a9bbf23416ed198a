/**
 * The evidence and spans of one key of one controller. Pieces that were added wait; refresh() derives the stretches they
 * touch and goes on while what a stretch leaves behind differs from before. Spec: docs/spec/traces.md [TR24], [TR25]
 */
import type { Span } from '../../shared/model/trace.ts';
import { deriveSegment } from './deriveSegment.ts';
import { finishRun, headOf, type NextHead } from './finish.ts';
import { cutAfter } from './segments.ts';
import { compareItems, type Item, type KeyContext, namesOfRun, namesOfWoken, type Run } from './shapes.ts';
import { type Carry, nothingBefore, sameCarry } from './wakers.ts';

interface Segment {
  from: number;
  to: number;
  readonly first: Item;
  readonly carryIn: Carry;
  readonly carryOut: Carry;
  readonly dueAt: number;
  readonly lags: readonly number[];
  readonly head: NextHead | undefined;
  readonly tail: Run | undefined;
  spans: readonly Span[];
}

/** A trigger that may be a write of some run of the operator. */
export interface TriggerLink {
  /** In the span's list of triggers. */
  readonly index: number;
  readonly names: readonly (string | number)[];
}

export interface MadeSpan {
  readonly span: Span;
  readonly links: readonly TriggerLink[];
  /** What it wrote, by the names that links use. */
  readonly wrote: ReadonlySet<string | number>;
}

export interface KeyDiff {
  readonly upserts: readonly MadeSpan[];
  readonly removed: readonly Span[];
  /** Pieces that were looked at, for the proof that appending is cheap. */
  readonly visited: number;
  readonly lags: readonly number[];
  readonly oldLags: readonly number[];
}

const nothing: KeyDiff = { upserts: [], removed: [], visited: 0, lags: [], oldLags: [] };

export class KeyBook {
  readonly controller: string;
  readonly key: string;
  private items: Item[] = [];
  private added: Item[] = [];
  private dropped: Item[] = [];
  private segments: Segment[] = [];
  /** Index of the first segment to derive again; Infinity: none. */
  private dirtyFrom = Infinity;
  private work: Work | undefined;
  private untouched: readonly Segment[] = [];
  /** Stretches of pieces that were forgotten: their spans are still shown. */
  private orphans: Segment[] = [];
  /** Asked for while stretches were being derived: done when they are. */
  private readonly later: (() => void)[] = [];

  constructor(controller: string, key: string) {
    this.controller = controller;
    this.key = key;
  }

  /** Every piece, in no order. */
  *pieces(): Iterable<Item> {
    yield* this.items;
    yield* this.added;
  }

  get dirty(): boolean {
    return (
      this.work !== undefined || this.added.length > 0 || this.dropped.length > 0 || this.dirtyFrom < Infinity
    );
  }

  /** Earliest watermark at which the same evidence says more. */
  get dueAt(): number {
    let due = Infinity;
    for (let index = this.segments.length - 1; index >= 0; index -= 1)
      due = Math.min(due, this.segments[index]?.dueAt ?? Infinity);
    return due;
  }

  /** In order of time. */
  *spans(): Iterable<Span> {
    for (const segment of this.segments) yield* segment.spans;
  }

  add(item: Item): void {
    this.added.push(item);
  }

  /** Forgets every piece; the spans go when it is derived again. */
  clear(): void {
    for (const segment of this.segments) this.orphans.push(segment);
    // What was finished is shown already.
    for (const segment of this.work?.publishing?.segments ?? []) this.orphans.push({ ...segment, lags: [] });
    this.segments = [];
    this.items = [];
    this.added = [];
    this.dropped = [];
    this.work = undefined;
    this.later.length = 0;
    this.dirtyFrom = 0;
  }

  /** Earliest line or write. */
  firstSign(): number {
    let first = Infinity;
    for (const { piece, lo } of this.pieces())
      if (piece.evidence === 'line' || piece.evidence === 'write') first = Math.min(first, lo);
    return first;
  }

  remove(item: Item): void {
    this.added = this.added.filter((other) => compareItems(other, item) !== 0);
    this.dropped.push(item);
  }

  /** All of it again, or what lies at `from` and later; from the segment that holds it. */
  invalidate(from = -Infinity): void {
    if (this.work !== undefined) {
      this.later.push(() => this.invalidate(from));
      return;
    }
    let index = this.segments.length - 1;
    while (index > 0 && (this.segments[index]?.first.lo ?? -Infinity) > from) index -= 1;
    this.dirtyFrom = Math.min(this.dirtyFrom, Math.max(0, index - (from === -Infinity ? 0 : 1)));
  }

  /** What hangs on the watermark, up to `watermark`. */
  passed(watermark: number): void {
    if (this.work !== undefined) {
      this.later.push(() => this.passed(watermark));
      return;
    }
    for (const [index, segment] of this.segments.entries())
      if (segment.dueAt <= watermark) {
        this.dirtyFrom = Math.min(this.dirtyFrom, index);
        return;
      }
  }

  /** Derives one stretch; undefined while there is more to do. The spans are the old ones until it is done. */
  step(context: KeyContext): KeyDiff | undefined {
    if (this.work === undefined) {
      if (!this.dirty) return nothing;
      this.work = this.begin(context);
    }
    const work = this.work;
    if (work.publishing === undefined && work.at < this.items.length && !this.rejoin(work)) {
      this.derive(work);
      return undefined;
    }
    const diff = this.publish(work);
    if (work.made.length > 0) return diff;
    this.work = undefined;
    for (const then of this.later.splice(0)) then();
    return diff;
  }

  private begin(context: KeyContext): Work {
    const touchedFrom = this.merge();
    const kept = Math.max(0, Math.min(touchedFrom, this.dirtyFrom, this.segments.length));
    // Behind what was touched, stretches may be kept as they are if a cut falls where they begin.
    const untouched = this.dirtyFrom === Infinity ? this.untouched : [];
    this.dirtyFrom = Infinity;
    const before = this.segments[kept - 1];
    return {
      kept,
      at: before?.to ?? 0,
      carry: before?.carryOut ?? nothingBefore,
      made: [],
      untouched,
      rejoined: undefined,
      visited: 0,
      context,
    };
  }

  /** Takes in what was added and dropped; gives the first segment that it touches. */
  private merge(): number {
    this.untouched = [];
    if (this.added.length === 0 && this.dropped.length === 0) return Infinity;
    const added = this.added.sort(compareItems);
    const dropped = this.dropped.sort(compareItems);
    this.added = [];
    this.dropped = [];
    const touched = new Set<number>();
    for (const item of [...added, ...dropped]) touched.add(this.segmentOf(item));
    for (const item of dropped) {
      // The first piece of a stretch decided where the one before it ends.
      const index = this.segmentOf(item);
      if (index > 0 && compareItems(this.segments[index]?.first ?? item, item) === 0) touched.add(index - 1);
    }
    const start = Math.min(...touched);
    const from = this.segments[start]?.from ?? 0;
    const tail = this.items.slice(from);
    const gone = new Set(dropped.map(identity));
    const merged: Item[] = [];
    let next = 0;
    const push = (item: Item): void => {
      const last = merged[merged.length - 1];
      if (last === undefined || compareItems(last, item) !== 0) merged.push(item);
      else if (JSON.stringify(last.piece) < JSON.stringify(item.piece)) merged[merged.length - 1] = item;
    };
    for (const item of tail) {
      for (
        let other = added[next];
        other !== undefined && compareItems(other, item) < 0;
        other = added[next]
      ) {
        push(other);
        next += 1;
      }
      if (gone.size === 0 || !gone.has(identity(item))) push(item);
    }
    for (const other of added.slice(next)) push(other);
    this.items.length = from;
    for (const item of merged) this.items.push(item);
    this.untouched = this.segments.filter((_, index) => index > Math.max(...touched));
    return start;
  }

  /** The segment whose stretch holds the place of `item`. */
  private segmentOf(item: Item): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const first = this.segments[middle]?.first;
      if (first !== undefined && compareItems(first, item) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** True when the rest is as it was: a cut falls where an untouched stretch begins, and what is left behind is the same. */
  private rejoin(work: Work): boolean {
    const item = this.items[work.at];
    while (work.untouched.length > 0 && item !== undefined) {
      const segment = work.untouched[0];
      if (segment === undefined) return false;
      const order = compareItems(segment.first, item);
      if (order > 0) return false;
      if (order === 0) {
        if (!sameCarry(segment.carryIn, work.carry)) return false;
        work.rejoined = work.untouched;
        work.shift = work.at - segment.from;
        return true;
      }
      work.untouched = work.untouched.slice(1);
    }
    return false;
  }

  private derive(work: Work): void {
    const from = work.at;
    const to = cutAfter(this.items, from);
    const last = to >= this.items.length;
    const stretch = this.items.slice(from, to);
    const first = stretch[0];
    if (first === undefined) return;
    const derived = deriveSegment(stretch, work.carry, work.context, last);
    const head = derived.runs[0];
    work.visited += stretch.length;
    work.made.push({
      segment: {
        from,
        to,
        first,
        carryIn: work.carry,
        carryOut: derived.carry,
        dueAt: derived.dueAt,
        lags: derived.lags,
        head: head === undefined ? undefined : headOf(head),
        tail: derived.runs[derived.runs.length - 1],
        spans: [],
      },
      runs: derived.runs,
    });
    work.carry = derived.carry;
    work.at = to;
  }

  /** Finishes the last stretch that is not finished yet: what follows its last run is known then. */
  private publish(work: Work): KeyDiff {
    const out = work.publishing ?? this.beginPublishing(work);
    work.publishing = out;
    const upserts: MadeSpan[] = [];
    const made = work.made.pop();
    if (made !== undefined) {
      const { segment, runs } = made;
      const spans: Span[] = [];
      for (let index = runs.length - 1; index >= 0; index -= 1) {
        const run = runs[index];
        if (run === undefined) continue;
        const following = runs[index + 1];
        const span = finishRun(run, following === undefined ? out.next : headOf(following), work.context);
        spans.push(span);
        upserts.push(madeOf(span, run));
      }
      segment.spans = spans.reverse();
      out.next = segment.head ?? out.next;
      out.segments.push(segment);
    }
    for (const { span } of upserts) out.old.delete(span.id);
    if (work.made.length > 0) return { ...nothing, upserts };
    return this.endPublishing(work, out, upserts);
  }

  private beginPublishing(work: Work): Publishing {
    const rejoined = work.rejoined ?? [];
    for (const segment of rejoined) {
      segment.from += work.shift ?? 0;
      segment.to += work.shift ?? 0;
    }
    const replaced = [
      ...this.orphans,
      ...this.segments.slice(work.kept, this.segments.length - rejoined.length),
    ];
    const old = new Map<string, Span>();
    for (const segment of replaced) for (const span of segment.spans) old.set(span.id, span);
    return {
      old,
      oldLags: replaced.flatMap((segment) => segment.lags),
      next: rejoined.find((segment) => segment.head !== undefined)?.head,
      segments: [],
    };
  }

  private endPublishing(work: Work, out: Publishing, upserts: MadeSpan[]): KeyDiff {
    const kept = this.segments.slice(0, work.kept);
    // The run before the first one made now is followed by another one than before.
    for (let index = kept.length - 1; index >= 0; index -= 1) {
      const segment = kept[index];
      if (segment?.tail === undefined) continue;
      const span = finishRun(segment.tail, out.next, work.context);
      const last = segment.spans[segment.spans.length - 1];
      if (last !== undefined) out.old.set(last.id, last);
      segment.spans = [...segment.spans.slice(0, -1), span];
      upserts.push(madeOf(span, segment.tail));
      out.old.delete(span.id);
      break;
    }
    const made = out.segments.reverse();
    this.segments = [...kept, ...made, ...(work.rejoined ?? [])];
    this.orphans = [];
    const lags = made.flatMap((segment) => segment.lags);
    return { upserts, removed: [...out.old.values()], visited: work.visited, lags, oldLags: out.oldLags };
  }
}

function madeOf(span: Span, run: Run): MadeSpan {
  const links: TriggerLink[] = [];
  for (const [index, { item }] of run.triggers.entries())
    if (item !== undefined) links.push({ index, names: namesOfWoken(item.piece) });
  return { span, links, wrote: namesOfRun(run) };
}

interface Publishing {
  /** Spans shown before that were not made again yet. */
  readonly old: Map<string, Span>;
  readonly oldLags: readonly number[];
  /** The run that follows what is finished next. */
  next: NextHead | undefined;
  /** Finished stretches, last first. */
  readonly segments: Segment[];
}

interface Work {
  readonly kept: number;
  at: number;
  carry: Carry;
  readonly made: { readonly segment: Segment; readonly runs: readonly Run[] }[];
  untouched: readonly Segment[];
  rejoined: readonly Segment[] | undefined;
  publishing?: Publishing;
  shift?: number;
  visited: number;
  readonly context: KeyContext;
}

function identity(item: Item): string {
  return `${item.piece.seq}/${item.piece.evidence}/${item.lo}`;
}
